"""Chips over time: stacks by colour and place, and the settled state of each bet's spot."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from table_state.layout import Layout
from table_state.observation import Observation, SeenChips, SeenHand
from table_state.places import spot_of

TAKEN: Final = 0.76
"""Seconds that chips must be missing after a hand was there, before they count as taken."""
HIDDEN: Final = 1.6
"""Seconds for which a spot waits for a pile that is out of sight."""
UNSEEN_BET, UNSEEN_PILE = 0.9, 4.0
"""Seconds that a whole bet, or one pile of it, must be missing, no hand having been near, before it counts as taken."""
GATE: Final = 18.0
REMEMBERED: Final = 2.0
"""Seconds for which a pile that a hand has taken may still be reported, as eyes remember what a hand covered."""
COVER: Final = 28.0
TOUCH: Final = 60.0
"""Millimetres around a hand within which it may move chips."""
SETTLE: Final = 0.35
"""Seconds for which a spot must look the same before it counts."""

RECENT: Final = 3.0
"""Seconds before a change within which the hand that made it must have been there."""

Spot = tuple[int, bool]
"""A seat's number and whether it is the insurance spot."""
Key = tuple[tuple[int, int | None], ...]
"""Piles by their ids, with their counts."""


class Pile:
    """Chips of one colour in one stack."""

    __slots__ = (
        "color",
        "count",
        "covered",
        "id",
        "misses",
        "missing_since",
        "n",
        "run",
        "run_since",
        "seen",
        "since",
        "spot",
        "touched",
        "x",
        "y",
    )

    def __init__(self, number: int, t: float, chips: SeenChips, spot: Spot) -> None:
        self.id = number
        self.x, self.y = chips.x, chips.y
        self.color = chips.color
        self.count: int | None = None
        self.run: int | None = None
        self.run_since = t
        self.since = self.seen = t
        self.n = 0
        self.misses = 0
        self.missing_since = t
        self.covered = False
        self.touched = -math.inf
        self.spot = spot


@dataclass(frozen=True, slots=True)
class Stack:
    """A settled stack: where it lies and what it is worth, None = unknown."""

    x: float
    y: float
    value: Fraction | None


@dataclass(frozen=True, slots=True)
class Chips:
    """The settled state of a spot from t on; by = whose hand was last at it."""

    t: float
    seat: int
    insurance: bool
    stacks: tuple[Stack, ...]
    by: str | None
    lo: float = -math.inf
    """The earliest time at which the change may have been made."""

    @property
    def amount(self) -> Fraction | None:
        """All chips of the spot; None where a stack is unknown."""
        return worth(self.stacks)


def worth(stacks: tuple[Stack, ...]) -> Fraction | None:
    """What stacks are worth together; None where one is unknown."""
    amount = Fraction(0)
    for stack in stacks:
        if stack.value is None:
            return None
        amount += stack.value
    return amount


def _is_gone(pile: Pile, away: float, hands_seen: bool, alone: bool) -> bool:
    """Whether a pile out of sight was taken; `alone`: nothing else of its bet is left in sight."""
    if pile.n < 3 and pile.misses >= 3:
        return True
    if pile.touched >= pile.seen - REMEMBERED or pile.missing_since - pile.seen > 1.2 or not hands_seen:
        return pile.misses >= 3 and away >= TAKEN
    # No hand was seen to take it, but eyes that see a table ten times a second may miss a quick hand.
    return pile.misses >= 6 and away >= (UNSEEN_BET if alone else UNSEEN_PILE)


