"""A referee that knows the truth: says exactly what is due, to check that expectations agree with themselves."""

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


def perfect(expected: Json) -> list[Json]:
    """The lines (section 5's form) that a flawless referee would say, in time order."""
    lines = [*_says(expected), *_alerts(expected), *_results(expected)]
    return sorted(lines, key=lambda x: x["t"])


def _says(expected: Json) -> Iterator[Json]:
    for e in expected["totals"]:
        if not e["required"]:
            continue
        number = f"{e['total'] - 10} or {e['total']}" if e["soft"] and e["total"] != 21 else str(e["total"])
        name = f", {e['name']}?" if "name" in e else ""
        yield {
            "t": e["t_evident"],
            "type": "say",
            "text": f"The dealer has {number}" if e["seat"] == 0 else number + name,
            "seat": e["seat"],
            "hand": e["hand"] or 0,
            "total": e["total"],
            "soft": e["soft"],
        }
    for e in expected["phrases"]:
        yield {"t": e["t_evident"], "type": "say", "text": e["text"], "seat": e["seat"]}


def _alerts(expected: Json) -> Iterator[Json]:
    for e in expected["alerts"]:
        seat = 0 if e["seat"] == "any" else e["seat"][0]
        moves = [m for m in e.get("moves", []) if m["t_from"] <= e["t_evident"] <= m["t_until"]]
        line = {"t": e["t_evident"], "type": "alert", "code": e["code"], "seat": seat, "text": ""}
        line["moves"] = moves[0]["moves"] if moves else []
        for key in ("expected", "seen"):
            line[key] = e[key][0] if key in e else None
        yield line
        if "mended" in e:
            yield {"t": e["mended"], "type": "resolved", "code": e["code"], "seat": seat}


def _results(expected: Json) -> Iterator[Json]:
    for r in expected["rounds"]:
        yield {"t": r["t_from"], "type": "event", "event": "round-started"}
        if r["t_cleared"] is None:
            continue
        yield {"t": r["t_cleared"], "type": "event", "event": "round-ended"}
        for i, e in enumerate(x for x in _all(expected) if x["round"] == r["round"]):
            if not e["required"] and not r["loose"]:
                continue
            hand = e["hand"] if e["hand"] is not None else i
            yield {
                "t": r["t_cleared"] + 0.5,
                "type": "result",
                "seat": e["seat"],
                "hand": hand,
                "outcome": e["outcome"][0],
                "bet": e["bet"][0],
                "pays": e["pays"][0],
                "total": e.get("total"),
                "dealer_total": e.get("dealer_total"),
                "insurance": e.get("insurance", False),
            }


def _all(expected: Json) -> list[Json]:
    return [*expected["results"], *expected.get("insurance", ())]
