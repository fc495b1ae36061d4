"""The table found again by its printed markers, after the camera was bumped."""

import json
import math
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.errors import BadInputError, HardwareError
from hardware.files import replace_file
from table_state.errors import InputError
from table_state.layout import CameraPoints, Layout
from vision.camera_view import CameraView, Floats, Image
from vision.frame import Frame
from vision.markers import find_markers

FEWEST = 3  # markers by which a table is found: two lie on a line, along which little is known
MISSES = 4.0  # mm by which a marker's corner may lie beside its place before a marker was moved
RESTS = 2.0  # mm by which two looks may differ before the camera or a marker is still moving
EDGE = 60.0  # mm about every place of the table that the picture must show
Places = dict[int, Floats]


class Markers:
    """Where on the felt the markers lie, learned while the camera hangs as calibrated; kept for the next start."""

    def __init__(self, layout: Layout, file: Path | None = None) -> None:
        """`layout` must have a camera; `file`: where the places are kept, if anywhere."""
        assert layout.camera is not None
        self._layout, self._file, self._camera = layout, file, layout.camera
        self._places = self._read()
        self._before: Places = {}
        self._last: CameraPoints | None = None

    @property
    def known(self) -> bool:
        """Whether enough markers' places are known."""
        return len(self._places) >= FEWEST

    def learn(self, image: Image) -> None:
        """Look where the markers lie; what lies there in two looks is known. `image`: H x W x 3, BGR."""
        camera = CameraView(self._camera, _size(image))
        now = {number: camera.to_felt(corners) for number, corners in find_markers(image).items()}
        still = [n for n in now if n in self._before and np.abs(now[n] - self._before[n]).max() <= RESTS]
        self._before = now
        if len(still) >= FEWEST:
            self._places = {n: now[n] for n in still}
            self._write()

    def lie_as_known(self, image: Image) -> bool | None:
        """Whether the markers lie where they are known to lie, seen as calibrated; None where too few are seen."""
        camera = CameraView(self._camera, _size(image))
        seen = {n: camera.to_felt(c) for n, c in find_markers(image).items() if n in self._places}
        if len(seen) < FEWEST:
            return None
        return all(float(np.abs(corners - self._places[n]).max()) <= MISSES for n, corners in seen.items())

    def find(self, image: Image) -> CameraPoints | None:
        """How the camera sees the felt now; None where the markers do not say it, twice alike, for all of the table."""
        now = self._fitted(image)
        before, self._last = self._last, now
        if now is None or before is None:
            return None
        size = self._camera.size
        places = np.array([*self._around()])
        pixels = CameraView(now, size).to_pixels(places)
        whole = bool(((pixels >= 0) & (pixels <= np.array(size) - 1)).all())
        rests = float(np.abs(CameraView(before, size).to_felt(pixels) - places).max()) <= RESTS
        return now if whole and rests else None

    def _fitted(self, image: Image) -> CameraPoints | None:
        found = {n: c for n, c in find_markers(image).items() if n in self._places}
        if len(found) < FEWEST:
            return None
        scale = np.array(self._camera.size) / np.array(_size(image))
        pixels = np.concatenate([(corners + 0.5) * scale - 0.5 for corners in found.values()])
        felt = np.concatenate([self._places[n] for n in found])
        points = tuple((float(u), float(v), float(x), float(y)) for (u, v), (x, y) in zip(pixels, felt, strict=True))
        camera = CameraPoints(self._camera.size, points, self._camera.matrix, self._camera.distortion)
        try:
            missed = np.hypot(*(CameraView(camera, camera.size).to_felt(pixels) - felt).T)
        except InputError:
            return None
        return camera if float(missed.max()) <= MISSES else None

    def _around(self) -> list[tuple[float, float]]:
        places = [self._layout.dealer, *(p for s in self._layout.seats for p in (s.circle[:2], s.cards))]
        return [(x + dx, y + dy) for x, y in places for dx in (-EDGE, EDGE) for dy in (-EDGE, EDGE)]

    def _read(self) -> Places:
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8")) if self._file else {}
            if kept.get("camera") != repr(self._camera):
                return {}
            places = {int(n): np.asarray(corners, np.float64).reshape(4, 2) for n, corners in kept["markers"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}
        return places if all(np.isfinite(corners).all() for corners in places.values()) else {}

    def _write(self) -> None:
        if self._file is None:
            return
        places = {str(n): corners.round(3).tolist() for n, corners in self._places.items()}
        with suppress(OSError, HardwareError, BadInputError):  # then the places are learned anew at the next start
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(str(self._file), json.dumps({"camera": repr(self._camera), "markers": places}).encode())


class Straightened:
    """Draws a bumped camera's pictures as it would see them from where it is calibrated; true for what lies flat."""

    def __init__(self, calibrated: CameraPoints, now: CameraPoints) -> None:
        self._cameras = calibrated, now
        self._maps: tuple[tuple[int, int], NDArray[Any], NDArray[Any]] | None = None

    def frame(self, frame: Frame) -> Frame:
        """The same moment seen from there; black where the camera does not look."""
        if self._maps is None or self._maps[0] != frame.size:
            before, now = (CameraView(camera, frame.size) for camera in self._cameras)
            exact, none = now.pixels_of(before), np.empty(0, np.float32)
            self._maps = (frame.size, *cv2.convertMaps(exact, none, cv2.CV_16SC2))
        _, whole, parts = self._maps
        return Frame(frame.t, np.asarray(cv2.remap(frame.image, whole, parts, cv2.INTER_LINEAR), np.uint8))


def _size(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]


class Refinder:
    """Follows whether the camera hangs as it is calibrated, and finds the table again where it does not.

    It looks once in `EVERY` seconds of the frames' clock while it has to find, in `CALM` seconds while it learns.
    """

    EVERY, CALM = 1.0, 5.0

    def __init__(self, layout: Layout, file: Path | None = None) -> None:
        assert layout.camera is not None
        self._markers, self._calibrated = Markers(layout, file), layout.camera
        self._straight: Straightened | None = None
        self._next = -math.inf
        self._off = False
        self._checked = not self._markers.known

    def straight(self, frame: Frame) -> Frame:
        """The frame as the calibrated camera would see it."""
        return frame if self._straight is None else self._straight.frame(frame)

    def moved(self, frame: Frame, moved: bool) -> tuple[bool, bool]:
        """Whether the camera is known to hang otherwise than is allowed for, and whether the table was just found.

        `moved`: whether it hangs otherwise than it hung when its picture was learned.
        """
        if not -math.inf < frame.t - self._next < 0:
            self._look(frame.image, moved)
            self._next = frame.t + (self.EVERY if moved or self._off or not self._checked else self.CALM)
            if (moved or self._off) and (now := self._markers.find(frame.image)) is not None:
                self._straight, self._off = Straightened(self._calibrated, now), False
                return False, True
        return moved or self._off, False

    def _look(self, image: Image, moved: bool) -> None:
        if moved or self._straight is not None:
            return
        if not self._markers.known:
            self._markers.learn(image)
        elif not self._checked and (as_known := self._markers.lie_as_known(image)) is not None:
            self._off, self._checked = not as_known, True
