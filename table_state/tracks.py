"""Cards over time: candidates, tracks that a hand may hide, cards that are carried from place to place.

Durations are in seconds; only where a reading may be missing by chance are lines counted as well, since each line is
one chance.
"""

import math
from typing import Final

from table_state import ghosts
from table_state.absence import hand_was_there, is_gone
from table_state.cards import BACK
from table_state.layout import Layout
from table_state.matching import bump, pairs, stayed
from table_state.observation import Observation, SeenCard, SeenHand
from table_state.partners import RETURNED, partner
from table_state.places import Stock, place_of
from table_state.sight import InSight
from table_state.track import GATE, Candidate, Track, repeats

STILL: Final = 9.0
REST: Final = 0.15
"""Seconds at one spot that make a card lie at rest."""
FORGET: Final = 1.7
COVER: Final = 30.0
"""Millimetres around a hand within which it may hide a card's centre."""
NEAR: Final = 125.0
"""Millimetres around a hand within which it may have been on a card since the line before."""
GAP: Final = 1.3
"""Seconds without a line in which a card may have been laid unseen."""
FLICKER: Final = 0.3
"""Seconds for which something that comes to lie may not be seen."""
TWINS: Final = 8.0
"""Seconds after its first sight for which a card may still turn out to be an old one."""


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
        self.sight = InSight()
        self._hands_seen = False
        self._hands = ghosts.Hands()
        self._blind = -math.inf
        """When the last gap between lines ended."""

    # ---- one line
    def update(self, obs: Observation, gap: float) -> None:
        """Take one line; gap = seconds since the line before."""
        t = obs.t
        if gap > GAP:
            self._blind = t
        holds = self._stock.holds
        seen = [c for c in obs.cards if not holds(c.x, c.y)]
        self._cover(t, obs.hands)
        self._hands.see(t, obs.hands)
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
                        track.shown = 0
                        track.touched = t

    def _match(self, t: float, seen: list[SeenCard]) -> list[SeenCard]:
        used: set[int] = set()
        for _, n, track in pairs(seen, self.live):
            if n not in used and track.seen != t:
                used.add(n)
                self._sight(t, track, seen[n])
        return [card for n, card in enumerate(seen) if n not in used] if len(used) < len(seen) else []

    def _sight(self, t: float, track: Track, card: SeenCard) -> None:
        if track.touched > track.seen:
            track.belief.touched()
        if track.covered and card.code == BACK:
            # What is under a hand and not read may be another card on its way.
            return
        share = 0.4 if abs(card.x - track.x) < 8.0 and abs(card.y - track.y) < 8.0 else 0.8
        if share > 0.4:
            track.home, track.shifted = (track.x, track.y), t
        track.x += share * (card.x - track.x)
        track.y += share * (card.y - track.y)
        track.misses = 0
        track.seen = t
        track.shown += 1
        belief = track.belief
        version = belief.version
        if track.covered and card.code is not None and not belief.face_up:
            return
        belief.read(t, card.code, card.p, repeats(track.last, card))
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
        lost = [
            x
            for x in self.live
            if x.misses >= 3
            and x.seen != t
            and not x.covered
            and is_gone(t, x, self.live, self._at_place, self._hands_seen)
        ]
        for track in lost:
            self._lose(t, track)
        return bool(lost)

    def _lose(self, t: float, track: Track) -> None:
        track.gone = t
        track.taken = hand_was_there(track, self._at_place)
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
        shift = bump(t, unmatched, self.live)
        if shift is None:
            return unmatched
        for track in self.live:
            if track.seen != t:
                track.x += shift[0]
                track.y += shift[1]
        return self._match(t, unmatched)

    # ---- what is new
    def _candidates(self, t: float, unmatched: list[SeenCard], hands: tuple[SeenHand, ...]) -> None:
        for other in unmatched:
            if self._is_removed(t, other):
                continue
            card = stayed(t, other, self.live)
            for known in self.candidates:
                near = abs(known.x - card.x) < STILL and abs(known.y - card.y) < STILL
                if near and known.seen < t and (known.ghost_of is None or card.code == known.last.code):
                    break
            else:
                known = Candidate(t, card, self._hands.last_at(card.x, card.y))
                known.bare = ghosts.bare(card, self.live)
                self.candidates.append(known)
            known.n += 1
            known.misses = 0
            known.seen = t
            known.belief.read(t, card.code, card.p, known.n > 1 and repeats(known.last, card))
            known.last = card
        keep = []
        for known in self.candidates:
            if known.seen < t and not _under(known, hands):
                known.misses += 1
                if known.misses >= 2 and t - known.seen >= FLICKER:
                    continue
            still = known.n >= known.need and known.seen - known.since >= REST
            if not (still and known.seen == t and self._promote(t, known)) and t - known.seen < FORGET:
                keep.append(known)
        self.candidates = keep

    def _is_removed(self, t: float, card: SeenCard) -> bool:
        for i, (x, y, code, until) in enumerate(self.removed):
            if t <= until and math.hypot(x - card.x, y - card.y) < 2 * GATE and card.code in (code, "??", None):
                self.removed[i] = (x, y, code, t + 5.0)
                return True
        return False

    def _promote(self, t: float, new: Candidate) -> bool:
        if self._hands_seen:
            new.ghost_of = ghosts.of_whom(t, new, self.live, self.candidates, self._blind)
            if new.ghost_of is not None or ghosts.outshone(new, self.candidates, self.layout):
                return False
        known, wait = partner(self, t, new)
        if wait:
            return False
        if known is not None:
            self._carry(t, known, new)
            return True
        place = place_of(self.layout, new.x, new.y, self.live)
        track = Track(self._next, new, self.sight.clear_at(place))
        self._next += 1
        track.place = place
        track.seen = t
        self.live.append(track)
        self.by_id[track.id] = track
        self._face(t, track)
        self.changed.add(place)
        return True

    # ---- one card that was taken for two
    def merge_twins(self, t: float) -> None:
        """A new card turns out to be one that was away: it was misread when it came back."""
        for new in [x for x in self.live if x.state[1] and t - x.born < TWINS and not x.belief.fixed]:
            for old in reversed(self.gone):
                if old.gone is None or old.place != new.place or old.id in self.twins or old.seen > new.born + 0.1:
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
            track.front = track.code
            track.belief, track.state = new.belief, ("", False, False)
        else:
            if not track.belief.face_up and new.belief.face_up:
                track.belief.turned_up()
            track.belief.absorb(new.belief)
        self._face(t, track)
        self.changed.update((old, track.place))