class ChipTracker:
    """Follows all chips that belong to a bet."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.piles: list[Pile] = []
        self.settled: dict[Spot, Chips] = {}
        self.contact: dict[Spot, dict[str | None, float]] = {}
        self._pending: dict[Spot, tuple[Key, float]] = {}
        self._keys: dict[Spot, Key] = {}
        self._busy: dict[Spot, float] = {}
        self._busy_from: dict[Spot, float] = {}
        self._watch: dict[Spot, float] = {}
        self._lost: dict[Spot, float] = {}
        self._next = 1
        self._hands_seen = False
        self._counted = False
        """Whether heights of stacks are ever read here."""
        self._spots = [((s.number, False), s.circle[0], s.circle[1]) for s in layout.seats]
        self._spots += [((s.number, True), *s.insurance) for s in layout.seats if s.insurance is not None]

    def update(self, obs: Observation, gap: float) -> list[Chips]:
        """Take one line; returns the spots that settled in a new state."""
        t = obs.t
        if obs.hands:
            self._hands_seen = True
            self._touch(t, obs.hands)
        for pile in self.piles:
            pile.covered = False
        for hand in obs.hands:
            reach = (hand.r + COVER) ** 2
            for pile in self.piles:
                if (pile.x - hand.x) ** 2 + (pile.y - hand.y) ** 2 < reach:
                    pile.covered = True
                    pile.touched = t
        self._match(t, obs.chips)
        self._miss(t, gap)
        return self._settle(t) if self._watch else []

    def _touch(self, t: float, hands: tuple[SeenHand, ...]) -> None:
        for hand in hands:
            for spot, x, y in self._spots:
                d2 = (x - hand.x) ** 2 + (y - hand.y) ** 2
                if d2 < (hand.r + TOUCH) ** 2:
                    self.contact.setdefault(spot, {})[hand.source] = t
                    self._watch[spot] = t
                    if d2 < (hand.r + 25.0) ** 2:
                        if t - self._busy.get(spot, -math.inf) > 0.5:
                            self._busy_from[spot] = t
                        self._busy[spot] = t

    def _match(self, t: float, seen: tuple[SeenChips, ...]) -> None:
        for chips in seen:
            cx, cy, color = chips.x, chips.y, chips.color
            best, mine = GATE * GATE, None
            for pile in self.piles:
                dx = pile.x - cx
                if -GATE < dx < GATE and pile.color == color and pile.seen < t:
                    d = dx * dx + (pile.y - cy) ** 2
                    if d < best:
                        best, mine = d, pile
            if mine is None:
                spot = spot_of(self.layout, cx, cy)
                if spot is None:
                    continue
                mine = Pile(self._next, t, chips, spot)
                self._next += 1
                self.piles.append(mine)
                self._watch[spot] = t
            self._sight(t, mine, chips)

    def _sight(self, t: float, pile: Pile, chips: SeenChips) -> None:
        pile.x += 0.3 * (chips.x - pile.x)
        pile.y += 0.3 * (chips.y - pile.y)
        pile.seen = t
        pile.n += 1
        pile.misses = 0
        count = chips.count
        self._counted = self._counted or count is not None
        if count is None or count == pile.count:
            if count is not None:
                pile.run = count
                pile.run_since = t
            return
        self._watch[pile.spot] = t
        if count != pile.run:
            pile.run, pile.run_since = count, t
            return
        held = t - pile.run_since
        if held >= (0.15 if pile.count is None else 0.35 if pile.touched > pile.since else 1.5):
            pile.count = count

    def _miss(self, t: float, gap: float) -> None:
        lost = []
        for pile in self.piles:
            if pile.seen == t or pile.covered:
                continue
            if pile.misses == 0:
                pile.missing_since = t - min(gap, 0.2)
            pile.misses += 1
            self._watch[pile.spot] = t
            away = t - pile.missing_since
            alone = all(p.misses for p in self.piles if p.spot == pile.spot)
            if _is_gone(pile, away, self._hands_seen, alone):
                lost.append(pile)
        for pile in lost:
            self.piles.remove(pile)
            self._lost[pile.spot] = pile.missing_since

    def _settle(self, t: float) -> list[Chips]:
        out = []
        for spot in list(self._watch):
            news = self._settle_spot(t, spot)
            if news is not None:
                out.append(news)
        return out

    def _settle_spot(self, t: float, spot: Spot) -> Chips | None:
        if self._busy.get(spot, -1.0) >= t - 0.01:
            return None
        piles = [p for p in self.piles if p.spot == spot]
        if any(
            p.covered or (p.misses and t - p.missing_since < HIDDEN) or (p.n < 2 and t - p.since < 0.3) for p in piles
        ):
            return None
        unread = self._counted and any(p.count is None and t - p.since < 1.5 for p in piles)
        key = tuple(sorted((p.id, p.count) for p in piles))
        pending = self._pending.get(spot)
        if pending is None or pending[0] != key:
            self._pending[spot] = (key, t)
            return None
        if t - pending[1] < SETTLE or unread:
            return None
        if all(p.run == p.count or p.count is None for p in piles):
            del self._watch[spot]
        if key == self._keys.get(spot, ()):
            return None
        return self._accept(t, spot, key, piles, min(pending[1], self._when_lost(spot, key, pending[1])))

    def _when_lost(self, spot: Spot, key: Key, pending: float) -> float:
        """A bet was taken when it went out of sight, not when that was believed; but not before the hand came."""
        lost = self._lost.pop(spot, pending)
        came = {pile for pile, _ in key} - {pile for pile, _ in self._keys.get(spot, ())}
        return pending if came else max(lost, min(pending, self._lo(spot, lost)))

    def _lo(self, spot: Spot, since: float) -> float:
        """When the hand came that may have made a change."""
        if self._busy.get(spot, -math.inf) < since - RECENT:
            return since
        return self._busy_from.get(spot, since)

    def _accept(self, t: float, spot: Spot, key: Key, piles: list[Pile], since: float) -> Chips:
        contact = self.contact.get(spot, {})
        by = max(contact, key=lambda k: contact[k]) if contact else None
        if contact and contact[by] < since - RECENT:
            by = None
        self._keys[spot] = key
        values = self.layout.chip_values
        stacks = tuple(
            Stack(p.x, p.y, None if p.count is None or p.color not in values else values[p.color] * p.count)
            for p in sorted(piles, key=lambda p: p.id)
        )
        chips = Chips(since, spot[0], spot[1], stacks, by, self._lo(spot, since))
        self.settled[spot] = chips
        return chips
