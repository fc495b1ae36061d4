"""Calibrating by four printed markers, drawn onto the simulated felt."""

import re
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.cli import main
from hardware.marker_sheet import DPI, PAGE, SIDE, sheet
from models.render.scene import Scene
from models.render.table import TableRenderer
from table_state.layout import parse_layout
from tests.hardware.helpers import layout
from vision.camera_view import CameraView
from vision.markers import draw_marker

PLACES = {1: (-450.0, 60.0), 2: (450.0, 60.0), 3: (-450.0, 560.0), 4: (450.0, 560.0)}
MARGIN, SCALE = 10.0, 4.0  # mm of white around a marker; pixels a mm of its picture


@cache
def view() -> tuple[CameraView, NDArray[np.uint8]]:
    renderer = TableRenderer(layout(), 3)
    assert renderer.layout.camera is not None
    return CameraView(renderer.layout.camera, (2304, 1296)), renderer.frame(Scene((), (), ()))


def with_markers(side: float = SIDE, without: int = 0) -> NDArray[np.uint8]:
    camera, image = view()[0], view()[1].copy()
    size = (image.shape[1], image.shape[0])
    pad = round(MARGIN * SCALE)
    for number, (x, y) in PLACES.items():
        if number == without:
            continue
        paper = np.pad(draw_marker(number, round(side * SCALE)), pad, constant_values=235)
        half, end = side / 2 + MARGIN, paper.shape[0] - 0.5
        felt = np.array([[x - half, y + half], [x + half, y + half], [x + half, y - half], [x - half, y - half]])
        corners = np.array([[-0.5, -0.5], [end, -0.5], [end, end], [-0.5, end]], np.float32)
        turn = cv2.getPerspectiveTransform(corners, camera.to_pixels(felt).astype(np.float32))
        drawn = cv2.warpPerspective(paper, turn, size, flags=cv2.INTER_AREA)
        covered = cv2.warpPerspective(np.full_like(paper, 255), turn, size) > 127
        image[covered] = drawn[covered][:, None]
    return image


def run(tmp_path: Path, image: NDArray[np.uint8], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, Path]:
    picture, table = tmp_path / "table.png", tmp_path / "table.toml"
    cv2.imwrite(str(picture), image)
    text = (Path(__file__).parents[2] / "hardware" / "demo.toml").read_text()
    table.write_text(text)
    options = [f"--marker={n}={x},{y}" for n, (x, y) in PLACES.items()]
    status = main(["setup", "--layout", str(table), "--picture", str(picture), *options])
    return status, capsys.readouterr().err, table


def test_the_table_is_found_by_its_markers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, error, table = run(tmp_path, with_markers(), capsys)
    assert status == 0, error
    camera = parse_layout(table.read_text()).camera
    assert camera is not None
    felt = np.array([[x, y] for x in (-500.0, 0.0, 500.0) for y in (20.0, 300.0, 600.0)])
    found = CameraView(camera, (2304, 1296)).to_felt(view()[0].to_pixels(felt))
    assert np.linalg.norm(found - felt, axis=1).max() < 4


def test_a_hidden_marker_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, error, _ = run(tmp_path, with_markers(without=3), capsys)
    assert status == 2
    assert "marker 3 cannot be seen" in error


def test_a_print_of_another_size_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, error, _ = run(tmp_path, with_markers(side=50.0), capsys)
    assert status == 2
    assert "50 mm wide, not 60" in error


def test_the_sheet_is_true_to_scale(tmp_path: Path) -> None:
    target = tmp_path / "sheet.pdf"
    assert main(["setup", "--markers", str(target)]) == 0
    boxes = re.findall(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+)", target.read_bytes())
    assert len(boxes) == 4
    for box in boxes:
        assert [float(v) * 25.4 / 72 for v in box] == pytest.approx(PAGE, abs=25.4 / DPI)
    assert sheet().startswith(b"%PDF")


@pytest.mark.parametrize("bad", ["", "5=1,2", "1=2", "1=a,b", "1=nan,2"])
def test_a_bad_place_is_refused(bad: str) -> None:
    assert main(["setup", "--layout", "x", "--picture", "y", f"--marker={bad}"]) == 2
