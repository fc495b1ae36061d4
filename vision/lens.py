"""A camera's lens from what is straight on the table, its edges, or square, printed markers: so it must be once undone.

The plumb-line method (D. C. Brown, 1971) with OpenCV's radial terms, the principal point in the middle of the picture.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from table_state.layout import CameraPoints
from vision.camera_view import CameraView, Floats, Image

FOCUS = 0.72  # principal distance over the picture's width where nobody measured it: 70 degrees across
REACH = 0.011  # how far from the chord an edge is looked for, of the picture's width
MOST_BEND = 0.4  # of k1, beyond which an estimate is not believed
CONTRADICTS = 0.001  # of the picture's width: a line that stays so crooked is left out, the worst first
SEARCHES = 400  # of RANSAC, for each side
SPREAD = 0.35  # of a side over which the three points of a search must be spread
NEAR = 1.5  # pixels from a curve within which a point is on it
NEEDED = 0.35  # of a side's points that must lie on one curve for it to count
SAMPLES = 120  # along a side
PEAKS = 3  # edges kept across a side, the strongest


@dataclass(frozen=True, slots=True)
class Lens:
    """`matrix` fx, fy, cx, cy and `distortion` k1, k2, p1, p2, k3; `bow`: pixels by which the sides were bent."""

    matrix: tuple[float, float, float, float]
    distortion: tuple[float, ...]
    bow: float
    sides: int


def no_lens(size: tuple[int, int], focus: float | None = None) -> Lens:
    """A lens that bends nothing; `focus` is its principal distance in pixels."""
    focus = focus or FOCUS * size[0]
    return Lens((focus, focus, (size[0] - 1) / 2, (size[1] - 1) / 2), (0.0,) * 5, 0.0, 0)


def estimate_lens(lines: Sequence[Floats], size: tuple[int, int], focus: float | None = None) -> Lens:
    """The radial term that makes the lines straight. `lines`: pixels (N, 2), each of one straight edge.

    Lines of fewer than three points say nothing, and one that contradicts the others is left out; without any the lens
    bends nothing.
    """
    plain = no_lens(size, focus)
    useful = [np.asarray(line, np.float64) for line in lines if len(line) >= 3]
    if not useful:
        return plain
    k1 = _straightest(useful, plain)
    while len(useful) > 1 and max(_misses(useful, plain, k1)) > CONTRADICTS * size[0]:
        misses = _misses(useful, plain, k1)
        del useful[misses.index(max(misses))]
        k1 = _straightest(useful, plain)
    if abs(k1) > MOST_BEND:
        return plain
    return Lens(plain.matrix, (k1, 0.0, 0.0, 0.0, 0.0), max(_bow(line) for line in useful), len(useful))


def lens_of_squares(
    squares: Sequence[Floats], places: Floats, size: tuple[int, int], focus: float | None = None
) -> Lens:
    """The radial term with which squares of one size look square.

    `squares`: four or more, their corners (4, 2) in pixels, clockwise; `places` (N, 2): their middles on the felt, mm.
    """
    plain = no_lens(size, focus)
    coarse = np.linspace(-MOST_BEND, MOST_BEND, 81)
    k1 = float(coarse[np.argmin([_crooked(squares, places, plain, k) for k in coarse])])
    fine = np.linspace(k1 - 0.01, k1 + 0.01, 41)
    k1 = float(fine[np.argmin([_crooked(squares, places, plain, k) for k in fine])])
    if abs(k1) > MOST_BEND * 0.95:
        return plain
    return Lens(plain.matrix, (k1, 0.0, 0.0, 0.0, 0.0), 0.0, len(squares))


def _crooked(squares: Sequence[Floats], places: Floats, plain: Lens, k1: float) -> float:
    """By how much the squares are none on the felt, and of unequal size; infinite where they are nowhere."""
    straight = [_undone(square, plain, k1) for square in squares]
    to_felt, _ = cv2.findHomography(np.array([crossing(s) for s in straight]), np.asarray(places, np.float64), method=0)
    if to_felt is None:
        return math.inf
    felt = cv2.perspectiveTransform(np.array(straight), to_felt)
    corners = (felt - felt.mean(axis=1, keepdims=True)) @ np.array([1, 1j])
    # A square's corners as complex numbers are one number turned by quarters, clockwise or the other way round.
    both = [np.array([1, turn, -1, -turn]) for turn in (1j, -1j)]
    sizes = [np.mean(corners / square, axis=1) for square in both]
    way = int(np.abs(sizes[1]).sum() > np.abs(sizes[0]).sum())
    off = corners - sizes[way][:, None] * both[way]
    large = np.abs(sizes[way])
    return float((np.abs(off) ** 2).sum() + 2 * ((large - large.mean()) ** 2).sum())


def crossing(corners: Floats) -> Floats:
    """Where a quadrilateral's diagonals cross: a square's middle, however aslant it is seen."""
    a, b, c, d = corners
    along = np.column_stack([c - a, b - d])
    part = np.linalg.solve(along, b - a)[0]
    return np.asarray(a + part * (c - a), np.float64)


def _straightest(lines: list[Floats], plain: Lens) -> float:
    """Gauss-Newton on how far the points lie from their lines."""
    k1 = 0.0
    for _ in range(12):
        now, step = _off(lines, plain, k1), 1e-4
        slope = (_off(lines, plain, k1 + step) - now) / step
        change = float(slope @ now) / max(float(slope @ slope), 1e-12)
        k1 = float(np.clip(k1 - change, -1.0, 1.0))
        if abs(change) < 1e-7:
            break
    return k1


def _misses(lines: list[Floats], plain: Lens, k1: float) -> list[float]:
    """How far each line's points lie from it, root mean square, pixels."""
    return [float(np.sqrt(np.mean(_from_line(_undone(line, plain, k1)) ** 2))) for line in lines]


