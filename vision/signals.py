"""Players' signals from the motion of their hands: a wave across the cards, taps on the felt."""

import math
from collections import deque
from dataclasses import dataclass, field

import numpy as np

from table_state.layout import Layout
from vision.hands import Arm

_SECONDS = 1.4  # of motion that are looked at
_SAME = 120.0  # mm a hand may move between two frames and still be the same
_NEAR = 190.0  # mm from a seat's cards or circle in which a signal is meant for it
_WAVE = 32.0  # mm sideways, each way, that make a wave
_TAP = 9.0  # mm to and fro that make a tap
_TAP_MOST = 45.0
_HOLD = 0.3  # seconds a signal stands


@dataclass(slots=True)
class _Trail:
    """One hand's places over the last moments: t, x, y; and the last signal it gave."""

    places: deque[tuple[float, float, float]] = field(default_factory=deque)
    signal: str | None = None
    until: float = -math.inf


class SignalReader:
    """Follows the players' hands. What is not plainly a wave or a tap is None, never a guess."""

    def __init__(self, layout: Layout) -> None:
        self._seats = [p for s in layout.seats for p in (s.cards, s.circle[:2])]
        self._trails: list[_Trail] = []

    def read(self, t: float, arms: list[Arm]) -> list[str | None]:
        """The signal of each arm now."""
        trails = [self._trail(t, arm) for arm in arms]
        self._trails = [trail for trail in trails if trail is not None]
        return [None if trail is None else self._signal(t, arm, trail) for arm, trail in zip(arms, trails, strict=True)]

    def _trail(self, t: float, arm: Arm) -> _Trail | None:
        if arm.source != "player":
            return None
        for trail in self._trails:
            _, x, y = trail.places[-1]
            if math.hypot(arm.x - x, arm.y - y) < _SAME:
                self._trails.remove(trail)
                break
        else:
            trail = _Trail()
        trail.places.append((t, arm.x, arm.y))
        while t - trail.places[0][0] > _SECONDS:
            trail.places.popleft()
        return trail

    def _signal(self, t: float, arm: Arm, trail: _Trail) -> str | None:
        if not any(math.hypot(arm.x - x, arm.y - y) < _NEAR for x, y in self._seats):
            return None
        if t > trail.until:
            trail.signal = _motion(trail, arm)
            trail.until = t + _HOLD if trail.signal is not None else t
            if trail.signal is not None:
                last = trail.places[-1]
                trail.places.clear()
                trail.places.append(last)
        return trail.signal


def _motion(trail: _Trail, arm: Arm) -> str | None:
    places = np.array(trail.places)[:, 1:]
    if len(places) < 5:
        return None
    along = places @ np.array(arm.reach)
    aside = places @ np.array([-arm.reach[1], arm.reach[0]])
    spread_along, spread_aside = float(np.ptp(along)), float(np.ptp(aside))
    if spread_aside > 1.6 * spread_along and turns(aside.tolist(), _WAVE) >= 2:
        return "wave"
    if _TAP < spread_along < _TAP_MOST and spread_along > 1.3 * spread_aside and turns(along.tolist(), _TAP) >= 3:
        return "tap"
    return None


def turns(values: list[float], least: float) -> int:
    """How often a path turns back by at least `least`."""
    count, way = 0, 0
    low = high = values[0]
    for value in values[1:]:
        if way <= 0 and value - low >= least:
            count, way, high = count + (way < 0), 1, value
        elif way >= 0 and high - value >= least:
            count, way, low = count + (way > 0), -1, value
        low, high = min(low, value), max(high, value)
        # Only the end of the stroke under way matters: the other end starts anew with it.
        low, high = (value if way > 0 and value == high else low), (value if way < 0 and value == low else high)
    return count
