"""Compare what a referee said with what was true and due; one comparison for simulated and recorded rounds."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
SLACK = 0.06
"""Seconds, for rounding of times."""
EARLY = 0.3
"""Seconds before a thing lands that naming it is not yet wrong."""
ECHO = 3.0
"""Seconds after a total has changed that saying the old one is still no error."""
REPEATS = 3
CLEARING = 5.0


@dataclass(frozen=True, slots=True)
class Problem:
    """One disagreement: its kind, the code or seat it is about, when, and in words."""

    kind: str
    about: str
    t: float
    text: str


@dataclass(slots=True)
class Verdict:
    """All disagreements and the seconds from evident to said."""

    problems: list[Problem] = field(default_factory=list)
    alert_delays: list[float] = field(default_factory=list)
    say_delays: list[float] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def problem(self, kind: str, about: str, t: float, text: str) -> None:
        """Note a disagreement."""
        self.problems.append(Problem(kind, about, t, text))

    def merge(self, other: "Verdict") -> None:
        """Add another stretch's verdict to this one."""
        self.problems += other.problems
        self.alert_delays += other.alert_delays
        self.say_delays += other.say_delays
        self.counts += other.counts


def compare(expected: Json, said: Sequence[Json]) -> Verdict:
    """What is wrong with the lines `said` (section 5's form), given expectations in the recorded rounds' form."""
    by_type: dict[str, list[Json]] = {"alert": [], "resolved": [], "say": [], "result": [], "event": []}
    for line in said:
        by_type.setdefault(line["type"], []).append(line)
    verdict = Verdict()
    _alerts(expected, by_type["alert"], verdict)
    _resolved(expected, by_type["alert"], by_type["resolved"], verdict)
    _totals(expected, by_type["say"], verdict)
    _words(expected, by_type["say"], verdict)
    _results(expected, by_type["result"], verdict)
    _rounds(expected, by_type["event"], verdict)
    return verdict


# ---- alerts
def _seat_ok(seat: Any, accepted: Any) -> bool:
    return accepted == "any" or seat in accepted


def _is(alert: Json, due: Json) -> bool:
    if alert["code"] == due["code"] and _seat_ok(alert["seat"], due["seat"]):
        return due.get("hand") is None or alert.get("hand", 0) == due["hand"]
    return any(alert["code"] == o["code"] and _seat_ok(alert["seat"], o["seat"]) for o in due.get("or", ()))


def _alerts(expected: Json, alerts: Sequence[Json], verdict: Verdict) -> None:
    used: set[int] = set()
    for due in sorted(expected["alerts"], key=lambda d: d["t_evident"]):
        verdict.counts["alerts"] += 1
        verdict.counts[f"alerts {due['code']}"] += 1
        own = [i for i, a in enumerate(alerts) if i not in used and _is(a, due) and a["t"] >= due["t_from"] - SLACK]
        if not own or alerts[own[0]]["t"] > due["t_until"] + 10.0:
            verdict.problem("alert missed", due["code"], due["t_evident"], f"seat {due['seat']}")
            continue
        first = alerts[own[0]]
        end = min(due.get("mended", 1e9) + 1.0, _round_end(expected, due["t_evident"]))
        used |= {own[0]} | {i for i in own if alerts[i]["t"] <= end and _content(alerts[i], due) is None}
        if first["t"] > due["t_until"] + SLACK:
            late = first["t"] - due["t_evident"]
            verdict.problem("alert late", due["code"], due["t_evident"], f"{late:.1f} s after it was evident")
            continue
        verdict.counts["alerts found"] += 1
        verdict.alert_delays.append(max(0.0, first["t"] - due["t_evident"]))
        wrong = _content(first, due)
        if wrong:
            verdict.problem("wrong moves", due["code"], first["t"], wrong)
        verdict.counts["alerts repeated"] += max(0, len(own) - REPEATS)
    for i, alert in enumerate(alerts):
        if i not in used and not _allowed(alert, expected["allowed_alerts"]):
            verdict.problem("false alarm", alert["code"], alert["t"], f"seat {alert['seat']}: {alert.get('text')}")


