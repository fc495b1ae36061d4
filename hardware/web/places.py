"""Where a card of the view lies on the felt, so that a tap on it becomes a correction at its place."""

import math
from collections.abc import Sequence

from table_state.layout import Layout
from table_state.observation import SeenCard

REACH = 215.0
"""mm: a card belongs to the nearest place within this distance (the table frame's rule)."""
STEP = (14.0, -18.0)
"""mm: each next card of a hand lies so much aside and nearer to the dealer."""
MEANT = 60.0
"""mm from a card within which a correction is about it."""
HAND_STEP = 90.0
"""mm between the heaps of a split, roughly."""

Point = tuple[float, float]


def place_point(layout: Layout, seat: int) -> Point:
    """Return where a seat's first card is laid, the dealer's upcard for seat 0; KeyError for an unknown seat."""
    if seat == 0:
        return layout.dealer
    return {s.number: s.cards for s in layout.seats}[seat]


def owner(layout: Layout, x: float, y: float) -> int | None:
    """Return the seat a card at this point belongs to (0 the dealer), None for nobody."""
    points: list[tuple[int | None, Point]] = [(s.number, s.cards) for s in layout.seats]
    points += [(0, layout.dealer), (None, layout.shoe), (None, layout.discard)]
    seat, point = min(points, key=lambda entry: math.dist(entry[1], (x, y)))
    return seat if math.dist(point, (x, y)) <= REACH else None


def usual_point(layout: Layout, seat: int, hand: int, index: int) -> Point:
    """Return where the index-th card of a hand usually lies."""
    x, y = place_point(layout, seat)
    return x + hand * HAND_STEP + index * STEP[0], y + index * STEP[1]


def free_point(layout: Layout, seen: Sequence[SeenCard], seat: int, hand: int, index: int) -> Point:
    """Return where a card that was missed may lie: by its hand, so far from every seen card that none is meant."""
    x, y = usual_point(layout, seat, hand, index)
    while any(math.dist((c.x, c.y), (x, y)) <= MEANT for c in seen):
        x, y = x + STEP[0], y + STEP[1]
    return x, y


def card_point(layout: Layout, seen: Sequence[SeenCard], seat: int, hand: int, index: int, code: str) -> Point:
    """Return the place of a shown card: where one of its code is seen at that seat, else where it usually lies."""
    usual = usual_point(layout, seat, hand, index)
    wanted = None if code == "??" and seat == 0 else code
    there = [c for c in seen if owner(layout, c.x, c.y) == seat and c.kind == "card" and c.code == wanted]
    if not there:
        return usual
    nearest = min(there, key=lambda c: math.dist((c.x, c.y), usual))
    return nearest.x, nearest.y
