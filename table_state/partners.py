"""Which card something new is: one that was carried, nudged or turned, one that comes back, or none that is known."""

import math
from typing import Final, Protocol

from table_state.cards import BACK
from table_state.layout import Layout
from table_state.places import place_of
from table_state.track import Candidate, Track

NUDGE: Final = 50.0
FLIP: Final = 140.0
"""Millimetres that a card may move as it is turned."""
TURNING: Final = 2.5
"""Seconds within which a card that was taken off is laid on its face elsewhere."""
ON_ITS_WAY: Final = 0.45
"""Seconds that carrying a card from a player to the dealer takes at least."""
CARRIED: Final = 8.0
RETURNED: Final = 90.0
TOGETHER: Final = 1.0
"""Seconds within which cards went out of sight together."""


class Tracked(Protocol):
    """What lies, what went, and what has come."""

    layout: Layout
    live: list[Track]
    gone: list[Track]
    candidates: list[Candidate]


def partner(tracker: Tracked, t: float, new: Candidate) -> tuple[Track | None, bool]:
    """The track that this is, carried or nudged; and whether to wait for a look at where it lay."""
    young = t - new.since < 2.5
    code, up = new.belief.code, new.belief.face_up
    best: tuple[float, Track] | None = None
    other = False
    for track in tracker.live:
        if track.seen == t:
            continue
        if not _may_be(track, code, up):
            if _unsettled(t, track, new):
                return None, True
            continue
        d = _apart(new, track)
        near = d < (NUDGE if track.is_up else FLIP)
        if track.covered:
            # Where it lay a hand lies now: it may have been carried here from there.
            unseen = track.is_up and track.seen < new.since
            if young and (near or track.misses or unseen):
                return None, True
            continue
        # A hand may be quicker than the lines: then the card came here as it went from there.
        quick = track.misses >= 3 and -0.3 <= new.since - track.missing_since < TURNING
        carried = quick or track.neared >= track.seen - 0.3 or track.missing_since - track.seen > 1.2
        if not near and not carried:
            continue
        if _nearer_one(tracker, t, new, track, d):
            other = True
            continue
        away = t - track.missing_since
        if away < 0.45 or (track.misses < (3 if near else 4) and away < (0.9 if near else 1.2)):
            if young and (near or track.misses):
                return None, True
            continue
        if best is None or d < best[0]:
            best = (d, track)
    if best is not None:
        same = _returned(tracker, new, code, up) if up and not best[1].is_up else None
        return (same if same is not None and same.is_up else best[1]), False
    if other and young:
        return None, True
    if not up:
        return _turned_down(tracker, new), False
    return _returned(tracker, new, code, up), False


def _nearer_one(tracker: Tracked, t: float, new: Candidate, track: Track, d: float) -> bool:
    """Whether another new card of the same face lies nearer to where a card lay: then that is this card."""
    return new.belief.face_up and any(
        x is not new and t - x.seen < 0.5 and x.belief.code == new.belief.code and _apart(x, track) < d
        for x in tracker.candidates
    )


def _apart(new: Candidate, track: Track) -> float:
    return math.hypot(track.x - new.x, track.y - new.y)


def _turned_down(tracker: Tracked, new: Candidate) -> Track | None:
    """A player's card that was just taken off and laid on its face as the dealer's: a deal put right."""
    if place_of(tracker.layout, new.x, new.y, tracker.live) != 0 or sum(x.place == 0 for x in tracker.live) > 1:
        return _returned(tracker, new, BACK, False)
    elsewhere = {c.belief.code for c in tracker.candidates if c is not new}
    went = [
        x
        for x in [*tracker.live, *tracker.gone]
        if x.place > 0 and x.is_up and x.seen < new.since + 0.1 and new.since - x.seen < TURNING
        if _was_taken(x) and x.code not in elsewhere
    ]
    gone = [x for x in went if x.gone is not None and x.gone <= new.since]
    carried = gone or [x for x in went if new.since - x.seen > ON_ITS_WAY] or went
    return max(carried, key=lambda x: x.seen, default=None) or _returned(tracker, new, BACK, False)


def _was_taken(track: Track) -> bool:
    """Whether a card is out of sight for more than chance: gone, or a hand was near, or for many lines."""
    return track.gone is not None or track.misses >= (3 if track.neared >= track.seen - 0.3 else 6)


def _unsettled(t: float, track: Track, new: Candidate) -> bool:
    """Whether a card beside is just out of sight after a hand was there: first see where it went."""
    close = abs(track.x - new.x) < 110 and abs(track.y - new.y) < 110
    fresh = 0 < track.misses < 3 and track.neared >= track.seen - 0.3
    return close and fresh and t - new.since < 1.0 and track.is_up


def _may_be(track: Track, code: str, up: bool) -> bool:
    if not track.belief.face_up:
        return not up or track.belief.code in ("??", code)
    return up and track.belief.code == code and code != "??"


def _returned(tracker: Tracked, new: Candidate, code: str, up: bool) -> Track | None:
    place = place_of(tracker.layout, new.x, new.y, tracker.live)
    best: tuple[float, Track] | None = None
    for track in reversed(tracker.gone):
        if track.gone is None or not _may_be(track, code, up):
            continue
        away = new.since - track.gone
        known = track.belief.face_up
        if away < (CARRIED if known else 3.0) or (known and place == track.place and away < RETURNED):
            # Of equal cards that went together each comes back as the nearest.
            d = _apart(new, track)
            if best is None or (d < best[0] and best[1].gone is not None and best[1].gone - track.gone < TOGETHER):
                best = (d, track)
    return None if best is None else best[1]
