"""The calibrated camera: pixels of a picture to millimetres on the felt and back."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from table_state.errors import InputError
from table_state.layout import CameraPoints

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

_STEP = 16  # pixels between the exactly computed points of a resampling map; between them it is linear
_SAME_SHAPE = 0.01  # relative difference of width to height that is still the same shape
_ROUNDS = 25  # of undoing the lens; a common lens needs ten
_PLAUSIBLE_TILT = 0.2  # how far the homography's columns may be from a rigid pose before the eye is not known


class CameraView:
    """Maps between a picture's pixels (distorted, as the camera gives them) and the felt's millimetres.

    A homography by least squares over all of the layout's points, after the lens is undone. `size` is the width and
    height of the frames to come: another size of the same shape scales the points, another shape is an InputError.
    """

    def __init__(self, camera: CameraPoints, size: tuple[int, int]) -> None:
        scale = _scale(camera, size)
        points = np.asarray(camera.points, np.float64).reshape(-1, 4)
        if len(points) < 4:
            raise _bad(f"{len(points)} points; a camera needs four or more")
        self.size = size
        self._lens = _lens(camera, scale)
        self._distortion = np.asarray(camera.distortion or (), np.float64) if self._lens is not None else np.empty(0)
        # The pixel centre convention: pixel (0, 0) is centred on (0, 0), so a scaled picture shifts by half a pixel.
        pixels = (points[:, :2] + 0.5) * scale - 0.5
        self._to_felt = _fit(self._undistort(pixels), points[:, 2:])
        self._from_felt = np.asarray(np.linalg.inv(self._to_felt), np.float64)
        self._box = (points[:, 2:].min(0), points[:, 2:].max(0))

    def to_felt(self, pixels: Floats) -> Floats:
        """Felt millimetres (N, 2) of picture pixels (N, 2)."""
        return _project(self._to_felt, self._undistort(np.asarray(pixels, np.float64).reshape(-1, 2)))

    def to_pixels(self, mm: Floats) -> Floats:
        """Picture pixels (N, 2) of felt millimetres (N, 2)."""
        return self._distort(_project(self._from_felt, np.asarray(mm, np.float64).reshape(-1, 2)))

    def px_per_mm(self, x: float, y: float) -> float:
        """Pixels per millimetre at a place of the felt: the root of the area that one square millimetre covers."""
        around = self.to_pixels(np.array([[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]], np.float64))
        along, across = around[1] - around[0], around[3] - around[2]
        return math.sqrt(abs(float(along[0] * across[1] - along[1] * across[0]))) / 2

    def points_box(self) -> tuple[float, float, float, float]:
        """The felt rectangle that the calibration's points span: x0, y0, x1, y1 in millimetres."""
        low, high = self._box
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def eye(self) -> tuple[float, float, float] | None:
        """Where the camera stands, felt millimetres and height; None where the lens is not known well enough."""
        if self._lens is None:
            return None
        columns = np.linalg.inv(self._lens) @ self._from_felt
        lengths = np.linalg.norm(columns[:, :2], axis=0)
        if abs(lengths[0] / lengths[1] - 1) > _PLAUSIBLE_TILT:
            return None
        columns = columns / lengths.mean()
        # Felt x, y and height are a right-handed frame seen from above, so the third axis is the cross product.
        rotation = np.column_stack([columns[:, 0], columns[:, 1], np.cross(columns[:, 0], columns[:, 1])])
        left, _, right = np.linalg.svd(rotation)
        where = -(left @ right).T @ columns[:, 2]
        return float(where[0]), float(where[1]), abs(float(where[2]))

    def pixel_map(self, x0: float, y1: float, shape: tuple[int, int], px_per_mm: float) -> NDArray[np.float32]:
        """Where to sample the picture for a felt image of `shape` (height, width): float32 (height, width, 2).

        The image's first pixel is centred on (x0, y1); x runs along its rows, y falls along its columns.
        """
        height, width = shape
        rows, columns = (np.arange(0, n + _STEP, _STEP, dtype=np.float64) for n in (height, width))
        xs, ys = np.meshgrid(x0 + columns / px_per_mm, y1 - rows / px_per_mm)
        exact = self.to_pixels(np.column_stack([xs.ravel(), ys.ravel()])).reshape(len(rows), len(columns), 2)
        return _between(exact, height, width)

    def pixels_of(self, other: "CameraView") -> NDArray[np.float32]:
        """Where this camera sees what another one sees in each of its pixels, on the felt: float32 (H, W, 2)."""
        width, height = other.size
        rows, columns = (np.arange(0, n + _STEP, _STEP, dtype=np.float64) for n in (height, width))
        us, vs = np.meshgrid(columns, rows)
        exact = self.to_pixels(other.to_felt(np.column_stack([us.ravel(), vs.ravel()])))
        return _between(exact.reshape(len(rows), len(columns), 2), height, width)

    def felt_image(self, image: Image, x0: float, y0: float, x1: float, y1: float, px_per_mm: float) -> Image:
        """The felt from (x0, y0) to (x1, y1) seen straight from above: rows run from y1 down to y0, x0 at the left.

        Parts outside the picture are black. Pixel (column, row) is centred on (x0 + column / px_per_mm,
        y1 - row / px_per_mm).
        """
        shape = (max(1, round((y1 - y0) * px_per_mm)), max(1, round((x1 - x0) * px_per_mm)))
        where = self.pixel_map(x0, y1, shape, px_per_mm)
        return np.asarray(cv2.remap(image, where[..., 0], where[..., 1], cv2.INTER_LINEAR), np.uint8)

    def _undistort(self, pixels: Floats) -> Floats:
        if self._lens is None or not self._distortion.size:
            return pixels
        # Step against the error until it is gone: OpenCV's own call stops after five rounds, which leaves a wide lens
        # some pixels off at the corners, and its finer form has another name in each of its versions.
        straight = pixels
        for _ in range(_ROUNDS):
            straight = straight - (self._distort(straight) - pixels)
        return straight

    def _distort(self, pixels: Floats) -> Floats:
        if self._lens is None or not self._distortion.size:
            return pixels
        rays = _project(np.asarray(np.linalg.inv(self._lens), np.float64), pixels)
        solid = np.column_stack([rays, np.ones(len(rays))])
        bent, _ = cv2.projectPoints(solid, np.zeros(3), np.zeros(3), self._lens, self._distortion)
        return np.asarray(bent, np.float64).reshape(-1, 2)


