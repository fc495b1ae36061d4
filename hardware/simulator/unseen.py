"""What may be expected of a referee whose eyes tell neither the number of chips nor every signal."""

from typing import Any

from hardware.simulator.observe import Level

Json = dict[str, Any]


def expected_at(expected: Json, level: Level) -> Json:
    """Expectations as far as they can be met at a level: amounts may stay unknown, what needs them may be missed."""
    if level.signals is not None and "sweep" not in level.signals:
        expected = expected | {"phrases": [p for p in expected["phrases"] if not p["text"].startswith("Insurance")]}
    return expected if level.chips_null < 1.0 else _uncounted(expected)


def _uncounted(expected: Json) -> Json:
    counted = [a for a in expected["alerts"] if a.get("counted")]
    allowed = [
        {"code": code, "seat": a["seat"], "t_from": a["t_from"], "t_until": a["t_until"] + 10.0}
        for a in counted
        for code in (a["code"], *(o["code"] for o in a.get("or", ())))
    ]
    return expected | {
        "alerts": [_unknown(a, "expected", "seen") for a in expected["alerts"] if not a.get("counted")],
        "resolved": [r for r in expected["resolved"] if not r.get("counted")],
        "allowed_alerts": expected["allowed_alerts"] + allowed,
        "results": [_unknown(r, "bet", "pays") for r in expected["results"]],
        "insurance": [_unknown(r, "bet", "pays") for r in expected["insurance"]],
    }


def _unknown(row: Json, *amounts: str) -> Json:
    """The same where amounts may be unknown, too."""
    return row | {key: [*row[key], None] for key in amounts if key in row}
