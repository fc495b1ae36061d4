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
_BELONGS = 215.0  # mm from a place's point to its farthest card
_AROUND = 240.0  # mm about a cell in which most must be bare felt
_LEVELS = 11.0  # of difference from the felt around that are worth a look
_SMALLEST = 9  # cells of a thing that is worth a look
_CARD_WIDE, _CARD_LONG = 48.0, 125.0  # mm of the rectangle about a card, a little less and more than it can be
_SPLIT = 0.6  # of a rectangle's area that two smaller ones may have to be worth it
_JOIN = 1.2  # two looks become one if that is not larger than the felt of both times this
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


def card_area(layout: Layout, grid: "Grid") -> Mask:
    """The cells where a card belongs to a seat or the dealer, as the contract has it: 215 mm about their points, and
    not nearer to the shoe or the discard rack."""
    places = [layout.dealer, *(s.cards for s in layout.seats)]
    to_place = np.min([np.hypot(grid.x - x, grid.y - y) for x, y in places], axis=0)
    to_box = np.min([np.hypot(grid.x - x, grid.y - y) for x, y in (layout.shoe, layout.discard)], axis=0)
    return np.asarray((to_place <= _BELONGS) & (to_place <= to_box), np.bool_)


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
    return felt if out.sum() > _FULL * felt.sum() else out


def card_rects(cells: Mask, grid: Grid, margin: float) -> list[Rect]:
    """Rectangles, `margin` mm wider, about the groups of cells in which a whole card could lie.

    Letters, circle lines and the table's rim are too thin; of a card with a back like the felt only the border
    stands out, so a ring of a card's size is filled.
    """
    shapes = cells.astype(np.uint8)
    outlines, _ = cv2.findContours(closed(cells).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for outline in outlines:
        _, _, width, height = cv2.boundingRect(outline)
        if max(width, height) * grid.mm <= _CARD_LONG and min(width, height) * grid.mm >= _CARD_WIDE:
            cv2.drawContours(shapes, [outline], -1, 1, cv2.FILLED)
    thick = cv2.morphologyEx(shapes, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
    rects = [r for c in components(thick, _SMALLEST) for r in _tight(c, grid)]
    cards = [r for r in rects if min(r.x1 - r.x0, r.y1 - r.y0) >= _CARD_WIDE]
    return joined([r.grown(margin) for r in cards])


def _tight(cells: Mask, grid: Grid) -> list[Rect]:
    """The rectangle about some cells, or two or more where one would be mostly empty, as about an L."""
    whole = grid.rect_of(cells)
    best: tuple[float, Mask] | None = None
    for axis in (0, 1):
        filled = np.nonzero(cells.any(axis=axis))[0]
        for at in range(int(filled[0]) + 3, int(filled[-1]) - 2, 2):
            first = cells.copy()
            first[(slice(at, None), slice(None)) if axis else (slice(None), slice(at, None))] = False
            area = grid.rect_of(first).area + grid.rect_of(cells & ~first).area if first.any() else whole.area
            if best is None or area < best[0]:
                best = area, first
    if best is None or best[0] > _SPLIT * whole.area:
        return [whole]
    return _tight(best[1], grid) + _tight(cells & ~best[1], grid)


def joined(rects: list[Rect]) -> list[Rect]:
    """The same area in fewer rectangles where joining two costs little."""
    left = list(rects)
    again = True
    while again:
        again = False
        for i in range(len(left)):
            for j in range(i + 1, len(left)):
                both = left[i].joined(left[j])
                shared = max(0.0, left[i].clipped(left[j]).area)
                if both.area <= _JOIN * (left[i].area + left[j].area - shared):
                    left[i] = both
                    del left[j]
                    again = True
                    break
            if again:
                break
    return left
