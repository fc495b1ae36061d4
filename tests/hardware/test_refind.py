"""A camera that was bumped: the table found again by its printed markers."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.refind import Refinder
from hardware.watch import Watch
from models.render.table import TableRenderer
from table_state.layout import Layout
from tests.hardware.helpers import layout
from tests.hardware.test_faults import Told
from tests.hardware.test_markers import with_markers
from vision.camera_view import CameraView
from vision.frame import Frame

Image = NDArray[np.uint8]
RANDOM = np.random.default_rng(4)


@pytest.fixture(scope="module")
def table() -> Layout:
    return TableRenderer(layout(), 3).layout


@pytest.fixture(scope="module")
def hung() -> Image:
    return smaller(with_markers())


def smaller(image: Image) -> Image:
    return np.asarray(cv2.resize(image, (1152, 648), interpolation=cv2.INTER_AREA), np.uint8)


def bumped(image: Image, dx: float = 30, deg: float = 1.2) -> Image:
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D((width * 0.4, height * 0.5), deg, 0.97)
    turn[:, 2] += dx, -6
    return np.asarray(cv2.warpAffine(image, turn, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8)


def noisy(image: Image) -> Image:
    return np.asarray(cv2.add(image, RANDOM.integers(0, 6, image.shape, np.uint8)), np.uint8)


def watched(watch: Watch, image: Image, since: float, until: float) -> list[bool]:
    return [watch.sees(Frame(float(t), noisy(image))) for t in np.arange(since, until)]


def test_a_bumped_camera_finds_the_table_by_the_markers(table: Layout, hung: Image, tmp_path: Path) -> None:
    told, file = Told(), tmp_path / "markers.json"
    watch = Watch(told.notices, Refinder(table, file))
    assert all(watched(watch, hung, 0, 7))
    seen = watched(watch, bumped(hung), 7, 17)
    assert told.all == ["+camera-moved", "-camera-moved"]
    assert seen[-1]
    straight = watch.straight(Frame(17.0, bumped(hung))).image
    assert table.camera is not None
    camera = CameraView(table.camera, (hung.shape[1], hung.shape[0]))
    for seat in table.seats:
        u, v = camera.to_pixels(np.array([seat.circle[:2]]))[0].round().astype(int)
        patch = (slice(v - 40, v + 40), slice(u - 40, u + 40))
        shift, _ = cv2.phaseCorrelate(_edges(hung[patch]), _edges(straight[patch]))
        assert np.hypot(*shift) < 1.0
    # The next start, the camera still bumped: the places of the markers were kept.
    again = Told()
    later = Watch(again.notices, Refinder(table, file))
    seen = watched(later, bumped(hung), 0, 8)
    assert not seen[0]
    assert seen[-1]
    assert np.abs(later.straight(Frame(8.0, bumped(hung))).image.astype(int) - straight).mean() < 2


def _edges(image: Image) -> NDArray[np.float64]:
    return cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float64)


def test_a_table_that_is_no_longer_whole_in_the_picture_is_asked_for(table: Layout, hung: Image) -> None:
    told = Told()
    watch = Watch(told.notices, Refinder(table))
    assert all(watched(watch, hung, 0, 7))
    assert not watched(watch, bumped(hung, 350, 0), 7, 16)[-1]
    assert told.all == ["+camera-moved"]


def test_a_marker_that_was_moved_misleads_nobody(table: Layout, hung: Image) -> None:
    told = Told()
    watch = Watch(told.notices, Refinder(table))
    assert all(watched(watch, hung, 0, 7))
    assert all(watched(watch, smaller(with_markers(without=2)), 7, 12))
    assert told.all == []


def test_places_that_cannot_be_read_are_learned_anew(table: Layout, hung: Image, tmp_path: Path) -> None:
    file = tmp_path / "markers.json"
    for text in ("", "[]", '{"camera": 3}', f'{{"camera": {"x" * 5}'):
        file.write_text(text)
        assert all(watched(Watch(Told().notices, Refinder(table, file)), hung, 0, 2))
