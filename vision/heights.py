"""How many chips a stack has, from what its outline shows: the farther from the camera's foot, the more of its wall.

Seen on the felt, a stack's top is pushed away from the point under the camera by height times distance over the
camera's height, and its foot is not. From straight above that is too little to count by, and then nothing is said.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.discs import Disc
from vision.felt_map import Patch
from vision.standing import NEW, relit

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Image = NDArray[np.uint8]
Eye = tuple[float, float, float]

THICK = 3.3  # mm, a chip
_UNLIKE = 0.03  # of a chip's thickness by which makers differ
_CROOKED = 1.0  # mm by which the top and the foot of a stack usually lie beside each other
_BLURRED = 0.45  # pixels by which an edge is usually found beside its place
_SURE = 0.25  # chips: the largest uncertainty with which a number is said
_WHOLE = 0.27  # chips from a whole number, more of which is a thing that was not understood
_BROAD = 0.06  # of a chip's breadth that a stack may be broader or slimmer
_MOST = 20  # chips
_TALL = 10  # chips between two rims of one stack
_IN_LINE = 0.3  # radii that a lower chip may lie beside the line from the camera to the top
_FINE = 0.25  # pixels between two places at which the outline is looked for
_FELT = 2.0  # mm of bare felt that end a stack
_SLICES = np.linspace(-0.6, 0.6, 15)  # radii beside the middle line at which its two ends are sought
_ACROSS = np.linspace(0.0, 0.35, 8)  # and radii behind the middle of its top at which its breadth is
_FEWEST = 10  # of these that must show an edge
_UNEVEN = 0.5  # mm that the edges may lie off a circle, the middle one of them
_ROUNDS = 3  # in which height and breadth settle


@dataclass(frozen=True, slots=True)
class Top:
    """Where a stack's top face seems to lie on the felt: centre and radius, mm."""

    x: float
    y: float
    r: float


def uncertainty(step: float, px_per_mm: float, count: int = 0) -> float:
    """Chips by which a count may be off, where one more chip pushes a stack's top `step` mm away on the felt.

    Both ends of a stack are blurred and lie crookedly on each other, and `count` chips are not as thick as thought.
    """
    return math.hypot(_CROOKED / step, 2 * _BLURRED / px_per_mm / step, _UNLIKE * count) if step > 0 else math.inf


def chips_in(patch: Patch, empty: Image, top: Top, eye: Eye, diameter: float) -> int | None:
    """The number of chips of the stack with that top, None where it cannot be told.

    `empty`: the patch without the stack. `eye`: where the camera stands, mm, and its height. `diameter`: a chip's, mm.
    Only a stack with felt all around it is counted.
    """
    step = math.hypot(top.x - eye[0], top.y - eye[1]) * THICK / eye[2]
    if uncertainty(step, patch.px_per_mm, 1) > _SURE:
        return None
    size = _Outline(patch, relit(patch.image.astype(np.float32), empty.astype(np.float32)), top, eye).size()
    if size is None or abs(size[1] / diameter - 1) > _BROAD:
        return None
    chips = size[0] / THICK
    count = round(chips)
    sure = count >= 1 and uncertainty(step, patch.px_per_mm, count) <= _SURE
    return count if sure and abs(chips - count) <= _WHOLE else None


def without_walls(discs: list[Disc], patch: Patch, eye: Eye) -> list[Disc]:
    """The discs (pixels of the patch) but for those that are lower chips of a stack, of which its wall shows the rims.

    A lower chip lies on the line from the camera's foot to the top, no farther off than a stack is high, and part of
    its rim is hidden.
    """
    return [d for d in discs if not any(_is_below(d, other, patch, eye) for other in discs if other is not d)]


def _is_below(disc: Disc, top: Disc, patch: Patch, eye: Eye) -> bool:
    low, high = patch.to_mm(np.array([[disc.x, disc.y], [top.x, top.y]]))
    away = high - np.array(eye[:2])
    far = float(np.hypot(*away))
    out = away / max(far, 1e-6)
    along, aside = float((high - low) @ out), float(abs((high - low) @ np.array([-out[1], out[0]])))
    near = 0 < along < _TALL * far * THICK / eye[2] and aside < _IN_LINE * top.r / patch.px_per_mm
    return near and disc.support < top.support


