"""What hands do: signals, sweeps over the insurance line, looks at the hole card, a burn card carried across."""

import math
from dataclasses import dataclass
from typing import Final

from table_state.layout import Layout, Seat
from table_state.observation import Observation, SeenHand

SAME: Final = 2.0
"""Seconds within which equal signals at one place are one."""
HOP: Final = 330.0
"""Millimetres that a carried card may go from one line to the next."""
GAP: Final = 1.35
"""Seconds without a line after which something may have happened unseen."""
LEFT: Final = 0.2
"""Share of the way from shoe to rack within which a card has just left the shoe."""
WAY, LANDED = 0.5, 0.78
"""Share of the way from shoe to rack over which a burn card must be seen, and where it has as good as arrived."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A player's signal, first seen at t."""

    t: float
    seat: int
    kind: str


@dataclass(frozen=True, slots=True)
class Sweep:
    """The dealer's hand along the insurance line."""

    t: float


@dataclass(frozen=True, slots=True)
class Look:
    """The dealer's hands lay over his cards from start to t."""

    t: float
    start: float
    hands: int


@dataclass(frozen=True, slots=True)
class Hover:
    """A hand that is not the dealer's lay over a seat's cards without a signal that was seen."""

    t: float
    seat: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Nothing was seen from start to t."""

    t: float
    start: float


@dataclass(frozen=True, slots=True)
class Burn:
    """A card was carried face up from the shoe to the rack."""

    t: float


@dataclass(slots=True)
class _Carried:
    """A card on its way: where it was last, and how far on the way from the shoe it was first seen."""

    x: float
    y: float
    t: float
    start: float
    n: int = 1


Sense = Signal | Sweep | Look | Hover | Gap | Burn


class Senses:
    """Turns hands and carried cards into what they mean."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.signals_seen = False
        self._signals: dict[tuple[int, str], float] = {}
        self._sweep = -math.inf
        self._look: tuple[float, float, int] | None = None
        self._hover: dict[int, tuple[float, float]] = {}
        self._carried: list[_Carried] = []
        self._unseen: float | None = None

    def update(self, obs: Observation, gap: float, on: bool) -> list[Sense]:
        """Take one line; on = a round is on; returns what was sensed anew."""
        out: list[Sense] = []
        t = obs.t
        if gap > GAP:
            out.append(Gap(t, t - gap))
        for hand in obs.hands:
            if hand.signal is not None:
                self._signal(t, hand, out)
        self._looks(t, obs.hands, out)
        if obs.hands or self._hover:
            self._hovers(t, obs.hands, out)
        if on:
            self._carried.clear()
            self._unseen = None
        else:
            if gap > GAP and any(c.n >= 3 and c.start < LEFT for c in self._carried):
                self._unseen = t
            self._carry(obs, out)
        return out

    def _signal(self, t: float, hand: SeenHand, out: list[Sense]) -> None:
        if hand.signal == "sweep":
            if t - self._sweep >= SAME:
                out.append(Sweep(t))
            self._sweep = t
        elif hand.source != "dealer" and hand.signal is not None:
            self.signals_seen = True
            key = (nearest_seat(self.layout, hand.x, hand.y).number, hand.signal)
            if t - self._signals.get(key, -math.inf) >= SAME:
                out.append(Signal(t, *key))
            self._signals[key] = t

    def _looks(self, t: float, hands: tuple[SeenHand, ...], out: list[Sense]) -> None:
        x, y = self.layout.dealer
        over = sum(h.source != "player" and math.hypot(h.x - x, h.y - y) < 62 for h in hands)
        if over:
            start, _, most = self._look or (t, t, 0)
            self._look = (start, t, max(most, over))
        elif self._look is not None and t - self._look[1] > 0.3:
            start, end, most = self._look
            self._look = None
            if end - start >= 0.75:
                out.append(Look(end, start, most))

    @property
    def looking(self) -> bool:
        """Whether the dealer's hands lie over his cards for longer than laying one takes."""
        return self._look is not None and self._look[1] - self._look[0] >= 0.75

    def _hovers(self, t: float, hands: tuple[SeenHand, ...], out: list[Sense]) -> None:
        for hand in hands:
            if hand.source == "dealer" or hand.signal is not None:
                continue
            for seat in self.layout.seats:
                if math.hypot(seat.cards[0] - hand.x, seat.cards[1] - hand.y) < hand.r * 0.7:
                    start, last = self._hover.get(seat.number, (t, t))
                    self._hover[seat.number] = (start if t - last < 1.0 else t, t)
        for number, (start, last) in list(self._hover.items()):
            if t - last > 0.5:
                del self._hover[number]
                if last - start >= 0.35:
                    out.append(Hover(last, number))

    def _carry(self, obs: Observation, out: list[Sense]) -> None:
        """A chain of sightings from the shoe's side to the rack, while no round is on, is a burn card."""
        t = obs.t
        if self._unseen is not None and t - self._unseen > 1.0:
            # It was on its way as nothing was seen for a while, and then it lay nowhere.
            self._unseen = None
            out.append(Burn(t))
        self._carried = [c for c in self._carried if t - c.t < 1.3]
        for card in obs.cards:
            if card.code is None or card.kind != "card":
                continue
            share = self._way(card.x, card.y)
            for carried in self._carried:
                moved = math.hypot(card.x - carried.x, card.y - carried.y)
                if carried.t < t and 25.0 < moved < HOP * max(1.0, (t - carried.t) / 0.2):
                    carried.x, carried.y, carried.t = card.x, card.y, t
                    carried.n += 1
                    if carried.n >= 3 and share > LANDED and share - carried.start > WAY:
                        out.append(Burn(t))
                        self._carried.clear()
                        return
                    break
            else:
                if share < 1.0 - WAY:
                    self._carried.append(_Carried(card.x, card.y, t, share))

    def _way(self, x: float, y: float) -> float:
        """How far a point is on the way from the shoe (0) to the rack (1)."""
        (sx, sy), (rx, ry) = self.layout.shoe, self.layout.discard
        dx, dy = rx - sx, ry - sy
        return ((x - sx) * dx + (y - sy) * dy) / max(1.0, dx * dx + dy * dy)


def nearest_seat(layout: Layout, x: float, y: float) -> Seat:
    """The seat whose cards, circle or the line between is nearest to a point."""
    return min(layout.seats, key=lambda s: _to_segment((x, y), s.cards, s.circle[:2]))


def _to_segment(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    f = 0.0 if length == 0 else max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length))
    return math.hypot(p[0] - a[0] - f * dx, p[1] - a[1] - f * dy)
