"""Cards over time: candidates, tracks that a hand may hide, cards that are carried from place to place.

Durations are in seconds; only where a reading may be missing by chance are lines counted as well, since each line is
one chance.
"""

import math
from bisect import bisect_left, bisect_right
from typing import Final

from table_state.belief import Belief
from table_state.cards import BACK
from table_state.layout import Layout
from table_state.observation import Observation, SeenCard, SeenHand
from table_state.places import NOBODY, Stock, place_of

TAKEN_HEAP, TAKEN_CARD = 0.58, 0.95
"""Seconds that a heap or a card must be missing after a hand was there, before it counts as taken."""
UNSEEN_HEAP: Final = 1.6
UNSEEN_CARD: Final = 5.0
"""Seconds that a heap or a card must be missing, no hand having been near, before it counts as taken."""
GATE: Final = 14.0
"""Millimetres that a lying card may seem to move between two lines; cards of a hand lie 23 apart."""
SHIFT: Final = 26.0
"""The same where a hand was on the card and it is read as before."""
STILL: Final = 9.0
REST: Final = 0.15
"""Seconds at one spot that make a card lie at rest."""
FORGET: Final = 1.7
COVER: Final = 30.0
"""Millimetres around a hand within which it may hide a card's centre."""
NEAR: Final = 125.0
"""Millimetres around a hand within which it may have been on a card since the line before."""
FLICKER: Final = 0.3
"""Seconds for which something that comes to lie may not be seen."""
SEEN_EMPTY: Final = 0.35
"""Seconds in full sight without a new card that show that none was laid."""
NUDGE: Final = 50.0
FLIP: Final = 140.0
"""Millimetres that a card may move as it is turned."""
TURNING: Final = 2.5
"""Seconds within which a card that was taken off is laid on its face elsewhere."""
CARRIED: Final = 8.0
TWINS: Final = 8.0
"""Seconds after its first sight for which a card may still turn out to be an old one."""
RETURNED: Final = 90.0
TOGETHER: Final = 1.0
"""Seconds within which cards went out of sight together."""


def _x(track: "Track") -> float:
    return track.x


def _first(pair: tuple[float, int, "Track"]) -> float:
    return pair[0]


def _cost(track: "Track", card: SeenCard, back: bool, d: float) -> float:
    """What it costs to take a sighting at a squared distance for a track; over GATE squared it is another card."""
    if back == track.is_up:
        return d + 130.0
    if card.code != track.code:
        if not track.state[1] or card.code == BACK:
            return d + 20.0
        # Where a card was taken off, another one may be laid in its place.
        return d + (200.0 if track.misses >= 3 else 80.0)
    return 0.28 * d if track.touched > track.seen else d


def _repeats(last: SeenCard, card: SeenCard) -> bool:
    """Whether an entry is that of the line before: the same look told again."""
    return (
        card.x == last.x and card.y == last.y and card.p == last.p and card.code == last.code and card.deg == last.deg
    )


class Track:
    """One physical card on the table."""

    __slots__ = (
        "belief",
        "born",
        "covered",
        "deg",
        "gone",
        "id",
        "is_up",
        "kind",
        "last",
        "lo",
        "misses",
        "missing_since",
        "neared",
        "place",
        "rest",
        "seen",
        "state",
        "taken",
        "touched",
        "up_since",
        "x",
        "y",
    )

    def __init__(self, number: int, first: "Candidate", lo: float) -> None:
        self.id = number
        self.x, self.y, self.deg = first.x, first.y, first.deg
        self.belief = first.belief
        self.kind = first.kind
        self.last = first.last
        """Its last entry, as it came."""
        self.born = first.since
        """When it was first seen at rest in the round."""
        self.lo = lo
        """The earliest time at which it may have been laid there."""
        self.rest = first.since
        """Since when it lies where it lies."""
        self.seen = first.seen
        self.place = NOBODY
        self.covered = False
        self.touched = -math.inf
        self.neared = -math.inf
        self.misses = 0
        self.missing_since = 0.0
        self.gone: float | None = None
        self.taken = False
        """Whether a hand was there as it went."""
        self.up_since: float | None = None
        self.state: tuple[str, bool, bool] = ("??", False, False)
        self.is_up = first.belief.face_up

    @property
    def code(self) -> str:
        """The likeliest code."""
        return self.belief.code

    @property
    def value(self) -> int | None:
        """The likeliest value, an ace 1."""
        return self.belief.value

    @property
    def sure(self) -> bool:
        """Whether the value is beyond a passing misreading."""
        return self.belief.sure


