"""When places were last in full sight, so that a card that was not laid there can be told from one not yet seen."""

import math
from typing import Final

SEEN_EMPTY: Final = 0.35
"""Seconds in full sight without a new card that show that none was laid."""


class InSight:
    """Remembers for every place when its next card would have been seen."""

    def __init__(self) -> None:
        self._clear: dict[int, float] = {}
        self._clear_since: dict[int, float] = {}

    def look(self, t: float, places: dict[int, bool]) -> None:
        """Remember which places' next card would have been seen in this line."""
        for place, clear in places.items():
            if not clear:
                self._clear_since.pop(place, None)
            elif t - self._clear_since.setdefault(place, t) >= SEEN_EMPTY:
                self._clear[place] = t

    def clear_at(self, place: int) -> float:
        """When a place was last in full sight."""
        return self._clear.get(place, -math.inf)
