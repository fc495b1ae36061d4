"""A trial look: what is read in one picture of the table, in plain words and with its place in the picture."""

from collections.abc import Callable
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.web.wizard.words import word
from hardware.web.words import card_name
from table_state.layout import Layout
from table_state.observation import Observation
from vision.camera_view import CameraView
from vision.frame import Frame
from vision.looker import Looker

Look = Callable[[NDArray[np.uint8], Layout], Observation]
LOOKS, APART = 8, 0.1  # how often the picture is looked at, as if it stood there, and seconds between
SUITS = {
    "c": "\N{BLACK CLUB SUIT}",
    "d": "\N{BLACK DIAMOND SUIT}",
    "h": "\N{BLACK HEART SUIT}",
    "s": "\N{BLACK SPADE SUIT}",
}
REACH = 215.0  # mm from a place's point to its farthest card


@dataclass(frozen=True, slots=True)
class Reading:
    """`lines`: what was read, place by place; `marks`: a short name and the pixel of each thing."""

    lines: tuple[str, ...]
    marks: tuple[dict[str, Any], ...]


def looker(weights: Path) -> Look:
    """A look with these weights."""

    def look(image: NDArray[np.uint8], layout: Layout) -> Observation:
        eye = Looker(layout, weights)
        found = [eye.look(Frame(round(n * APART, 3), image)) for n in range(LOOKS)]
        return found[-1]

    return look


def tell(seen: Observation, layout: Layout, view: CameraView) -> Reading:
    """What an observation says about each place."""
    places = {word("dealer.name"): layout.dealer} | {word("seat.label", number=s.number): s.cards for s in layout.seats}
    circles = {word("seat.label", number=s.number): s.circle for s in layout.seats}
    told: dict[str, list[str]] = {name: [] for name in places}
    marks, nowhere = [], 0
    for card in seen.cards:
        name = _card_words(card.code)
        name = _card_words(card.code)
        marks.append({"text": _short(card.code), **_pixel(view, card.x, card.y)})
        near = min(places, key=lambda place: hypot(card.x - places[place][0], card.y - places[place][1]))
        if hypot(card.x - places[near][0], card.y - places[near][1]) <= REACH:
            told[near].append(name)
        else:
            nowhere += 1
    for chip in seen.chips:
        name = word("trial.chips", color=word(f"color.{chip.color}"))
        marks.append({"text": word(f"color.{chip.color}"), **_pixel(view, chip.x, chip.y)})
        near = min(circles, key=lambda place: hypot(chip.x - circles[place][0], chip.y - circles[place][1]))
        told[near].append(name)
    lines = [word("trial.line", place=place, things=", ".join(things)) for place, things in told.items() if things]
    lines += [word("trial.nowhere", count=nowhere)] if nowhere else []
    return Reading(tuple(lines) or (word("trial.nothing"),), tuple(marks))


def _card_words(code: str | None) -> str:
    return word("card.back") if code is None else word("trial.unread") if code == "??" else card_name(code)


def _short(code: str | None) -> str:
    """A card in two signs, a back as an empty card."""
    return "\N{WHITE VERTICAL RECTANGLE}" if code is None else code[0] + SUITS.get(code[1], "?")


def _pixel(view: CameraView, x: float, y: float) -> dict[str, float]:
    px, py = view.to_pixels(np.array([[x, y]], np.float64))[0]
    return {"px": round(float(px), 1), "py": round(float(py), 1)}
