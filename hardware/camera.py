"""Cameras: where frames come from. A file, a simulated table or a real camera behind one seam."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hardware.errors import BadInputError
from hardware.files import check_writable
from table_state.layout import Layout
from table_state.rules import HouseRules, preset
from vision.frame import Frame

LOOKS_PER_SECOND = 10
KINDS = "picamera2, usb:N, video:FILE, images:DIR or sim"


class Camera(Protocol):
    """A source of frames, in time order. `frames` may be called once; `close` ends it, from any thread."""

    def frames(self) -> Iterator[Frame]:
        """The frames from now on, until the source ends or is closed. Raises HardwareError."""
        ...

    def close(self) -> None:
        """Let go of the device or the file."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class LiveFrame(Frame):
    """A frame of a camera with a small picture of the same instant, which is new where the large one is the last one's.

    `small`: H x W or H x W x 3, uint8.
    """

    small: NDArray[np.uint8] = field(default_factory=lambda: np.empty((0, 0), np.uint8))


@runtime_checkable
class KnowsItsView(Protocol):
    """A camera that knows better than the layout file how it sees the felt: the simulated one."""

    @property
    def layout(self) -> Layout:
        """The layout, its `camera` filled in."""
        ...


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """How a source is played. `fps` and `hold` (s) are for `images:`, the seed and what follows for `sim`.

    `mains_hz`: how fast the lamps' mains alternates, 50 or 60, for a camera that measures its exposure.
    """

    fps: float = 10.0
    hold: float = 6.0
    realtime: bool = False
    seed: int = 1
    minutes: float | None = None
    mistakes: bool = False
    truth: str | None = None
    mains_hz: int = 50


def is_live(spec: str) -> bool:
    """Whether a source has its own pace: what is not looked at in time is gone."""
    return spec == "picamera2" or spec.startswith("usb:")


def is_file(spec: str) -> bool:
    """Whether a source is a file or a folder, which may turn out bad in the middle and ends by itself."""
    return spec.startswith(("images:", "video:"))


def check_spec(spec: str) -> None:
    """Raise BadInputError where `spec` names no kind of camera; whether it is there is not asked."""
    kind, _, rest = spec.partition(":")
    if spec not in ("picamera2", "sim") and not (
        (kind in ("images", "video") and rest) or (kind == "usb" and rest.isdecimal())
    ):
        raise BadInputError(f"--camera {spec}: no such camera; it is one of {KINDS}")


def open_camera(
    spec: str,
    layout: Layout,
    rules: HouseRules | None = None,
    options: CameraOptions | None = None,
) -> Camera:
    """The camera that `spec` names.

    Raises BadInputError for an unknown name, CameraAbsentError where it does not answer, another HardwareError where it
    never will. A module is imported only when its camera is asked for.
    """
    check_spec(spec)
    options = options or CameraOptions()
    kind, _, rest = spec.partition(":")
    size = layout.camera.size if layout.camera else None
    if kind == "images":
        from hardware.camera_files import ImagesCamera

        return paced(ImagesCamera(Path(rest), options.fps, options.hold), options.realtime)
    if kind == "video":
        from hardware.camera_files import VideoCamera

        return paced(VideoCamera(Path(rest)), options.realtime)
    if kind == "usb":
        from hardware.camera_usb import UsbCamera

        return UsbCamera(int(rest), size, mains_hz=options.mains_hz)
    if spec == "picamera2":
        from hardware.camera_pi import PiCamera

        return PiCamera(size, mains_hz=options.mains_hz)
    return _simulated(layout, rules, options)


def _simulated(layout: Layout, rules: HouseRules | None, options: CameraOptions) -> Camera:
    from hardware.simulator.camera import Script, sim_camera

    if options.truth is not None:
        check_writable(options.truth)
    script = Script(options.seed, options.mistakes, options.minutes)
    truth = Path(options.truth) if options.truth is not None else None
    return sim_camera(layout, rules or preset("charity"), script, truth, options.realtime)


def paced(camera: Camera, realtime: bool) -> Camera:
    """The camera itself, or one that gives its frames no earlier than their time."""
    return Paced(camera) if realtime else camera


class Paced:
    """Plays a file at its own pace."""

    def __init__(
        self,
        camera: Camera,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._camera, self._clock, self._sleep = camera, clock, sleep

    def frames(self) -> Iterator[Frame]:
        """The frames of the file, each at its time after the first."""
        began: float | None = None
        for frame in self._camera.frames():
            began = self._clock() - frame.t if began is None else began
            ahead = began + frame.t - self._clock()
            if ahead > 0:
                self._sleep(ahead)
            yield frame

    def close(self) -> None:
        """Close the file."""
        self._camera.close()