class Candidate:
    """Something like a card that has not yet been seen to lie still."""

    __slots__ = ("belief", "deg", "kind", "last", "misses", "n", "seen", "since", "x", "y")

    def __init__(self, t: float, card: SeenCard) -> None:
        self.x, self.y, self.deg = card.x, card.y, card.deg
        self.since = self.seen = t
        self.n = 0
        self.misses = 0
        self.kind = card.kind
        self.last = card
        self.belief = Belief()

    @property
    def need(self) -> int:
        """Lines in which it must be seen: more where nothing was read, as cards on their way show."""
        return 2 if self.belief.ever_read or not self.belief.face_up else 4


def _under(card: Candidate, hands: tuple[SeenHand, ...]) -> bool:
    return any((card.x - h.x) ** 2 + (card.y - h.y) ** 2 < (h.r + COVER) ** 2 for h in hands)


class CardTracker:
    """Follows all cards outside shoe and rack."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.live: list[Track] = []
        self.gone: list[Track] = []
        self.candidates: list[Candidate] = []
        self.changed: set[int] = set()
        """Places whose cards came, went or moved since this was last emptied."""
        self.removed: list[tuple[float, float, str, float]] = []
        """Where a person said that no card lies: x, y, code, until when."""
        self.by_id: dict[int, Track] = {}
        self.beliefs_changed = False
        self.twins: dict[int, int] = {}
        """Cards that were taken for new and are old ones: new id to old id."""
        self._stock = Stock(layout)
        self._next = 1
        self._at_place: dict[int, float] = {}
        self._clear: dict[int, float] = {}
        self._clear_since: dict[int, float] = {}
        self._hands_seen = False

    # ---- one line
    def update(self, obs: Observation, gap: float) -> None:
        """Take one line; gap = seconds since the line before."""
        t = obs.t
        holds = self._stock.holds
        seen = [c for c in obs.cards if not holds(c.x, c.y)]
        self._cover(t, obs.hands)
        unmatched = self._match(t, seen)
        if len(unmatched) >= 3:
            unmatched = self._bumped(t, unmatched)
        lost = self._miss(t, gap)
        if unmatched or self.candidates:
            self._candidates(t, unmatched, obs.hands)
        if self.gone and (self.beliefs_changed or lost):
            self.merge_twins(t)

    def _cover(self, t: float, hands: tuple[SeenHand, ...]) -> None:
        for track in self.live:
            track.covered = False
        self._hands_seen = self._hands_seen or bool(hands)
        for hand in hands:
            cover, reach = (hand.r + COVER) ** 2, (hand.r + NEAR) ** 2
            for track in self.live:
                d = (track.x - hand.x) ** 2 + (track.y - hand.y) ** 2
                if d < reach:
                    track.neared = t
                    self._at_place[track.place] = t
                    if d < cover:
                        track.covered = True
                        track.touched = t

    def _match(self, t: float, seen: list[SeenCard]) -> list[SeenCard]:
        pairs = []
        live = sorted(self.live, key=_x)
        xs = [track.x for track in live]
        for n, card in enumerate(seen):
            cx, cy, back = card.x, card.y, card.code is None
            for track in live[bisect_right(xs, cx - SHIFT) : bisect_left(xs, cx + SHIFT)]:
                dy = track.y - cy
                if -SHIFT < dy < SHIFT:
                    dx = track.x - cx
                    cost = _cost(track, card, back, dx * dx + dy * dy)
                    if cost < GATE * GATE:
                        pairs.append((cost, n, track))
        pairs.sort(key=_first)
        used: set[int] = set()
        for _, n, track in pairs:
            if n not in used and track.seen != t:
                used.add(n)
                self._sight(t, track, seen[n])
        return [card for n, card in enumerate(seen) if n not in used] if len(used) < len(seen) else []

    def _sight(self, t: float, track: Track, card: SeenCard) -> None:
        if track.touched > track.seen:
            track.belief.touched()
        if track.covered and card.code == BACK:
            # What is under a hand and not read may be another card on its way.
            track.seen = t
            return
        share = 0.4 if abs(card.x - track.x) < 8.0 and abs(card.y - track.y) < 8.0 else 0.8
        track.x += share * (card.x - track.x)
        track.y += share * (card.y - track.y)
        track.misses = 0
        track.seen = t
        belief = track.belief
        version = belief.version
        if track.covered and card.code is not None and not belief.face_up:
            return
        belief.read(t, card.code, card.p, _repeats(track.last, card))
        track.last = card
        if card.kind != "card":
            track.kind = card.kind
        if belief.version != version:
            self._face(t, track)
            state = (belief.code, belief.sure, belief.sure_code)
            if state != track.state:
                # Whether the suit is sure too matters to the shoe alone, which is looked at often enough.
                self.beliefs_changed = self.beliefs_changed or state[:2] != track.state[:2]
                track.state = state

    def _face(self, t: float, track: Track) -> None:
        up = track.is_up = track.belief.face_up
        if up and track.up_since is None:
            track.up_since = min(t, max(track.born, track.belief.since))
            self.changed.add(track.place)
        elif not up and track.up_since is not None:
            track.up_since = None
            self.changed.add(track.place)

    # ---- what is missing
    def _miss(self, t: float, gap: float) -> bool:
        for track in self.live:
            if track.seen == t or track.covered:
                continue
            if track.misses == 0:
                track.missing_since = t - min(gap, 0.2)
            track.misses += 1
        lost = [x for x in self.live if x.misses >= 3 and x.seen != t and not x.covered and self._is_gone(t, x)]
        for track in lost:
            self._lose(t, track)
        return bool(lost)

    def _is_gone(self, t: float, track: Track) -> bool:
        away = t - track.missing_since
        touched = self._hand_was_there(track)
        heap = [x for x in self.live if x.place == track.place and x.id != track.id]
        together = bool(heap) and all(x.misses >= 2 or x.covered for x in heap)
        if touched or not self._hands_seen:
            return track.misses >= 3 and away >= (TAKEN_HEAP if together else TAKEN_CARD)
        if self._moved_on(track):
            return track.misses >= 5 and away >= TAKEN_CARD
        # No hand was seen to take it: a whole heap that is missing was taken all the same, one card may be hidden.
        return track.misses >= 6 and away >= (UNSEEN_HEAP if together else UNSEEN_CARD)

    def _hand_was_there(self, track: Track) -> bool:
        """Whether a hand, or a gap in which nothing was seen, may have taken a card that is out of sight."""
        neared = self._at_place.get(track.place, -math.inf) if track.place >= 0 else track.neared
        return neared >= track.seen - 0.3 or track.missing_since - track.seen > 1.2

    def _moved_on(self, track: Track) -> bool:
        """Whether a card of the same face came to lie elsewhere as this one went out of sight: then it is that card."""
        code = track.code
        return (
            code is not None
            and "?" not in code
            and any(
                x.code == code and x.id != track.id and x.born >= track.missing_since - 0.5 and not x.misses
                for x in self.live
            )
        )

    def _lose(self, t: float, track: Track) -> None:
        track.gone = t
        track.taken = self._hand_was_there(track)
        self.live.remove(track)
        self.gone.append(track)
        self.changed.add(track.place)

    def new_round(self) -> None:
        """The last round's cards do not come back."""
        self.gone.clear()
        self.twins.clear()
        self.by_id = {x.id: x for x in self.live}

    def let_go(self, ids: list[int]) -> None:
        """These went to the rack and do not come back."""
        self.gone = [x for x in self.gone if x.id not in ids]

    # ---- a bump
    def _bumped(self, t: float, unmatched: list[SeenCard]) -> list[SeenCard]:
        """Everything shifted at once: find the shift by the codes and move all tracks along."""
        shifts = []
        for card in unmatched:
            same = [x for x in self.live if x.seen != t and not x.covered and x.belief.code == card.code]
            if len(same) == 1 and math.hypot(same[0].x - card.x, same[0].y - card.y) < 150:
                shifts.append((card.x - same[0].x, card.y - same[0].y))
        if len(shifts) < 3:
            return unmatched
        dx = sorted(s[0] for s in shifts)[len(shifts) // 2]
        dy = sorted(s[1] for s in shifts)[len(shifts) // 2]
        agree = sum(math.hypot(x - dx, y - dy) < 8 for x, y in shifts)
        if agree < 3 or agree * 3 < len(shifts) * 2:
            return unmatched
        for track in self.live:
            if track.seen != t:
                track.x += dx
                track.y += dy
        return self._match(t, unmatched)

    # ---- what is new
    def _candidates(self, t: float, unmatched: list[SeenCard], hands: tuple[SeenHand, ...]) -> None:
        for card in unmatched:
            if self._is_removed(t, card):
                continue
            for known in self.candidates:
                if abs(known.x - card.x) < STILL and abs(known.y - card.y) < STILL and known.seen < t:
                    break
            else:
                known = Candidate(t, card)
                self.candidates.append(known)
            known.n += 1
            known.misses = 0
            known.seen = t
            known.belief.read(t, card.code, card.p, known.n > 1 and _repeats(known.last, card))
            known.last = card
        keep = []
        for known in self.candidates:
            if known.seen < t and not _under(known, hands):
                known.misses += 1
                if known.misses >= 2 and t - known.seen >= FLICKER:
                    continue
            still = known.n >= known.need and known.seen - known.since >= REST
            if not (still and known.seen == t and self._promote(t, known, hands)) and t - known.seen < FORGET:
                keep.append(known)
        self.candidates = keep

    def _is_removed(self, t: float, card: SeenCard) -> bool:
        for i, (x, y, code, until) in enumerate(self.removed):
            if t <= until and math.hypot(x - card.x, y - card.y) < 2 * GATE and card.code in (code, "??", None):
                self.removed[i] = (x, y, code, t + 5.0)
                return True
        return False

    def _promote(self, t: float, new: Candidate, hands: tuple[SeenHand, ...]) -> bool:
        partner, wait = self._partner(t, new, hands)
        if wait:
            return False
        if partner is not None:
            self._carry(t, partner, new)
            return True
        place = place_of(self.layout, new.x, new.y, self.live)
        track = Track(self._next, new, self._clear.get(place, -math.inf))
        self._next += 1
        track.place = place
        track.seen = t
        self.live.append(track)
        self.by_id[track.id] = track
        self._face(t, track)
        self.changed.add(place)
        return True

    def _partner(self, t: float, new: Candidate, hands: tuple[SeenHand, ...]) -> tuple[Track | None, bool]:
        """The track that this is, carried or nudged; and whether to wait for a look at where it lay."""
        young = t - new.since < 2.5
        code, up = new.belief.code, new.belief.face_up
        best: tuple[float, Track] | None = None
        for track in self.live:
            if track.seen == t:
                continue
            if not self._may_be(track, code, up):
                if self._unsettled(t, track, new):
                    return None, True
                continue
            d = math.hypot(track.x - new.x, track.y - new.y)
            near = d < (NUDGE if track.is_up else FLIP)
            if track.covered:
                if young and (near or track.misses):
                    return None, True
                continue
            # A hand may be quicker than the lines: then the card came here as it went from there.
            quick = track.misses >= 3 and -0.3 <= new.since - track.missing_since < TURNING
            carried = quick or track.neared >= track.seen - 0.3 or track.missing_since - track.seen > 1.2
            if not near and not carried:
                continue
            away = t - track.missing_since
            if away < 0.45 or (track.misses < (3 if near else 4) and away < (0.9 if near else 1.2)):
                if young and (near or track.misses):
                    return None, True
                continue
            if best is None or d < best[0]:
                best = (d, track)
        if best is not None:
            same = self._returned(t, new, code, up) if up and not best[1].is_up else None
            return (same if same is not None and same.is_up else best[1]), False
        if not up:
            return self._turned_down(new), False
        return self._returned(t, new, code, up), False

    def _turned_down(self, new: Candidate) -> Track | None:
        """A player's card that was just taken off and laid on its face as the dealer's: a deal put right."""
        if place_of(self.layout, new.x, new.y, self.live) != 0 or sum(x.place == 0 for x in self.live) > 1:
            return self._returned(new.seen, new, BACK, False)
        elsewhere = {c.belief.code for c in self.candidates if c is not new}
        went = [
            x
            for x in [*self.live, *self.gone]
            if x.place > 0 and x.is_up and x.seen < new.since + 0.1 and new.since - x.seen < TURNING
            if (x.gone is not None or x.misses >= 3) and x.code not in elsewhere
        ]
        return max(went, key=lambda x: x.seen, default=None) or self._returned(new.seen, new, BACK, False)

    def _unsettled(self, t: float, track: Track, new: Candidate) -> bool:
        """Whether a card beside is just out of sight after a hand was there: first see where it went."""
        close = abs(track.x - new.x) < 110 and abs(track.y - new.y) < 110
        fresh = 0 < track.misses < 3 and track.neared >= track.seen - 0.3
        return close and fresh and t - new.since < 1.0 and track.is_up

    def _may_be(self, track: Track, code: str, up: bool) -> bool:
        if not track.belief.face_up:
            return not up or track.belief.code in ("??", code)
        return up and track.belief.code == code and code != "??"

    def _returned(self, t: float, new: Candidate, code: str, up: bool) -> Track | None:
        place = place_of(self.layout, new.x, new.y, self.live)
        best: tuple[float, Track] | None = None
        for track in reversed(self.gone):
            if track.gone is None or not self._may_be(track, code, up):
                continue
            away = new.since - track.gone
            known = track.belief.face_up
            if away < (CARRIED if known else 3.0) or (known and place == track.place and away < RETURNED):
                # Of equal cards that went together each comes back as the nearest.
                d = math.hypot(track.x - new.x, track.y - new.y)
                if best is None or (d < best[0] and best[1].gone is not None and best[1].gone - track.gone < TOGETHER):
                    best = (d, track)
        return None if best is None else best[1]

    # ---- one card that was taken for two
    def merge_twins(self, t: float) -> None:
        """A new card turns out to be one that was away: it was misread when it came back."""
        for new in [x for x in self.live if x.state[1] and t - x.born < TWINS and not x.belief.fixed]:
            for old in reversed(self.gone):
                if old.gone is None or old.place != new.place or old.id in self.twins:
                    continue
                if old.code == new.code and old.gone <= new.rest + 2.0 and new.rest - old.gone < RETURNED:
                    self._merge(new, old)
                    break

    def _merge(self, new: Track, old: Track) -> None:
        self.twins[new.id] = old.id
        self.live.remove(new)
        self.gone.remove(old)
        old.x, old.y, old.deg, old.seen, old.rest = new.x, new.y, new.deg, new.seen, new.rest
        old.gone, old.misses = None, 0
        old.belief.absorb(new.belief)
        self.live.append(old)
        self.changed.add(old.place)

    def _carry(self, t: float, track: Track, new: Candidate) -> None:
        old = track.place
        if track.gone is not None:
            self.gone.remove(track)
            self.live.append(track)
            track.gone = None
        track.x, track.y, track.deg = new.x, new.y, new.deg
        others = [x for x in self.live if x is not track]
        track.place = place_of(self.layout, new.x, new.y, others)
        track.rest = new.since
        track.seen = t
        track.last = new.last
        track.misses = 0
        if track.belief.face_up and not new.belief.face_up and not track.belief.fixed:
            track.belief, track.state = new.belief, ("", False, False)
        else:
            if not track.belief.face_up and new.belief.face_up:
                track.belief.turned_up()
            track.belief.absorb(new.belief)
        self._face(t, track)
        self.changed.update((old, track.place))

    # ---- places in sight
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
