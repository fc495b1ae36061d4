"""The camera of a soak: pictures that carry what the simulator sees, and the ways in which they fail to come."""

import json
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.camera import Camera
from hardware.errors import CameraAbsentError
from hardware.notices import Notices
from hardware.simulator.soaking.faults import Fault, on
from table_state.observation import Observation, parse_line
from vision.frame import Frame

Tell = Callable[[dict[str, Any]], None]
SIZE = (320, 180)
PROGRESS = 5.0
"""Seconds of play between two lines that say how far it is."""
LATE = 0.5
"""Seconds behind the table at which a live camera leaves pictures out."""
KEPT = 3
"""One of so many frames comes through while frames are dropped."""


@dataclass(frozen=True, slots=True, eq=False)
class LineFrame(Frame):
    """A small picture that carries what the simulator sees in it."""

    line: Observation


class Sees:
    """Reads the simulator's line off a frame."""

    def look(self, frame: Frame) -> Observation:
        """What the simulator would see in this picture."""
        assert isinstance(frame, LineFrame)
        return replace(frame.line, t=frame.t)


class Clock:
    """The table's time, from where a program begins to watch."""

    def __init__(self, start: float, speed: float) -> None:
        self.start, self._speed = start, speed
        self._began: float | None = None

    def now(self) -> float:
        """The table's seconds."""
        self._began = time.monotonic() if self._began is None else self._began
        return self.start + (time.monotonic() - self._began) * self._speed

    def wait(self, t: float) -> None:
        """Until it is so late."""
        if (ahead := (t - self.now()) / self._speed) > 0:
            time.sleep(ahead)


class LinesCamera:
    """Gives the simulator's lines as frames, from a time on."""

    def __init__(self, file: Path, start: float) -> None:
        self._file, self._start = file, start

    def frames(self) -> Iterator[Frame]:
        """A frame for each line; no two pictures are the same, as with a real sensor."""
        felt = _felt()
        with self._file.open(encoding="utf-8") as lines:
            for number, text in enumerate(lines):
                if float(text[5 : text.index(",")]) < self._start:
                    continue
                line = parse_line(text, self._file.name, number + 1)
                if isinstance(line, Observation):
                    yield LineFrame(line.t, _picture(felt, number, line), line)

    def close(self) -> None:
        """Nothing is held open between frames."""


def _felt() -> NDArray[np.uint8]:
    """A still picture with edges enough to tell that the camera hangs where it hung."""
    rng = np.random.default_rng(5)
    small = rng.integers(60, 160, (SIZE[1] // 20, SIZE[0] // 20, 3), np.uint8)
    return np.kron(small, np.ones((20, 20, 1), np.uint8))


def _picture(felt: NDArray[np.uint8], number: int, line: Observation) -> NDArray[np.uint8]:
    """The felt with a patch that changes with what lies there, and a little noise."""
    noise = np.random.default_rng(number).integers(0, 3, felt.shape, np.uint8)
    image: NDArray[np.uint8] = felt + noise
    lies = json.dumps([[c.code, round(c.x / 20), round(c.y / 20)] for c in line.cards]).encode()
    image[70:110, 140:180] = zlib.crc32(lies) % 200
    return image


class Faulty:
    """A camera whose cable, sensor and bus fail by the timetable.

    `live`: it is lost as a real one is, and who opens it again gets what is on the table then; otherwise there are
    just no pictures for a while, so that hours can be played in minutes.
    """

    def __init__(
        self, camera: Camera, faults: Sequence[Fault], clock: Clock, live: bool, notices: Notices, tell: Tell
    ) -> None:
        self._camera, self._faults, self._clock, self._live = camera, faults, clock, live
        self._notices, self._tell = notices, tell
        self._told, self._count = -PROGRESS, 0
        self._frozen: Frame | None = None
        self._gone = self._closed = False

    def frames(self) -> Iterator[Frame]:
        """The camera's frames as far as they come through."""
        for frame in self._camera.frames():
            if self._closed:
                return
            if self._live and frame.t < self._clock.now() - LATE:
                continue
            self._clock.wait(frame.t)
            self._tell_progress(frame.t)
            if (seen := self._through(frame)) is not None:
                yield seen

    def _tell_progress(self, t: float) -> None:
        if t - self._told >= PROGRESS:
            self._told = t
            self._tell({"progress": t})

    def _through(self, frame: Frame) -> Frame | None:
        if on(self._faults, "camera-gone", frame.t) != self._gone:
            self._lose(not self._gone)
        if self._gone:
            return None
        if not on(self._faults, "camera-frozen", frame.t):
            self._frozen = frame
        elif self._frozen is not None:
            return replace(self._frozen, t=frame.t)
        self._count += 1
        return None if on(self._faults, "frames-dropped", frame.t) and self._count % KEPT else frame

    def _lose(self, gone: bool) -> None:
        if self._live:
            raise CameraAbsentError("usb:0: the camera is gone; plug it in again")
        self._gone = gone
        change = self._notices.tell if gone else self._notices.end
        change("camera-lost", "the camera is gone" if gone else "the camera is back")

    def close(self) -> None:
        """End the frames."""
        self._closed = True
        self._camera.close()
