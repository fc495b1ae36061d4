"""A card's outline: its four corners, and what geometry asks of them again and again."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

Quad = NDArray[np.float64]

# Of a card's long side: nearer centres with equal direction are one card. The next card of a hand lies 0.26 off.
SAME_PLACE = 0.14
SAME_TURN = 14.0  # degrees
NEAR_BY = 0.3


def lengthwise(quad: Quad) -> Quad:
    """The corners begun anew where needed, so that the card's long sides run from the first to the last of them."""
    outline = Outline(quad)
    return quad if outline.long >= outline.wide else np.roll(quad, -1, axis=0)


class Outline:
    """Corners (4, 2) px, clockwise from the card's own top left; `long` px, `axis` degrees, `middle` px."""

    __slots__ = ("axis", "long", "middle", "quad", "wide")

    def __init__(self, quad: Quad) -> None:
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
        self.quad = quad
        self.long = (math.hypot(ax - dx, ay - dy) + math.hypot(bx - cx, by - cy)) / 2
        self.wide = (math.hypot(ax - bx, ay - by) + math.hypot(cx - dx, cy - dy)) / 2
        self.axis = math.degrees(math.atan2(ay + by - cy - dy, ax + bx - cx - dx))
        self.middle = ((ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4)

    def same(self, other: "Outline", reach: float = SAME_PLACE) -> bool:
        """True where both outlines, whichever way up, are one card's: less than `reach` long sides apart."""
        turn = (self.axis - other.axis + 90) % 180 - 90
        return abs(turn) < SAME_TURN and self._apart(other) < reach

    def near(self, other: "Outline", reach: float = NEAR_BY) -> bool:
        """True where the centres lie within `reach` long sides, by default those of one card badly outlined."""
        return self._apart(other) < reach

    def inside(self, other: "Outline") -> float:
        """The part of this card that lies within the other's outline, 0 to 1."""
        mine, its = self.quad.astype(np.float32), other.quad.astype(np.float32)
        area = abs(float(cv2.contourArea(mine)))
        return float(cv2.intersectConvexConvex(mine, its)[0]) / area if area else 0.0

    def holds(self, point: NDArray[np.float64]) -> bool:
        """True where a point (2,) px lies on the card."""
        return cv2.pointPolygonTest(self.quad.astype(np.float32), (float(point[0]), float(point[1])), False) > 0

    def sensible(self) -> bool:
        """True for corners that run clockwise and could be a card's, seen at up to some sixty degrees."""
        edges = np.roll(self.quad, -1, axis=0) - self.quad
        following = np.roll(edges, -1, axis=0)
        clockwise = (edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0] > 0).all()
        return bool(clockwise) and 0.25 < self.wide / max(self.long, 1e-6) < 2.2

    def _apart(self, other: "Outline") -> float:
        """The distance of the centres, in the long side of both."""
        step = math.dist(self.middle, other.middle)
        return step / max((self.long + other.long) / 2, 1e-6)
