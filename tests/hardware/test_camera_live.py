"""Cameras that have their own pace, with devices made for the test."""

import sys
import threading
import time
import types
from collections.abc import Iterator
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from hardware.camera_pi import PiCamera, moved, set_known
from hardware.camera_usb import UsbCamera, even_exposure
from hardware.errors import CameraAbsentError, HardwareError
from hardware.slot import Newest
from tests.hardware.helpers import Played, frame


class FakeCapture:
    """A USB camera that gives `good` frames and then none; its picture is as light as its exposure says."""

    def __init__(self, good: int = 1000, is_open: bool = True, size: tuple[int, int] = (64, 48)) -> None:
        self._good, self._open, self.released, self.size = good, is_open, False, size
        self.settings: list[tuple[int, float]] = []
        self.has: dict[int, float] = {
            cv2.CAP_PROP_EXPOSURE: 500.0,
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
        }

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self._open

    def read(self) -> tuple[bool, Any]:
        self._good -= 1
        fixed = self.has.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1.0
        light = min(255, int(self.has[cv2.CAP_PROP_EXPOSURE] * 0.4)) if fixed else 120
        noise = np.full((48, 64, 3), light, np.uint8)
        noise[0, 0, 0] = self._good % 255
        return (True, noise) if self._good >= 0 else (False, None)

    def set(self, prop: int, value: float) -> bool:
        self.settings.append((prop, value))
        if prop in self.has:
            self.has[prop] = value
        return prop in self.has or prop not in (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE)

    def get(self, prop: int) -> float:
        own = {cv2.CAP_PROP_FRAME_WIDTH: self.size[0], cv2.CAP_PROP_FRAME_HEIGHT: self.size[1]}
        return float(own.get(prop, self.has.get(prop, 0.0)))

    def release(self) -> None:
        self.released = True


def usb(capture: FakeCapture, mains_hz: int = 50) -> UsbCamera:
    now = iter(n / 10 for n in range(10_000))
    return UsbCamera(3, (64, 48), lambda index: capture, lambda: next(now), mains_hz)


def test_usb_asks_for_motion_jpeg_before_the_size() -> None:
    first = FakeCapture(1)
    usb(first)
    asked = [prop for prop, _ in first.settings]
    assert asked[:3] == [cv2.CAP_PROP_FOURCC, cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT]
    assert dict(first.settings)[cv2.CAP_PROP_FRAME_WIDTH] == 64


def test_usb_pictures_of_another_shape_are_refused() -> None:
    capture = FakeCapture(size=(60, 48))
    with pytest.raises(HardwareError, match=r"usb:3: gives 60 x 48, not 64 x 48; set \[camera\] size") as caught:
        usb(capture)
    assert not isinstance(caught.value, CameraAbsentError)
    assert capture.released
    usb(FakeCapture(size=(128, 96)))  # the same shape: the layout's points are scaled


def test_usb_that_goes_says_so_and_is_let_go_of() -> None:
    capture = FakeCapture(2)
    with pytest.raises(CameraAbsentError, match="usb:3: the camera is gone; plug it in again"):
        list(usb(capture).frames())
    assert capture.released


def test_usb_that_is_not_there_is_one_line() -> None:
    with pytest.raises(CameraAbsentError, match="usb:3: no camera answers; plug it in") as caught:
        usb(FakeCapture(0, is_open=False))
    assert caught.value.status == 1


