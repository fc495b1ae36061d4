"""Draws what was seen over the picture it was seen in, for set-up, for finding faults and for recordings."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from table_state.layout import Layout
from table_state.observation import Observation, SeenCard, SeenChips, SeenHand
from vision.camera_view import CameraView

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

_SURE, _UNSURE, _BACK = (80, 220, 80), (60, 160, 255), (220, 160, 60)  # blue, green, red
_CHIP, _HAND, _PLACE = (230, 120, 230), (80, 80, 240), (150, 150, 150)
_WIDE = 1400  # pixels of width from which lines are two pixels thick
_ENOUGH = 0.95  # probability from which a reading is drawn as sure


def draw(
    image: Image, observation: Observation, layout: Layout, hide_backs: bool = True, letters: float = 1.0
) -> Image:
    """A copy of a picture (H x W x 3, BGR) with cards, chips, hands and the layout's places drawn on it.

    Raises InputError where the layout's camera does not fit. A card that was seen face down carries no code, so a hole
    card's face is shown only if it was turned; `hide_backs` leaves the backs' outlines out as well. `letters`: how many
    times the usual size words are.
    """
    shown = image.copy()
    if layout.camera is None:
        return shown
    view = CameraView(layout.camera, (image.shape[1], image.shape[0]))
    pen = _Pen(shown, view, letters)
    for seat in layout.seats:
        pen.circle(*seat.circle, _PLACE, 1)
    for card in observation.cards:
        if card.code is not None or not hide_backs:
            _card(pen, card, layout.card)
    for chips in observation.chips:
        _chips(pen, chips, layout.chip / 2)
    for hand in observation.hands:
        _hand(pen, hand)
    return shown


class _Pen:
    """Draws felt millimetres into a picture."""

    def __init__(self, image: Image, view: CameraView, letters: float) -> None:
        self._image, self._view = image, view
        self._size = max(0.4, image.shape[1] / 2600) * letters
        self._thick = 2 if image.shape[1] >= _WIDE else 1
        self._words: list[tuple[int, int, int]] = []

    def outline(self, mm: Floats, color: tuple[int, int, int], thick: int | None = None) -> None:
        pixels = np.round(self._view.to_pixels(mm) * 8).astype(np.int32)
        cv2.polylines(self._image, [pixels], True, color, thick or self._thick, cv2.LINE_AA, shift=3)

    def circle(self, x: float, y: float, radius: float, color: tuple[int, int, int], thick: int | None = None) -> None:
        turn = np.linspace(0, 2 * math.pi, 48, endpoint=False)
        self.outline(np.column_stack([x + radius * np.cos(turn), y + radius * np.sin(turn)]), color, thick)

    def text(self, words: str, x: float, y: float, color: tuple[int, int, int]) -> None:
        if not words:
            return
        at = self._view.to_pixels(np.array([[x, y]]))[0]
        (width, height), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, self._size, self._thick)
        left, line = self._free(width, height + 8, round(float(at[0])), round(float(at[1])))
        cv2.rectangle(self._image, (left - 3, line - height - 3), (left + width + 3, line + 4), (0, 0, 0), -1)
        font = cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(self._image, words, (left, line), font, self._size, color, self._thick, cv2.LINE_AA)

    def _free(self, width: int, height: int, x: int, y: int) -> tuple[int, int]:
        """Where words cover no others: above them, as those of a fan would lie on one another."""
        while any(x < right and left < x + width and abs(y - line) < height for left, right, line in self._words):
            y -= 2
        self._words.append((x, x + width, y))
        return x, y


def _card(pen: _Pen, card: SeenCard, size: tuple[float, float]) -> None:
    turn = math.radians(card.deg)
    corner = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array(size) / 2
    rotate = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    color = _BACK if card.code is None else (_SURE if card.p >= _ENOUGH else _UNSURE)
    pen.outline(corner @ rotate + np.array([card.x, card.y]), color)
    if card.code is not None:
        words = card.code if card.kind == "card" else card.kind
        words = words if card.p >= _ENOUGH else f"{words} {card.p:.2f}"
        pen.text(words, card.x - size[0] / 2, card.y + size[1] / 2, color)


def _chips(pen: _Pen, chips: SeenChips, radius: float) -> None:
    pen.circle(chips.x, chips.y, radius, _CHIP)
    words = chips.color if chips.count is None else f"{chips.count} {chips.color}"
    pen.text(words, chips.x, chips.y + radius + 8, _CHIP)


def _hand(pen: _Pen, hand: SeenHand) -> None:
    pen.circle(hand.x, hand.y, hand.r, _HAND)
    pen.text(" ".join(word for word in (hand.source, hand.signal) if word), hand.x, hand.y, _HAND)
