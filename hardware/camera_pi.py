"""A Raspberry Pi's own camera. The one module that touches picamera2."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera import LiveFrame
from hardware.errors import CameraAbsentError, HardwareError
from hardware.frame_formats import luma, to_bgr
from hardware.light import AUTOMATIC, Controls, Light, half_wave
from vision.frame import Frame

DEFAULT_SIZE = (2304, 1296)
LORES_WIDTH = 640
FRAME_US = 66_667  # microseconds a frame: more than are looked at, few enough for long exposures
NOISE = 10  # grey steps by which a small picture's pixel may differ with nothing moving
OLDEST = 2.0  # seconds after which the large picture is copied though nothing moved
PATIENCE = 5.0  # seconds without a frame after which the camera is given up and opened anew
FOCUSING = 6.0  # seconds that one autofocus cycle may take
LEAVING = 5.0  # seconds that letting go of the camera may take
WHAT_TO_DO = "on a Raspberry Pi run hardware/install/install.sh again; elsewhere use --camera usb:0"

Bytes = NDArray[np.uint8]


class PiCamera:
    """A full-size stream to read from and a small one, of the same instant, to see whether anything moved.

    While the small picture stays the same the frames go on with the same large image, which is not copied again. Focus
    is found once; exposure and white balance are found, held, and found anew after a lasting change of the light.
    """

    def __init__(
        self,
        size: tuple[int, int] | None = None,
        mains_hz: int = 50,
        clock: Callable[[], float] = time.monotonic,
        **options: Any,
    ) -> None:
        """`options` go to Picamera2 as they are. Raises CameraAbsentError where there is no such camera, HardwareError
        where picamera2 is missing or the size is not to be had."""
        self._size, self._clock = size or DEFAULT_SIZE, clock
        self._closed = False
        self._mains = mains_hz
        self._device = _open(options)
        self._configure()

    def _configure(self) -> None:
        lores = (LORES_WIDTH, LORES_WIDTH * self._size[1] // self._size[0] // 2 * 2)
        try:
            config = self._device.create_video_configuration(
                main={"size": self._size, "format": "RGB888"},
                lores={"size": lores, "format": "YUV420"},
                buffer_count=4,
                display=None,
            )
            self._device.configure(config)
            got = tuple(self._device.camera_configuration()["main"]["size"])
        except (RuntimeError, ValueError) as error:
            self._refuse(" ".join(str(error).split()))
        if got != self._size:
            self._refuse(f"it gives {got[0]} x {got[1]}")

    def _refuse(self, what: str) -> None:
        self._device.close()
        size = f"{self._size[0]} x {self._size[1]}"
        raise HardwareError(f"picamera2: the camera does not give {size} ({what}); change [camera] size in the layout")

    def frames(self) -> Iterator[Frame]:
        """Frames with the sensor's own time (s). Raises CameraAbsentError once no more come."""
        try:
            self._device.start()
            self._set({"FrameDurationLimits": (FRAME_US, FRAME_US), "AeFlickerMode": 1} | AUTOMATIC)
            self._set({"AeFlickerPeriod": half_wave(self._mains)})
            self._focus()
            yield from self._running()
        finally:
            self._let_go()

    def _running(self) -> Iterator[Frame]:
        light, copied = Light(self._mains), -OLDEST
        image: Bytes | None = None
        still: Bytes | None = None
        while not self._closed:
            request = self._ask(self._device.capture_request, PATIENCE)
            if request is None:
                raise CameraAbsentError("picamera2: no picture comes any more; check the camera's ribbon cable")
            try:
                metadata = request.get_metadata()
                small = self._small(request)
                now = self._clock()
                if image is None or still is None or now - copied > OLDEST or moved(still, small):
                    image, still, copied = self._large(request), small, now
            finally:
                request.release()
            self._set(light.update(now, metadata, float(np.median(small[::4, ::4]))))
            stamp = int(metadata.get("SensorTimestamp", time.monotonic_ns()))
            yield LiveFrame(round(stamp / 1e9, 6), image, small)

    def _ask(self, call: Callable[..., Any], seconds: float) -> Any:
        """What picamera2 answers to a call that it works off in its own thread; None where it takes too long."""
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        job = call(signal_function=done.put)
        try:
            done.get(timeout=seconds)
        except queue.Empty:
            return None
        return self._device.wait(job)

    def _large(self, request: Any) -> Bytes:
        from picamera2 import MappedArray

        stream = self._device.camera_configuration()["main"]
        with MappedArray(request, "main", reshape=False, write=False) as mapped:
            return to_bgr(mapped.array, stream["format"], stream["size"], stream["stride"])

    def _small(self, request: Any) -> Bytes:
        from picamera2 import MappedArray

        stream = self._device.camera_configuration()["lores"]
        with MappedArray(request, "lores", reshape=False, write=False) as mapped:
            return luma(mapped.array, stream["format"], stream["size"], stream["stride"]).copy()

    def _focus(self) -> None:
        """One autofocus cycle; then the lens stays where it is."""
        if not {"AfMode", "AfTrigger"} <= self._device.camera_controls.keys():
            return
        self._ask(self._device.autofocus_cycle, FOCUSING)
        metadata = self._ask(self._device.capture_metadata, PATIENCE) or {}
        if "LensPosition" in metadata:
            self._set({"AfMode": 0, "LensPosition": metadata["LensPosition"]})

    def _set(self, controls: Controls) -> None:
        set_known(self._device, controls)

    def _let_go(self) -> None:
        """Close the device; one that hangs ends the program, which is started anew."""

        def leave() -> None:
            self._device.stop()
            self._device.close()

        leaving = threading.Thread(target=leave, name="camera", daemon=True)
        leaving.start()
        leaving.join(LEAVING)
        if leaving.is_alive():
            raise HardwareError("picamera2: the camera hangs; start Railbird again, or this machine if that is no help")

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
        raise CameraAbsentError(
            "picamera2: no camera found; check its ribbon cable and that no other program uses it"
        ) from None


def set_known(device: Any, controls: Controls) -> Controls:
    """Set those of the controls that this camera has; a control it lacks raises in libcamera."""
    known = {name: value for name, value in controls.items() if name in device.camera_controls}
    if known:
        device.set_controls(known)
    return known


def moved(before: Bytes, now: Bytes) -> bool:
    """Whether two small pictures differ by more than noise, anywhere in a place as large as a card's index."""
    difference = cv2.blur(cv2.absdiff(before, now), (5, 5))
    return bool(difference.max() > NOISE)
