"""A cut card is told from backs of every pattern; a back in doubt stays one."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cut_card import with_cut_cards
from vision.sighting import CardSighting

QUAD = np.array([[50.0, 40], [141, 40], [141, 168], [50, 168]])
COLORS = [(40, 190, 230), (40, 40, 190), (170, 90, 30), (60, 130, 40), (50, 120, 240)]


def table(seed: int, color: tuple[int, int, int], pattern: str) -> NDArray[np.uint8]:
    """Felt with one card of a colour, lit from one side, noisy."""
    rng = np.random.default_rng(seed)
    image = np.full((200, 200, 3), (70, 110, 30), np.float32)
    face = np.full((128, 91, 3), color, np.float32)
    if pattern == "net":
        for k in range(-128, 220, 5):
            cv2.line(face, (k, 0), (k + 128, 128), (235, 235, 235), 1, cv2.LINE_AA)
            cv2.line(face, (k + 128, 0), (k, 128), (235, 235, 235), 1, cv2.LINE_AA)
    if pattern == "border":
        cv2.rectangle(face, (0, 0), (90, 127), (235, 235, 235), 5)
    image[40:168, 50:141] = face
    light = np.linspace(0.75, 1.1, 200, dtype=np.float32)[None, :, None]
    return np.clip(image * light + rng.normal(0, 4, image.shape), 0, 255).astype(np.uint8)


def kind_of(image: NDArray[np.uint8], *others: CardSighting) -> str:
    return with_cut_cards(image, [CardSighting(QUAD, None, 0.9), *others])[0].kind


@pytest.mark.parametrize("color", COLORS)
def test_plain_plastic_is_a_cut_card(color: tuple[int, int, int]) -> None:
    found = with_cut_cards(table(1, color, "plain"), [CardSighting(QUAD, None, 0.9)])[0]
    assert (found.kind, found.code) == ("cut-card", "??")


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("pattern", ["net", "border"])
def test_a_printed_back_is_a_back(color: tuple[int, int, int], pattern: str) -> None:
    assert kind_of(table(2, color, pattern)) == "card"


def test_white_and_mostly_hidden_things_stay_backs() -> None:
    assert kind_of(table(3, (230, 235, 238), "plain")) == "card"
    over = CardSighting(QUAD + np.array([15.0, 20.0]), "8s", 0.99)
    assert kind_of(table(4, COLORS[0], "plain"), over) == "card"
