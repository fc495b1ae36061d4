"""One card seen twice: a second reading of it beside it, where no second card was laid.

A recogniser may take a card's other index, or a second look at its back, for another card. A real second card of the
same face is brought by a hand after the first came to rest, and is laid onto the newest card of its heap; where that
is not so, it is the first card once more.
"""

import math
from collections.abc import Sequence
from typing import Final

from table_state.cards import BACK, is_known
from table_state.layout import Layout
from table_state.observation import SeenCard, SeenHand
from table_state.places import DEALER, heaps, nearest_place
from table_state.track import Candidate, Track

BESIDE: Final = 36.0
"""Millimetres from a card within which its second reading lies."""
TURNED: Final = 20.0
"""Degrees within which both readings lie at one angle: a doubled card lies crosswise."""
HEAP: Final = 62.0
COVER: Final = 30.0
LAID: Final = 0.8
"""Seconds after a card came to rest from which a hand on it is one that may bring another."""
BROUGHT: Final = 1.6
"""Seconds that may go by between a hand at a place and the first sight of a card that it laid there."""
MISSED: Final = 0.5
"""Seconds for which the first card may be out of sight by chance."""
BARE: Final = 3
"""Lines that show a place without a hand, after which what is first seen there was not brought by the last hand."""
UNCOVERED: Final = 0.5
"""Seconds after a hand was there from which that counts."""
STEP, LEVEL = 26.0, 9.0
"""Millimetres that the dealer's next card lies to the right of the last at least, and off its line at most."""
ASIDE: Final = 4.0
"""Millimetres by which a next card may lie farther from the dealer's edge."""
BLIND: Final = 0.6
"""Seconds after a gap between lines in which a card may come to be seen that was laid unseen."""


class Hands:
    """Where hands that may bring cards were in the last seconds; a player's own hand brings none."""

    def __init__(self) -> None:
        self._seen: list[tuple[float, float, float, float]] = []

    def see(self, t: float, hands: Sequence[SeenHand]) -> None:
        """Take one line's hands."""
        if hands or self._seen:
            self._seen = [x for x in self._seen if t - x[0] < BROUGHT]
            self._seen += [(t, h.x, h.y, (h.r + COVER) ** 2) for h in hands if h.source != "player"]

    def last_at(self, x: float, y: float) -> float:
        """When one of them was last at a point."""
        return max((t for t, hx, hy, r2 in self._seen if (x - hx) ** 2 + (y - hy) ** 2 < r2), default=-math.inf)


def of_whom(t: float, new: Candidate, live: Sequence[Track], coming: Sequence[Candidate], blind: float) -> Track | None:
    """The card that a new one is a second reading of, None where it is its own; blind = when the last gap ended."""
    if new.since - blind < BLIND:
        return None
    code, up = new.belief.code, new.belief.face_up
    for track in live:
        if up and _on_dealers(track, new) and (code == BACK or not _brought(track, new)):
            return track
        if track.belief.fixed or not _shows(track, code, up):
            continue
        if math.hypot(track.x - new.x, track.y - new.y) > BESIDE or _crosswise(track, new):
            continue
        missed = track.misses >= 3 and t - track.missing_since >= MISSED
        shown = track.seen == t or track.covered or not missed
        laid = _brought(track, new) and _newest(track, live) and _onward(track, new)
        if shown and not (laid and not _another(new, coming)):
            return track
    return None


def _on_dealers(track: Track, new: Candidate) -> bool:
    """Whether a face is seen where one of the dealer's open cards lies: none is laid there, but crosswise."""
    if track.place != DEALER or not track.is_up or _crosswise(track, new):
        return False
    missed = track.misses >= 3 and new.seen - track.missing_since >= MISSED
    return not missed and math.hypot(track.x - new.x, track.y - new.y) < STEP


def outshone(new: Candidate, coming: Sequence[Candidate], layout: Layout) -> bool:
    """Whether what is seen there is rather another card that is read more surely, of two where only one can lie."""
    if not new.belief.face_up or nearest_place(layout, new.x, new.y) != DEALER:
        return False
    return any(
        x.seen >= new.seen
        and x.belief.face_up
        and x.last.p > new.last.p
        and math.hypot(x.x - new.x, x.y - new.y) < STEP
        and not _turned(x.last.deg, new.last.deg)
        for x in coming
    )


def _shows(track: Track, code: str, up: bool) -> bool:
    """Whether a card shows this face, or this back, though it may have been turned just now."""
    if up and not track.is_up:
        return track.last.code == code
    return track.is_up == up and (not up or track.code == code)


def bare(card: SeenCard, live: Sequence[Track]) -> int:
    """In how many lines cards that lie where this one is first seen were seen since a hand lay there."""
    return max((x.shown for x in live if math.hypot(x.x - card.x, x.y - card.y) <= BESIDE), default=0)


def _onward(track: Track, new: Candidate) -> bool:
    """Whether it lies where the next card is laid: nearer to the dealer, aside at most (contract, section 2)."""
    if track.place == DEALER:
        return new.x >= track.x + STEP and abs(new.y - track.y) <= LEVEL
    return math.hypot(new.x, new.y) <= math.hypot(track.x, track.y) + ASIDE


def _brought(track: Track, new: Candidate) -> bool:
    """Whether a hand was there after the one card came to rest, and before the other was seen."""
    long_bare = new.bare >= BARE and new.since - new.hand > UNCOVERED
    return new.hand >= max(track.rest, track.up_since or 0.0) + LAID and not long_bare


def _another(new: Candidate, coming: Sequence[Candidate]) -> bool:
    """Whether the hand brought another card there: it brings one at a time."""
    return any(
        x is not new
        and x.ghost_of is None
        and x.seen >= new.seen
        and is_known(x.belief.code)
        and x.belief.code != new.belief.code
        and math.hypot(x.x - new.x, x.y - new.y) < BESIDE
        for x in coming
    )


def _newest(track: Track, live: Sequence[Track]) -> bool:
    """Whether the next card of its heap would be laid onto this one; the dealer gets no third face-down card."""
    if track.place == DEALER:
        near = [x for x in live if x.place == DEALER and math.hypot(x.x - track.x, x.y - track.y) < HEAP]
        if not track.is_up and len(near) > 1:
            return False
        return all((x.born, x.id) <= (track.born, track.id) for x in near)
    return any(heap[-1] == track.id for heap in heaps([x for x in live if x.place == track.place]))


def _crosswise(track: Track, new: Candidate) -> bool:
    return _turned(track.last.deg, new.last.deg)


def _turned(one: float, other: float) -> bool:
    turned = abs(one - other) % 180.0
    return min(turned, 180.0 - turned) > TURNED
