"""USB cameras through OpenCV."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.errors import CameraAbsentError, HardwareError
from vision.frame import Frame

DEFAULT_SIZE = (1920, 1080)
SHAPE = 0.01  # by which width over height may differ from the layout's
AUTO, FIXED = 3.0, 1.0  # V4L2's numbers for exposure by the camera and by us
UNIT = 1e-4  # seconds of one step of V4L2's exposure
SETTLE = 2.0  # seconds in which the camera finds its exposure before it is fixed
TRIES, LIKE = 8, 0.1  # steps in which a fixed exposure is made as light as the camera's own, and how near is enough


class Capture(Protocol):
    """The part of cv2.VideoCapture that is used."""

    def isOpened(self) -> bool: ...  # noqa: N802 - OpenCV's name
    def read(self) -> tuple[bool, Any]: ...
    def set(self, prop: int, value: float) -> bool: ...
    def get(self, prop: int) -> float: ...
    def release(self) -> None: ...


def open_capture(index: int) -> Capture:
    """Camera `index` as the system counts them."""
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    return cv2.VideoCapture(index, cv2.CAP_V4L2)


class UsbCamera:
    """A camera on USB: motion JPEG at the layout's size; exposure, white balance, focus fixed once they are right."""

    def __init__(
        self,
        index: int,
        size: tuple[int, int] | None = None,
        opener: Callable[[int], Capture] = open_capture,
        clock: Callable[[], float] = time.monotonic,
        mains_hz: int = 50,
    ) -> None:
        """Raises CameraAbsentError where none answers, HardwareError where its pictures have another shape."""
        self._name, self._size, self._clock, self._mains = f"usb:{index}", size or DEFAULT_SIZE, clock, mains_hz
        self._closed = False
        self._capture = opener(index)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraAbsentError(
                f"{self._name}: no camera answers; plug it in, or choose another number ({_cameras_here()})"
            )
        self._ask_for_size()

    def _ask_for_size(self) -> None:
        # MJPG before the size: uncompressed, a large picture does not fit through USB 2.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        got = tuple(int(self._capture.get(p)) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        if min(got) > 0 and abs(got[0] / got[1] * self._size[1] / self._size[0] - 1) > SHAPE:
            self._capture.release()
            raise HardwareError(
                f"{self._name}: gives {got[0]} x {got[1]}, not {self._size[0]} x {self._size[1]}; "
                "set [camera] size in the layout to a size that it has (v4l2-ctl --list-formats-ext) and set up again"
            )

    def frames(self) -> Iterator[Frame]:
        """Frames with the driver's time, else this machine's. Raises CameraAbsentError once the camera is gone."""
        try:
            settling: float | None = self._clock() + SETTLE
            while not self._closed:
                image = self._read()
                if settling is not None and self._clock() >= settling:
                    self._fix(image)
                    settling = None
                    continue
                yield Frame(self._stamp(), image)
        finally:
            self._capture.release()

    def _read(self) -> NDArray[np.uint8]:
        good, image = self._capture.read()
        if not good or image is None:
            raise CameraAbsentError(f"{self._name}: the camera is gone; plug it in again")
        return np.asarray(image, np.uint8)

    def _stamp(self) -> float:
        stamp = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        return round(stamp if stamp > 0 else self._clock(), 6)

    def _fix(self, image: NDArray[np.uint8]) -> None:
        """Fix white balance, focus and exposure; a camera that cannot be as light as it was keeps its own exposure."""
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        wanted = _light(image)
        began = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        if began <= 0 or not self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, FIXED):
            return
        exposure = began
        for _ in range(TRIES):
            exposure = even_exposure(exposure, self._mains)
            if not self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure):
                break
            for _ in range(3):  # frames that were under way when it was set
                image = self._read()
            ratio = wanted / max(_light(image), 1.0)
            if abs(ratio - 1) <= LIKE or even_exposure(exposure * ratio, self._mains) == exposure:
                return
            exposure *= min(max(ratio, 0.25), 4.0)
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTO)

    def close(self) -> None:
        """End the frames; the thread that reads them lets go of the camera."""
        self._closed = True


def even_exposure(steps: float, mains_hz: int) -> float:
    """An exposure (steps of 0.1 ms) of whole half-waves of the mains, with which lamps do not flicker."""
    wave = 1 / (2 * mains_hz * UNIT)
    return round(max(1, round(steps / wave)) * wave) if steps >= 0.75 * wave else max(1.0, round(steps))


def _light(image: NDArray[np.uint8]) -> float:
    return float(image[::16, ::16].mean())


def _cameras_here() -> str:
    found = sorted(p.name.removeprefix("video") for p in Path("/dev").glob("video[0-9]*"))
    return "here: " + ", ".join(found) if found else "here is none"
