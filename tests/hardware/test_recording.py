"""Recordings play again as they were, and a bad source leaves nothing behind."""

import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from hardware.app import compose
from hardware.camera_files import ImagesCamera
from hardware.errors import BadInputError
from hardware.layout_text import layout_text
from hardware.recording import Recorder
from table_state.layout import Layout, parse_layout, unknown_keys
from table_state.observation import Correction, read_lines
from table_state.rules import preset
from tests.hardware.helpers import CAMERA, LAYOUT, Looks, Played, Referee, frame, layout, pictures
from vision.frame import Frame


def record(source: Path, target: Path) -> None:
    recorder, looks = Recorder(target), Looks()
    for f in ImagesCamera(source, 10, 0.5).frames():
        recorder.look(f, looks.look(f))
    recorder.close()


def contents(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir()}


def test_a_recording_of_pictures_plays_to_the_same_bytes(tmp_path: Path) -> None:
    source = pictures(tmp_path / "source", [0, 0.33, 1.7])
    record(source, tmp_path / "first")
    record(tmp_path / "first", tmp_path / "second")
    first = contents(tmp_path / "first")
    assert first == contents(tmp_path / "second")
    assert sorted(first) == ["000000.jpg", "000001.jpg", "000002.jpg", "frames.jsonl", "observations.jsonl"]
    assert first["000001.jpg"] == (source / "01.jpg").read_bytes()


def test_there_is_one_observation_a_look_in_time_order(tmp_path: Path) -> None:
    record(pictures(tmp_path / "source", [0, 0.33]), tmp_path / "rec")
    with (tmp_path / "rec" / "observations.jsonl").open() as file:
        times = [line.t for line in read_lines(file)]
    assert times == [0.0, 0.1, 0.2, 0.3, 0.33, 0.43, 0.53, 0.63, 0.73]


def test_frames_that_show_nothing_new_are_kept_once(tmp_path: Path) -> None:
    recorder, looks = Recorder(tmp_path / "rec"), Looks()
    noise = np.random.default_rng(2)

    def noisy(t: float, card: bool) -> Frame:
        image = noise.normal(90, 5, (480, 640, 3)).clip(0, 255).astype(np.uint8)
        if card:
            image[100:190, 200:264] = 240
        return Frame(t, image)

    for n in range(10):
        f = noisy(n / 10, card=n >= 5)
        recorder.look(f, looks.look(f))
    recorder.close()
    kept = [json.loads(line) for line in (tmp_path / "rec" / "frames.jsonl").read_text().splitlines()]
    assert [row["t"] for row in kept] == [0.0, 0.5]
    assert len((tmp_path / "rec" / "observations.jsonl").read_text().splitlines()) == 10


def test_a_correction_keeps_its_place(tmp_path: Path) -> None:
    recorder, looks = Recorder(tmp_path / "rec"), Looks()
    recorder.look(frame(0.0), looks.look(frame(0.0)))
    recorder.correction(Correction(0.5, "new-shoe"))
    recorder.look(frame(1.0), looks.look(frame(1.0)))
    recorder.close()
    with (tmp_path / "rec" / "observations.jsonl").open() as file:
        assert [type(line).__name__ for line in read_lines(file)] == ["Observation", "Correction", "Observation"]


def test_a_folder_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    (tmp_path / "keep.txt").write_text("mine")
    with pytest.raises(BadInputError, match="is not empty; record into a new one"):
        Recorder(tmp_path)
    with pytest.raises(BadInputError, match="is no folder"):
        Recorder(tmp_path / "keep.txt")
    assert contents(tmp_path) == {"keep.txt": b"mine"}


def test_nothing_is_written_before_the_first_look(tmp_path: Path) -> None:
    Recorder(tmp_path / "rec").close()
    assert not (tmp_path / "rec").exists()


@pytest.mark.parametrize("existed", [True, False])
def test_discarding_leaves_what_was_there(tmp_path: Path, existed: bool) -> None:
    target = tmp_path / "rec"
    if existed:
        target.mkdir()
    recorder, looks = Recorder(target), Looks()
    recorder.look(frame(0.0), looks.look(frame(0.0)))
    recorder.discard()
    assert target.exists() == existed
    assert not existed or not list(target.iterdir())


def full_layout() -> Layout:
    """A layout with something in every field."""
    colors = "\n[chip_colors]\nred = [[178, 30, 36], [235, 225, 215]]\n"
    camera = CAMERA + "matrix = [60.5, 60.0, 31.5, 23.5]\ndistortion = [-0.1, 0.02, 0.0, 1e-05, 0.0]\n"
    seat = '\n[[seat]]\nnumber = 7\nname = "Zo\\u00eb \\"\\u007f\\\\"\ncircle = [0.1, 800, 60]\ncards = [-0.0, 700]\n'
    text = (
        LAYOUT.replace("red = 5", 'red = 2.5\n"dark blue" = 1000000') + 'insurance = [0.0, 500.0]\nspoken = "Dzhim"\n'
    )
    return parse_layout(text + seat + colors + camera)


def test_a_layout_is_written_as_it_was_read() -> None:
    full = full_layout()
    assert full.camera is not None
    for part in (full, full.seats[0], full.camera):
        assert all(getattr(part, f.name) not in (None, "", {}) for f in fields(part)), "a field that no test sees"
    assert unknown_keys(layout_text(full)) == ()
    assert parse_layout(layout_text(full_layout())) == full_layout()
    assert parse_layout(layout_text(layout(camera=False))) == layout(camera=False)


def test_a_recording_holds_the_layout_it_was_seen_with(tmp_path: Path) -> None:
    """Also that of a simulated camera, which alone knows how it sees the felt."""

    class Knows(Played):
        layout = full_layout()

    app = compose(
        "sim",
        layout(camera=False),
        preset("charity"),
        record=tmp_path / "rec",
        camera=Knows([frame(0.0), frame(0.1, 90)]),
        looker=lambda seen: Looks(),
        table=lambda seen, rules: Referee(),
    )
    app.run()
    assert parse_layout((tmp_path / "rec" / "layout.toml").read_text()) == full_layout()
    assert [row["image"] for row in map(json.loads, (tmp_path / "rec" / "frames.jsonl").read_text().splitlines())] == [
        "000000.jpg",
        "000001.jpg",
    ]
    assert len(list(ImagesCamera(tmp_path / "rec", 10, 0.1).frames())) == 2
