"""What may be expected of a referee whose eyes tell neither the number of chips nor every signal."""

from typing import Any

from hardware.simulator.observe import Level

Json = dict[str, Any]
AMOUNTS = {"alerts": ("expected", "seen"), "results": ("bet", "pays"), "insurance": ("bet", "pays")}


def expected_at(expected: Json, level: Level) -> Json:
    """Expectations as far as they can be met at a level: amounts may stay unknown, what needs them may be missed."""
    if level.signals is not None and "sweep" not in level.signals:
        expected = _optional(expected, "sweep")
        expected["phrases"] = [p for p in expected["phrases"] if not p["text"].startswith("Insurance")]
    if level.chips_null < 1.0:
        return expected
    expected = _optional(expected, "count")
    for key, amounts in AMOUNTS.items():
        expected[key] = [_unknown(row, amounts) for row in expected[key]]
    return expected


def _optional(expected: Json, needs: str) -> Json:
    """The same where alerts may come, and need not, that are only known by what is not seen."""
    optional = [a for a in expected["alerts"] if a.get("needs") == needs]
    allowed = [
        {"code": code, "seat": a["seat"], "t_from": a["t_from"], "t_until": a["t_until"] + 10.0}
        for a in optional
        for code in (a["code"], *(o["code"] for o in a.get("or", ())))
    ]
    return expected | {
        "alerts": [a for a in expected["alerts"] if a.get("needs") != needs],
        "resolved": [r for r in expected["resolved"] if r.get("needs") != needs],
        "allowed_alerts": expected["allowed_alerts"] + allowed,
    }


def _unknown(row: Json, amounts: tuple[str, ...]) -> Json:
    """The same where amounts may be unknown, too."""
    return row | {key: [*row[key], None] for key in amounts if key in row}
