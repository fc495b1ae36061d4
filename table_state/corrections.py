"""A person's corrections: they overrule the camera and stick to the physical card."""

import math
from collections.abc import Callable
from typing import Final, Protocol

from table_state.alarms import Alarms
from table_state.facts import BetSaid, Fact
from table_state.observation import Correction
from table_state.shoe import Shoe
from table_state.track import Track
from table_state.tracks import CardTracker

NEAR: Final = 60.0


class Owner(Protocol):
    """What a correction may change."""

    tracker: CardTracker
    shoe: Shoe
    alarms: Alarms

    def add(self, fact: Fact) -> None:
        """Put a fact in its place in time."""

    def drop(self, fact: Fact) -> None:
        """Take a fact back."""


class Corrections:
    """Takes corrections and can take them back, the last one first."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._undo: list[Callable[[], None]] = []

    def new_round(self) -> None:
        """A correction of an earlier round cannot be taken back."""
        self._undo.clear()

    def take(self, c: Correction) -> bool:
        """Apply one correction; one that finds nothing to change does nothing and is False."""
        before = len(self._undo)
        if c.kind == "undo":
            if not self._undo:
                return False
            self._undo.pop()()
            return True
        if c.kind == "card":
            self._card(c)
        elif c.kind == "no-card":
            self._no_card(c)
        elif c.kind == "bet" and c.seat is not None and c.amount is not None:
            fact = BetSaid(c.t, c.seat, c.amount)
            self._owner.add(fact)
            self._undo.append(lambda: self._owner.drop(fact))
        elif c.kind == "not-a-mistake" and c.alert is not None:
            self._dismiss(c.alert, c.seat)
        elif c.kind == "new-shoe":
            self._new_shoe()
        return len(self._undo) > before

    def _nearest(self, c: Correction) -> Track | None:
        if c.x is None or c.y is None:
            return None
        x, y = c.x, c.y
        near = [k for k in self._owner.tracker.live if math.hypot(k.x - x, k.y - y) < NEAR]
        return min(near, key=lambda k: math.hypot(k.x - x, k.y - y), default=None)

    def _card(self, c: Correction) -> None:
        track = self._nearest(c)
        if track is None:
            return
        before = track.belief.fixed_code
        track.belief.fix(c.code)
        self._owner.tracker.changed.add(track.place)
        self._undo.append(lambda: track.belief.fix(before))

    def _no_card(self, c: Correction) -> None:
        track = self._nearest(c)
        if track is None:
            return
        tracker = self._owner.tracker
        entry = (track.x, track.y, track.code, c.t + 5.0)
        tracker.live.remove(track)
        tracker.removed.append(entry)
        tracker.changed.add(track.place)

        def back() -> None:
            tracker.live.append(track)
            tracker.removed.clear()
            tracker.changed.add(track.place)

        self._undo.append(back)

    def _dismiss(self, code: str, seat: int | None) -> None:
        key = (code, seat)
        dismissed = self._owner.alarms.dismissed
        dismissed.add(key)
        self._undo.append(lambda: dismissed.discard(key))

    def _new_shoe(self) -> None:
        shoe = self._owner.shoe
        before = shoe.gone.copy()
        shoe.shuffle()
        self._undo.append(lambda: shoe.gone.update(before))
