"""A simulated table whose picture a lens has bent, with chips on it, and the camera that truly saw it."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulator.tables import half_moon
from models.render.scene import PlacedCard, PlacedChips, Scene
from models.render.table import TableRenderer, extent
from table_state.layout import CameraPoints, Layout
from vision.camera_view import CameraView, Floats
from vision.markers import draw_marker

SIZE = (2304, 1296)
FOCUS = 1700.0
MARKERS = {1: (-450.0, 60.0), 2: (450.0, 60.0), 3: (-450.0, 640.0), 4: (450.0, 640.0)}
CHIPS = ("white", "red", "green", "black")


Bent = tuple[NDArray[np.uint8], CameraView, Layout]


@cache
def _renderer() -> TableRenderer:
    return TableRenderer(half_moon(4), 5)


@cache
def bent(k1: float = -0.06, dressed: bool = False, marked: bool = False) -> Bent:
    """The picture, its true view and the layout; `dressed`: with four chips and a card, `marked`: with markers."""
    renderer = _renderer()
    layout = renderer.layout
    assert layout.camera is not None
    pinhole = CameraView(layout.camera, SIZE)
    chips = tuple(PlacedChips(s.circle[0], s.circle[1], c, 1) for s, c in zip(layout.seats, CHIPS, strict=True))
    cards = (PlacedCard("8s", *layout.seats[1].cards, 4.0),)
    image = renderer.frame(Scene(cards, chips, ()) if dressed else Scene((), (), ()))
    if marked:
        image = _with_markers(image, pinhole)
    true = _true_view(pinhole, k1, np.array([p[2:] for p in layout.camera.points]))
    return _warped(image, pinhole, true), true, replace(layout, camera=None)


def _true_view(pinhole: CameraView, k1: float, felt: Floats) -> CameraView:
    # Smaller than it was, so that all of the felt stays in the picture.
    middle = np.array(SIZE) / 2
    straight = (pinhole.to_pixels(felt) - middle) * 0.9 + middle
    matrix, distortion = (FOCUS, FOCUS, 1156.0, 643.0), (k1, 0.01, 0.0003, -0.0003, 0.0)
    solid = np.column_stack([(straight - matrix[2:]) / FOCUS, np.ones(len(straight))])
    lens = np.array([[FOCUS, 0, matrix[2]], [0, FOCUS, matrix[3]], [0, 0, 1]])
    seen, _ = cv2.projectPoints(solid, np.zeros(3), np.zeros(3), lens, np.array(distortion))
    points = tuple((*p, *f) for p, f in zip(seen.reshape(-1, 2).tolist(), felt.tolist(), strict=True))
    return CameraView(CameraPoints(SIZE, points, matrix, distortion), SIZE)


def _warped(image: NDArray[np.uint8], pinhole: CameraView, true: CameraView) -> NDArray[np.uint8]:
    step = 16
    columns, rows = (np.arange(-step, n + 2 * step, step, dtype=np.float64) for n in SIZE)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    source = pinhole.to_pixels(true.to_felt(grid)).reshape(len(rows), len(columns), 2).astype(np.float32)
    at = np.meshgrid((np.arange(SIZE[0]) + step) / step, (np.arange(SIZE[1]) + step) / step)
    full = cv2.remap(source, at[0].astype(np.float32), at[1].astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(cv2.remap(image, full[..., 0], full[..., 1], cv2.INTER_LINEAR), np.uint8)


def _with_markers(image: NDArray[np.uint8], view: CameraView) -> NDArray[np.uint8]:
    image = image.copy()
    for number, (x, y) in MARKERS.items():
        paper = np.pad(draw_marker(number, 240), 40, constant_values=235)
        half, end = 40.0, paper.shape[0] - 0.5
        felt = np.array([[x - half, y + half], [x + half, y + half], [x + half, y - half], [x - half, y - half]])
        corners = np.array([[-0.5, -0.5], [end, -0.5], [end, end], [-0.5, end]], np.float32)
        turn = cv2.getPerspectiveTransform(corners, view.to_pixels(felt).astype(np.float32))
        drawn = cv2.warpPerspective(paper, turn, SIZE, flags=cv2.INTER_AREA)
        covered = cv2.warpPerspective(np.full_like(paper, 255), turn, SIZE) > 127
        image[covered] = drawn[covered][:, None]
    return image


def dragged(corners: Floats, error: float, seed: int) -> Floats:
    """Corners as a hand puts them: `error` pixels off, each in a direction of its own."""
    angles = np.random.default_rng(seed).uniform(0, 2 * np.pi, len(corners))
    return corners + error * np.column_stack([np.cos(angles), np.sin(angles)])


def box(layout: Layout) -> Floats:
    """The felt's corners, mm: near left, near right, far right, far left."""
    x0, y0, x1, y1 = extent(layout)
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def places(layout: Layout) -> Floats:
    """Every place of the layout, mm, the dealer's second card included."""
    rows = [layout.dealer, (layout.dealer[0], layout.dealer[1] + 40)]
    for seat in layout.seats:
        rows += [seat.circle[:2], seat.cards, seat.insurance or seat.cards]
    return np.array(rows, np.float64)


def off(found: CameraView, true: CameraView, layout: Layout) -> float:
    """By how many mm the worst of a layout's places is wrong."""
    mm = places(layout)
    return float(np.linalg.norm(found.to_felt(true.to_pixels(mm)) - mm, axis=1).max())
