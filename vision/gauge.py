"""Where a card lies that an index tells, at a known scale: a card's size is known, and its print is learned.

How far a deck's rank stands from the card's corner differs from deck to deck by many millimetres, within a deck little.
A card that shows both ends tells it; from then on one index alone tells its card's place.
"""

import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.locate import ReadIndex, opposed
from vision.outline import Outline

Quad = NDArray[np.float64]

REMEMBERED, ENOUGH = 60, 3  # cards of which the print is kept, and of which it is believed
AGREE = 1.5  # mm, half of them closer to the usual one
CORNER, FAR = 1.0, 0.35  # trust in the corner beside an index, and in its neighbours; the opposite one:
FARTHEST = 0.1
OFF, UNSURE_OFF = 12.0, 22.0  # mm that a card's other end may lie off, of a known and of an unknown print
MISREAD = 6.0  # mm worse are two ends that are surely read differently
USUAL_INSET, NEAR_CORNER = (6.0, 10.0), 6.0  # mm
SIZE = 1.25  # times as large or small as a card may be told
TWICE = 8.0  # mm between two findings of one index
MOST_TURN = 20.0  # degrees between the directions that two findings of one card tell
INSET = ((2.0, 14.0), (3.0, 22.0))  # mm from a card's corner to the rank's centre, right and down, in any deck


class Where(NamedTuple):
    """A part of a card as seen from one of its indices, mm right and down."""

    left: float
    right: float
    low: float
    high: float


# Where a four-cornered card's further indices lie, in decks of every size and print.
RIGHT, BELOW, ASKEW = Where(34, 60, -12, 12), Where(-16, 16, 44, 84), Where(-60, -34, 44, 84)


