"""The lens from the table's straight edges: on the simulated table bent by a lens, and on pictures of another maker."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.simulator.tables import half_moon
from models.render.scene import Scene
from models.render.table import TableRenderer, extent
from table_state.layout import CameraPoints, Layout, parse_layout
from vision.camera_view import CameraView, Floats
from vision.lens import estimate_lens, find_edge, no_lens, view

SIZE = (2304, 1296)
FOCUS = 1700.0
WITHIN = 4.0  # mm
RENDERS = Path(__file__).parents[3] / "shared" / "renders"


@cache
def bent(k1: float) -> tuple[NDArray[np.uint8], CameraView, Layout]:
    """A simulated table whose picture a lens has bent, and its camera."""
    renderer = TableRenderer(half_moon(4), 5)
    assert renderer.layout.camera is not None
    pinhole = CameraView(renderer.layout.camera, SIZE)
    felt = np.array([p[2:] for p in renderer.layout.camera.points])
    # Smaller than it was, so that all of the felt stays in the picture.
    middle = np.array(SIZE) / 2
    straight = (pinhole.to_pixels(felt) - middle) * 0.9 + middle
    matrix, distortion = (FOCUS, FOCUS, 1156.0, 643.0), (k1, 0.01, 0.0003, -0.0003, 0.0)
    solid = np.column_stack([(straight - matrix[2:]) / FOCUS, np.ones(len(straight))])
    lens = np.array([[FOCUS, 0, matrix[2]], [0, FOCUS, matrix[3]], [0, 0, 1]])
    seen, _ = cv2.projectPoints(solid, np.zeros(3), np.zeros(3), lens, np.array(distortion))
    points = tuple((*p, *f) for p, f in zip(seen.reshape(-1, 2).tolist(), felt.tolist(), strict=True))
    true = CameraView(CameraPoints(SIZE, points, matrix, distortion), SIZE)
    grid = np.stack(np.meshgrid(np.arange(0, SIZE[0] + 8, 8.0), np.arange(0, SIZE[1] + 8, 8.0)), axis=-1)
    source = pinhole.to_pixels(true.to_felt(grid.reshape(-1, 2))).reshape(grid.shape).astype(np.float32)
    full = cv2.resize(source, None, fx=8, fy=8, interpolation=cv2.INTER_LINEAR)[4 : 4 + SIZE[1], 4 : 4 + SIZE[0]]
    image = cv2.remap(renderer.frame(Scene((), (), ())), full[..., 0], full[..., 1], cv2.INTER_LINEAR)
    return np.asarray(image, np.uint8), true, renderer.layout


def dragged(corners: Floats, error: float, seed: int) -> Floats:
    """Corners as a hand puts them: `error` pixels off, each in a direction of its own."""
    angles = np.random.default_rng(seed).uniform(0, 2 * np.pi, len(corners))
    return corners + error * np.column_stack([np.cos(angles), np.sin(angles)])


def places(layout: Layout) -> Floats:
    rows = [layout.dealer, (layout.dealer[0], layout.dealer[1] + 40)]
    for seat in layout.seats:
        rows += [seat.circle[:2], seat.cards, seat.insurance or seat.cards]
    return np.array(rows, np.float64)


def worst(image: NDArray[np.uint8], true: CameraView, felt: Floats, layout: Layout, error: float, seed: int) -> float:
    """By how many mm the places of a layout are wrong, with the camera that four dragged corners give."""
    corners = dragged(true.to_pixels(felt), error, seed)
    sides = [find_edge(image, tuple(corners[i]), tuple(corners[(i + 1) % 4])) for i in range(4)]
    points = tuple((*p, *f) for p, f in zip(corners.tolist(), felt.tolist(), strict=True))
    found = view(estimate_lens(sides, SIZE), SIZE, points)
    mm = places(layout)
    return float(np.linalg.norm(found.to_felt(true.to_pixels(mm)) - mm, axis=1).max())


def box(layout: Layout) -> Floats:
    x0, y0, x1, y1 = extent(layout)
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


@pytest.mark.parametrize("k1", [-0.12, 0.05])
@pytest.mark.parametrize("error", [0.0, 2.0])
def test_four_corners_of_a_bent_picture_give_the_places(k1: float, error: float) -> None:
    image, true, layout = bent(k1)
    assert worst(image, true, box(layout), layout, error, 3) < WITHIN


@pytest.mark.skipif(not RENDERS.exists(), reason="the rendered rounds are not here")
@pytest.mark.parametrize("picture", ["ordinary-green/00.jpg", "ordinary-green/09.jpg", "skipped-seat-wood/04.jpg"])
@pytest.mark.parametrize(("error", "seed"), [(0.0, 1), (2.0, 1), (2.0, 2)])
def test_four_corners_of_a_rendered_table_give_the_places(picture: str, error: float, seed: int) -> None:
    layout = parse_layout((RENDERS / picture).with_name("layout.toml").read_text())
    assert layout.camera is not None
    image = np.asarray(cv2.imread(str(RENDERS / picture)), np.uint8)
    felt = np.array([[-592.0, -18], [592, -18], [592, 772], [-592, 772]])
    assert worst(image, CameraView(layout.camera, SIZE), felt, layout, error, seed) < WITHIN


def test_a_middle_dragged_on_each_side_is_enough() -> None:
    """Where no edge is found, one more point on each side, 1 px off, gives the lens."""
    _, true, layout = bent(-0.06)
    felt = box(layout)
    corners = dragged(true.to_pixels(felt), 1.0, 8)
    middles = dragged(true.to_pixels((felt + np.roll(felt, -1, axis=0)) / 2), 1.0, 9)
    sides = [np.array([corners[i], middles[i], corners[(i + 1) % 4]]) for i in range(4)]
    points = tuple((*p, *f) for p, f in zip(corners.tolist(), felt.tolist(), strict=True))
    found, mm = view(estimate_lens(sides, SIZE), SIZE, points), places(layout)
    assert np.linalg.norm(found.to_felt(true.to_pixels(mm)) - mm, axis=1).max() < WITHIN


def test_a_line_that_is_not_straight_is_left_out() -> None:
    _, true, layout = bent(-0.06)
    felt, along = box(layout), np.linspace(0, 1, 30)[:, None]
    sides = [true.to_pixels(felt[i] * (1 - along) + felt[(i + 1) % 4] * along) for i in range(4)]
    good = estimate_lens(sides, SIZE)
    arc = sides[2] + np.column_stack([np.zeros(30), 40 * np.sin(np.pi * along[:, 0])])
    found = estimate_lens([*sides[:2], arc, sides[3]], SIZE)
    assert found.sides == 3
    assert found.distortion[0] == pytest.approx(good.distortion[0], abs=0.005)


def test_without_an_edge_there_is_no_lens() -> None:
    plain = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    assert len(find_edge(plain, (300.0, 1200.0), (2000.0, 1200.0))) == 0
    assert len(find_edge(plain, (300.0, 1200.0), (310.0, 1200.0))) == 0
    assert estimate_lens([np.empty((0, 2))], SIZE) == no_lens(SIZE)
