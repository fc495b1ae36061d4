"""The replay: rounds, alerts' pictures, its bound, and that no hidden card is in it."""

import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator

import cv2
import numpy as np
import pytest

from hardware.replay import Replay, told_alone
from hardware.web.sample import sample_alert, sample_view
from hardware.web.veil import FILL
from table_state.observation import Observation, SeenCard
from table_state.output import Alert, Event, Output, Say
from table_state.view import HandView, TableView
from tests.web.parts import calibrated
from vision.camera_view import CameraView
from vision.frame import Frame

LAYOUT = calibrated()
UP, HOLE, AH = SeenCard(0, 150, 0, "Kd"), SeenCard(40, 120, 0, "5h"), SeenCard(-512, 328, 0, "Ah")


@pytest.fixture
def kept() -> list[tuple[str, int]]:
    return []


@pytest.fixture
def replay(kept: list[tuple[str, int]]) -> Iterator[Replay]:
    def keep(alert: Alert, pictures: Iterable[tuple[float, bytes]]) -> None:
        kept.append((alert.code, len(list(pictures))))

    made = Replay(LAYOUT, keep, most_bytes=1_000_000, wall=lambda: 7.0)
    yield made
    made.close(False)


def until(truth: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not truth():
        assert time.monotonic() < end
        time.sleep(0.005)


def play(replay: Replay, t: float, *outputs: Output, view: TableView | None = None, noise: bool = False) -> None:
    image = np.full((900, 1600, 3), 30, np.uint8)
    if noise:
        image = np.random.default_rng(1).integers(0, 255, image.shape, np.uint8)
    before = replay._count
    replay.observe(Frame(t, image), Observation(t, (UP, HOLE, AH)))
    taken = replay._observed is not None
    replay.publish(view or sample_view(), outputs)
    if taken:
        until(lambda: replay._count > before)


def test_the_round_that_is_on_and_the_one_before(replay: Replay) -> None:
    for n in range(60):
        said: list[Output] = [Event(n / 2, "round-started")] if n in (10, 40) else []
        play(replay, n / 2, *said, Say(n / 2, str(n)))
    stills, told = replay.round(last=False)
    assert (stills[0].t, stills[-1].t) == (16.0, 29.5)
    assert [one.text for one in told][:2] == ["32", "33"]
    last, _ = replay.round(last=True)
    assert (last[0].t, last[-1].t) == (1.0, 15.5)
    assert replay.still(stills[0].n) == stills[0].jpeg
    assert replay.still(999) is None
    replay.clear()
    assert replay.round(last=False) == ([], [])


def test_pictures_come_no_faster_than_wanted(replay: Replay) -> None:
    for n in range(20):
        play(replay, n / 10)
    assert replay._count == 4


def test_its_size_is_bounded(replay: Replay) -> None:
    for n in range(12):
        play(replay, float(n), noise=True)
    assert replay._bytes <= 1_000_000
    assert replay._count == 12
    assert replay.still(0) is None


def test_an_alerts_pictures_are_kept_once_it_is_past(replay: Replay, kept: list[tuple[str, int]]) -> None:
    for n in range(30):
        play(replay, float(n), *([dataclasses.replace(sample_alert(), t=20.0)] if n == 20 else []))
    until(lambda: bool(kept))
    assert kept == [("skipped-seat", 16)]
    play(replay, 30.0, dataclasses.replace(sample_alert(), t=30.0, code="late-bet"))
    replay.close(False)
    assert kept[1] == ("late-bet", 13)


def pixel(replay: Replay, n: int, card: SeenCard) -> list[int]:
    jpeg = replay.still(n)
    assert jpeg is not None
    assert LAYOUT.camera is not None
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape == (540, 960, 3)
    column, row = CameraView(LAYOUT.camera, (960, 540)).to_pixels(np.array([[card.x, card.y]]))[0]
    found: list[int] = image[round(float(row)), round(float(column))].tolist()
    return found


def test_a_glimpsed_hole_card_is_in_no_picture(replay: Replay) -> None:
    play(replay, 0.0)
    assert pixel(replay, 0, HOLE) == pytest.approx([FILL] * 3, abs=10)
    assert pixel(replay, 0, AH) == pytest.approx([30] * 3, abs=25)
    turned = dataclasses.replace(sample_view(), phase="dealer", dealer=HandView(("Kd", "5h"), 15, False, "15", "turn"))
    play(replay, 1.0, view=turned)
    assert pixel(replay, 1, HOLE) == pytest.approx([30] * 3, abs=25)


def test_a_glimpsed_hole_card_has_no_code_drawn() -> None:
    seen = Observation(0.0, (UP, HOLE, dataclasses.replace(HOLE, code="Kd"), AH, SeenCard(0, 600, 0, "5h")))
    assert [card.code for card in told_alone(LAYOUT, sample_view(), seen).cards] == ["Kd", "Ah", "5h"]
