"""A camera that is waited for: absent at the start, unplugged, stalled or with a picture that stands still."""

import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hardware.camera import Camera, LiveFrame
from hardware.errors import CameraAbsentError
from hardware.notices import Notices
from hardware.steady import SteadyTime
from vision.frame import Frame

FIRST_WAIT, LONGEST_WAIT = 0.5, 4.0  # seconds between two tries to find a camera
FROZEN = 5.0  # seconds without the least change, noise included, after which a picture is an old one
STEP = 8  # every eighth pixel of every eighth row tells whether a picture is the same


class Patient:
    """Gives a camera's frames in an even time and opens it again whenever it is lost; the notices say so."""

    def __init__(
        self,
        opener: Callable[[], Camera],
        notices: Notices,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        """`opener` raises CameraAbsentError where waiting helps, another HardwareError where it does not."""
        self._opener, self._notices, self._clock = opener, notices, clock
        self._closing = threading.Event()
        self._wait = wait or self._closing.wait
        self._camera: Camera | None = None
        self._freeze = Freeze()

    def frames(self) -> Iterator[Frame]:
        """The frames until it is closed; while the camera is away there are none."""
        steady = SteadyTime()
        while (camera := self._find()) is not None:
            try:
                yield from self._play(camera, steady)
            except CameraAbsentError as error:
                self._notices.tell("camera-lost", str(error))
            finally:
                camera.close()
            if not self._lost:
                return
            steady.restart()

    @property
    def _lost(self) -> bool:
        """Whether the camera ended without being closed."""
        return not self._closing.is_set()

    def _find(self) -> Camera | None:
        wait = FIRST_WAIT
        while not self._closing.is_set():
            try:
                self._camera = self._opener()
                return self._camera
            except CameraAbsentError as error:
                self._notices.tell("camera-lost", str(error))
            self._wait(wait)
            wait = min(2 * wait, LONGEST_WAIT)
        return None

    def _play(self, camera: Camera, steady: SteadyTime) -> Iterator[Frame]:
        frames = camera.frames()
        try:
            yield from self._even(frames, steady)
        finally:
            if isinstance(frames, Generator):
                frames.close()  # now: a camera lets go of its device there, and it may be opened again at once

    def _even(self, frames: Iterator[Frame], steady: SteadyTime) -> Iterator[Frame]:
        opened = self._clock()
        for frame in frames:
            if self._closing.is_set():
                return
            host = self._clock()
            self._notices.end("camera-lost", "the camera is back")
            if self._freeze.stands(frame, host):
                self._notices.tell("camera-frozen", "the camera's picture stands still; it is started anew")
                if host - opened > 2 * FROZEN:
                    return
                continue
            self._notices.end("camera-frozen", "the camera's picture moves again")
            yield replace(frame, t=steady.at(frame.t, host))

    def close(self) -> None:
        """End the frames, also while the camera is waited for."""
        self._closing.set()
        if self._camera is not None:
            self._camera.close()


class Freeze:
    """Whether a camera gives the same picture again and again: a real one has noise in every frame."""

    def __init__(self) -> None:
        self._before: NDArray[np.uint8] | None = None
        self._since = 0.0

    def stands(self, frame: Frame, host: float) -> bool:
        """Whether the picture has been the very same for too long, at `host` (s, monotonic)."""
        now = frame.small if isinstance(frame, LiveFrame) else frame.image[::STEP, ::STEP]
        if self._before is None or not np.array_equal(self._before, now):
            self._before, self._since = now.copy(), host
        return host - self._since >= FROZEN
