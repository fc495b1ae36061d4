"""The cards that were seen and still lie there, with the votes of the looks that saw them."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from table_state.cards import is_known, matches, rank_known
from table_state.observation import SeenCard
from vision.felt_map import Patch, Rect
from vision.sighting import CardSighting

Floats = NDArray[np.float64]
UNREAD = "??"

ENOUGH = 2  # agreeing looks that settle a reading
MOST = 5  # looks after which a disputed reading is left as it is
_SAME = 9.0  # mm between the centres of one card in two looks; the next card of a hand lies 23 mm off
_TURNED = 12.0  # degrees between two looks at one card
_OUTSIDE = 12.0  # mm that a card's middle may be out of the part looked at and the card still be seen whole enough
_FIRST = 0.8  # the most that one look alone is trusted
_NAMED = 0.7  # the least probability at which a settled card is named
_PLAIN = 0.9  # of a new reading that contradicts what was known: another card lies there
_LIKELY = 0.4  # of the looks must have seen a card, or it is forgotten


Reading = tuple[str | None, float]


@dataclass(slots=True, eq=False)
class KeptCard:
    """A card on the felt: its corners in mm (4, 2), and its readings and their ranks with the sums of their p.

    `seen` of the `looks` at its place saw it. `before` is what it was known to be before something about it changed.
    """

    corners: Floats
    kind: str
    votes: dict[str | None, float] = field(default_factory=dict)
    ranks: dict[str, float] = field(default_factory=dict)
    read: int = 0
    seen: int = 0
    looks: int = 0
    before: Reading | None = None
    x: float = field(init=False)
    y: float = field(init=False)
    deg: float = field(init=False)
    rect: Rect = field(init=False)

    def __post_init__(self) -> None:
        self.lie(self.corners)

    def lie(self, corners: Floats) -> None:
        """The card lies there: centre `x`, `y` in mm; `deg` counter-clockwise from long side along y, -90 to 90.

        `rect` is the upright rectangle about it.
        """
        self.corners = corners
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
        self.rect = Rect(min(ax, bx, cx, dx), min(ay, by, cy, dy), max(ax, bx, cx, dx), max(ay, by, cy, dy))
        self.x, self.y = (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4
        turned = math.degrees(math.atan2(ay + by - cy - dy, ax + bx - cx - dx)) - 90.0
        self.deg = -((-turned + 90.0) % 180.0 - 90.0)

    @property
    def reading(self) -> Reading:
        """The code with most votes, and how likely it is."""
        there = self.seen / max(1, self.looks)
        if not self.votes:
            code, p = self.before or (UNREAD, 0.0)
            return code, p * there
        code, p = self._now()
        if self.before is not None:
            code, p = _together(self.before, (code, p))
        elif self.looks < ENOUGH:
            p = min(p, _FIRST)
        return code, p * there

    def _now(self) -> Reading:
        """What the looks since the last change say, on average: they see the same pixels."""
        code, votes = max(self.votes.items(), key=lambda v: (v[1], v[0] or ""))
        if votes < _NAMED * self.read and code is not None and self.ranks:
            rank, for_rank = max(self.ranks.items(), key=lambda v: (v[1], v[0]))
            if for_rank >= _NAMED * self.read:  # the suit is in doubt, the rank is not
                code, votes = rank + "?", for_rank
        return code, votes / self.read

    @property
    def settled(self) -> bool:
        """Whether enough looks agree."""
        return self.looks >= ENOUGH and self.seen == self.looks and len(self.votes) == 1

    def take(self, corners: Floats, sighting: CardSighting) -> None:
        """One look saw it so."""
        if not self.votes or sighting.p >= self.reading[1]:
            self.lie(corners)
        self.seen += 1
        self.read += 1
        self.kind = sighting.kind
        self.votes[sighting.code] = self.votes.get(sighting.code, 0.0) + sighting.p
        for rank in _rank(sighting.code):
            self.ranks[rank] = self.ranks.get(rank, 0.0) + max(sighting.p, sighting.rank_p)

    def disturb(self) -> None:
        """Something changed about it, perhaps itself: it is read anew, and what it was goes into the judgement."""
        self.before = self.reading
        self.votes, self.ranks, self.read, self.seen, self.looks = {}, {}, 0, 1, 1

    def seen_card(self) -> SeenCard:
        """The card as an observation has it."""
        code, p = self.reading
        if code is not None and self.looks >= ENOUGH and p < _NAMED:
            code = UNREAD  # looks that do not agree name no card: the table is asked
        return SeenCard(round(self.x, 1), round(self.y, 1), round(self.deg, 1), code, round(p, 3), self.kind)


def on_felt(patch: Patch, sighting: CardSighting) -> Floats:
    """A sighting's corners in mm."""
    return patch.to_mm(np.asarray(sighting.polygon, np.float64))


