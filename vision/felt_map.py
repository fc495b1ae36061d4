"""Cuts parts of the felt out of pictures, quickly: where to sample is worked out once for the whole table."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_view import CameraView

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle of the felt, millimetres: x0 < x1, y0 < y1."""

    x0: float
    y0: float
    x1: float
    y1: float

    @staticmethod
    def around(points: NDArray[np.float64], margin: float = 0.0) -> "Rect":
        """The rectangle about points (N, 2), a margin wider on every side."""
        low, high = points.min(0) - margin, points.max(0) + margin
        return Rect(float(low[0]), float(low[1]), float(high[0]), float(high[1]))

    def grown(self, margin: float) -> "Rect":
        """Wider by `margin` on every side."""
        return Rect(self.x0 - margin, self.y0 - margin, self.x1 + margin, self.y1 + margin)

    def joined(self, other: "Rect") -> "Rect":
        """The smallest rectangle about both."""
        return Rect(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))

    def clipped(self, other: "Rect") -> "Rect":
        """The part inside `other`; empty (x0 >= x1 or y0 >= y1) where they do not meet."""
        return Rect(max(self.x0, other.x0), max(self.y0, other.y0), min(self.x1, other.x1), min(self.y1, other.y1))

    def meets(self, other: "Rect") -> bool:
        """Whether the two share some area."""
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies inside or on the edge."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    def contains(self, other: "Rect") -> bool:
        """Whether all of the other lies within this one."""
        return self.holds(other.x0, other.y0) and self.holds(other.x1, other.y1)

    @property
    def area(self) -> float:
        """Square millimetres; 0 where it is empty."""
        return max(0.0, self.x1 - self.x0) * max(0.0, self.y1 - self.y0)


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A felt image and where it lies: pixel (column, row) is centred on (x0 + column / scale, y1 - row / scale)."""

    image: Image
    x0: float
    y1: float
    px_per_mm: float

    def to_mm(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Felt millimetres (N, 2) of patch pixels (N, 2)."""
        return np.column_stack([self.x0 + pixels[:, 0] / self.px_per_mm, self.y1 - pixels[:, 1] / self.px_per_mm])

    def to_px(self, mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Patch pixels (N, 2) of felt millimetres (N, 2)."""
        return np.column_stack([(mm[:, 0] - self.x0) * self.px_per_mm, (self.y1 - mm[:, 1]) * self.px_per_mm])

    def cut(self, rect: Rect) -> "Patch":
        """The part within `rect`, a view and no copy."""
        height, width = self.image.shape[:2]
        left = int(np.clip(round((rect.x0 - self.x0) * self.px_per_mm), 0, width - 1))
        top = int(np.clip(round((self.y1 - rect.y1) * self.px_per_mm), 0, height - 1))
        right = int(np.clip(round((rect.x1 - self.x0) * self.px_per_mm), left + 1, width))
        low = int(np.clip(round((self.y1 - rect.y0) * self.px_per_mm), top + 1, height))
        return self.part(slice(top, low), slice(left, right))

    def part(self, rows: slice, columns: slice) -> "Patch":
        """The part within some rows and columns, a view and no copy."""
        x0, y1 = self.x0 + columns.start / self.px_per_mm, self.y1 - rows.start / self.px_per_mm
        return Patch(self.image[rows, columns], x0, y1, self.px_per_mm)


class FeltMap:
    """The felt inside `bounds` at one scale. Takes 6 bytes a pixel of the whole felt."""

    def __init__(self, view: CameraView, bounds: Rect, px_per_mm: float) -> None:
        self.bounds = bounds
        self.px_per_mm = px_per_mm
        shape = (round((bounds.y1 - bounds.y0) * px_per_mm), round((bounds.x1 - bounds.x0) * px_per_mm))
        where = view.pixel_map(bounds.x0, bounds.y1, shape, px_per_mm)
        self._whole, self._part = cv2.convertMaps(where[..., 0], where[..., 1], cv2.CV_16SC2)

    def patch(self, image: Image, rect: Rect) -> Patch:
        """The felt within `rect`, widened to whole pixels of the map and cut to its bounds; at least one pixel."""
        height, width = self._part.shape
        left = int(np.clip(np.floor((rect.x0 - self.bounds.x0) * self.px_per_mm), 0, width - 1))
        top = int(np.clip(np.floor((self.bounds.y1 - rect.y1) * self.px_per_mm), 0, height - 1))
        right = int(np.clip(np.ceil((rect.x1 - self.bounds.x0) * self.px_per_mm), left + 1, width))
        low = int(np.clip(np.ceil((self.bounds.y1 - rect.y0) * self.px_per_mm), top + 1, height))
        part = (slice(top, low), slice(left, right))
        seen = cv2.remap(image, self._whole[part], self._part[part], cv2.INTER_LINEAR)
        x0, y1 = self.bounds.x0 + left / self.px_per_mm, self.bounds.y1 - top / self.px_per_mm
        return Patch(np.asarray(seen, np.uint8), x0, y1, self.px_per_mm)
