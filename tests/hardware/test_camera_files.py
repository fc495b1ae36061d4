"""Folders of pictures and videos as cameras, by the contract's section 6."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import CameraOptions, Paced, open_camera
from hardware.camera_files import ImagesCamera, PictureFrame, VideoCamera, shots_of
from hardware.errors import BadInputError
from tests.hardware.helpers import frame, layout, pictures


def times(camera: ImagesCamera) -> list[tuple[str, float]]:
    return [(f.source.name, f.t) for f in camera.frames() if isinstance(f, PictureFrame)]


def test_each_picture_stands_until_the_next_and_is_looked_at_ten_times_a_second(tmp_path: Path) -> None:
    folder = pictures(tmp_path, [0, 0.35, 1.0])
    seen = times(ImagesCamera(folder, fps=10, hold=0.3))
    assert [t for name, t in seen if name == "00.jpg"] == [0.0, 0.1, 0.2, 0.3]
    assert [t for name, t in seen if name == "01.jpg"] == [0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95]
    assert [t for name, t in seen if name == "02.jpg"] == [1.0, 1.1, 1.2]


def test_the_last_picture_stands_six_seconds(tmp_path: Path) -> None:
    camera = open_camera(f"images:{pictures(tmp_path, [2.0])}", layout())
    seen = [f.t for f in camera.frames()]
    assert len(seen) == 60
    assert (seen[0], seen[-1]) == (2.0, 7.9)


def test_without_a_list_they_come_in_name_order_at_fps(tmp_path: Path) -> None:
    folder = pictures(tmp_path, count=3)
    (folder / "notes.txt").write_text("not a picture")
    shots = shots_of(folder, fps=2)
    assert [(s.path.name, s.t) for s in shots] == [("00.jpg", 0), ("01.jpg", 0.5), ("02.jpg", 1)]
    assert len(times(ImagesCamera(folder, fps=10, hold=0.1))) == 3


def test_two_readings_of_a_folder_are_the_same(tmp_path: Path) -> None:
    folder = pictures(tmp_path, [0, 0.333, 7.01])
    assert times(ImagesCamera(folder, 10, 6)) == times(ImagesCamera(folder, 10, 6))


BAD_LISTS = {
    '{"image": "00.jpg", "t": 0}\n{"image": "01.jpg"}\n': "frames.jsonl:2: not a frame; write",
    "[]\n": "frames.jsonl:1: not a frame",
    '{"image": 3, "t": 0}': "frames.jsonl:1: not a frame",
    '{"image": "00.jpg", "t": NaN}': "frames.jsonl:1: not a frame",
    '{"image": "00.jpg", "t": true}': "frames.jsonl:1: not a frame",
    '{"image": "00.jpg", "t": 1}\n{"image": "01.jpg", "t": 0}': "frames.jsonl:2: t 0 comes after 1; put",
    '{"image": "09.jpg", "t": 1}': "frames.jsonl:1: 09.jpg is not there; add",
    '{"image": "../x.jpg", "t": 1}': "frames.jsonl:1: ../x.jpg lies outside",
    "\n": "frames.jsonl: no pictures; put",
    "oh": "frames.jsonl:1: not a frame",
}


@pytest.mark.parametrize("text", BAD_LISTS)
def test_a_bad_list_names_its_line(tmp_path: Path, text: str) -> None:
    folder = pictures(tmp_path, count=2)
    (folder / "frames.jsonl").write_text(text)
    with pytest.raises(BadInputError) as caught:
        shots_of(folder)
    assert BAD_LISTS[text] in str(caught.value)


def test_bad_folders(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no such folder"):
        shots_of(tmp_path / "no")
    with pytest.raises(BadInputError, match="no pictures"):
        shots_of(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(BadInputError, match="is no folder"):
        shots_of(tmp_path / "file")


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """Three seconds at 25 frames a second, brighter with time."""
    path = tmp_path / "v.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 25, (64, 48))
    for n in range(75):
        writer.write(np.full((48, 64, 3), 3 * n, np.uint8))
    writer.release()
    return path


def test_a_video_is_looked_at_ten_times_a_second_of_its_time(video: Path) -> None:
    frames = list(VideoCamera(video).frames())
    assert 29 <= len(frames) <= 31
    assert frames[0].t == 0.0
    for f in frames:
        assert abs(float(f.image.mean()) - 3 * 25 * f.t) < 12
    gaps = np.diff([f.t for f in frames])
    assert gaps.min() > 0.05
    assert gaps.max() < 0.15


def test_a_video_can_be_closed_in_the_middle(video: Path) -> None:
    camera = VideoCamera(video)
    for f in camera.frames():
        if f.t > 0.5:
            camera.close()
    assert f.t < 0.8


@pytest.mark.parametrize("data", [b"", b"no video at all", b"\0\0\0\x18ftypmp42" + bytes(500)])
def test_a_broken_video_is_one_line(tmp_path: Path, data: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "v.mp4").write_bytes(data)
    with pytest.raises(BadInputError, match="convert it to MP4"):
        list(VideoCamera(tmp_path / "v.mp4").frames())
    assert capfd.readouterr().err == ""


def test_a_video_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no such file"):
        VideoCamera(tmp_path / "v.mp4")


@pytest.mark.parametrize("spec", ["", "webcam", "usb:", "usb:one", "usb", "images:", "video:", "sim:1", "picamera3"])
def test_an_unknown_camera_is_refused(spec: str) -> None:
    with pytest.raises(BadInputError, match="no such camera; it is one of picamera2, usb:N"):
        open_camera(spec, layout(), options=CameraOptions())


def test_own_pace() -> None:
    from tests.hardware.helpers import Played

    now = [100.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(round(seconds, 6))
        now[0] += seconds

    paced = Paced(Played([frame(5.0), frame(5.1), frame(6.0)]), clock=lambda: now[0], sleep=sleep)
    assert [f.t for f in paced.frames()] == [5.0, 5.1, 6.0]
    assert slept == [0.1, 0.9]
