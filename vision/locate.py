"""From indices to physical cards where the scale is not known: all indices of one card are readings of one thing."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.detector import Detection
from vision.outline import Outline
from vision.reader import Reading

NEAR = np.array([1.0, 0.35, 0.1, 0.35])  # trust in the corners that an index tells, nearest to farthest
# From an index to the opposite one, in card's long sides, right and down as the first stands: the way is much the same
# for all decks, the length less so, and where the scale is not known a card's long side is a guess.
ACROSS = np.array([0.53, 0.8])
ACROSS_TURN, OPPOSITE_TURN = 12.0, 30.0  # degrees
UPPER = (0.4, 0.66)  # of a long side, from the left upper index of a four-cornered card to the right one
TWICE = 0.06  # of a long side, between two findings of one index
ASTRAY = 0.42  # of a card's width and height
ACROSS_LENGTH = (0.72, 1.7)  # of the length expected
JOKER = "joker"


@dataclass(frozen=True, eq=False)  # no slots: what is derived is kept
class ReadIndex:
    """An index with what was read in it."""

    detection: Detection
    reading: Reading

    @cached_property
    def name(self) -> str:
        """What it is read as: a code or "joker"."""
        return JOKER if self.reading.joker > 0.5 else self.reading.best()[0]

    @property
    def quad(self) -> NDArray[np.float64]:
        """The corners of its card from the top left of this index, (4, 2) px."""
        return self.detection.points[2:]

    @property
    def outline(self) -> Outline:
        """Its card."""
        return self.detection.outline


def opposite(a: "ReadIndex", b: "ReadIndex", aslant: bool = False) -> bool:
    """True where one index lies where the other's card has its second one, upside down: whatever their corners say.

    `aslant`: the picture is no view from straight above, so that what is expected is measured along the card's edges.
    """
    if not opposed(a.detection, b.detection):
        return False
    if aslant:
        return (_astray(a, b) + _astray(b, a)) / 2 < ASTRAY
    long = (a.outline.long + b.outline.long) / 2
    down = a.detection.down - b.detection.down
    down = down / np.hypot(*down)
    right = np.array([down[1], -down[0]])
    step = b.detection.points[0] - a.detection.points[0]
    way = np.degrees(np.arctan2(step @ right, step @ down) - np.arctan2(*ACROSS))
    far = float(np.hypot(*step) / long / np.hypot(*ACROSS))
    return abs(float(way)) < ACROSS_TURN and ACROSS_LENGTH[0] < far < ACROSS_LENGTH[1]


def _turn(a: Detection, b: Detection) -> float:
    """Degrees from the way that one index stands to the way that the other does, over -180 to 180."""
    (ax, ay), (bx, by) = a.down.tolist(), b.down.tolist()
    return math.degrees(math.atan2(ax * by - ay * bx, ax * bx + ay * by))


def opposed(a: Detection, b: Detection) -> bool:
    """True where two indices stand upside down to each other."""
    return abs(abs(_turn(a, b)) - 180) <= OPPOSITE_TURN


def _astray(a: "ReadIndex", b: "ReadIndex") -> float:
    """How far b's rank lies from where a's card has its other one, in that card's own widths and heights."""
    corner, edges = a.quad[0], np.array([a.quad[1] - a.quad[0], a.quad[3] - a.quad[0]])
    own, other = np.linalg.solve(edges.T, np.array([i.detection.points[0] - corner for i in (a, b)]).T).T
    return float(np.hypot(*(own + other - 1)))


def gather(indices: Sequence[ReadIndex]) -> list[list[ReadIndex]]:
    """Group the indices of each physical card, surest first; two cards read differently at one place stay one group."""
    groups: list[list[ReadIndex]] = []
    for index in sorted(indices, key=lambda i: -i.detection.score):
        home = next((g for g in groups if _belongs(index, g)), None)
        if home is None:
            groups.append([index])
        else:
            home.append(index)
    return groups


def _belongs(index: ReadIndex, group: Sequence[ReadIndex]) -> bool:
    """One card's: its opposite corner, the same corner found twice, or a further corner of a four-cornered deck."""
    if len(group) >= 4:
        return False
    agreed = index.name == group[0].name
    near = index.outline.same(group[0].outline)
    if any(opposite(index, other) or (agreed and opposite(index, other, True)) for other in group):
        # Read differently it may be this card's other end misread, or its neighbour's; not where both ends are known.
        return agreed or (near and len(group) == 1)
    if near and len(group) == 1 and opposed(index.detection, group[0].detection):
        return True  # no two cards lie so near each other, one turned round: the next of a hand lies 0.26 off
    spots = [float(np.hypot(*(index.detection.points[0] - other.detection.points[0]))) for other in group]
    return near and (agreed or min(spots) < TWICE * index.outline.long)


def left_corners(indices: Sequence[ReadIndex]) -> list[ReadIndex]:
    """Without the right-hand indices of four-cornered cards: what these tell of their card is off by its width."""
    return [i for i in indices if not any(_is_right_of(i, other) for other in indices if other is not i)]


def _is_right_of(index: ReadIndex, other: ReadIndex) -> bool:
    """True where two equal indices stand side by side as the two upper ones of one card do."""
    if index.name != other.name:
        return False
    down = other.detection.down
    step = (index.detection.points[0] - other.detection.points[0]) / other.outline.long
    aside, below = float(step @ np.array([down[1], -down[0]])), float(step @ down)
    return (
        abs(_turn(other.detection, index.detection)) < OPPOSITE_TURN
        and abs(below) < 0.14
        and UPPER[0] < aside < UPPER[1]
    )


def corners(group: Sequence[ReadIndex]) -> NDArray[np.float64]:
    """The card's corners, clockwise from its own top left, from all its indices, each trusted most near itself."""
    pair = next((i for i in group[1:] if opposite(group[0], i, True)), None)
    if pair is not None:
        return _between(group[0].quad, pair.quad)
    first = group[0].quad
    total, weights = np.zeros((4, 2)), np.zeros((4, 1))
    for index in group:
        upright = float((index.quad[0] - index.quad[3]) @ (first[0] - first[3])) > 0
        quad = index.quad if upright else np.roll(index.quad, -2, axis=0)
        trust = (NEAR if upright else np.roll(NEAR, -2))[:, None] * index.detection.score
        total += quad * trust
        weights += trust
    return np.asarray(total / weights)


def _between(quad: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """The corners of a card of which two opposite indices each tell the corner beside them best."""
    one, far = quad[0], other[0]
    down = quad[3] + quad[2] - quad[0] - quad[1] - (other[3] + other[2] - other[0] - other[1])
    down = down / np.hypot(*down)
    right = np.array([down[1], -down[0]])
    return np.array([one, one + right * ((far - one) @ right), far, one + down * ((far - one) @ down)])