class Gauge:
    """The size of a card, and how far its rank stands from its corner; `card` mm, `px_per_mm` of the picture."""

    def __init__(self, card: tuple[float, float], px_per_mm: float, prints: "Prints | None" = None) -> None:
        self.size = np.array(card) * px_per_mm
        self.px_per_mm = px_per_mm
        self._prints = prints if prints is not None else Prints()

    @property
    def knows_print(self) -> bool:
        """Whether one index alone tells a card's place."""
        return self._prints.inset is not None

    def gather(self, indices: Sequence[ReadIndex], faces: Sequence[Outline] = ()) -> list[list[ReadIndex]]:
        """Group the indices of each physical card, surest first; learns the deck's print from cards with both ends.

        `faces`, cards found without regard to indices, tell on which side of two indices of one edge the card lies.
        """
        corners: list[list[ReadIndex]] = []  # each with all findings of it
        for index in sorted(indices, key=lambda i: -i.detection.score):
            known = next((c for c in corners if self._found_twice(index, c[0])), None)
            if known is None:
                corners.append([index])
            else:
                known.append(index)
        groups = self._paired(self._left_hand(corners, faces))
        self._prints.learn(inset for g in groups if (inset := self._inset_of(g)) is not None)
        return groups

    def _left_hand(self, corners: Sequence[list[ReadIndex]], faces: Sequence[Outline]) -> list[list[ReadIndex]]:
        """Without the right-hand indices of four-cornered cards, which tell a place that is off by the card's width.

        Two indices of one edge tell well how the card is turned; of a card that is half hidden one alone does not.
        """
        right: set[int] = set()
        turned: dict[int, float] = {}
        pairs = [(i, j) for i, j in permutations(range(len(corners)), 2) if corners[i][0].name == corners[j][0].name]
        for i, j in pairs:  # beside another
            if self._lies(corners[i][0], corners[j][0], RIGHT) is False:
                right.add(j)
                turned[i] = _way(corners[i][0], corners[j][0])
        for i, j in pairs:  # at the other end of the same side as a left-hand one
            if i not in right and j not in right and self._lies(corners[i][0], corners[j][0], BELOW):
                one, other = (self._off_a_face(corners[k], faces) for k in (i, j))
                lost, kept = (j, i) if one <= other else (i, j)
                right.add(lost)
                turned.setdefault(kept, _way(corners[kept][0], corners[lost][0]) - math.pi / 2)
        for i, j in pairs:  # across from a right-hand one, the other way than two ends lie
            if i in right and j not in right and self._lies(corners[i][0], corners[j][0], ASKEW):
                right.add(j)
        return [
            [straightened(index, turned[k]) for index in c] if k in turned else c
            for k, c in enumerate(corners)
            if k not in right
        ]

    def _off_a_face(self, corner: list[ReadIndex], faces: Sequence[Outline]) -> float:
        """How far from the nearest face the card lies that an index tells as a left-hand one, px."""
        middle = self.place(corner[:1]).mean(axis=0)
        return min((float(np.hypot(*(middle - face.middle))) for face in faces), default=0.0)

    def _lies(self, a: ReadIndex, b: ReadIndex, where: "Where") -> bool | None:
        """Whether b lies so as seen from a, None where it does not: True upside down, False as a stands."""
        axis = math.radians(a.outline.axis) + math.pi / 2
        x, y = (_turned(b.detection.points[0] - a.detection.points[0], -axis) / self.px_per_mm).tolist()
        if not (where.left < x < where.right and where.low < y < where.high):
            return None
        return opposed(a.detection, b.detection)

    def _paired(self, corners: Sequence[list[ReadIndex]]) -> list[list[ReadIndex]]:
        """Two corners each that are the two ends of a card, those that agree best first; the others alone."""
        most = UNSURE_OFF if self._inset() is None else OFF
        costs = (
            (self._apart(a[0], b[0]) / self.px_per_mm + MISREAD * (1 - a[0].reading.agrees(b[0].reading)), i, j)
            for (i, a), (j, b) in combinations(enumerate(corners), 2)
        )
        free = dict(enumerate(corners))
        groups = []
        for _, i, j in sorted(cost for cost in costs if cost[0] < most):
            if i in free and j in free:
                groups.append(free.pop(i) + free.pop(j))
        return groups + list(free.values())

    def place(self, group: Sequence[ReadIndex]) -> Quad:
        """The card's corners, clockwise from its own top left, px."""
        ends = _ends(group)
        inset = self._inset()
        if ends is not None:
            one, other = (i.detection.points[0] for i in ends)
            axis = self._axis(group) if inset is None else _angle(other - one) - _angle(self.size - 2 * inset)
            return self._laid((one + other) / 2, axis)
        if inset is None:
            return self._fitted(group)
        axis = self._axis(group)
        return self._laid(group[0].detection.points[0] + _turned(self.size / 2 - inset, axis), axis)

    def prints_at(self, index: ReadIndex, quad: Quad) -> bool:
        """True where an index lies as one of the four that a four-cornered card with these corners may have."""
        half, middle = self.size / 2, quad.mean(axis=0)
        axis = _angle(quad[1] - quad[0])
        inside = half - np.abs(_turned(index.detection.points[0] - middle, -axis))
        learned = self._inset()
        usual = np.array(USUAL_INSET) * self.px_per_mm if learned is None else learned
        return bool((np.abs(inside - usual) < NEAR_CORNER * self.px_per_mm).all())

    def fits(self, outline: Outline) -> bool:
        """True where an outline that was found whole has about a card's size."""
        along, across = outline.long / self.size[1], outline.wide / self.size[0]
        return bool(1 / SIZE < along < SIZE and 1 / SIZE < across < SIZE)

    def _found_twice(self, a: ReadIndex, b: ReadIndex) -> bool:
        apart = float(np.hypot(*(a.detection.points[0] - b.detection.points[0])))
        turn = (a.outline.axis - b.outline.axis + 180) % 360 - 180
        return apart < TWICE * self.px_per_mm and abs(turn) < MOST_TURN

    def _apart(self, a: ReadIndex, b: ReadIndex) -> float:
        """How badly two indices agree as the two ends of one card, px."""
        turn = (a.outline.axis - b.outline.axis) % 360 - 180
        if abs(turn) > MOST_TURN or not opposed(a.detection, b.detection):
            return math.inf
        inset, axis = self._inset(), self._axis([a, b])
        if inset is None:  # the corner beside an index is told best
            return float(np.hypot(*(a.quad[0] + _turned(self.size, axis) - b.quad[0])))
        one, other = a.detection.points[0], b.detection.points[0]
        return float(np.hypot(*(one + _turned(self.size - 2 * inset, axis) - other)))

    def _axis(self, group: Sequence[ReadIndex]) -> float:
        """Radians by which the card is turned clockwise on the picture, as its first index stands."""
        ways = np.zeros(2)
        for index in group:
            along = np.radians(index.outline.axis) + math.pi / 2  # an outline's axis points up the card
            way = np.array([math.cos(along), math.sin(along)]) * index.detection.score
            ways += way if float(way @ ways) >= 0 else -way
        return math.atan2(float(ways[1]), float(ways[0]))

    def _inset(self) -> NDArray[np.float64] | None:
        learned = self._prints.inset
        return None if learned is None else learned * self.px_per_mm

    def _inset_of(self, group: Sequence[ReadIndex]) -> NDArray[np.float64] | None:
        """How far the rank stands from its corner on a card that shows both ends and is read alike at both, mm."""
        ends = _ends(group)
        if ends is None or ends[0].name != ends[1].name:
            return None
        across = ends[1].detection.points[0] - ends[0].detection.points[0]
        inset = (self.size - _turned(across, -self._axis(group))) / 2 / self.px_per_mm
        fits = all(low < v < high for v, (low, high) in zip(inset.tolist(), INSET, strict=True))
        return np.asarray(inset) if fits else None

    def _laid(self, centre: NDArray[np.float64], axis: float) -> Quad:
        half = self.size / 2
        model = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        return np.asarray(centre + np.array([_turned(corner, axis) for corner in model]))

    def _fitted(self, group: Sequence[ReadIndex]) -> Quad:
        """The card laid best onto the corners that its indices tell, each trusted most beside itself."""
        axis = self._axis(group)
        model = self._laid(np.zeros(2), axis)
        trust = np.array([CORNER, FAR, FARTHEST, FAR])[:, None]
        centre, total = np.zeros(2), 0.0
        for k, index in enumerate(group):
            upright = k == 0 or float(index.detection.down @ group[0].detection.down) > 0
            off = index.quad - (model if upright else np.roll(model, -2, axis=0))
            centre += (off * trust).sum(axis=0) * index.detection.score
            total += float(trust.sum()) * index.detection.score
        return model + centre / total


