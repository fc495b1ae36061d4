"""A Raspberry Pi's own camera. The one module that touches picamera2."""

import time
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.errors import HardwareError
from hardware.frame_formats import luma, to_bgr
from vision.frame import Frame

DEFAULT_SIZE = (2304, 1296)
LORES_WIDTH = 640
NOISE = 10  # grey steps by which a small picture's pixel may differ with nothing moving
SETTLE = 1.5  # seconds for exposure and white balance to find their values before they are locked
WHAT_TO_DO = "on a Raspberry Pi install apt's python3-picamera2 and set up again; elsewhere use --camera usb:0"


class PiCamera:
    """A full-size stream to read from and a small one, of the same instant, to see whether anything moved.

    While the small picture stays the same the frames go on with the same large image, which is not copied again.
    """

    def __init__(self, size: tuple[int, int] | None = None, mains_hz: int = 50, **options: Any) -> None:
        """`options` go to Picamera2 as they are. Raises HardwareError where there is no such camera."""
        self._size = size or DEFAULT_SIZE
        self._closed = False
        self._device = _open(options)
        self._configure()

    def _configure(self) -> None:
        lores = (LORES_WIDTH, LORES_WIDTH * self._size[1] // self._size[0] // 2 * 2)
        config = self._device.create_video_configuration(
            main={"size": self._size, "format": "RGB888"},
            lores={"size": lores, "format": "YUV420"},
            buffer_count=4,
            display=None,
        )
        try:
            self._device.configure(config)
        except (RuntimeError, ValueError) as error:
            self._device.close()
            what = " ".join(str(error).split())
            raise HardwareError(
                f"picamera2: the camera does not give {self._size[0]} x {self._size[1]} ({what}); "
                "change [camera] size in the layout"
            ) from None

    def frames(self) -> Iterator[Frame]:
        """Frames with the sensor's own time, from 0 at the first."""
        try:
            self._device.start()
            self._start_controls()
            yield from self._running()
        finally:
            self._device.stop()
            self._device.close()

    def _running(self) -> Iterator[Frame]:
        began: int | None = None
        image: NDArray[np.uint8] | None = None
        still: NDArray[np.uint8] | None = None
        while not self._closed:
            with self._device.captured_request() as request:
                stamp = int(request.get_metadata().get("SensorTimestamp", time.monotonic_ns()))
                small = self._small(request)
                if image is None or still is None or moved(still, small):
                    image, still = self._large(request), small
            began = stamp if began is None else began
            yield Frame(round((stamp - began) / 1e9, 6), image)

    def _large(self, request: Any) -> NDArray[np.uint8]:
        from picamera2 import MappedArray

        stream = self._device.camera_configuration()["main"]
        with MappedArray(request, "main", reshape=False, write=False) as mapped:
            return to_bgr(mapped.array, stream["format"], stream["size"], stream["stride"])

    def _small(self, request: Any) -> NDArray[np.uint8]:
        from picamera2 import MappedArray

        stream = self._device.camera_configuration()["lores"]
        with MappedArray(request, "lores", reshape=False, write=False) as mapped:
            return luma(mapped.array, stream["format"], stream["size"], stream["stride"]).copy()

    def _start_controls(self) -> None:
        """One autofocus cycle, then focus, exposure and white balance stay as they are."""
        known = self._device.camera_controls
        if "AfMode" in known and "AfTrigger" in known:
            self._device.autofocus_cycle()
        time.sleep(SETTLE)
        set_known(self._device, locked(self._device.capture_metadata()))

    def close(self) -> None:
        """End the frames; the thread that reads them lets go of the camera."""
        self._closed = True


def _open(options: dict[str, Any]) -> Any:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise HardwareError(f"picamera2: not installed here ({error}); {WHAT_TO_DO}") from None
    try:
        return Picamera2(**options)
    except (IndexError, RuntimeError):
        raise HardwareError(
            "picamera2: no camera found; check its ribbon cable and that no other program uses it"
        ) from None


def locked(metadata: dict[str, Any]) -> dict[str, Any]:
    """The controls that keep focus, exposure and white balance where they are now."""
    controls: dict[str, Any] = {}
    if "LensPosition" in metadata:
        controls |= {"AfMode": 0, "LensPosition": metadata["LensPosition"]}
    if "ExposureTime" in metadata and "AnalogueGain" in metadata:
        exposure = {k: metadata[k] for k in ("ExposureTime", "AnalogueGain")}
        controls |= {"AeEnable": False} | exposure
    if "ColourGains" in metadata:
        controls |= {"AwbEnable": False, "ColourGains": metadata["ColourGains"]}
    return controls


def set_known(device: Any, controls: dict[str, Any]) -> dict[str, Any]:
    """Set those of the controls that this camera has; a control it lacks raises in libcamera."""
    known = {name: value for name, value in controls.items() if name in device.camera_controls}
    if known:
        device.set_controls(known)
    return known


def moved(before: NDArray[np.uint8], now: NDArray[np.uint8]) -> bool:
    """Whether two small pictures differ by more than noise, anywhere in a place as large as a card's index."""
    difference = cv2.blur(cv2.absdiff(before, now), (5, 5))
    return bool(difference.max() > NOISE)
