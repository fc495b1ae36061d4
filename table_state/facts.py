"""What changed on the table, each with its time: the events that a round is folded from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from table_state.chips import Chips
from table_state.senses import Burn, Gap, Hover, Look, Signal, Sweep


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards at one place from t on: hands from the dealer's left, ids in laying order, and which lie face up."""

    t: float
    place: int
    heaps: tuple[tuple[int, ...], ...]
    up: frozenset[int]
    ids: tuple[int, ...] = field(init=False)
    """All cards of the place."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", tuple(i for heap in self.heaps for i in heap))


@dataclass(frozen=True, slots=True)
class Clear:
    """No card lies at any place any more."""

    t: float


@dataclass(frozen=True, slots=True)
class BetSaid:
    """A person said what a seat has bet."""

    t: float
    seat: int
    amount: Fraction


Fact = Cards | Chips | Signal | Sweep | Look | Hover | Gap | Burn | Clear | BetSaid


class Card(Protocol):
    """What a fold may know of a card."""

    @property
    def code(self) -> str:
        """The likeliest code."""

    @property
    def face(self) -> str:
        """What is on its face as far as it was ever seen, for reasoning only: it may lie face down."""

    @property
    def value(self) -> int | None:
        """The likeliest value, an ace 1."""

    @property
    def sure(self) -> bool:
        """Whether the value is beyond a passing misreading."""

    @property
    def born(self) -> float:
        """When it was first seen at rest."""

    @property
    def taken(self) -> bool:
        """Whether a hand was there as it went, where it is gone."""

    @property
    def deg(self) -> float:
        """How it is turned, degrees."""

    @property
    def lo(self) -> float:
        """The earliest time at which it may have been laid."""


Deck = Mapping[int, Card]
"""Cards by their ids."""
