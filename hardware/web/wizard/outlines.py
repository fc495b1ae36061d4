"""What the wizard draws over its picture: the felt, the places, the edges that were found."""

from typing import Any

import numpy as np

from hardware.web.wizard.checks import Check
from hardware.web.wizard.fields import Draft
from hardware.web.wizard.sight import Sight
from hardware.web.wizard.words import word
from table_state.layout import Layout
from vision.camera_view import CameraView, Floats

RING = 48  # points of a circle's outline
CLOSE = 150.0  # mm between two seats' cards under which their hands may run into each other


def outline(sight: Sight) -> Floats:
    """The felt's outline in pixels, curved as the lens has it."""
    x0, y0, x1, y1 = sight.view.points_box()
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    part = np.linspace(0, 1, 24, endpoint=False)[:, None]
    felt = np.concatenate([corners[i] * (1 - part) + corners[(i + 1) % 4] * part for i in range(4)])
    return sight.view.to_pixels(felt)


def sight_json(sight: Sight, draft: Draft) -> dict[str, Any]:
    sides = [_middle(edge) for edge in sight.edges]
    bow = sight.lens.bow if sight.lens else 0.0
    return {
        "outline": _rounded(outline(sight)),
        "edges": [_rounded(edge[:: max(1, len(edge) // 30)]) for edge in sight.edges],
        "middles": sides,
        "found": sum(side is not None for side in sides),
        "bow": round(bow, 1),
        "kept": sight.lens is None,
    }


def _middle(edge: Floats) -> dict[str, float] | None:
    if len(edge) == 0:
        return None
    px, py = edge[len(edge) // 2]
    return {"px": round(float(px), 1), "py": round(float(py), 1)}


def marks(view: CameraView, layout: Layout) -> list[dict[str, Any]]:
    """Every place of the layout: what it is, its outline or its middle, in pixels."""
    marks = []
    for index, seat in enumerate(layout.seats):
        x, y, r = seat.circle
        marks.append(_mark(view, f"seats.{index}.circle", (x, y), r))
        marks.append(_mark(view, f"seats.{index}.cards", seat.cards, layout.card))
        if seat.insurance:
            marks.append(_mark(view, f"seats.{index}.insurance", seat.insurance, 22.0))
    marks.append(_mark(view, "dealer", layout.dealer, layout.card))
    marks += [_mark(view, key, getattr(layout, key), (90.0, 140.0)) for key in ("shoe", "discard")]
    return marks


def _mark(view: CameraView, what: str, at: tuple[float, float], shape: float | tuple[float, float]) -> dict[str, Any]:
    if isinstance(shape, tuple):
        half = np.array(shape) / 2
        ring = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + at
    else:
        turn = np.linspace(0, 2 * np.pi, RING, endpoint=False)
        ring = np.column_stack([at[0] + shape * np.cos(turn), at[1] + shape * np.sin(turn)])
    px, py = view.to_pixels(np.array([at], np.float64))[0]
    outline = _rounded(view.to_pixels(ring))
    return {"what": what, "px": round(float(px), 1), "py": round(float(py), 1), "outline": outline}


def _rounded(points: Floats) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points]


def crowded(layout: Layout | None) -> list[Check]:
    if layout is None or len(layout.seats) < 2:
        return []
    places = np.array([seat.cards for seat in layout.seats])
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 1e6 * np.eye(len(places))
    if apart.min() >= CLOSE:
        return []
    first, second = np.unravel_index(int(apart.argmin()), apart.shape)
    numbers = sorted((layout.seats[int(first)].number, layout.seats[int(second)].number))
    mm = round(float(apart.min()))
    return [Check("crowded", "fair", word("check.crowded", first=numbers[0], second=numbers[1], mm=mm))]
