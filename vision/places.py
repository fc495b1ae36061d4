"""Where to look: the cells of the small picture on the felt, and which of them show more than bare felt."""

import cv2
import numpy as np
from numpy.typing import NDArray

from table_state.layout import Layout
from vision.camera_view import CameraView
from vision.felt_map import Rect

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

_EDGE = 45.0  # mm of felt beyond the outermost places
_AROUND = 240.0  # mm about a cell in which most must be bare felt
_LEVELS = 11.0  # of difference from the felt around that are worth a look
_SMALLEST = 4  # cells of a thing that is worth a look
_JOIN = 1.3  # two looks become one if together they are not larger than the sum of both times this
_FULL = 0.6  # of the felt: where more is worth a look, all of it is


def table_bounds(layout: Layout, view: CameraView) -> Rect:
    """The felt: about all places of the layout and all points of the calibration."""
    xs, ys = [layout.dealer[0], layout.shoe[0], layout.discard[0]], [0.0, layout.dealer[1]]
    for seat in layout.seats:
        x, y, r = seat.circle
        xs += [x - r, x + r, seat.cards[0]]
        ys += [y + r, seat.cards[1]]
    places = Rect(min(xs), min(ys), max(xs), max(ys)).grown(_EDGE)
    x0, y0, x1, y1 = view.points_box()
    return Rect(min(places.x0, x0), min(-20.0, y0), max(places.x1, x1), max(places.y1, y1))


class Grid:
    """The cells of a small picture (rows, columns), `cell` pixels wide, and where each lies on the felt."""

    def __init__(self, view: CameraView, shape: tuple[int, int], cell: int) -> None:
        self._view, self._cell, self.shape = view, cell, shape
        middle = (np.arange(max(shape)) + 0.5) * cell - 0.5
        columns, rows = np.meshgrid(middle[: shape[1]], middle[: shape[0]])
        mm = view.to_felt(np.column_stack([columns.ravel(), rows.ravel()]))
        self.x = mm[:, 0].reshape(shape)
        self.y = mm[:, 1].reshape(shape)
        self.mm = cell / view.px_per_mm(float(np.median(self.x)), float(np.median(self.y)))

    def inside(self, rect: Rect) -> Mask:
        """The cells whose middle lies in a rectangle."""
        return (self.x >= rect.x0) & (self.x <= rect.x1) & (self.y >= rect.y0) & (self.y <= rect.y1)

    def near(self, x: float, y: float, reach: float) -> Mask:
        """The cells whose middle is within `reach` mm of a place."""
        return np.asarray((self.x - x) ** 2 + (self.y - y) ** 2 <= reach * reach, np.bool_)

    def rect_of(self, cells: Mask) -> Rect:
        """The rectangle about some cells."""
        return Rect.around(np.column_stack([self.x[cells], self.y[cells]]), self.mm / 2)

    def share(self, cells: Mask, mm: NDArray[np.float64]) -> float:
        """The part of some points (N, 2) that lie in `cells`."""
        at = np.round((self._view.to_pixels(mm) + 0.5) / self._cell - 0.5).astype(int)
        rows, columns = np.clip(at[:, 1], 0, self.shape[0] - 1), np.clip(at[:, 0], 0, self.shape[1] - 1)
        return float(cells[rows, columns].mean())


def components(cells: Mask, smallest: int = 1) -> list[Mask]:
    """The connected groups of cells, each as a mask, the upper left first; groups under `smallest` are left out."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cells.astype(np.uint8), connectivity=8)
    return [np.asarray(labels == k, np.bool_) for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] >= smallest]


def grown(cells: Mask, by: int) -> Mask:
    """Some cells and those up to `by` cells from them."""
    size = 2 * by + 1
    return cv2.dilate(cells.astype(np.uint8), np.ones((size, size), np.uint8)) > 0


def closed(cells: Mask) -> Mask:
    """Some cells with the gaps of one or two cells between them."""
    return cv2.morphologyEx(cells.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)) > 0


def not_felt(small: Floats, felt: Mask, grid: Grid) -> Mask:
    """The cells within `felt` that stand out from the felt around them, without knowing the empty table.

    For a run that starts with cards lying: the felt is what most of the neighbourhood looks like. Prints stand out
    too where they are more than a thin line; a look at them finds nothing, which does no harm.
    """
    size = 2 * round(_AROUND / grid.mm / 2) + 1
    filled = np.where(felt[..., None], small, np.median(small[felt], axis=0)).astype(np.uint8)
    usual = cv2.medianBlur(filled, size).astype(np.float32)
    rest = np.abs(small - usual)
    out = (np.maximum(np.maximum(rest[..., 0], rest[..., 1]), rest[..., 2]) > _LEVELS) & felt
    thick = cv2.morphologyEx(out.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0
    return felt if thick.sum() > _FULL * felt.sum() else thick


def rects_of(cells: Mask, grid: Grid, margin: float) -> list[Rect]:
    """Rectangles about the groups of cells, `margin` mm wider, few and not overlapping much."""
    return joined([grid.rect_of(c).grown(margin) for c in components(closed(cells), _SMALLEST)])


def joined(rects: list[Rect]) -> list[Rect]:
    """The same area in fewer rectangles where joining two costs little."""
    left = list(rects)
    again = True
    while again:
        again = False
        for i in range(len(left)):
            for j in range(i + 1, len(left)):
                both = left[i].joined(left[j])
                if both.area <= _JOIN * (left[i].area + left[j].area):
                    left[i] = both
                    del left[j]
                    again = True
                    break
            if again:
                break
    return left
