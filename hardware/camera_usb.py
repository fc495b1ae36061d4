"""USB cameras through OpenCV."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import cv2

from hardware.errors import HardwareError
from hardware.notices import Notices
from vision.frame import Frame

DEFAULT_SIZE = (1920, 1080)
FIRST_WAIT, LONGEST_WAIT = 0.5, 4.0  # seconds between two tries to find a camera again


class Capture(Protocol):
    """The part of cv2.VideoCapture that is used."""

    def isOpened(self) -> bool: ...  # noqa: N802 - OpenCV's name
    def read(self) -> tuple[bool, Any]: ...
    def set(self, prop: int, value: float) -> bool: ...
    def release(self) -> None: ...


def open_capture(index: int) -> Capture:
    """Camera `index` as the system counts them."""
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    return cv2.VideoCapture(index, cv2.CAP_V4L2)


class UsbCamera:
    """A camera on USB: motion JPEG at the layout's size, found again after it was unplugged."""

    def __init__(
        self,
        index: int,
        size: tuple[int, int] | None = None,
        opener: Callable[[int], Capture] = open_capture,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        notices: Notices | None = None,
    ) -> None:
        self._index, self._size = index, size or DEFAULT_SIZE
        self._opener, self._clock, self._sleep = opener, clock, sleep
        self._notices = notices or Notices()
        self._closed = False
        first = self._connect()
        if first is None:
            raise HardwareError(
                f"usb:{index}: no camera answers; plug it in, or choose another number ({_cameras_here()})"
            )
        self._capture = first

    def _connect(self) -> Capture | None:
        capture = self._opener(self._index)
        if not capture.isOpened():
            capture.release()
            return None
        # MJPG before the size: uncompressed, a large picture does not fit through USB 2.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return capture

    def frames(self) -> Iterator[Frame]:
        """Frames as they come; while the camera is away there are none."""
        began = self._clock()
        while not self._closed:
            good, image = self._capture.read()
            if good and image is not None:
                yield Frame(round(self._clock() - began, 6), image)
            elif not self._closed:
                self._find_again()
        self._capture.release()

    def _find_again(self) -> None:
        self._notices.tell("camera-lost", f"usb:{self._index}: the camera is gone; plug it in again")
        self._capture.release()
        wait = FIRST_WAIT
        while not self._closed:
            self._sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)
            found = self._connect()
            if found is not None:
                self._capture = found
                self._notices.end("camera-lost", f"usb:{self._index}: the camera is back")
                return

    def close(self) -> None:
        """End the frames; the thread that reads them lets go of the camera."""
        self._closed = True


def _cameras_here() -> str:
    found = sorted(p.name.removeprefix("video") for p in Path("/dev").glob("video[0-9]*"))
    return "here: " + ", ".join(found) if found else "here is none"
