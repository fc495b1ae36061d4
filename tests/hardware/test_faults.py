"""Faults injected into the program: what is told, what goes on, and that nothing is invented meanwhile."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware import app as composing
from hardware.app import App, Corrections, compose
from hardware.camera import Camera
from hardware.errors import BadInputError, CameraAbsentError, HardwareError
from hardware.keeping import Keeping
from hardware.listeners import JsonFile
from hardware.notices import Notices
from hardware.pace import Pace
from hardware.patient import Patient
from hardware.recording import Recorder
from hardware.steady import SteadyTime
from hardware.watch import Mount, Watch, unfit
from models.render.scene import PlacedCard, Scene
from models.render.table import TableRenderer
from table_state.layout import Layout
from table_state.observation import Correction, Observation
from table_state.output import Say
from table_state.rules import preset
from tests.hardware.helpers import Looks, Played, Referee, frame, layout
from tests.hardware.test_app import Hears
from vision.frame import Frame


def lively(t: float, grey: int = 90) -> Frame:
    """A frame with a noise of its own, as a real camera's."""
    image = np.random.default_rng(round(t * 1000)).integers(grey - 20, grey + 20, (48, 64, 3), dtype=np.uint8)
    return Frame(t, image)


class Told:
    """Notices as they begin (`+code`) and end (`-code`)."""

    def __init__(self) -> None:
        self.notices, self.all = Notices(), list[str]()
        self.notices.follow(lambda n: self.all.append(f"{'+' if n.stands else '-'}{n.code}"))


class Until(Played):
    """A camera whose frames come from an iterator that may raise; closing it ends it."""

    def frames(self) -> Iterator[Frame]:
        """The frames."""
        for one in self._frames:
            if self.closed:
                return
            yield one


def patient(told: Told, tries: Iterable[Camera | HardwareError], step: float = 0.1) -> tuple[Patient, list[float]]:
    """A patient camera with a clock that goes on by `step` a call, and how long it waited."""
    left, now, waits = iter(tries), [0.0], list[float]()

    def opener() -> Camera:
        found = next(left)
        if isinstance(found, HardwareError):
            raise found
        return found

    def clock() -> float:
        now[0] += step
        return now[0]

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        now[0] += seconds
        return False

    return Patient(opener, told.notices, clock, wait), waits


def taken(camera: Patient, count: int) -> list[Frame]:
    found = []
    for one in camera.frames():
        found.append(one)
        if len(found) == count:
            camera.close()
    return found


GONE = CameraAbsentError("usb:0: no camera answers; plug it in")


# The camera away


def test_a_camera_that_is_absent_is_waited_for_and_told_once() -> None:
    told = Told()
    camera, waits = patient(told, [GONE, GONE, GONE, GONE, GONE, Until([lively(0.1), lively(0.2)])])
    assert len(taken(camera, 2)) == 2
    assert waits == [0.5, 1.0, 2.0, 4.0, 4.0]
    assert told.all == ["+camera-lost", "-camera-lost"]


def test_unplugged_and_back_the_time_goes_on() -> None:
    told = Told()

    def until_unplugged() -> Iterator[Frame]:
        yield lively(50.0)
        yield lively(50.1)
        raise CameraAbsentError("usb:0: the camera is gone; plug it in again")

    camera, _ = patient(told, [Until(until_unplugged()), GONE, Until([lively(3.0), lively(3.1)])])
    times = [one.t for one in taken(camera, 4)]
    assert times[:2] == [0.0, 0.1]
    assert times[2] > 0.6
    assert times[3] == pytest.approx(times[2] + 0.1)
    assert told.all == ["+camera-lost", "-camera-lost"]


def test_what_waiting_does_not_mend_is_raised() -> None:
    camera, _ = patient(Told(), [HardwareError("picamera2: not installed here")])
    with pytest.raises(HardwareError, match="not installed"):
        list(camera.frames())


def test_closing_wakes_a_camera_that_waits() -> None:
    def never() -> Camera:
        raise GONE

    camera = Patient(never, Notices())
    threading.Timer(0.2, camera.close).start()
    began = time.monotonic()
    assert list(camera.frames()) == []
    assert time.monotonic() - began < 2


def test_a_picture_that_stands_still_is_told_in_ten_seconds_and_the_camera_opened_anew() -> None:
    told = Told()
    same = Until(replace(lively(0.0), t=n / 10) for n in range(1000))
    camera, _ = patient(told, [same, Until(lively(n / 10) for n in range(100))], 0.05)
    times = [one.t for one in taken(camera, 130)]
    frozen = [n for n, code in enumerate(told.all) if code == "+camera-frozen"]
    assert frozen == [0]
    assert same.closed == 1
    assert times[-1] < 25
    assert told.all[-1] == "-camera-frozen"


