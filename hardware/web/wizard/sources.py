"""Where the wizard's pictures come from: the cameras of this machine, live, in a thread of their own."""

import threading
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera import Camera, open_camera
from hardware.errors import BadInputError, HardwareError
from hardware.slot import Newest
from hardware.web.wizard.checks import SIZES
from hardware.web.wizard.words import word
from table_state.layout import Layout

Image = NDArray[np.uint8]
Opener = Callable[[str, tuple[int, int] | None], Camera]
LIVE_WIDTH = 1280  # pixels of the live picture that goes to the page
CLOSED_AFTER = 3.0  # seconds to wait for a camera's first picture


def cameras_here() -> list[str]:
    """The cameras that this machine shows, by the names that `--camera` takes."""
    numbers = sorted(int(p.name.removeprefix("video")) for p in Path("/dev").glob("video[0-9]*"))
    pi = Path("/dev/media0").exists() and Path("/proc/device-tree/model").exists()
    # On a Pi its own camera's nodes give no picture as USB cameras do; the first of them is picamera2's.
    return (["picamera2"] if pi else []) + [f"usb:{n}" for n in numbers if n < 10]


def opener(layout: Callable[[], Layout]) -> Opener:
    """Opens a camera by its name, with pictures of a size; other sources play as they do for `run`."""

    def open_it(spec: str, size: tuple[int, int] | None) -> Camera:
        kind, _, rest = spec.partition(":")
        if kind == "usb" and rest.isdecimal():
            from hardware.camera_usb import UsbCamera

            return UsbCamera(int(rest), size)
        if spec == "picamera2":
            from hardware.camera_pi import PiCamera

            return PiCamera(size)
        return open_camera(spec, layout())

    return open_it


class Live:
    """One camera at a time and its newest picture; safe to call from any thread."""

    def __init__(self, open_it: Opener) -> None:
        self._open = open_it
        self._lock = threading.Lock()
        self._slot: Newest | None = None
        self._newest: Image | None = None
        self._came = threading.Event()
        self._fault: str | None = None

    def start(self, spec: str, size: tuple[int, int] | None) -> None:
        """Open a camera in place of the one before. Raises BadInputError or HardwareError: one line."""
        self.stop()
        with self._lock:
            slot = Newest(self._open(spec, size))
            self._slot, self._newest, self._fault = slot, None, None
            self._came = threading.Event()
            threading.Thread(target=self._follow, args=(slot, self._came), name="live", daemon=True).start()

    def _follow(self, slot: Newest, came: threading.Event) -> None:
        try:
            for frame in slot.frames():
                if slot is not self._slot:
                    break
                self._newest = np.asarray(frame.image)
                came.set()
        except (HardwareError, BadInputError) as error:
            if slot is self._slot:
                self._fault = str(error)
        came.set()

    def picture(self) -> Image:
        """The newest picture, waiting a little for the first. Raises HardwareError where there is none."""
        if self._slot is None and self._newest is None:
            raise HardwareError(word("fault.no-camera"))
        self._came.wait(CLOSED_AFTER)
        if self._newest is None:
            raise HardwareError(self._fault or "the camera gives no picture; unplug it and plug it in again")
        return self._newest

    def stop(self) -> None:
        """Let go of the camera."""
        with self._lock:
            slot, self._slot = self._slot, None
            if slot is not None:
                slot.close()


def jpeg(image: Image, width: int | None = None, quality: int = 88) -> bytes:
    """A picture as JPEG, no wider than `width`."""
    if width is not None and image.shape[1] > width:
        size = (width, round(image.shape[0] * width / image.shape[1]))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    good, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert good
    return data.tobytes()


def parse_size(text: str) -> tuple[int, int] | None:
    """A size like `2304x1296`, one of those on offer; None for any other."""
    return next((size for size in SIZES if f"{size[0]}x{size[1]}" == text), None)
