"""What the referee says, as frozen dataclasses; `to_json` gives the contract's section 5 form."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from table_state.amounts import plain

Json = dict[str, Any]


def _t(t: float) -> float:
    return round(t, 3)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at the table; fields that do not apply are None."""

    t: float
    event: str
    seat: int | None = None
    hand: int | None = None
    card: str | None = None
    amount: Fraction | None = None

    def to_json(self) -> Json:
        """The contract's `event` line."""
        row: Json = {"t": _t(self.t), "type": "event", "event": self.event}
        rest = {"seat": self.seat, "hand": self.hand, "card": self.card, "amount": plain(self.amount)}
        return row | {k: v for k, v in rest.items() if v is not None}


@dataclass(frozen=True, slots=True)
class Say:
    """Words to be spoken; seat, hand, total, soft and cards where they are about a hand (seat 0 = dealer)."""

    t: float
    text: str
    seat: int | None = None
    hand: int | None = None
    total: int | None = None
    soft: bool = False
    cards: tuple[str, ...] = ()

    def to_json(self) -> Json:
        """The contract's `say` line."""
        row: Json = {"t": _t(self.t), "type": "say", "text": self.text}
        if self.seat is None:
            return row
        about = {"seat": self.seat, "hand": self.hand or 0, "total": self.total, "soft": self.soft}
        return row | about | {"cards": list(self.cards)}


@dataclass(frozen=True, slots=True)
class Move:
    """A card to be moved; places are `seat:N`, `dealer`, `shoe`, `discard`."""

    card: str
    source: str
    target: str

    def to_json(self) -> Json:
        """The contract's form of a move."""
        return {"card": self.card, "from": self.source, "to": self.target}


@dataclass(frozen=True, slots=True)
class Alert:
    """A mistake at the table: its code, whose it is (0 = dealer, None = table) and what mends it."""

    t: float
    code: str
    seat: int | None
    hand: int | None
    text: str
    moves: tuple[Move, ...] = ()
    expected: Fraction | None = None
    seen: Fraction | None = None

    def to_json(self) -> Json:
        """The contract's `alert` line; expected and seen only where one of them is known."""
        row: Json = {"t": _t(self.t), "type": "alert", "code": self.code, "seat": self.seat}
        if self.hand is not None:
            row["hand"] = self.hand
        row |= {"text": self.text, "moves": [m.to_json() for m in self.moves]}
        if self.expected is not None or self.seen is not None:
            row |= {"expected": plain(self.expected), "seen": plain(self.seen)}
        return row


@dataclass(frozen=True, slots=True)
class Resolved:
    """A raised alert whose cause is mended or no longer holds."""

    t: float
    code: str
    seat: int | None

    def to_json(self) -> Json:
        """The contract's `resolved` line."""
        return {"t": _t(self.t), "type": "resolved", "code": self.code, "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Result:
    """How one hand (or one insurance bet) ended; pays is the profit due, None where the bet is unknown."""

    t: float
    seat: int
    hand: int
    outcome: str
    bet: Fraction | None
    pays: Fraction | None
    dealer_total: int | None
    total: int | None
    insurance: bool = False

    def to_json(self) -> Json:
        """The contract's `result` line."""
        row: Json = {"t": _t(self.t), "type": "result", "seat": self.seat, "hand": self.hand, "outcome": self.outcome}
        row |= {"bet": plain(self.bet), "pays": plain(self.pays)}
        row |= {"dealer_total": self.dealer_total, "total": self.total}
        return row | ({"insurance": True} if self.insurance else {})


Output = Event | Say | Alert | Resolved | Result
