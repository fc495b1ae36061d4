"""What each audience is sent: the whole table, one seat, nothing that is hidden.

A hole card is `??` in a `TableView` until it is turned; nothing here looks behind it.
"""

from collections.abc import Iterable
from typing import Any

from table_state.layout import Layout
from table_state.table import Alert, HandView, Output, Resolved, Say, SeatView, TableView

Json = dict[str, Any]


def said(output: Output) -> Json | None:
    """Return the words of an output that is shown or announced, None for the others."""
    if isinstance(output, Say):
        check = output.total is None and output.seat is not None
        return {"kind": "say", "text": output.text, "seat": output.seat, "hand": output.hand, "check": check}
    if isinstance(output, Alert):
        return {"kind": "alert", "text": output.text, "code": output.code, "seat": output.seat}
    if isinstance(output, Resolved):
        return {"kind": "resolved", "code": output.code, "seat": output.seat}
    return None


def _hand(hand: HandView) -> Json:
    return {
        "cards": list(hand.cards),
        "total": hand.total,
        "soft": hand.soft,
        "text": hand.text,
        "state": hand.state,
        "check": hand.check,
    }


def _seat(seat: SeatView) -> Json:
    return {
        "number": seat.number,
        "name": seat.name,
        "bet": seat.bet,
        "placed": seat.placed or seat.bet is not None,
        "hands": [_hand(hand) for hand in seat.hands],
    }


def _alerts(alerts: Iterable[Alert]) -> list[Json]:
    """The alerts as they are listed: those that say the same are one, with how often they stand."""
    found: list[Json] = []
    for alert in alerts:
        body = alert.to_json()
        row = {key: body.get(key) for key in ("code", "seat", "hand", "text", "moves", "expected", "seen")}
        same = next((r for r in found if all(r[key] == row[key] for key in ("code", "seat", "text", "moves"))), None)
        if same is None:
            found.append(row | {"count": 1})
        else:
            same["count"] += 1
    return found


def _turn(view: TableView | None) -> Json | None:
    if view is None or view.turn is None:
        return None
    seat, hand = view.turn
    return {"seat": seat, "hand": hand}


def for_table(view: TableView | None, said: list[Json]) -> Json:
    """Return the whole table as everybody around it sees it."""
    return {
        "phase": view.phase if view else None,
        "turn": _turn(view),
        "seats": [_seat(seat) for seat in view.seats] if view else [],
        "dealer": _hand(view.dealer) if view else None,
        "alerts": _alerts(view.alerts) if view else [],
        "said": said,
    }


def for_seat(layout: Layout, view: TableView | None, said: list[Json], number: int) -> Json:
    """Return one seat's own hands, the dealer's hand, the number of the seat in turn; nothing else of other seats."""
    own = next((seat for seat in view.seats if seat.number == number), None) if view else None
    turn = _turn(view)
    if turn and turn["seat"] != number:
        turn = {"seat": turn["seat"], "hand": 0}
    name = next((seat.name for seat in layout.seats if seat.number == number), "")
    return {
        "phase": view.phase if view else None,
        "turn": turn,
        "seat": _seat(own) if own else {"number": number, "name": name, "bet": None, "hands": []},
        "dealer": _hand(view.dealer) if view else None,
        "alerts": [
            {key: alert[key] for key in ("code", "text", "count")}
            for alert in _alerts(a for a in view.alerts if a.seat == number)
        ]
        if view
        else [],
        "said": [words for words in said if words["seat"] in (number, 0, None)],
    }
