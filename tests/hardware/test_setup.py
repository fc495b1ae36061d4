"""Calibrating a camera from points, and writing it into a layout that stays as it was otherwise."""

import os
import tomllib
from pathlib import Path

import pytest
from PIL import Image

from hardware.calibration import fit, parse_point, with_camera
from hardware.cli import main
from hardware.errors import BadInputError
from hardware.pictures import load_picture
from table_state.layout import CameraPoints, parse_layout
from tests.hardware.helpers import CAMERA, LAYOUT, layout, pictures

CORNERS = ((0.0, 480.0, -600.0, 0.0), (640.0, 480.0, 600.0, 0.0), (0.0, 0.0, -600.0, 900.0), (640.0, 0.0, 600.0, 900.0))
OPTIONS = ["0,480=-600,0", "640,480=600,0", "0,0=-600,900", "640,0=600,900"]
POINTS = [part for text in OPTIONS for part in ("--point", text)]
EXACT = tuple(parse_point(text) for text in OPTIONS)


def test_exact_points_fit_exactly() -> None:
    found = fit(layout(), (*EXACT, (320.0, 240.0, 0.0, 450.0)), (640, 480))
    assert max(found.misses) < 0.01
    assert found.card_px == pytest.approx(88.9 * 640 / 1200, rel=0.05)


def test_four_points_are_not_said_to_miss_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert fit(layout(), EXACT, (640, 480)).misses == ()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.toml").write_text(LAYOUT)
    Image.new("RGB", (640, 480)).save(tmp_path / "a.png")
    arguments = ["setup", "--layout", "my.toml", "--picture", "a.png", *POINTS]
    assert main(arguments) == 0
    out = capfd.readouterr().out
    assert "four always fit, give one more" in out
    assert "0.0 mm" not in out
    assert main([*arguments, "--point", "320,240=0,450"]) == 0
    assert "which miss by 0.0 mm at most" in capfd.readouterr().out


@pytest.mark.parametrize("point", ["-1,20=0,450", "640.5,20=0,450", "20,481=0,450", "20,-0.1=0,450"])
def test_a_point_outside_the_picture_is_refused(point: str) -> None:
    with pytest.raises(BadInputError, match=r"lies outside the picture of 640 x 480 pixels"):
        fit(layout(), (*EXACT, parse_point(point)), (640, 480))


def test_a_point_that_misses_is_named() -> None:
    wrong = (*EXACT, (320.0, 240.0, 0.0, 450.0), (400.0, 240.0, 0.0, 450.0))
    with pytest.raises(BadInputError, match=r"misses the others' fit by \d+ mm"):
        fit(layout(), wrong, (640, 480))


@pytest.mark.parametrize(
    "points", [EXACT[:3], (EXACT[0],) * 4, tuple((float(n), 5.0, float(n), 5.0) for n in range(5))]
)
def test_points_that_span_nothing_are_refused(points: tuple[tuple[float, float, float, float], ...]) -> None:
    with pytest.raises(BadInputError, match="--point"):
        fit(layout(), points, (640, 480))


@pytest.mark.parametrize("text", ["", "1,2", "1,2=3", "a,b=c,d", "1,2=3,4,5", "nan,1=2,3", "1e9,1=2,3"])
def test_a_bad_point_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_point(text)


REST = "\n[chip_colors]\nred = [[178, 30, 36]]\n"
CAMERAS = [
    "",
    CAMERA,
    "\n[camera]  # mine\nsize = [640, 480]\npoints = [\n[1, 2, 3, 4],\n[5, 6, 7, 8],\n[9, 0, 1, 2],\n[3, 40, 5, 6],\n]",
]


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("first", [True, False])
def test_only_the_camera_is_replaced(camera: str, first: bool) -> None:
    text = "# my table\n" + LAYOUT + (camera + REST if first else REST + camera)
    new = CameraPoints((640, 480), EXACT, (500.0, 500.0, 320.0, 240.0), (-0.06, 0.01, 0.0, 0.0, 0.0))
    written = with_camera(text, new, "layout.toml")
    assert parse_layout(written).camera == new
    assert written.startswith("# my table\n")
    before, after = tomllib.loads(text), tomllib.loads(written)
    assert before | {"camera": 0} == after | {"camera": 0}


def test_a_layout_written_in_another_way_is_refused() -> None:
    text = "camera = {size = [64, 48], points = [[0, 48, -60, 0], [64, 48, 60, 0], [0, 0, -60, 90], [64, 0, 60, 90]]}\n"
    with pytest.raises(BadInputError, match="take it out by hand"):
        with_camera(text + LAYOUT, CameraPoints((640, 480), EXACT, None, None), "layout.toml")


