"""The table that is measured: twenty cards and seven stacks, rendered as the simulated camera sees them."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulator.tables import half_moon
from models.render.scene import PlacedCard, PlacedChips, Scene
from models.render.table import TableRenderer
from table_state.layout import Layout

SIZE = (2304, 1296)
CODES = ["8s", "3d", "Kh", "5c", "Ad", "9h", "2s", "Jc", "6d", "Th", "4c", "Qs", "7h", "8c", "3h", "Kd", "5s", "9c"]
ASIDE, NEARER = 14.0, -18.0  # mm from a hand's card to its next
COLORS = ("white", "red", "green", "black")


def full_scene(layout: Layout) -> Scene:
    """Three cards at six seats, two at the dealer's, a stack in each of seven circles."""
    cards = [
        PlacedCard(CODES[3 * n + k], seat.cards[0] + ASIDE * k, seat.cards[1] + NEARER * k, 0.0)
        for n, seat in enumerate(layout.seats[:6])
        for k in range(3)
    ]
    x, y = layout.dealer
    cards += [PlacedCard(None, x + 3, y - 22, 90.0), PlacedCard("6h", x, y, 2.0)]
    chips = [PlacedChips(s.circle[0], s.circle[1], COLORS[n % 4], 3 + n) for n, s in enumerate(layout.seats)]
    return Scene(tuple(cards), tuple(chips), ())


def with_one_more(scene: Scene, layout: Layout) -> Scene:
    """The same with a fourth card at the third seat."""
    seat = layout.seats[2]
    card = PlacedCard("2h", seat.cards[0] + 3 * ASIDE, seat.cards[1] + 3 * NEARER, 1.0)
    return Scene((*scene.cards, card), scene.chips, ())


def render(folder: Path) -> Layout:
    """Write `empty`, `full` and `more`, each with three grains of sensor noise, as NAME-N.png; returns the layout."""
    layout = half_moon(7)
    renderer = TableRenderer(layout, 5, SIZE)
    full = full_scene(layout)
    for name, scene in {"empty": Scene(), "full": full, "more": with_one_more(full, layout)}.items():
        for n in range(3):
            cv2.imwrite(str(folder / f"{name}-{n}.png"), renderer.frame(scene), [cv2.IMWRITE_PNG_COMPRESSION, 1])
    return renderer.layout


def load(folder: Path, name: str, count: int = 3) -> list[NDArray[np.uint8]]:
    """The first `count` pictures of one name."""
    return [np.asarray(cv2.imread(str(folder / f"{name}-{n}.png")), np.uint8) for n in range(count)]