class Prints:
    """How far the rank stands from the corner on the cards of one table, learned as they are seen."""

    def __init__(self) -> None:
        self._insets: deque[NDArray[np.float64]] = deque(maxlen=REMEMBERED)
        self.inset: NDArray[np.float64] | None = None
        """The usual one, mm right and down; None where few are known, or where they differ: two decks lie there."""

    def learn(self, insets: Iterable[NDArray[np.float64]]) -> None:
        """Remember more of them, mm right and down; the newest count."""
        self._insets.extend(insets)
        self.inset = self._usual()

    def _usual(self) -> NDArray[np.float64] | None:
        if len(self._insets) < ENOUGH:
            return None
        known = np.array(self._insets)
        usual = np.median(known, axis=0)
        return None if (np.median(np.abs(known - usual), axis=0) > AGREE).any() else np.asarray(usual)


def _ends(group: Sequence[ReadIndex]) -> tuple[ReadIndex, ReadIndex] | None:
    """Two indices of a group that stand at the card's two ends."""
    return next(((a, b) for a, b in combinations(group, 2) if opposed(a.detection, b.detection)), None)


def _way(a: ReadIndex, b: ReadIndex) -> float:
    """Radians clockwise on the picture from its right to the way from one index to another."""
    return _angle(b.detection.points[0] - a.detection.points[0])


def straightened(index: ReadIndex, axis: float) -> ReadIndex:
    """The same with its card turned about its rank to stand `axis` radians clockwise on the picture."""
    points = index.detection.points
    by = axis - math.radians(index.outline.axis) - math.pi / 2
    corners = [points[0] + _turned(corner - points[0], by) for corner in points[2:]]
    return replace(index, detection=replace(index.detection, points=np.array([*points[:2], *corners])))


def _angle(step: NDArray[np.float64]) -> float:
    return math.atan2(float(step[1]), float(step[0]))


def _turned(step: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    """A step right and down turned clockwise on the picture, radians."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * step[0] - s * step[1], s * step[0] + c * step[1]])
