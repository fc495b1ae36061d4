"""The lens from the table's straight edges: on the simulated table bent by a lens, and on pictures of another maker."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table_state.layout import Layout, parse_layout
from tests.wizard.drawn import MARKERS, SIZE, bent, box, dragged, off
from vision.camera_view import CameraView, Floats
from vision.lens import crossing, estimate_lens, find_edge, lens_of_squares, no_lens, view
from vision.markers import find_markers

WITHIN = 4.0  # mm
RENDERS = Path(__file__).parents[3] / "shared" / "renders"


def worst(image: NDArray[np.uint8], true: CameraView, felt: Floats, layout: Layout, error: float, seed: int) -> float:
    """By how many mm the places of a layout are wrong, with the camera that four dragged corners give."""
    corners = dragged(true.to_pixels(felt), error, seed)
    sides = [find_edge(image, tuple(corners[i]), tuple(corners[(i + 1) % 4])) for i in range(4)]
    points = tuple((*p, *f) for p, f in zip(corners.tolist(), felt.tolist(), strict=True))
    return off(view(estimate_lens(sides, SIZE), SIZE, points), true, layout)


@pytest.mark.parametrize("k1", [-0.06, 0.05])
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
    assert off(view(estimate_lens(sides, SIZE), SIZE, points), true, layout) < WITHIN


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


def test_printed_markers_give_the_lens_too() -> None:
    image, true, layout = bent(marked=True)
    seen = find_markers(image)
    squares, places = [seen[n] for n in MARKERS], np.array(list(MARKERS.values()))
    points = tuple((*crossing(s).tolist(), *p) for s, p in zip(squares, places.tolist(), strict=True))
    assert off(view(no_lens(SIZE), SIZE, points), true, layout) > 2
    lens = lens_of_squares(squares, places, SIZE)
    assert lens.distortion[0] == pytest.approx(-0.06, abs=0.015)
    assert off(view(lens, SIZE, points), true, layout) < 1.5
