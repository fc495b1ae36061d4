"""What a soak showed: what was said against what was true, apart for rounds that a fault of sight touched."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from hardware.simulator.compare import compare
from hardware.simulator.soaking.faults import SIGHT, Fault
from hardware.simulator.verdict import Problem

Json = dict[str, Any]
INVENTED = ("false alarm", "wrong words", "extra result")
AFTER = 15.0
"""Seconds after a fault of sight in which what was missed may still show."""


def judge(expected: Json, said: Sequence[Json], faults: Sequence[Fault]) -> Json:
    """Counts of what was due and found, and every problem by kind, in clear rounds and in touched ones."""
    verdict = compare(expected, said)
    touched = spans(expected, faults)
    clear = [p for p in verdict.problems if not _inside(p.t, touched)]
    blind = [p for p in verdict.problems if _inside(p.t, touched)]
    due_clear = [a for a in expected["alerts"] if not _inside(a["t_evident"], touched)]
    missed = sum(p.kind == "alert missed" for p in clear)
    return {
        "rounds": len(expected["rounds"]),
        "rounds touched by a fault of sight": sum(_inside(r["t_from"] + 0.1, touched) for r in expected["rounds"]),
        "totals said": verdict.counts["totals said"],
        "wrong totals": _count(verdict.problems, "wrong total"),
        "mistakes made": verdict.counts["alerts"],
        "mistakes found": verdict.counts["alerts"] - _count(verdict.problems, "alert missed"),
        "mistakes in clear rounds": len(due_clear),
        "mistakes in clear rounds found": len(due_clear) - missed,
        "invented": sum(_count(verdict.problems, kind) for kind in INVENTED),
        "invented in clear rounds": sum(_count(clear, kind) for kind in INVENTED),
        "problems in clear rounds": dict(Counter(p.kind for p in clear)),
        "problems in touched rounds": dict(Counter(p.kind for p in blind)),
        "examples": [f"{p.t:.1f}: {p.kind} {p.about}: {p.text}" for p in [*clear[:10], *blind[:10]]],
    }


def spans(expected: Json, faults: Sequence[Fault]) -> list[tuple[float, float]]:
    """From when to when a fault of sight may show: the rounds it fell into, and a while after it."""
    found = []
    for fault in faults:
        if fault.kind in SIGHT:
            low, high = fault.start, fault.end + AFTER
            for r in expected["rounds"]:
                if r["t_from"] - 10.0 < fault.end + 1.0 and (r["t_until"] or 1e9) > fault.start:
                    low, high = min(low, r["t_from"] - 10.0), max(high, r["t_until"] or high)
            found.append((low, high))
    return found


def _inside(t: float, spans_: Sequence[tuple[float, float]]) -> bool:
    return any(low <= t <= high for low, high in spans_)


def _count(problems: Sequence[Problem], kind: str) -> int:
    return sum(p.kind == kind for p in problems)


def lines(text: str) -> list[Json]:
    """The referee's lines out of what the program wrote."""
    rows = [json.loads(line) for line in text.splitlines() if line.startswith("{") and line.endswith("}")]
    return [row for row in rows if "type" in row]
