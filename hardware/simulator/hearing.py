"""What was said of hands against what they held: totals, names, words."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from hardware.simulator.verdict import EARLY, ECHO, REPEATS, SLACK, Json, Verdict


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


def totals(expected: Json, says: Sequence[Json], verdict: Verdict) -> None:
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


def words(expected: Json, says: Sequence[Json], verdict: Verdict) -> None:
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