def test_usb_exposure_is_fixed_as_light_as_it_was_in_whole_half_waves() -> None:
    capture = FakeCapture()
    camera = usb(capture)
    for n, _ in enumerate(camera.frames()):
        if n == 60:
            camera.close()
    assert capture.has[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert capture.has[cv2.CAP_PROP_EXPOSURE] == 300.0  # 30 ms: as light as 120 of 255
    assert (capture.has[cv2.CAP_PROP_AUTO_WB], capture.has[cv2.CAP_PROP_AUTOFOCUS]) == (0.0, 0.0)


def test_usb_that_lets_nobody_fix_its_exposure_keeps_its_own() -> None:
    capture = FakeCapture()
    del capture.has[cv2.CAP_PROP_AUTO_EXPOSURE]
    camera = usb(capture)
    for n, _ in enumerate(camera.frames()):
        if n == 60:
            camera.close()
    assert cv2.CAP_PROP_EXPOSURE not in dict(capture.settings)


@pytest.mark.parametrize(
    ("steps", "hz", "even"), [(130, 50, 100), (160, 50, 200), (20, 50, 20), (130, 60, 167), (90, 60, 83)]
)
def test_an_exposure_lasts_whole_half_waves(steps: float, hz: int, even: float) -> None:
    assert even_exposure(steps, hz) == even


def test_the_slot_keeps_the_newest_and_counts_the_dropped() -> None:
    go = threading.Event()

    def slow() -> Iterator[Any]:
        yield frame(0.0)
        go.wait(5)
        for n in range(1, 6):
            yield frame(float(n))

    newest = Newest(Played(slow()))
    seen = []
    for f in newest.frames():
        seen.append(f.t)
        go.set()
        time.sleep(0.1)
    assert seen == [0.0, 5.0]
    assert newest.dropped == 4


def test_the_slot_hands_on_what_the_camera_raised() -> None:
    newest = Newest(Played([frame(0.0)], HardwareError("gone")))
    with pytest.raises(HardwareError, match="gone"):
        list(newest.frames())


def test_closing_the_slot_wakes_whoever_waits() -> None:
    stop = threading.Event()

    def silent() -> Iterator[Any]:
        stop.wait(5)
        yield from ()

    newest = Newest(Played(silent()))
    threading.Timer(0.1, newest.close).start()
    began = time.monotonic()
    assert list(newest.frames()) == []
    assert time.monotonic() - began < 2
    stop.set()


# picamera2, acted by a stand-in with the calls that are used.


class FakeRequest:
    """A picture of both streams: bright everywhere from the third on."""

    def __init__(self, device: "FakeDevice", number: int) -> None:
        self.device, self.number, self.released = device, number, 0

    def get_metadata(self) -> dict[str, Any]:
        return self.device.metadata | {"SensorTimestamp": 7_000_000_000 + self.number * 33_333_000}

    def release(self) -> None:
        self.released += 1


class FakeDevice:
    """A camera with the controls of one that has autofocus."""

    camera_controls: ClassVar[dict[str, Any]] = dict.fromkeys(
        ("AfMode", "AfTrigger", "LensPosition", "AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains")
    )
    gives: ClassVar[tuple[int, int] | None] = None
    stalls_at: ClassVar[int] = 10_000

    def __init__(self, **options: Any) -> None:
        self.calls: list[str] = []
        self.set_to: dict[str, Any] = {}
        self.requests: list[FakeRequest] = []
        self.mapped: list[str] = []
        self.config: dict[str, Any] = {}
        self.metadata = {"LensPosition": 1.5, "ExposureTime": 11000, "AnalogueGain": 2.0, "ColourGains": (1.9, 1.6)}

    def create_video_configuration(self, **config: Any) -> dict[str, Any]:
        return config

    def configure(self, config: dict[str, Any]) -> None:
        self.calls.append("configure")
        size = config["lores"]["size"]
        main = config["main"] | {"stride": config["main"]["size"][0] * 3 + 64}
        self.config = {
            "main": main | {"size": self.gives or main["size"]},
            "lores": config["lores"] | {"stride": size[0] + 64},
        }

    def camera_configuration(self) -> dict[str, Any]:
        return self.config

    def start(self) -> None:
        self.calls.append("start")

    def stop(self) -> None:
        self.calls.append("stop")

    def close(self) -> None:
        self.calls.append("close")

    def autofocus_cycle(self, signal_function: Any) -> str:
        self.calls.append("focus")
        signal_function("focus")
        return "focus"

    def capture_metadata(self, signal_function: Any) -> str:
        signal_function("metadata")
        return "metadata"

    def capture_request(self, signal_function: Any) -> str:
        if len(self.requests) < self.stalls_at:
            signal_function("request")
        return "request"

    def wait(self, job: str) -> Any:
        if job == "focus":
            return True
        if job == "metadata":
            return self.metadata
        self.requests.append(FakeRequest(self, len(self.requests)))
        return self.requests[-1]

    def set_controls(self, controls: dict[str, Any]) -> None:
        assert controls.keys() <= self.camera_controls.keys()
        self.set_to |= controls


class FakeMapped:
    """The buffer of a stream."""

    def __init__(self, request: FakeRequest, name: str, reshape: bool, write: bool) -> None:
        assert not write
        assert not request.released
        request.device.mapped.append(name)
        stream = request.device.config[name]
        rows = stream["size"][1] * (1 if name == "main" else 2)
        self.array = np.full(rows * stream["stride"], 200 if request.number >= 2 else 20, np.uint8)

    def __enter__(self) -> "FakeMapped":
        return self

    def __exit__(self, *_: object) -> None:
        self.array = np.empty(0, np.uint8)


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("picamera2")
    vars(module).update(Picamera2=FakeDevice, MappedArray=FakeMapped)
    monkeypatch.setitem(sys.modules, "picamera2", module)


def pi(every: float = 0.1) -> PiCamera:
    now = iter(n * every for n in range(10_000))
    return PiCamera((640, 480), clock=lambda: next(now))


def played(camera: PiCamera, count: int) -> list[Any]:
    frames = []
    for f in camera.frames():
        frames.append(f)
        if len(frames) == count:
            camera.close()
    return frames


@pytest.mark.usefixtures("picamera2")
def test_the_large_picture_is_copied_only_when_the_small_one_changed() -> None:
    camera = pi()
    device = camera._device
    frames = played(camera, 4)
    assert device.mapped.count("lores") == 4
    assert device.mapped.count("main") == 2
    assert [f.t for f in frames] == pytest.approx([7.0, 7.033333, 7.066666, 7.099999])
    assert [int(f.image[0, 0, 0]) for f in frames] == [20, 20, 200, 200]
    assert [int(f.small[0, 0]) for f in frames] == [20, 20, 200, 200]
    assert frames[0].small.shape == (480, 640)
    assert np.shares_memory(frames[0].image, frames[1].image)
    assert device.calls == ["configure", "start", "focus", "stop", "close"]
    assert [request.released for request in device.requests] == [1] * 4


@pytest.mark.usefixtures("picamera2")
def test_a_large_picture_is_never_old() -> None:
    camera = pi(every=1.0)
    played(camera, 12)
    assert camera._device.mapped.count("main") == 5  # the first, the changed one, and every third second


@pytest.mark.usefixtures("picamera2")
def test_focus_exposure_and_white_balance_are_held_and_no_unknown_control_is_set() -> None:
    camera = pi()
    played(camera, 20)
    held = {"AfMode": 0, "LensPosition": 1.5, "AeEnable": False, "AwbEnable": False, "ColourGains": (1.9, 1.6)}
    assert camera._device.set_to == held | {"ExposureTime": 10000, "AnalogueGain": 2.2}


@pytest.mark.usefixtures("picamera2")
def test_a_camera_that_stalls_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.camera_pi.PATIENCE", 0.2)
    monkeypatch.setattr(FakeDevice, "stalls_at", 2)
    camera = pi()
    with pytest.raises(CameraAbsentError, match="no picture comes any more"):
        played(camera, 4)
    assert camera._device.calls[-2:] == ["stop", "close"]


@pytest.mark.usefixtures("picamera2")
def test_a_camera_that_cannot_be_let_go_of_ends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.camera_pi.LEAVING", 0.1)
    hangs = threading.Event()
    monkeypatch.setattr(FakeDevice, "stop", lambda self: hangs.wait(5))
    with pytest.raises(HardwareError, match="hangs; start Railbird again") as caught:
        played(pi(), 1)
    hangs.set()
    assert not isinstance(caught.value, CameraAbsentError)


@pytest.mark.usefixtures("picamera2")
def test_another_size_than_the_layouts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakeDevice, "gives", (600, 480))
    with pytest.raises(HardwareError, match=r"does not give 640 x 480 \(it gives 600 x 480\); change \[camera\] size"):
        pi()


@pytest.mark.usefixtures("picamera2")
def test_only_controls_that_the_camera_has_are_set() -> None:
    device = FakeDevice()
    assert set_known(device, {"AeFlickerPeriod": 10000, "AfMode": 0}) == {"AfMode": 0}
    assert device.set_to == {"AfMode": 0}
    assert set_known(device, {"AeFlickerPeriod": 10000}) == {}


def test_noise_is_no_movement_a_card_is() -> None:
    noise = np.random.default_rng(1)
    before = np.clip(noise.normal(100, 4, (360, 640)), 0, 255).astype(np.uint8)
    now = np.clip(noise.normal(100, 4, (360, 640)), 0, 255).astype(np.uint8)
    assert not moved(before, now)
    now[100:125, 200:218] = 230
    assert moved(before, now)


def test_without_picamera2_it_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(HardwareError, match=r"picamera2: not installed here .*; on a Raspberry Pi run") as caught:
        PiCamera()
    assert "\n" not in str(caught.value)
