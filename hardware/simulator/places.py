"""Where a dealer lays cards and chips: the contract's sections 1 and 2 as arithmetic on a layout."""

import math
import random
from dataclasses import dataclass

from table_state.layout import Layout, Point, Seat

ASIDE, NEARER = 14.0, 18.0
"""How far each next card of a hand lies aside and nearer to the dealer, mm."""
BESIDE = 42.0
"""From a bet to the payout or stake beside it, mm."""
HEAPS = {1: 0.0, 2: 84.0, 3: 74.0, 4: 66.0}
"""Heaps at a seat -> mm between their first cards."""
BETS = {1: 0.0, 2: 62.0, 3: 41.0, 4: 40.0}
"""Stacks of split bets at a seat -> mm between them."""
DEALER_STEP = 42.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A card's resting place."""

    x: float
    y: float
    deg: float


def angle(seat: Seat) -> float:
    """How a seat's cards are turned, degrees: half of its direction from the dealer's edge."""
    return math.degrees(math.atan2(-seat.cards[0], seat.cards[1])) / 2


def along(seat: Seat, x: float, y: float, at: Point) -> Point:
    """A point of the seat's own frame (x to its right, y away from the dealer) put at `at`."""
    a = math.radians(angle(seat))
    return at[0] + x * math.cos(a) - y * math.sin(a), at[1] + x * math.sin(a) + y * math.cos(a)


def aside(seat: Seat) -> float:
    """To which side of the seat's frame next cards go: towards the middle of the table."""
    return -1.0 if seat.cards[0] > 0 else 1.0


@dataclass(frozen=True, slots=True)
class Places:
    """A layout seen by a human hand: every spot comes with a little disorder."""

    layout: Layout
    rng: random.Random
    sloppy: float = 1.0

    def _off(self, mm: float) -> float:
        return self.rng.uniform(-mm, mm) * self.sloppy

    def shaken(self, x: float, y: float, deg: float, mm: float = 3.0, turn: float = 4.0) -> Spot:
        """A spot with disorder of a few millimetres and degrees."""
        return Spot(x + self._off(mm), y + self._off(mm), deg + self._off(turn))

    def card(self, seat: Seat, heaps: int, heap: int, index: int, crosswise: bool = False) -> Spot:
        """Where card `index` of one of a seat's heaps lies."""
        x = (heap - (heaps - 1) / 2) * HEAPS[heaps] + index * ASIDE * aside(seat)
        at = along(seat, x, -index * NEARER, seat.cards)
        return self.shaken(*at, angle(seat) + (90.0 if crosswise else 0.0))

    def bet(self, seat: Seat, heaps: int = 1, heap: int = 0) -> Point:
        """Where the stack of a hand's bet stands."""
        x = (heap - (heaps - 1) / 2) * BETS[heaps]
        return self.near(along(seat, x, 0.0, seat.circle[:2]), 6.0 if heaps == 1 else 2.0)

    def near(self, at: Point, mm: float = 2.0) -> Point:
        """A point with disorder."""
        return at[0] + self._off(mm), at[1] + self._off(mm)

    def upcard(self) -> Spot:
        """Where the dealer's first card lies."""
        return self.shaken(*self.layout.dealer, 0.0, 4.0, 3.0)

    def hole(self, beside: bool) -> Spot:
        """Where the hole card lies: beside the upcard or crosswise under it."""
        x, y = self.layout.dealer
        return self.shaken(x + 46.0, y, 0.0) if beside else self.shaken(x + 6.0, y - 12.0, 90.0, 2.0)

    def opened(self) -> Spot:
        """Where a hole card that lay under the upcard is turned up."""
        x, y = self.layout.dealer
        return self.shaken(x - DEALER_STEP, y, 0.0, 2.0, 3.0)

    def drawn(self, index: int, beside: bool) -> Spot:
        """Where the dealer's drawn card of an index (2 = the first drawn) lies."""
        x, y = self.layout.dealer
        step = 46.0 + (index - 1) * 33.0 if beside else (index - 1) * DEALER_STEP
        return self.shaken(x + step, y, 0.0, 2.0, 4.0)


def gesture(seat: Seat) -> Point:
    """Where a player's tap, finger or line is seen: between cards and circle, a little to the side."""
    mid = (seat.cards[0] + seat.circle[0]) / 2, (seat.cards[1] + seat.circle[1]) / 2
    return along(seat, 45.0, 0.0, mid)
