"""Pictures and videos as cameras."""

import json
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path

import numpy as np

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # what is wrong with a video is said here, in one line
import cv2

from hardware.camera import LOOKS_PER_SECOND
from hardware.errors import BadInputError, reason
from hardware.files import read_lines
from hardware.pictures import load_picture
from vision.frame import Frame

PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"}


@dataclass(frozen=True, slots=True, eq=False)
class PictureFrame(Frame):
    """A frame that is a file already: a recording copies it as it is."""

    source: Path = Path()


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of a folder and the moment from which it stands."""

    path: Path
    t: float


class ImagesCamera:
    """The pictures of a folder. Each stands until the next one's time, the last for `hold` seconds."""

    def __init__(self, folder: Path, fps: float, hold: float) -> None:
        self._shots = shots_of(folder, fps)
        self._hold = hold
        self._closed = False

    def frames(self) -> Iterator[Frame]:
        """Every picture, looked at ten times a second of its stream time."""
        end = Shot(Path(), self._shots[-1].t + self._hold)
        for shot, following in pairwise([*self._shots, end]):
            times = _looks(shot.t, following.t)
            if not times:
                continue
            image = load_picture(str(shot.path)).image
            for t in times:
                if self._closed:
                    return
                yield PictureFrame(t, image, shot.path)

    def close(self) -> None:
        """End the playing."""
        self._closed = True


def _looks(begin: float, end: float) -> list[float]:
    """Ten moments a second from `begin` until before `end`."""
    times: list[float] = []
    for n in count():
        t = round(begin + n / LOOKS_PER_SECOND, 6)
        if t >= end - 1e-6:
            return times
        times.append(t)
    raise AssertionError


def shots_of(folder: Path, fps: float = 10.0) -> list[Shot]:
    """The pictures of `folder` with their times: as its frames.jsonl says, else in name order. Raises BadInputError."""
    if not folder.is_dir():
        what = "is no folder" if folder.exists() else "no such folder"
        raise BadInputError(f"{folder}: {what}; images: takes a folder of pictures")
    index = folder / "frames.jsonl"
    try:
        shots = list(_listed(index)) if index.exists() else _in_name_order(folder, fps)
    except OSError as error:
        raise BadInputError(f"{folder}: cannot be read: {reason(error)}; change its permissions") from None
    if not shots:
        raise BadInputError(f"{index if index.exists() else folder}: no pictures; put JPEG or PNG files there")
    return shots


def _in_name_order(folder: Path, fps: float) -> list[Shot]:
    found = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES and not p.name.startswith("."))
    return [Shot(path, n / fps) for n, path in enumerate(found)]


def _listed(index: Path) -> Iterator[Shot]:
    last = -math.inf
    for number, line in enumerate(read_lines(str(index), "list of frames"), 1):
        if not line.strip():
            continue
        shot = _parse_shot(line, index, number)
        if shot.t < last:
            raise BadInputError(f"{index}:{number}: t {shot.t:g} comes after {last:g}; put the lines in time order")
        last = shot.t
        yield shot


def _parse_shot(line: str, index: Path, number: int) -> Shot:
    try:
        row = json.loads(line)
        image, t = row["image"], row["t"]
    except (ValueError, TypeError, KeyError):
        image, t = None, None
    if not isinstance(image, str) or isinstance(t, bool) or not isinstance(t, int | float) or not math.isfinite(t):
        raise BadInputError(f'{index}:{number}: not a frame; write {{"image": "NAME", "t": SECONDS}}')
    path = index.parent / image
    if not path.resolve().is_relative_to(index.parent.resolve()):
        raise BadInputError(f"{index}:{number}: {image} lies outside this folder; copy the picture into it")
    if not path.is_file():
        raise BadInputError(f"{index}:{number}: {image} is not there; add the picture or take the line out")
    return Shot(path, float(t))


class VideoCamera:
    """A video file, looked at ten times a second of its own time."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            what = "is no file" if path.exists() else "no such file"
            raise BadInputError(f"{path}: {what}; video: takes a video file")
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        self._path = path
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            raise BadInputError(f"{path}: no video that can be played; convert it to MP4 (H.264)")
        self._closed = False

    def frames(self) -> Iterator[Frame]:
        """The frames nearest after each tenth of a second. Raises BadInputError where not one can be decoded."""
        due = 0.0
        seen = False
        fps = self._capture.get(cv2.CAP_PROP_FPS) or 30.0
        for number in count():
            if self._closed or not self._capture.grab():
                break
            t = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
            t = t if t > 0 or number == 0 else number / fps
            if t < due - 1e-3:
                continue
            good, image = self._capture.retrieve()
            if not good:
                break
            seen = True
            due = max(due + 1.0 / LOOKS_PER_SECOND, t - 1.0 / LOOKS_PER_SECOND)
            yield Frame(round(t, 6), image.astype(np.uint8, copy=False))
        self._capture.release()
        if not seen and not self._closed:
            raise BadInputError(f"{self._path}: no frame of this video can be played; convert it to MP4 (H.264)")

    def close(self) -> None:
        """End the playing."""
        self._closed = True
