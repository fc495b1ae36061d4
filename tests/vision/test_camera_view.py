"""Pixels to felt and back, through lens and homography."""

from dataclasses import replace

import numpy as np
import pytest

from table_state.errors import InputError
from table_state.layout import CameraPoints
from vision.camera_view import CameraView
from vision.felt_map import FeltMap, Rect

MATRIX = (1645.2, 1645.2, 1158.4, 640.2)
LENS = (-0.062, 0.012, 0.0004, -0.0003, 0.0)
MM = np.array([[x, y] for x in (-590.0, -200, 200, 590) for y in (-18.0, 380, 770)])


def seen(eye: tuple[float, float, float] = (20.0, 300.0, 1150.0), lens: tuple[float, ...] = LENS) -> CameraPoints:
    """A camera straight above `eye` with a lens that bends."""
    fx, fy, cx, cy = MATRIX
    u, v = (MM[:, 0] - eye[0]) / eye[2], -(MM[:, 1] - eye[1]) / eye[2]
    k1, k2, p1, p2, k3 = lens
    r = u * u + v * v
    grow = 1 + k1 * r + k2 * r * r + k3 * r**3
    px = fx * (u * grow + 2 * p1 * u * v + p2 * (r + 2 * u * u)) + cx
    py = fy * (v * grow + p1 * (r + 2 * v * v) + 2 * p2 * u * v) + cy
    points = tuple((float(a), float(b), float(m[0]), float(m[1])) for a, b, m in zip(px, py, MM, strict=True))
    return CameraPoints((2304, 1296), points, MATRIX, lens)


def test_points_come_back() -> None:
    view = CameraView(seen(), (2304, 1296))
    points = np.array(seen().points)
    assert np.abs(view.to_felt(points[:, :2]) - MM).max() < 0.02
    assert np.abs(view.to_pixels(MM) - points[:, :2]).max() < 0.02


def test_a_smaller_frame_of_the_same_shape_scales() -> None:
    large, small = CameraView(seen(), (2304, 1296)), CameraView(seen(), (1152, 648))
    assert np.abs((small.to_pixels(MM) + 0.5) * 2 - 0.5 - large.to_pixels(MM)).max() < 0.02
    assert small.px_per_mm(0, 300) == pytest.approx(large.px_per_mm(0, 300) / 2, rel=1e-3)


def test_another_shape_is_an_error() -> None:
    with pytest.raises(InputError, match="another shape") as error:
        CameraView(seen(), (1920, 1440))
    assert error.value.key == "camera"


def test_points_on_one_line_are_an_error() -> None:
    line = tuple((10.0 * k, 10.0 * k, float(k), float(k)) for k in range(6))
    with pytest.raises(InputError):
        CameraView(CameraPoints((640, 360), line), (640, 360))


def test_a_homography_without_a_lens() -> None:
    points = tuple((100 + 2 * x, 900 - 2 * y, float(x), float(y)) for x, y in ((0, 0), (300, 0), (300, 200), (0, 200)))
    view = CameraView(CameraPoints((1000, 1000), points), (1000, 1000))
    assert np.allclose(view.to_felt(np.array([[300.0, 700.0]])), [[100, 100]], atol=1e-6)
    assert view.eye() is None


def test_where_the_camera_stands() -> None:
    assert CameraView(seen(), (2304, 1296)).eye() == pytest.approx((20, 300, 1150), abs=2)


def test_one_bad_point_moves_the_others_little() -> None:
    camera = seen()
    bad = [list(p) for p in camera.points]
    bad[5][0] += 3
    view = CameraView(replace(camera, points=tuple(tuple(p) for p in bad)), (2304, 1296))
    off = np.linalg.norm(view.to_felt(np.array(camera.points)[:, :2]) - MM, axis=1)
    assert np.median(off) < 0.8


def test_a_felt_image_shows_the_felt_upright() -> None:
    view = CameraView(seen(), (2304, 1296))
    image = np.zeros((1296, 2304, 3), np.uint8)
    at = np.round(view.to_pixels(np.array([[100.0, 500.0]]))[0]).astype(int)
    image[at[1] - 3 : at[1] + 4, at[0] - 3 : at[0] + 4] = 255
    patch = FeltMap(view, Rect(-600, 0, 600, 780), 1.44).patch(image, Rect(50, 450, 200, 600))
    rows, columns = np.nonzero(patch.image[..., 0] > 128)
    assert np.allclose(patch.to_mm(np.array([[columns.mean(), rows.mean()]])), [[100, 500]], atol=0.6)
    plain = view.felt_image(image, 50, 450, 200, 600, 1.44)
    rows, columns = np.nonzero(plain[..., 0] > 128)
    assert 50 + columns.mean() / 1.44 == pytest.approx(100, abs=0.6)
    assert 600 - rows.mean() / 1.44 == pytest.approx(500, abs=0.6)
