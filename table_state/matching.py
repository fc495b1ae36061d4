"""Which sighting may be which card, and whether the whole table moved."""

import math
from bisect import bisect_left, bisect_right
from typing import Final

from table_state.observation import SeenCard
from table_state.track import GATE, SHIFT, Track, cost, cost_of, x_of

STAYED: Final = 2.0
"""Seconds after a card seemed to be shifted in which it may be seen to lie where it lay."""
SAME_SPOT: Final = 9.0


def pairs(seen: list[SeenCard], tracks: list[Track]) -> list[tuple[float, int, Track]]:
    """Cost, number of the sighting and card of all pairs that may be, the cheapest first."""
    out = []
    live = sorted(tracks, key=x_of)
    xs = [track.x for track in live]
    for n, card in enumerate(seen):
        cx, cy, back = card.x, card.y, card.code is None
        for track in live[bisect_right(xs, cx - SHIFT) : bisect_left(xs, cx + SHIFT)]:
            dy = track.y - cy
            if -SHIFT < dy < SHIFT:
                dx = track.x - cx
                price = cost(track, card, back, dx * dx + dy * dy)
                if price < GATE * GATE:
                    out.append((price, n, track))
    out.sort(key=cost_of)
    return out


def bump(t: float, unmatched: list[SeenCard], live: list[Track]) -> tuple[float, float] | None:
    """How far everything shifted at once, found by the codes; None where it did not."""
    shifts = []
    for card in unmatched:
        same = [x for x in live if x.seen != t and not x.covered and x.belief.code == card.code]
        if len(same) == 1 and math.hypot(same[0].x - card.x, same[0].y - card.y) < 150:
            shifts.append((card.x - same[0].x, card.y - same[0].y))
    if len(shifts) < 3:
        return None
    dx = sorted(s[0] for s in shifts)[len(shifts) // 2]
    dy = sorted(s[1] for s in shifts)[len(shifts) // 2]
    agree = sum(math.hypot(x - dx, y - dy) < 8 for x, y in shifts)
    stayed = sum(x.seen == t for x in live)
    if agree < 3 or agree * 3 < len(shifts) * 2 or stayed >= agree:
        return None
    return dx, dy


def stayed(t: float, card: SeenCard, live: list[Track]) -> SeenCard:
    """What is new where a card is seen: another one, if it lies where an equal card lay that seemed to be shifted.

    An equal card laid beside one that was out of sight just then is first taken for that one; then the first is back.
    """
    for track in live:
        if t - track.shifted >= STAYED or track.seen != t or track.code != card.code:
            continue
        x, y = track.home
        if abs(x - card.x) < SAME_SPOT and abs(y - card.y) < SAME_SPOT:
            track.x, track.y, track.shifted = card.x, card.y, -math.inf
            card, track.last = track.last, card
            return card
    return card