def _bad(what: str) -> InputError:
    return InputError(f"{what}; run railbird setup for this camera", "layout", None, "camera")


def _scale(camera: CameraPoints, size: tuple[int, int]) -> Floats:
    scale = np.array([size[0] / camera.size[0], size[1] / camera.size[1]])
    if abs(scale[0] / scale[1] - 1) > _SAME_SHAPE:
        raise _bad(
            f"calibrated for pictures of {camera.size[0]} x {camera.size[1]}, "
            f"but this one is {size[0]} x {size[1]}, another shape"
        )
    return scale


def _lens(camera: CameraPoints, scale: Floats) -> Floats | None:
    if camera.matrix is None:
        return None
    fx, fy, cx, cy = camera.matrix
    middle = (np.array([cx, cy]) + 0.5) * scale - 0.5
    return np.array([[fx * scale[0], 0, middle[0]], [0, fy * scale[1], middle[1]], [0, 0, 1.0]])


def _fit(pixels: Floats, mm: Floats) -> Floats:
    found, _ = cv2.findHomography(pixels, mm, method=0)
    if found is None or not np.isfinite(found).all() or abs(np.linalg.det(found)) < 1e-12:
        raise _bad("the camera's points do not span the felt (they lie on one line or on each other)")
    back = _project(np.asarray(found, np.float64), pixels)
    if not np.isfinite(back).all():
        raise _bad("the camera's points contradict one another")
    return np.asarray(found, np.float64)


def _project(matrix: Floats, points: Floats) -> Floats:
    solid = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(solid[:, :2] / solid[:, 2:], np.float64)


def _between(exact: Floats, height: int, width: int) -> NDArray[np.float32]:
    """Linear between the points of a grid `_STEP` apart, cut to height x width."""
    rows, columns = _hats(height, exact.shape[0]), _hats(width, exact.shape[1])
    planes = [rows @ exact[..., axis].astype(np.float32) @ columns.T for axis in (0, 1)]
    return np.ascontiguousarray(np.dstack(planes), np.float32)


def _hats(length: int, knots: int) -> NDArray[np.float32]:
    place = np.arange(length) / _STEP
    return np.asarray(np.maximum(0, 1 - np.abs(place[:, None] - np.arange(knots)[None, :])), np.float32)
