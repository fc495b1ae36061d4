"""The camera's picture for a page, the dealer's place filled plainly until every card there is turned.

Where exactly a hole card shows while the dealer peeks, the camera cannot tell in time: so all of the dealer's place is
filled, and only cards that the view shows, lying away from any hand and from what is hidden, are left to be seen.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.web.marks import shown_codes
from hardware.web.places import REACH, owner
from table_state.layout import CameraPoints, Layout, Point
from table_state.observation import Observation, SeenCard
from table_state.view import TableView
from vision.camera_view import CameraView

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]
FILL = 96
"""Grey level of what is hidden."""
_STEP = 8  # pixels between the points whose place on the felt is computed
_LIFT = 40.0  # mm about a hidden card that a lifted corner of it may cover
_AROUND = 25.0  # mm that are hidden beyond the outermost card of the dealer's place


def veiled(image: Image, layout: Layout, view: TableView | None, seen: Observation) -> Image | None:
    """The picture (H x W x 3, BGR) as a page may show it; `seen` is what was seen in it.

    None where the layout has no camera: then nobody knows where the hole card is. Raises InputError where it does not
    fit the picture.
    """
    if layout.camera is None:
        return None
    codes = shown_codes(view) if view is not None else {}
    known, hidden = _parted(layout, seen.cards, codes)
    busy = any(math.dist((hand.x, hand.y), layout.dealer) < _radius(layout) + hand.r for hand in seen.hands)
    if _nothing_to_hide(view, hidden, busy):
        return image
    size = (image.shape[1], image.shape[0])
    fill = _place(layout.camera, size, layout.dealer, _radius(layout)).copy()
    if view is not None and not busy:
        camera = CameraView(layout.camera, size)
        fill &= ~_cards(camera, layout, [c for c in known if _whole(layout, c, view, hidden)], 0.0)
        fill |= _cards(camera, layout, hidden, _LIFT)
    shown = image.copy()
    shown[fill] = FILL
    return shown


def _radius(layout: Layout) -> float:
    return REACH + math.hypot(*layout.card) / 2 + _AROUND


def _parted(
    layout: Layout, cards: Sequence[SeenCard], codes: dict[int, Counter[str]]
) -> tuple[list[SeenCard], list[SeenCard]]:
    """The seen cards that the view shows where they lie, and the dealer's others."""
    known, hidden = [], []
    for card in cards:
        place = owner(layout, card.x, card.y)
        there = codes.get(place, Counter()) if place is not None else Counter()
        if card.code is not None and card.code != "??" and there[card.code] > 0:
            there[card.code] -= 1
            known.append(card)
        elif place == 0:
            hidden.append(card)
    return known, hidden


def _nothing_to_hide(view: TableView | None, hidden: Sequence[SeenCard], busy: bool) -> bool:
    """Whether every card of the dealer's is turned, or he has none and nothing is under way there."""
    if view is None or any(card.code is None for card in hidden):
        return False
    if not view.dealer.cards:
        return not hidden and not busy and view.phase in ("bets", "over")
    # A turned card may be read otherwise than the view has it: a person has corrected it.
    return 1 < len(view.dealer.cards) >= len(hidden) and "??" not in view.dealer.cards


def _whole(layout: Layout, card: SeenCard, view: TableView, hidden: Sequence[SeenCard]) -> bool:
    """Whether a card may be left to be seen: the dealer's only while it is known where his hidden card lies."""
    if owner(layout, card.x, card.y) != 0:
        return True
    return len(hidden) >= view.dealer.cards.count("??")


@lru_cache(maxsize=4)
def _place(camera: CameraPoints, size: tuple[int, int], middle: Point, radius: float) -> Mask:
    """The pixels (H, W) of all that lies within `radius` mm of a point of the felt."""
    columns, rows = (np.arange(0, n + _STEP, _STEP, dtype=np.float64) for n in size)
    xs, ys = np.meshgrid(columns, rows)
    felt = CameraView(camera, size).to_felt(np.column_stack([xs.ravel(), ys.ravel()]))
    near = np.hypot(*(felt - np.asarray(middle)).T).reshape(xs.shape) <= radius
    grown = cv2.dilate(near.astype(np.uint8), np.ones((3, 3), np.uint8))
    large = cv2.resize(grown, None, fx=_STEP, fy=_STEP, interpolation=cv2.INTER_NEAREST)
    return np.asarray(large[: size[1], : size[0]] > 0)


def _cards(view: CameraView, layout: Layout, cards: Sequence[SeenCard], more: float) -> Mask:
    """The pixels (H, W) of cards, each `more` mm larger on every side."""
    mask = np.zeros((view.size[1], view.size[0]), np.uint8)
    half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * (np.array(layout.card) / 2 + more)
    for card in cards:
        turn = math.radians(card.deg)
        rotate = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        pixels = view.to_pixels(half @ rotate + np.array([card.x, card.y]))
        cv2.fillPoly(mask, [np.round(np.clip(pixels, -1e6, 1e6)).astype(np.int32)], 1)
    return mask > 0