class _Outline:
    """A stack's edges along lines from the camera's foot and across them, mm from its top's middle."""

    def __init__(self, patch: Patch, new: Singles, top: Top, eye: Eye) -> None:
        self._patch, self._new, self._top, self._eye = patch, new, top, eye
        self._away = math.hypot(top.x - eye[0], top.y - eye[1])
        self._out = np.array([top.x - eye[0], top.y - eye[1]]) / self._away
        self._aside = np.array([-self._out[1], self._out[0]])

    def size(self) -> tuple[float, float] | None:
        """The stack's height and its chips' diameter, mm."""
        slices = _SLICES * self._top.r
        lines = slices[:, None] * self._aside
        behind, before = self._ends(lines, self._out), self._ends(lines, -self._out)
        if behind is None or before is None:
            return None
        breadth = self._breadth(float(np.nanmedian(behind - np.sqrt(self._top.r**2 - slices**2))), self._top.r)
        if breadth is None:
            return None
        r, tall = breadth / 2, 0.0
        tops = behind - np.sqrt(np.maximum(r * r - slices**2, 0))
        feet = tops
        for _ in range(_ROUNDS):
            low = r * (1 - tall / self._eye[2])  # the foot's radius: it is farther from the camera
            feet = np.sqrt(np.maximum(low * low - slices**2, 0)) - before
            far, near = (self._away + float(np.nanmedian(v)) for v in (tops, feet))
            tall = self._eye[2] * (1 - near / far)
        even = max(_spread(tops), _spread(feet)) <= _UNEVEN
        return (tall, breadth * (1 - tall / self._eye[2])) if even else None

    def _breadth(self, middle: float, r: float) -> float | None:
        """The width of the top, found behind its middle, where no wall is seen."""
        at = middle + _ACROSS * r
        starts = at[:, None] * self._out
        left, right = self._ends(starts, self._aside), self._ends(starts, -self._aside)
        if left is None or right is None:
            return None
        return float(np.nanmedian((left + right) / np.sqrt(1 - _ACROSS**2)))

    def _ends(self, starts: Floats, way: Floats) -> Floats | None:
        """How far from each start (N, 2; mm from the top's middle) the stack ends; NaN where no end is plain."""
        fine = _FINE / self._patch.px_per_mm
        along = np.arange(0.0, self._top.r * 2 + _MOST * self._away * THICK / self._eye[2] * 0.6, fine)
        places = np.array([self._top.x, self._top.y]) + starts[:, None] + along[:, None] * way
        px = self._patch.to_px(places.reshape(-1, 2)).reshape(places.shape).astype(np.float32)
        seen = cv2.remap(self._new, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        first, run = 0.5 * self._top.r / fine, round(_FELT / fine)
        ends = np.array([_end(row, int(first), run) for row in seen]) * fine
        return ends if np.isfinite(ends).sum() >= min(_FEWEST, len(starts) - 2) else None


def _spread(values: Floats) -> float:
    return float(np.nanmedian(np.abs(values - np.nanmedian(values))))


def _end(row: Singles, first: int, run: int) -> float:
    """Where a stack that holds `first` ends: half way between what its last bit and the felt show; else NaN."""
    bare = np.convolve(row < NEW, np.ones(run), "valid") > run - 0.5
    ends = np.nonzero(bare[first:])[0]
    if not len(ends):
        return math.nan
    end = first + int(ends[0])
    inside = row[max(0, end - run) : end]
    if not len(inside):
        return math.nan
    half = max(0.5 * float(inside.max()), 0.7 * NEW)
    last = max(0, end - run) + int(np.nonzero(inside >= half)[0][-1]) if (inside >= half).any() else end - 1
    if last + 1 >= len(row):
        return math.nan
    fall = float(row[last] - row[last + 1])
    return last + (float(row[last]) - half) / fall if fall > 1e-3 else float(last)
