"""From frames to observations, with a recogniser that reads marks a test can draw."""

import math
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table_state.errors import InputError
from table_state.observation import Observation
from tests.vision import drawn
from tests.vision.drawn import CHIPS, Camera, Drawing
from vision.frame import Frame
from vision.looker import Looker
from vision.sighting import CardSighting

CAMERA = Camera(0.0, 330.0, 1150.0, 1.0, (1400, 880))


@dataclass
class Reader:
    """Finds white cards by their outline: red ink is the ace of hearts, black the ace of spades."""

    px_per_mm: float = 1.0
    seen: float = 0.0
    looks: int = 0
    miss: set[int] = field(default_factory=set)

    def recognise(self, image: NDArray[np.uint8], px_per_mm: float | None) -> list[CardSighting]:
        self.looks += 1
        self.seen += image.shape[0] * image.shape[1] / 1e6
        if self.looks in self.miss:
            return []
        white = cv2.morphologyEx((image.min(2) > 190).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
        outlines, _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        found = []
        for outline in outlines:
            middle, (w, h), _ = cv2.minAreaRect(outline)
            if 55 < min(w, h) < 75 and 75 < max(w, h) < 100:
                polygon = cv2.boxPoints(cv2.minAreaRect(outline)).astype(np.float64)
                if np.linalg.norm(polygon[0] - polygon[1]) > np.linalg.norm(polygon[1] - polygon[2]):
                    polygon = np.roll(polygon, 1, axis=0)
                left, top = max(0, int(middle[0]) - 25), max(0, int(middle[1]) - 40)
                box = image[top : top + 80, left : left + 50]
                red = bool(((box[..., 2] > 120) & (box[..., 1] < 80)).sum() > 30)
                found.append(CardSighting(polygon, "Ah" if red else "As", 0.98))
        return found


def drawing(seed: int = 0) -> Drawing:
    """The empty table."""
    d = Drawing(CAMERA, np.random.default_rng(seed))
    for seat in drawn.table(CAMERA).seats:
        d.circle_print(*seat.circle)
    return d


class Run:
    """Frames ten times a second into one looker."""

    def __init__(self, reader: Reader | None = None) -> None:
        self.reader = reader or Reader()
        self.looker = Looker(drawn.table(CAMERA), Path("none"), self.reader)
        self.t = 0.0
        self.rng = np.random.default_rng(9)

    def show(self, d: Drawing, frames: int = 1) -> list[Observation]:
        """What is said of the same scene, shot several times."""
        clean = d.picture(noise=0.0).astype(np.float32)
        said = []
        for _ in range(frames):
            image = np.clip(clean + self.rng.normal(0, 2.5, clean.shape), 0, 255).astype(np.uint8)
            said.append(self.looker.look(Frame(round(self.t, 3), image)))
            self.t += 0.1
        return said


def test_a_card_is_confirmed_within_four_tenths_of_a_second() -> None:
    run = Run()
    run.show(drawing(), 3)
    d = drawing()
    d.card(-160, 500, 12)
    said = run.show(d, 5)
    sure = [o for o in said if o.cards and o.cards[0].p > 0.9]
    assert sure[0].t - said[0].t <= 0.4
    card = said[-1].cards[0]
    assert (card.code, round(card.deg)) == ("As", 12)
    assert math.hypot(card.x + 160, card.y - 500) < 3
    assert said[2].cards[0].p <= sure[0].cards[0].p


def test_the_first_frame_is_read_at_once() -> None:
    run = Run()
    d = drawing()
    d.card(0, 130, 0, red=True)
    d.stack(-520, 345, 2, *CHIPS["red"])
    (said,) = run.show(d)
    assert [c.code for c in said.cards] == ["Ah"]
    assert [c.color for c in said.chips] == ["red"]
    assert run.reader.seen < 0.3 * CAMERA.size[0] * CAMERA.size[1] / 1e6


def test_nothing_is_read_on_an_idle_table() -> None:
    run = Run()
    run.show(drawing(), 3)
    looks = run.reader.looks
    assert run.show(drawing(), 12)[-1].cards == ()
    assert run.reader.looks == looks


def test_a_card_taken_away_is_gone() -> None:
    run = Run()
    d = drawing()
    d.card(160, 500, 0)
    assert len(run.show(d, 4)[-1].cards) == 1
    assert run.show(drawing(), 5)[-1].cards == ()


def test_a_hand_over_a_card_and_away() -> None:
    run = Run()
    run.show(drawing(), 2)
    d = drawing()
    d.card(160, 500, 0)
    run.show(d, 4)
    over = drawing()
    over.card(160, 500, 0)
    over.arm(165, 520, "player")
    said = run.show(over, 3)[-1]
    assert {h.source for h in said.hands} == {"player"}  # the hand first, then its forearm
    assert math.hypot(said.hands[0].x - 165, said.hands[0].y - 520) < 60
    assert said.cards == ()
    after = run.show(d, 4)[-1]
    assert [c.code for c in after.cards] == ["As"]
    assert after.hands == ()


def test_the_dealers_arm() -> None:
    run = Run()
    run.show(drawing(), 2)
    d = drawing()
    d.arm(-150, 420, "dealer")
    assert {h.source for h in run.show(d, 2)[-1].hands} == {"dealer"}


def test_a_look_that_missed_a_card_does_not_lose_it() -> None:
    run = Run()
    run.show(drawing(), 2)
    d = drawing()
    d.card(-350, 295, 20)
    run.reader.miss = {run.reader.looks + 2}
    said = run.show(d, 6)
    assert [c.code for c in said[-1].cards] == ["As"]
    assert sum(not o.cards for o in said[2:]) <= 1


def test_equal_frames_give_equal_observations() -> None:
    d = drawing()
    d.card(-160, 500, 5)
    d.stack(205, 660, 3, *CHIPS["blue"])
    scenes = (drawing(), d, drawing())
    assert [Run().show(s, 3) for s in scenes] == [Run().show(s, 3) for s in scenes]


def test_a_layout_without_a_camera() -> None:
    with pytest.raises(InputError, match="camera"):
        Looker(replace(drawn.table(CAMERA), camera=None), Path("none"), Reader())
