"""What lies on a table at one instant, as plain data for the renderer."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card on the felt: centre in mm, degrees counter-clockwise, `code` None when it lies face down."""

    code: str | None
    x: float
    y: float
    deg: float


@dataclass(frozen=True, slots=True)
class PlacedChips:
    """A stack of `count` chips of one colour, centre of its base in mm."""

    x: float
    y: float
    color: str
    count: int


@dataclass(frozen=True, slots=True)
class PlacedHand:
    """A hand over the felt: centre and radius in mm; the forearm leaves towards `deg`, counter-clockwise from +x."""

    x: float
    y: float
    r: float
    source: Literal["dealer", "player"]
    deg: float


@dataclass(frozen=True, slots=True)
class Scene:
    """All things on the table; cards in laying order, later ones lie higher."""

    cards: tuple[PlacedCard, ...] = ()
    chips: tuple[PlacedChips, ...] = ()
    hands: tuple[PlacedHand, ...] = ()
