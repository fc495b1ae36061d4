"""What a display may show now; a hole card is `??` until it is turned."""

from dataclasses import dataclass
from typing import Any

from table_state.output import Alert

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand: cards in dealing order, best total, its text like `3 or 13`, its state, and whether it needs a look."""

    cards: tuple[str, ...] = ()
    total: int | None = None
    soft: bool = False
    text: str = ""
    state: str = "empty"
    check: bool = False

    def to_json(self) -> Json:
        """Plain JSON values."""
        row: Json = {"cards": list(self.cards), "total": self.total, "soft": self.soft}
        return row | {"text": self.text, "state": self.state, "check": self.check}


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat: its bet in words (None = no bet or unknown), its hands from the dealer's left, whether a bet stands."""

    number: int
    name: str
    bet: str | None = None
    hands: tuple[HandView, ...] = ()
    placed: bool = False

    def to_json(self) -> Json:
        """Plain JSON values."""
        row: Json = {"number": self.number, "name": self.name, "bet": self.bet}
        return row | {"placed": self.placed or self.bet is not None, "hands": [h.to_json() for h in self.hands]}


@dataclass(frozen=True, slots=True)
class TableView:
    """The whole table at an instant; turn is (seat, hand), seat 0 the dealer."""

    t: float
    phase: str
    turn: tuple[int, int] | None
    seats: tuple[SeatView, ...]
    dealer: HandView
    alerts: tuple[Alert, ...]

    def to_json(self) -> Json:
        """Plain JSON values."""
        return {
            "t": round(self.t, 3),
            "phase": self.phase,
            "turn": None if self.turn is None else list(self.turn),
            "seats": [s.to_json() for s in self.seats],
            "dealer": self.dealer.to_json(),
            "alerts": [a.to_json() for a in self.alerts],
        }
