"""What a broker hands on, reduced to what the pit shows: anybody who reaches the broker may have written it."""

import json
from typing import Any

Json = dict[str, Any]
LONGEST = 64 * 1024
"""Bytes of a message that is still read."""
SEATS, HANDS, ALERTS = 12, 8, 20


def parsed(payload: bytes) -> Json | None:
    """A message's JSON object, None for anything else."""
    if len(payload) > LONGEST:
        return None
    try:
        body = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def clean_state(body: Json) -> Json:
    """A table's public state: phase, turn, seats, dealer, alerts; what has another form is left out."""
    return {
        "phase": _text(body.get("phase"), 20),
        "turn": _turn(body.get("turn")),
        "seats": [_seat(seat) for seat in _rows(body.get("seats"), SEATS)],
        "dealer": _hand(body["dealer"]) if isinstance(body.get("dealer"), dict) else None,
        "alerts": [_alert(alert) for alert in _rows(body.get("alerts"), ALERTS)],
    }


def clean_health(body: Json) -> Json:
    """How a table's installation fares."""
    times = body.get("milliseconds")
    return {
        "layout": _text(body.get("layout"), 60),
        "fault": _text(body.get("fault"), 40),
        "fps": _number(body.get("frames_per_second")),
        "dropped": _number(body.get("dropped")),
        "look_ms": _number(times.get("look")) if isinstance(times, dict) else None,
    }


def clean_event(body: Json) -> Json | None:
    """A spoken line or an alert as it comes, None for what the pit does not show."""
    kind, text = body.get("type"), _text(body.get("text"), 300)
    if kind not in ("say", "alert") or text is None:
        return None
    return {"kind": kind, "text": text}


def _text(value: Any, longest: int) -> str | None:
    return value[:longest] if isinstance(value, str) else None


def _number(value: Any) -> float | None:
    good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
    return round(value, 2) if good else None  # not a number compares as false, so it is none here


def _whole(value: Any) -> int | None:
    good = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1000
    return value if good else None


def _rows(value: Any, most: int) -> list[Json]:
    return [row for row in value[:most] if isinstance(row, dict)] if isinstance(value, list) else []


def _turn(value: Any) -> Json | None:
    seat = _whole(value.get("seat")) if isinstance(value, dict) else None
    return None if seat is None else {"seat": seat, "hand": _whole(value.get("hand")) or 0}


def _seat(row: Json) -> Json:
    hands = [_hand(hand) for hand in _rows(row.get("hands"), HANDS)]
    number = _whole(row.get("number"))
    return {"number": number, "name": _text(row.get("name"), 40), "bet": _text(row.get("bet"), 20), "hands": hands}


def _hand(row: Json) -> Json:
    return {
        "text": _text(row.get("text"), 20),
        "total": _whole(row.get("total")),
        "state": _text(row.get("state"), 20),
        "check": row.get("check") is True,
        "cards": len(row["cards"]) if isinstance(row.get("cards"), list) else 0,
    }


def _alert(row: Json) -> Json:
    return {"code": _text(row.get("code"), 40), "seat": _whole(row.get("seat")), "text": _text(row.get("text"), 300)}
