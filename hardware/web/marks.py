"""What was read, drawn over the camera's picture: no code that the view does not show."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from hardware.web.places import owner
from table_state.layout import CameraPoints, Layout
from table_state.observation import SeenCard
from table_state.view import TableView
from vision.camera_view import CameraView

Json = dict[str, Any]


def shown_codes(view: TableView) -> dict[int, Counter[str]]:
    """Return the codes each place shows, the dealer's under 0."""
    shown = {seat.number: Counter(code for hand in seat.hands for code in hand.cards) for seat in view.seats}
    return shown | {0: Counter(view.dealer.cards)}


def marks(layout: Layout, view: TableView | None, seen: Sequence[SeenCard]) -> list[Json]:
    """Return each seen card as a fraction of the picture (u, v), its felt point and its code.

    A hole card that the camera glimpses stays `??`: a code is told only as often as the view shows it at that place.
    Empty where the camera is not calibrated.
    """
    cards = [card for card in seen if card.kind == "card"]
    if layout.camera is None or view is None or not cards:
        return []
    left = shown_codes(view)
    places = _fractions(layout.camera, cards)
    return [_mark(layout, card, u, v, left) for card, (u, v) in zip(cards, places, strict=True) if _inside(u, v)]


def _fractions(camera: CameraPoints, cards: Sequence[SeenCard]) -> list[tuple[float, float]]:
    width, height = camera.size
    pixels = CameraView(camera, camera.size).to_pixels(np.array([[card.x, card.y] for card in cards], np.float64))
    return [(float(x) / width, float(y) / height) for x, y in pixels]


def _inside(u: float, v: float) -> bool:
    return 0 <= u <= 1 and 0 <= v <= 1


def _mark(layout: Layout, card: SeenCard, u: float, v: float, left: dict[int, Counter[str]]) -> Json:
    place = owner(layout, card.x, card.y)
    code = card.code or "??"
    there = left.get(place, Counter()) if place is not None else Counter()
    if there[code] > 0:
        there[code] -= 1
    else:
        code = "??"
    return {"x": round(card.x, 1), "y": round(card.y, 1), "u": round(u, 4), "v": round(v, 4), "code": code}