def _round_end(expected: Json, t: float) -> float:
    return max((r["t_until"] for r in expected["rounds"] if r["t_from"] <= t), default=1e9)


def _allowed(alert: Json, allowed: Iterable[Json]) -> bool:
    return any(
        a["code"] == alert["code"]
        and _seat_ok(alert["seat"], a["seat"])
        and a["t_from"] - SLACK <= alert["t"] <= a["t_until"] + ECHO
        for a in allowed
    )


def _content(alert: Json, due: Json) -> str | None:
    if alert["code"] != due["code"]:
        return None
    if "moves" in due:
        fits = [m["moves"] for m in due["moves"] if m["t_from"] - SLACK <= alert["t"] <= m["t_until"] + SLACK]
        if not any(_same_moves(alert.get("moves", []), m) for m in fits):
            return f"moves {_plain(alert.get('moves', []))}, right {[_plain(m) for m in fits]}"
    for key in ("expected", "seen"):
        if key in due and not any(_equal(alert.get(key), v) for v in due[key]):
            return f"{key} {alert.get(key)}, right {due[key]}"
    return None


def _plain(moves: Iterable[Json]) -> list[tuple[str, str, str]]:
    return sorted((m["card"], m["from"], m["to"]) for m in moves if m["from"] != "shoe")


def _same_moves(got: Iterable[Json], right: Iterable[Json]) -> bool:
    """Equal as sets; a card that lies face down may be called by any name."""
    left = _plain(got)
    hidden = []
    for move in _plain(right):
        if move[0] == "??":
            hidden.append(move[1:])
        elif move in left:
            left.remove(move)
        else:
            return False
    return sorted(m[1:] for m in left) == sorted(hidden)


def _equal(a: Any, b: Any) -> bool:
    return (a is None) == (b is None) and (a is None or abs(float(a) - float(b)) < 0.005)


def _resolved(expected: Json, alerts: Sequence[Json], resolved: Sequence[Json], verdict: Verdict) -> None:
    for r in resolved:
        if not any(a["code"] == r["code"] and a["seat"] == r["seat"] and a["t"] <= r["t"] for a in alerts):
            verdict.problem("resolved unraised", r["code"], r["t"], f"seat {r['seat']}")
    for due in expected["resolved"]:
        verdict.counts["mended"] += 1
        own = [r for r in resolved if r["code"] in due["code"] and _seat_ok(r["seat"], due["seat"])]
        if any(due["t_from"] - SLACK <= r["t"] <= due["t_until"] + SLACK for r in own):
            verdict.counts["mended noticed"] += 1
            continue
        early = [r for r in own if due["t_from"] - 8.0 < r["t"] < due["t_from"]]
        kind = "resolved early" if early else "resolved missed"
        verdict.problem(kind, due["code"][0], due["t_evident"], f"seat {due['seat']}")


# ---- totals and words
class _Truth:
    """What each place held when, as spans in which saying a total is right."""

    def __init__(self, expected: Json) -> None:
        self.spans: dict[int, list[tuple[float, float, int | None, bool, int, str]]] = {}
        for key, rows in expected["truth"].items():
            seat, hand = (int(x) for x in key.split("/"))
            for i, (t, total, soft, _) in enumerate(rows):
                end = max(rows[i + 1][0], rows[i + 1][3]) if i + 1 < len(rows) else 1e9
                self.spans.setdefault(seat, []).append((t - EARLY, end + ECHO, total, soft, hand, f"{key}#{i}"))
        self.many = [(x["seat"], x["t_from"] - 60, x["t_until"] + 60) for x in expected["totals"] if x["hand"] is None]

    def at(self, seat: int, hand: int | None, t: float) -> list[tuple[float, float, int | None, bool, int, str]]:
        """Spans of a hand (any hand where three or more lie) around a time."""
        loose = any(s == seat and a <= t <= b for s, a, b in self.many)
        spans = self.spans.get(seat, ())
        return [x for x in spans if x[0] <= t <= x[1] and (loose or hand is None or x[4] == hand)]


