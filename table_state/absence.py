"""What it means that a card is out of sight: taken, carried elsewhere, or hidden."""

import math
from collections.abc import Mapping
from typing import Final

from table_state.track import Track

TAKEN_HEAP, TAKEN_CARD = 0.58, 0.95
"""Seconds that a heap or a card must be missing after a hand was there, before it counts as taken."""
UNSEEN_HEAP: Final = 1.6
UNSEEN_CARD: Final = 5.0
"""Seconds that a heap or a card must be missing, no hand having been near, before it counts as taken."""


def is_gone(t: float, track: Track, live: list[Track], at_place: Mapping[int, float], hands_seen: bool) -> bool:
    """Whether a card that is out of sight was taken; at_place = when a hand was last at the cards of a place."""
    away = t - track.missing_since
    touched = hand_was_there(track, at_place)
    heap = [x for x in live if x.place == track.place and x.id != track.id]
    together = bool(heap) and all(x.misses >= 2 or x.covered for x in heap)
    if touched or not hands_seen:
        return track.misses >= 3 and away >= (TAKEN_HEAP if together else TAKEN_CARD)
    if _moved_on(track, live):
        return track.misses >= 5 and away >= TAKEN_CARD
    # No hand was seen to take it: a whole heap that is missing was taken all the same, one card may be hidden.
    return track.misses >= 6 and away >= (UNSEEN_HEAP if together else UNSEEN_CARD)


def hand_was_there(track: Track, at_place: Mapping[int, float]) -> bool:
    """Whether a hand, or a gap in which nothing was seen, may have taken a card that is out of sight."""
    neared = at_place.get(track.place, -math.inf) if track.place >= 0 else track.neared
    return neared >= track.seen - 0.3 or track.missing_since - track.seen > 1.2


def _moved_on(track: Track, live: list[Track]) -> bool:
    """Whether a card of the same face came to lie elsewhere as this one went out of sight: then it is that card."""
    code = track.code
    return (
        code is not None
        and "?" not in code
        and any(
            x.code == code and x.id != track.id and x.born >= track.missing_since - 0.5 and not x.misses for x in live
        )
    )