def _off(lines: list[Floats], plain: Lens, k1: float) -> Floats:
    """How far each point lies from its line once the lens is undone, pixels; each line weighs the same."""
    parts = []
    for line in lines:
        straight = _undone(line, plain, k1)
        parts.append(_from_line(straight) / math.sqrt(len(line)))
    return np.concatenate(parts)


def _undone(pixels: Floats, plain: Lens, k1: float) -> Floats:
    fx, fy, cx, cy = plain.matrix
    bent = (pixels - (cx, cy)) / (fx, fy)
    rays = bent
    for _ in range(15):
        rays = bent / (1 + k1 * np.sum(rays**2, axis=1, keepdims=True))
    return np.asarray(rays * (fx, fy) + (cx, cy), np.float64)


def _from_line(points: Floats) -> Floats:
    """Signed distances from the line of least squares."""
    rest = points - points.mean(0)
    _, _, axes = np.linalg.svd(rest, full_matrices=False)
    return np.asarray(rest @ axes[1], np.float64)


def _bow(line: Floats) -> float:
    return float(np.ptp(_from_line(line)))


def find_edge(image: Image, start: tuple[float, float], end: tuple[float, float], seed: int = 1) -> Floats:
    """Points (N, 2) of the edge that runs from `start` to `end`, pixels, nearly straight; none where there is none.

    Across the chord the strongest changes of colour are noted; a flat parabola through most of them is the edge.
    """
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    length = float(np.linalg.norm(b - a))
    reach = round(REACH * image.shape[1])
    if length < 8 * reach:
        return np.empty((0, 2))
    along = (b - a) / length
    across = np.array([-along[1], along[0]])
    ts = np.linspace(0.06, 0.94, SAMPLES)
    places, offsets, strengths = _peaks(image, a, along * length, across, ts, reach)
    good = _parabola(ts[places], offsets, strengths, np.random.default_rng(seed))
    if len(good) == 0:
        return np.empty((0, 2))
    return np.asarray(a + ts[places[good], None] * along * length + offsets[good, None] * across, np.float64)


def _peaks(
    image: Image, a: Floats, ab: Floats, across: Floats, ts: Floats, reach: int
) -> tuple[NDArray[np.int64], Floats, Floats]:
    """For the strongest edges across each sample: its number, its offset from the chord, its strength."""
    steps = np.arange(-reach, reach + 1, dtype=np.float64)
    where = (a + ts[:, None] * ab)[:, None] + steps[None, :, None] * across
    lines = cv2.remap(image, where[..., 0].astype(np.float32), where[..., 1].astype(np.float32), cv2.INTER_LINEAR)
    smooth = cv2.GaussianBlur(lines.astype(np.float32), (5, 7), 0)
    change = np.linalg.norm(np.gradient(smooth, axis=1), axis=2)
    inner = change[:, 1:-1]
    top = (inner >= change[:, :-2]) & (inner > change[:, 2:]) & (inner > 1.0)
    places, offsets, strengths = [], [], []
    for number in range(len(ts)):
        found = np.flatnonzero(top[number]) + 1
        for at in found[np.argsort(-change[number, found])][:PEAKS]:
            left, mid, right = change[number, at - 1 : at + 2]
            shift = 0.5 * (left - right) / min(left - 2 * mid + right, -1e-9)
            places.append(number)
            offsets.append(float(steps[at]) + float(np.clip(shift, -0.5, 0.5)))
            strengths.append(float(mid))
    return np.array(places, np.int64), np.array(offsets), np.array(strengths)


def _parabola(ts: Floats, offsets: Floats, strengths: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """The numbers of the points on the best curve."""
    none = np.empty(0, np.int64)
    if len(ts) < SAMPLES * NEEDED:
        return none
    basis = np.column_stack([np.ones_like(ts), ts, ts**2])
    weights = np.sqrt(strengths)
    chosen = rng.choice(len(ts), (SEARCHES, 3), p=weights / weights.sum())
    chosen = chosen[np.ptp(ts[chosen], axis=1) >= SPREAD]
    # Two of three at one place along the side make no curve.
    chosen = chosen[np.abs(np.linalg.det(basis[chosen])) > 1e-6]
    if len(chosen) == 0:
        return none
    curves = np.linalg.solve(basis[chosen], offsets[chosen][..., None])[..., 0]
    near = np.abs(curves @ basis.T - offsets) < NEAR
    best = np.flatnonzero(near[int((near @ weights).argmax())])
    for _ in range(3):
        if len(best) < 3:
            return none
        curve, *_ = np.linalg.lstsq(basis[best], offsets[best], rcond=None)
        best = np.flatnonzero(np.abs(basis @ curve - offsets) < NEAR)
    return best if len(np.unique(ts[best])) >= SAMPLES * NEEDED else none


def camera(lens: Lens, size: tuple[int, int], points: tuple[tuple[float, float, float, float], ...]) -> CameraPoints:
    """The camera of a lens and of points, pixel x, y and felt x, y."""
    return CameraPoints(size, points, lens.matrix, lens.distortion)


def view(lens: Lens, size: tuple[int, int], points: tuple[tuple[float, float, float, float], ...]) -> CameraView:
    """The view of the same. Raises InputError where the points span nothing."""
    return CameraView(camera(lens, size, points), size)