def _totals(expected: Json, says: Sequence[Json], verdict: Verdict) -> None:
    truth = _Truth(expected)
    heard: Counter[str] = Counter()
    about = [s for s in says if s.get("seat") is not None and s.get("total") is not None]
    for say in about:
        verdict.counts["totals said"] += 1
        seat, hand, t = say["seat"], say.get("hand") or 0, say["t"]
        now = [x for x in truth.at(seat, hand, t) if x[2] == say["total"]]
        right = [x for x in now if x[3] == bool(say.get("soft")) or x[2] == 21]
        if not right:
            soft = " (soft or hard is wrong)" if now else ""
            verdict.problem("wrong total", f"seat {seat}", t, f"hand {hand}: said {say['text']!r}{soft}")
            continue
        heard[right[-1][5]] += 1
        if heard[right[-1][5]] == REPEATS + 1:
            verdict.problem("said again", f"seat {seat}", t, f"{say['text']!r} for the fourth time")
        _text(say, right[0], verdict)
    for due in expected["totals"]:
        if due["required"]:
            _due_total(due, about, verdict)
    verdict.counts["check says"] += sum(str(s.get("text", "")).startswith("check") for s in says)


def _text(say: Json, span: tuple[float, float, int | None, bool, int, str], verdict: Verdict) -> None:
    text, total, soft = str(say["text"]), span[2], span[3]
    if any(w in text.lower() for w in ("blackjack", "too many", "breaks")):
        return
    numbers = "".join(c if c.isdigit() else " " for c in text).split()
    wanted = {str(total)} | ({str(total - 10)} if soft and total is not None and total != 21 else set())
    if not wanted <= set(numbers):
        verdict.problem("wrong text", f"seat {say['seat']}", say["t"], f"{text!r} for {total}{' soft' if soft else ''}")


def _due_total(due: Json, says: Sequence[Json], verdict: Verdict) -> None:
    verdict.counts["totals due"] += 1
    own = [
        s
        for s in says
        if s["seat"] == due["seat"]
        and due["hand"] in (None, s.get("hand") or 0)
        and s["total"] == due["total"]
        and due["t_from"] - SLACK <= s["t"] <= due["t_until"] + SLACK
    ]
    if not own:
        soft = " soft" if due["soft"] else ""
        what = f"hand {due['hand']}: {due['total']}{soft} from {due['t_from']:.1f} to {due['t_until']:.1f}"
        verdict.problem("total missed", f"seat {due['seat']}", due["t_evident"], what)
        return
    verdict.say_delays.append(max(0.0, own[0]["t"] - due["t_evident"]))
    name = due.get("name")
    if name and not any(name.lower() in str(s["text"]).lower() for s in own):
        verdict.problem("wrong text", f"seat {due['seat']}", own[0]["t"], f"{own[0]['text']!r} does not name {name}")


def _words(expected: Json, says: Sequence[Json], verdict: Verdict) -> None:
    for due in expected["phrases"]:
        verdict.counts["words due"] += 1
        own = [
            s
            for s in says
            if due["text"].lower() in str(s.get("text", "")).lower()
            and (due["seat"] is None or s.get("seat") in (None, due["seat"]))
            and due["t_from"] - SLACK <= s["t"] <= due["t_until"] + SLACK
        ]
        if own:
            verdict.say_delays.append(max(0.0, own[0]["t"] - due["t_evident"]))
        else:
            verdict.problem("words missed", due["text"], due["t_evident"], f"seat {due['seat']}")
    truth = _Truth(expected)
    for say in says:
        text, seat, t = str(say.get("text", "")).lower(), say.get("seat"), say["t"]
        for word, wrong in _CLAIMS.items():
            if word in text and wrong(expected, truth, seat, say.get("hand"), t):
                verdict.problem("wrong words", word, t, f"seat {seat}: {say['text']!r}")


def _over(expected: Json, truth: _Truth, seat: Any, hand: Any, t: float) -> bool:
    return seat is not None and not any((x[2] or 0) > 21 for x in truth.at(seat, hand, t))


