"""Compare what a referee said with what was true and due; one comparison for simulated and recorded rounds."""

from collections.abc import Iterable, Sequence
from typing import Any

from hardware.simulator.hearing import totals, words
from hardware.simulator.verdict import CLEARING, ECHO, REPEATS, SLACK, Json, Problem, Verdict, equal

__all__ = ["Problem", "Verdict", "compare"]


def compare(expected: Json, said: Sequence[Json]) -> Verdict:
    """What is wrong with the lines `said` (section 5's form), given expectations in the recorded rounds' form."""
    by_type: dict[str, list[Json]] = {"alert": [], "resolved": [], "say": [], "result": [], "event": []}
    for line in said:
        by_type.setdefault(line["type"], []).append(line)
    verdict = Verdict()
    _alerts(expected, by_type["alert"], verdict)
    _resolved(expected, by_type["alert"], by_type["resolved"], verdict)
    totals(expected, by_type["say"], verdict)
    words(expected, by_type["say"], verdict)
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
        if key in due and not any(equal(alert.get(key), v) for v in due[key]):
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
        if not any(equal(r[key], v) for v in e[key]):
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