def test_the_command_takes_a_picture_then_the_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.toml").write_text(LAYOUT)
    pictures(tmp_path / "shots")
    assert main(["setup", "--layout", "my.toml", "--camera", "images:shots"]) == 0
    assert load_picture(str(tmp_path / "table.jpg")).image.shape == (48, 64, 3)
    assert "--point PX,PY=0,140   the middle of the dealer" in capfd.readouterr().out
    Image.new("RGB", (640, 480)).save(tmp_path / "large.png")
    points = [part for text in OPTIONS for part in ("--point", text)]
    assert main(["setup", "--layout", "my.toml", "--picture", "large.png", *points]) == 0
    assert "cards are small" in capfd.readouterr().out
    camera = parse_layout((tmp_path / "my.toml").read_text()).camera
    assert camera is not None
    assert camera.size == (640, 480)
    assert camera.points == EXACT
    assert sorted(p.name for p in tmp_path.iterdir()) == ["large.png", "my.toml", "shots", "table.jpg"]


@pytest.mark.parametrize("option", [["--output"], ["--markers"], ["--save"]])
@pytest.mark.parametrize("kind", ["device", "pipe", "link to a pipe", "link in a ring", "folder"])
def test_only_an_ordinary_file_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], option: list[str], kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.toml").write_text(LAYOUT)
    Image.new("RGB", (640, 480)).save(tmp_path / "a.png")
    pictures(tmp_path / "shots", count=1)
    os.mkfifo(tmp_path / "pipe.jpg")
    (tmp_path / "link.jpg").symlink_to("pipe.jpg")
    (tmp_path / "ring.jpg").symlink_to("ring.jpg")
    (tmp_path / "folder.jpg").mkdir()
    kinds = {"device": "/dev/null", "pipe": "pipe.jpg", "link to a pipe": "link.jpg", "link in a ring": "ring.jpg"}
    name = kinds.get(kind, "folder.jpg")
    before = {p.name: p.lstat() for p in [*tmp_path.iterdir(), Path(name)]}
    source = ["--camera", "images:shots"] if option == ["--save"] else ["--picture", "a.png", *POINTS]
    assert main(["setup", "--layout", "my.toml", *source, *option, name]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert name in err
    after = {p.name: p.lstat() for p in [*tmp_path.iterdir(), Path(name)]}
    assert {n: (s.st_ino, s.st_mode) for n, s in after.items()} == {n: (s.st_ino, s.st_mode) for n, s in before.items()}


def test_a_link_to_a_layout_stays_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "real.toml").write_text(LAYOUT)
    (tmp_path / "kept" / "real.toml").chmod(0o640)
    (tmp_path / "my.toml").symlink_to("kept/real.toml")
    Image.new("RGB", (640, 480)).save(tmp_path / "a.png")
    assert main(["setup", "--layout", "my.toml", "--picture", "a.png", *POINTS]) == 0
    assert (tmp_path / "my.toml").is_symlink()
    assert parse_layout((tmp_path / "kept" / "real.toml").read_text()).camera is not None
    assert (tmp_path / "kept" / "real.toml").stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in (tmp_path / "kept").iterdir()) == ["real.toml"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--layout", "my.toml", "--picture", "a.png", *POINTS, "--output", "./a.png"], "would overwrite what is read"),
        (["--layout", "my.toml", "--point", "1,2=3,4"], "one of the arguments --camera --picture is required"),
        (["--layout", "my.toml", "--picture", "no.jpg"], "no.jpg: no such picture"),
        (["--layout", "no.toml", "--picture", "no.jpg"], "no.toml: cannot read this layout file"),
        (["--layout", "my.toml", "--picture", "a.png", "--point", "1,2"], "invalid point PX,PY=X,Y value: '1,2'"),
        (["--layout", "my.toml", "--picture", "a.png", "--point", "1,2=3,4"], "points; a camera needs four or more"),
        (["--layout", "my.toml", "--picture", "a.png", "--output", "no/x.toml"], "no/x.toml: cannot write here"),
    ],
)
def test_bad_arguments(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    expected: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.toml").write_text(LAYOUT)
    Image.new("RGB", (640, 480)).save(tmp_path / "a.png")
    assert main(["setup", *arguments]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert expected in err
    assert (tmp_path / "my.toml").read_text() == LAYOUT
