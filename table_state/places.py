"""Where things belong: cards to the nearest place or the heap they touch, chips to circles (contract, section 2)."""

import math
from collections.abc import Iterable
from typing import Final, Protocol

from table_state.layout import Layout

NOBODY: Final = -1
DEALER: Final = 0
REACH: Final = 215.0
TOUCH: Final = 62.0
"""Millimetres between centres within which a card lies against a heap."""
HEAP: Final = 52.0
"""The same for two cards of one hand, one between them taken away perhaps; split hands lie further apart."""


class Lying(Protocol):
    """A card that lies somewhere."""

    id: int
    x: float
    y: float
    deg: float
    place: int
    born: float


def nearest_place(layout: Layout, x: float, y: float) -> int:
    """The seat number, 0 = dealer, -1 = nobody, whose cards' point is nearest."""
    best, place = REACH, NOBODY
    points = [(0, layout.dealer), *((s.number, s.cards) for s in layout.seats)]
    for number, (px, py) in points:
        d = math.hypot(x - px, y - py)
        if d < best:
            best, place = d, number
    for px, py in (layout.shoe, layout.discard):
        if math.hypot(x - px, y - py) < best:
            return NOBODY
    return place


class Stock:
    """Tells quickly whether a point is nearer to shoe or rack than to any place for cards."""

    def __init__(self, layout: Layout) -> None:
        self._stock = (layout.shoe, layout.discard)
        self._points = (layout.dealer, *(s.cards for s in layout.seats))

    def holds(self, x: float, y: float) -> bool:
        """Whether what lies there belongs to shoe or rack."""
        (ax, ay), (bx, by) = self._stock
        near = min((x - ax) ** 2 + (y - ay) ** 2, (x - bx) ** 2 + (y - by) ** 2)
        if near > 640_000.0:
            return False
        for px, py in self._points:  # noqa: SIM110 - asked for every card of every line; a generator costs twice this
            if (x - px) ** 2 + (y - py) ** 2 <= near:
                return False
        return True


def place_of(layout: Layout, x: float, y: float, lying: Iterable[Lying]) -> int:
    """Where a card belongs that is laid at a point: the heap it touches, else the nearest place."""
    best, place = TOUCH, None
    for card in lying:
        d = math.hypot(x - card.x, y - card.y)
        if card.place >= 0 and d < best:
            best, place = d, card.place
    return nearest_place(layout, x, y) if place is None else place


def heaps(cards: list[Lying]) -> tuple[tuple[int, ...], ...]:
    """The hands at one seat as they lie, from the dealer's left; ids in laying order within a hand."""
    groups: list[list[Lying]] = []
    for card in sorted(cards, key=lambda c: (c.born, c.id)):
        near = [(min(math.hypot(card.x - c.x, card.y - c.y) for c in g), n) for n, g in enumerate(groups)]
        d, n = min(near, default=(math.inf, 0))
        if d < HEAP:
            groups[n].append(card)
        else:
            groups.append([card])
    if len(groups) > 1:
        tilt = math.radians(_tilt([g[0].deg for g in groups]))
        groups.sort(key=lambda g: g[0].x * math.cos(tilt) + g[0].y * math.sin(tilt))
    return tuple(tuple(c.id for c in g) for g in groups)


def _tilt(degs: list[float]) -> float:
    """How a seat's cards are turned, crosswise or not: one angle for all, since at arm's length a degree is much."""
    x = sum(math.cos(math.radians(4.0 * d)) for d in degs)
    y = sum(math.sin(math.radians(4.0 * d)) for d in degs)
    return math.degrees(math.atan2(y, x)) / 4.0


def spot_of(layout: Layout, x: float, y: float) -> tuple[int, bool] | None:
    """The bet that a chip belongs to, (seat, whether insurance), the nearest first; None = nobody's."""
    best, spot = math.inf, None
    for seat in layout.seats:
        cx, cy, r = seat.circle
        d = math.hypot(x - cx, y - cy)
        if d < best and d <= r + 20.0:
            best, spot = d, (seat.number, False)
        if seat.insurance is not None:
            d = math.hypot(x - seat.insurance[0], y - seat.insurance[1])
            if d < best and d <= 60.0:
                best, spot = d, (seat.number, True)
    return spot
