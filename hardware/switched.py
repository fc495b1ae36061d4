"""A camera that can be switched off and on: a real one is let go of meanwhile, its lamp goes dark."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from hardware.camera import Camera
from hardware.control import Control
from hardware.errors import HardwareError
from hardware.notices import Notices
from vision.frame import Frame

TICK = 5.0  # seconds between two signs of life while the camera is off
AGAIN = 2.0  # seconds between two tries to open the camera again


class Switched:
    """Gives the camera's frames while `control` has it on; `reopen` None: a source that only stands still."""

    def __init__(
        self,
        camera: Camera,
        control: Control,
        reopen: Callable[[], Camera] | None = None,
        notices: Notices | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._camera, self._control, self._reopen = camera, control, reopen
        self._notices, self._clock, self._sleep = notices or Notices(), clock, sleep
        self._closed = False

    def frames(self) -> Iterator[Frame]:
        """The frames; time goes on while the camera is off."""
        frames, shift, last = self._camera.frames(), 0.0, 0.0
        while not self._closed and (frame := next(frames, None)) is not None:
            if self._control.camera_on:
                last = round(frame.t + shift, 6)
                yield replace(frame, t=last) if shift else frame
                continue
            went = self._clock()
            if self._reopen is None:
                self._wait()
                continue
            self._let_go(frames)
            self._wait()
            if self._find_again(self._reopen):
                frames, shift = self._camera.frames(), last + self._clock() - went

    def _let_go(self, frames: Iterator[Frame]) -> None:
        self._camera.close()
        for _ in frames:  # a camera lets go of its device in the thread that reads its frames
            pass

    def _wait(self) -> None:
        while not self._closed and not self._control.wait(TICK):
            pass

    def _find_again(self, reopen: Callable[[], Camera]) -> bool:
        missed = False
        while not self._closed:
            try:
                self._camera = reopen()
            except HardwareError as error:
                if not missed:
                    self._notices.tell("camera-lost", str(error))
                missed = True
                self._sleep(AGAIN)
                continue
            if missed:
                self._notices.end("camera-lost", "the camera is back")
            return True
        return False

    def close(self) -> None:
        """End the frames, also while the camera is off."""
        self._closed = True
        self._camera.close()
        self._control.camera(True)  # wakes whoever waits for it