def _dealer(low: int) -> Callable[[Json, _Truth, Any, Any, float], bool]:
    return lambda expected, truth, seat, hand, t: not any((x[2] or 0) >= low for x in truth.at(0, None, t))


def _natural(expected: Json, truth: _Truth, seat: Any, hand: Any, t: float) -> bool:
    if seat in (None, 0):
        return False
    return not any(b["seat"] == seat and b["t_from"] <= t <= b["t_until"] for b in expected["blackjacks"])


_CLAIMS: dict[str, Callable[[Json, _Truth, Any, Any, float], bool]] = {
    "too many": _over,
    "dealer breaks": _dealer(22),
    "dealer has blackjack": _dealer(21),
    "blackjack": _natural,
}


# ---- results and rounds
def _results(expected: Json, results: Sequence[Json], verdict: Verdict) -> None:
    for rnd in expected["rounds"]:
        mine = [r for r in results if rnd["t_from"] - 1.0 <= r["t"] < rnd["t_until"] - 1.0]
        insurance = expected.get("insurance")
        due = [e for e in [*expected["results"], *(insurance or ())] if e["round"] == rnd["round"]]
        if rnd["loose"]:
            continue
        for e in due:
            _due_result(e, rnd, mine, verdict)
        spare = {e["seat"] for e in due if not e["required"]}
        for r in mine:
            if r["seat"] not in spare and r["outcome"] != "void" and not (r.get("insurance") and insurance is None):
                verdict.problem("extra result", r["outcome"], r["t"], f"seat {r['seat']} hand {r.get('hand')}")


def _due_result(e: Json, rnd: Json, mine: list[Json], verdict: Verdict) -> None:
    own = [
        r
        for r in mine
        if r["seat"] == e["seat"]
        and bool(r.get("insurance")) == bool(e.get("insurance"))
        and e["hand"] in (None, r.get("hand") or 0)
    ]
    if e["hand"] is None:
        own = [r for r in own if _wrong_result(r, e) is None][:1] or own[:1]
    for r in own:
        mine.remove(r)
    if not e["required"]:
        return
    verdict.counts["results due"] += 1
    label = f"round {e['round']} seat {e['seat']} hand {e['hand']}{' insurance' if e.get('insurance') else ''}"
    wrong = _wrong_result(own[-1], e) if own else None
    if not own:
        verdict.problem("result missed", e["outcome"][0], rnd["t_cleared"] or 0.0, label)
    elif len(own) > 1:
        verdict.problem("result twice", e["outcome"][0], own[-1]["t"], label)
    elif wrong:
        verdict.problem("wrong result", e["outcome"][0], own[-1]["t"], f"{label}: {wrong}")
    elif rnd["t_cleared"] is not None and own[-1]["t"] > rnd["t_cleared"] + CLEARING:
        verdict.problem("result late", e["outcome"][0], own[-1]["t"], label)
    else:
        verdict.counts["results right"] += 1


def _wrong_result(r: Json, e: Json) -> str | None:
    if r["outcome"] not in e["outcome"]:
        return f"{r['outcome']}, right {'/'.join(e['outcome'])}"
    if e["outcome"] == ["void"]:
        return None if r["pays"] in (0, None) else f"pays {r['pays']}, right 0"
    for key in ("bet", "pays"):
        if not any(_equal(r[key], v) for v in e[key]):
            return f"{key} {r[key]}, right {e[key]}"
    for key in ("total", "dealer_total"):
        if e.get(key) is not None and r.get(key) is not None and r[key] != e[key]:
            return f"{key} {r[key]}, right {e[key]}"
    return None


def _rounds(expected: Json, events: Sequence[Json], verdict: Verdict) -> None:
    for event, right in (
        ("round-started", len(expected["rounds"])),
        ("round-ended", sum(r["t_cleared"] is not None for r in expected["rounds"])),
    ):
        got = sum(e["event"] == event for e in events)
        spare = expected["partial_rounds"] + expected["unfinished_rounds"]
        if not right <= got <= right + spare:
            verdict.problem("rounds", event, 0.0, f"{got} of them, right {right}")
