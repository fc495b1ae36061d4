"""Arms that reach over the felt: what is connected to a table edge, and where its hand is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.felt_map import Rect
from vision.places import Grid, closed, components

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]

_REACH_IN = 55.0  # mm that something must reach over the felt to be an arm
_LEAST = 2500.0  # square mm of it over the felt
_HAND = 175.0  # mm from the fingertips that are the hand
_SMALL, _LARGE = 60.0, 115.0  # radius of a hand, mm
_PIECE, _NARROW = 80.0, 45.0  # mm of a forearm that one circle covers, and its least radius
_CLEAR = 0.6  # of the cells on the edge it mostly crosses, another edge may have before nobody knows whose it is


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """An arm over the felt: its cells, its hand's centre and radius in mm, whose it is, and which way it reaches.

    `reach` is a unit vector from the edge to the hand.
    """

    cells: Mask
    x: float
    y: float
    r: float
    source: str | None
    reach: tuple[float, float]


def forearm(arm: Arm, grid: Grid, felt: Mask) -> list[tuple[float, float, float]]:
    """Circles (x, y, r in mm) over what of an arm lies on the felt behind its hand, from the hand to the edge.

    A sleeve hides cards and chips as the hand does; whoever only knows the hand would take them for gone.
    """
    cells = arm.cells & felt
    points = np.column_stack([grid.x[cells], grid.y[cells]])
    behind = -(points - [arm.x, arm.y]) @ np.array(arm.reach)
    rest = points[(np.hypot(points[:, 0] - arm.x, points[:, 1] - arm.y) > arm.r) & (behind > 0)]
    circles = []
    while len(rest):
        along = -(rest - [arm.x, arm.y]) @ np.array(arm.reach)
        piece = rest[along <= along.min() + _PIECE]
        middle = piece.mean(axis=0)
        r = max(_NARROW, float(np.hypot(*(piece - middle).T).max()))
        circles.append((float(middle[0]), float(middle[1]), min(r, _LARGE)))
        rest = rest[along > along.min() + _PIECE]
    return circles


class ArmFinder:
    """Finds arms among the cells that moved or changed. `felt` is the table's rectangle."""

    def __init__(self, grid: Grid, felt: Rect) -> None:
        self._grid = grid
        self._inside = grid.inside(felt)
        frame = np.zeros(grid.shape, np.bool_)
        frame[[0, -1], :] = frame[:, [0, -1]] = True
        beyond = ~self._inside | frame
        # How far each cell lies beyond each edge; a cell outside counts for the edge that it is farthest beyond.
        past = np.stack([felt.y0 - grid.y, grid.y - felt.y1, felt.x0 - grid.x, grid.x - felt.x1])
        self._edge = np.where(beyond, past.argmax(0), -1)
        self._depth = np.where(self._inside, -past.max(0), 0.0)

    def find(self, active: Mask) -> list[Arm]:
        """The arms, the upper left first."""
        groups = components(closed(active), max(1, int(_LEAST / self._grid.mm**2)))
        return [arm for arm in map(self._arm, groups) if arm is not None]

    def _arm(self, group: Mask) -> Arm | None:
        over = group & self._inside
        if over.sum() * self._grid.mm**2 < _LEAST or self._depth[over].max() < _REACH_IN:
            return None
        edges = self._edge[group]
        crossed = np.bincount(edges[edges >= 0], minlength=4)
        if crossed.sum() < 2:
            return None
        most = int(crossed.argmax())
        entry = group & (self._edge == most)
        # Where it comes in: the cells beyond the edge that are nearest to the felt.
        at = np.array([self._grid.x[entry].mean(), self._grid.y[entry].mean()])
        x, y, r, reach = self._hand(over, at)
        others = np.delete(crossed, most).max()
        source = None if others > _CLEAR * crossed[most] else ("dealer" if most == 0 else "player")
        return Arm(group, x, y, r, source, reach)

    def _hand(self, over: Mask, entry: Floats) -> tuple[float, float, float, tuple[float, float]]:
        points = np.column_stack([self._grid.x[over], self._grid.y[over]])
        away = np.linalg.norm(points - entry, axis=1)
        hand = points[away >= np.percentile(away, 98) - _HAND]
        middle = hand.mean(0)
        far = np.percentile(np.linalg.norm(hand - middle, axis=1), 95)
        way = (middle - entry) / max(1e-6, float(np.linalg.norm(middle - entry)))
        return float(middle[0]), float(middle[1]), float(np.clip(far, _SMALL, _LARGE)), (float(way[0]), float(way[1]))