class CardMemory:
    """The cards of one table, in the order in which they were first seen."""

    def __init__(self) -> None:
        self.cards: list[KeptCard] = []

    def shown(self) -> list[KeptCard]:
        """The cards that more looks saw than missed."""
        return [c for c in self.cards if c.seen * 2 > c.looks]

    def disturb(self, rect: Rect) -> None:
        """Something changed in a part of the felt: the cards there are read anew."""
        for card in self.within(rect):
            card.disturb()

    def vote(self, rect: Rect, found: list[tuple[Floats, CardSighting]], look: int) -> None:
        """Takes the first, second... look at a part of the felt since it changed: what was found, corners in mm."""
        here = self.within(rect)
        for card in here:
            card.looks += 1
        new: list[tuple[Floats, CardSighting]] = []
        for corners, sighting in found:
            middle = corners.mean(0)
            near = rect.grown(_OUTSIDE).holds(float(middle[0]), float(middle[1]))
            if not near or self._known_elsewhere(rect, corners):
                continue
            known = next((c for c in here if _same(c, corners)), None)
            if known is None:
                new.append((corners, sighting))
            else:
                here.remove(known)
                known.take(corners, sighting)
        for corners, sighting in new:
            self._add(here, corners, sighting, look)
        self.cards = [c for c in self.cards if c.looks <= ENOUGH or c.seen > _LIKELY * c.looks]

    def unsettled(self, rect: Rect) -> bool:
        """Whether another look at a part of the felt is due."""
        return any(not c.settled and c.looks < MOST for c in self.within(rect))

    def near(self, rect: Rect) -> list[KeptCard]:
        """The cards that reach into a part of the felt."""
        return [c for c in self.cards if c.rect.meets(rect)]

    def within(self, rect: Rect) -> list[KeptCard]:
        """The cards whose middle lies in a part of the felt."""
        return [c for c in self.cards if rect.holds(c.x, c.y)]

    def _known_elsewhere(self, rect: Rect, corners: Floats) -> bool:
        """Whether this is a card that only reaches into a part of the felt and lies in another."""
        return any(_same(c, corners) for c in self.cards if not rect.holds(c.x, c.y))

    def _add(self, missed: list[KeptCard], corners: Floats, sighting: CardSighting, look: int) -> None:
        """A card where none was; a missed one of the same face was pushed there and is not two."""
        moved = next((c for c in missed if c.reading[0] == sighting.code is not None), None)
        if moved is not None:
            missed.remove(moved)
            self.cards.remove(moved)
        # That earlier looks missed it counts against it, but they are not all held against it for ever.
        looks, before = (min(look, ENOUGH), None) if moved is None else (1, moved.reading)
        card = KeptCard(corners, sighting.kind, looks=looks, before=before)
        card.take(corners, sighting)
        self.cards.append(card)


def _together(before: Reading, now: Reading) -> Reading:
    """What a card is that was known before something about it changed, and has been read anew.

    A card keeps its face: what hides more of it makes it no other. Only a plain new reading says that another lies
    there, or that the old one was wrong.
    """
    (was, p), (code, q) = before, now
    if was is None or code is None or not rank_known(was):
        return now
    if code == UNREAD or (matches(was, code) and p >= q):
        return before if is_known(was) or code == UNREAD else (_filled(was, code), p)
    if matches(was, code):
        return _filled(code, was), q
    if q >= _PLAIN:
        return now
    old, new, neither = p * (1 - q), q * (1 - p), (1 - p) * (1 - q)
    return (was, old / (old + new + neither)) if old >= new else (code, new / (old + new + neither))


def _filled(code: str, other: str) -> str:
    return "".join(b if a == "?" else a for a, b in zip(code, other, strict=True))


def _rank(code: str | None) -> str:
    """The rank's letter, none where it was not read."""
    return code[0] if code is not None and rank_known(code) else ""


def _same(card: KeptCard, corners: Floats) -> bool:
    other = KeptCard(corners, "")
    turned = abs(card.deg - other.deg) % 180.0
    return math.hypot(card.x - other.x, card.y - other.y) <= _SAME and min(turned, 180.0 - turned) <= _TURNED