class Live:
    """A program over a live camera whose opening is scripted, and what became of it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tries: Iterable[Camera | HardwareError]) -> None:
        left = iter(tries)

        def opener(*_: object) -> Camera:
            found = next(left, GONE)
            if isinstance(found, HardwareError):
                raise found
            return found

        monkeypatch.setattr(composing, "open_camera", opener)
        self.told, self.ears, self.referee = Told(), Hears(), Referee()
        self.waits = 0
        self.app: App = compose(
            "usb:0",
            layout(),
            preset("charity"),
            notices=self.told.notices,
            looker=lambda seen: Looks(),
            table=lambda seen, rules: self.referee,
            listeners=self._listeners,
        )
        self._thread = threading.Thread(target=self.app.run)

    def _listeners(self, seen: Layout, corrections: Corrections) -> list[Hears]:
        def waits() -> None:
            self.waits += 1

        self.ears.waits = waits  # type: ignore[method-assign]
        return [self.ears]

    def __enter__(self) -> "Live":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.app.camera.close()
        self._thread.join(5)
        assert not self._thread.is_alive()


def until(true: Callable[[], object], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.01)
    return False


def test_display_and_speech_are_up_before_the_camera_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless() -> Iterator[Frame]:
        for n in count():
            time.sleep(0.01)
            yield lively(n / 50)

    with Live(monkeypatch, [GONE, Until(endless())]) as house:
        assert until(lambda: house.told.all == ["+camera-lost"])
        assert until(lambda: house.waits > 0)  # systemd hears that it waits
        assert until(lambda: house.ears.heard)
        assert house.told.all == ["+camera-lost", "-camera-lost"]


def test_a_correction_does_not_wait_for_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    with Live(monkeypatch, [GONE] * 50) as house:
        house.app.corrections.put(Correction(0.0, "new-shoe"))
        assert until(lambda: house.ears.heard == [(0.0, "Correction")], 3.0)


def test_a_camera_that_gives_no_frame_is_told_and_feeds_no_watchdog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composing, "STALLED", 0.3)
    stop = threading.Event()

    def stalled() -> Iterator[Frame]:
        yield lively(0.0)
        stop.wait(5)
        yield lively(0.1)

    with Live(monkeypatch, [Until(stalled())]) as house:
        assert until(lambda: house.told.all == ["+camera-frozen"], 3)
        assert house.waits == 0
        stop.set()
        assert until(lambda: "-camera-frozen" in house.told.all, 3)


# Pictures that show no table


@pytest.mark.parametrize(
    ("image", "fault"),
    [
        (np.full((480, 640, 3), 8, np.uint8), "camera-dark"),
        (np.full((480, 640, 3), 255, np.uint8), "camera-bright"),
        (np.full((480, 640, 3), (60, 110, 30), np.uint8), None),
    ],
)
def test_black_and_blown_out_pictures_are_unfit(image: np.ndarray, fault: str | None) -> None:
    assert unfit(image) == fault


def test_black_frames_are_never_looked_at_and_told_once_they_last() -> None:
    told = Told()
    watch = Watch(told.notices)
    greys = [90] * 5 + [3] * 40 + [90] * 20
    seen = [watch.sees(lively(n / 10, max(grey, 20)) if grey > 3 else frame(n / 10, 3)) for n, grey in enumerate(greys)]
    assert seen[:5] == [True] * 5
    assert not any(seen[5:45])
    assert seen[-1]
    assert told.all == ["+camera-dark", "-camera-dark"]
    assert not seen[46]  # the light has only just come back: exposure settles first


def test_a_short_flash_is_told_to_nobody() -> None:
    told = Told()
    watch = Watch(told.notices)
    assert [watch.sees(frame(t, 255 if 0.2 < t < 1.0 else 90)) for t in (0.0, 0.3, 0.9, 1.2)] == [
        True,
        False,
        False,
        True,
    ]
    assert told.all == []


@pytest.fixture(scope="module")
def drawn() -> tuple[list[np.ndarray], np.ndarray]:
    """Pictures of a table as a round goes on, and the last one again."""
    table = TableRenderer(layout(False), 3, (1152, 648))
    cards = [PlacedCard(code, x, y, 8.0 * n) for n, (code, x, y) in enumerate(DEALT)]
    pictures = [table.frame(Scene(tuple(cards[:n]), (), ())).copy() for n in (*range(len(cards) + 1), 2, 0)]
    return pictures, pictures[-1]


NOISE = np.random.default_rng(1).integers(0, 12, 648 * 1152 * 3, np.uint8)
DEALT = [("8s", 0.0, 450.0), ("Kd", 0.0, 140.0), ("5h", 14.0, 432.0), ("3c", 70.0, 140.0), ("Ad", 28.0, 414.0)]


def noisy(image: np.ndarray, seed: int) -> np.ndarray:
    return cv2.add(image, np.roll(NOISE, 997 * seed).reshape(image.shape))


def test_cards_that_come_and_go_do_not_move_the_camera(drawn: tuple[list[np.ndarray], np.ndarray]) -> None:
    mount = Mount()
    moved = [mount.update(float(n), noisy(image, n)) for n, image in enumerate(drawn[0] * 2)]
    assert not any(moved)
    dim = [mount.update(100.0 + n, noisy((drawn[1] * 0.7).astype(np.uint8), n)) for n in range(5)]
    assert not any(dim)


@pytest.mark.parametrize(("dx", "dy", "deg"), [(14, 0, 0.0), (-9, 11, 0.0), (0, 0, 1.5), (60, 25, 0.0)])
def test_a_camera_that_moved_is_told_in_ten_seconds(
    drawn: tuple[list[np.ndarray], np.ndarray], dx: float, dy: float, deg: float
) -> None:
    told = Told()
    watch = Watch(told.notices)
    image = drawn[1]
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D((width * 0.1, height * 0.2), deg, 1.0)
    turn[:, 2] += dx, dy
    shifted = cv2.warpAffine(image, turn, (width, height), borderMode=cv2.BORDER_REFLECT)
    assert all(watch.sees(Frame(n / 2, noisy(image, n))) for n in range(10))
    seen = [watch.sees(Frame(5 + n / 2, noisy(shifted, n))) for n in range(20)]
    assert told.all == ["+camera-moved"]
    assert not seen[-1]
    back = [watch.sees(Frame(15 + n / 2, noisy(image, n))) for n in range(10)]
    assert told.all == ["+camera-moved", "-camera-moved"]
    assert back[-1]


# Clocks, dropped frames, disks


def test_clocks_that_jump_do_not_move_the_time() -> None:
    steady = SteadyTime()
    rows = [(100.0, 5.0), (100.1, 5.1), (3600.0, 5.2), (3600.1, 5.3), (7.0, 5.4), (7.1, 5.5), (7.1, 5.6), (7.2, 5.7)]
    assert [steady.at(*row) for row in rows] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
    steady.restart()
    assert steady.at(0.0, 9.7) == pytest.approx(4.7)
    assert SteadyTime(30.0).at(1.0, 1.0) == 30.0


def test_a_slow_machine_is_told_and_a_pause_is_none() -> None:
    told, now = Told(), [0.0]
    pace = Pace(told.notices, lambda: now[0])

    def play(looks: int, every: float) -> None:
        for _ in range(looks):
            now[0] += every
            pace.looked()

    play(200, 0.1)
    now[0] += 60
    play(200, 0.1)
    assert told.all == []
    play(40, 1.0)
    assert told.all == ["+camera-slow"]
    play(400, 0.1)
    assert told.all == ["+camera-slow", "-camera-slow"]


def test_a_full_disk_ends_the_recording_and_not_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told, full = Told(), [False]
    recorder = Recorder(tmp_path / "rec")
    line = recorder._line

    def no_room(name: str, text: str) -> None:
        if full[0]:
            raise OSError(28, "No space left on device")
        line(name, text)

    monkeypatch.setattr(recorder, "_line", no_room)
    keeping = Keeping(recorder, told.notices)
    for n in range(200):
        full[0] = 50 <= n < 120
        keeping.look(frame(n / 10), Observation(n / 10, (), (), ()))
    keeping.close()
    assert told.all == ["+recording-stopped", "-recording-stopped"]
    kept = (tmp_path / "rec" / "observations.jsonl").read_text().splitlines()
    assert 50 + 200 - 120 - 50 <= len(kept) <= 130


def test_a_full_disk_ends_the_file_of_words_and_not_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told, said = Told(), Say(1.0, "17")
    view = Referee().view()
    file = JsonFile(str(tmp_path / "said.jsonl"), False, told.notices)
    file.publish(view, [said])

    def no_room(line: object) -> None:
        raise HardwareError("said.jsonl: cannot write: no space left on device")

    monkeypatch.setattr(file._lines, "write", no_room)
    file.publish(view, [said, said])
    file.close(True)
    assert told.all == ["+recording-stopped"]
    assert (tmp_path / "said.jsonl").read_text().count("17") == 1
    played_again = JsonFile(str(tmp_path / "whole.jsonl"), True, told.notices)
    monkeypatch.setattr(played_again._lines, "write", no_room)
    with pytest.raises(HardwareError):
        played_again.publish(view, [said])
    played_again.close(True)
    assert not (tmp_path / "whole.jsonl").exists()


def test_the_device_is_let_go_of_before_it_is_opened_again() -> None:
    order: list[str] = []

    class Device(Played):
        def frames(self) -> Iterator[Frame]:
            try:
                one = lively(float(len(order)))
                while not self.closed:
                    yield one
            finally:
                order.append("let go")

    def opener() -> Camera:
        order.append("opened")
        return Device([])

    now = count(step=0.5)
    camera = Patient(opener, Notices(), lambda: next(now), lambda seconds: False)
    for _ in camera.frames():
        if order.count("opened") == 2:
            camera.close()
    assert order == ["opened", "let go", "opened", "let go"]


def test_a_bad_picture_is_still_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder(tmp_path / "rec")

    def bad(*_: object) -> None:
        raise BadInputError("bad picture")

    monkeypatch.setattr(recorder, "look", bad)
    with pytest.raises(BadInputError):
        Keeping(recorder, Notices()).look(frame(0.0), Observation(0.0, (), (), ()))
