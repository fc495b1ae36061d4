"""Layouts to begin with: 1 to 7 seats about a half-moon or a kitchen table, as the felt's rectangle allows."""

import math
from dataclasses import dataclass
from itertools import pairwise

KINDS = ("half-moon", "kitchen")
MOST_SEATS = 7
CIRCLE = 60.0  # mm, radius of a betting circle
EDGE = 75.0  # mm from the felt's edge to a circle's middle at the least
TO_CARDS = 165.0  # mm from a circle's middle to its seat's first card
TO_INSURANCE = 280.0
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Felt:
    """The felt's rectangle, mm: x0 < x1, y0 < y1; y0 is the dealer's edge."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Place:
    """A seat's places, mm: its circle's middle, its first card, its insurance."""

    circle: Point
    cards: Point
    insurance: Point


@dataclass(frozen=True, slots=True)
class Template:
    """All places of a table, mm; seats from first base, the dealer's far left, on."""

    dealer: Point
    shoe: Point
    discard: Point
    seats: tuple[Place, ...]


def template(kind: str, seats: int, felt: Felt) -> Template:
    """The places of a table of a kind with 1 to 7 seats. Raises ValueError for another kind or number."""
    if kind not in KINDS or not 1 <= seats <= MOST_SEATS:
        raise ValueError(f"{kind}, {seats} seats")
    middle = (felt.x0 + felt.x1) / 2
    circles = _half_moon(seats, felt) if kind == "half-moon" else _kitchen(seats, felt)
    dealer = (middle, felt.y0 + min(150.0, 0.22 * (felt.y1 - felt.y0)))
    side = (felt.x1 - felt.x0) / 2 - 95.0
    boxes = [(middle + sign * side, felt.y0 + 80.0) for sign in (-1, 1)]
    aim = (middle, felt.y0 + 0.2 * (felt.y1 - felt.y0))
    return Template(_whole(dealer), _whole(boxes[0]), _whole(boxes[1]), tuple(_place(c, aim) for c in circles))


def _half_moon(seats: int, felt: Felt) -> list[Point]:
    """On a half ellipse about the dealer, evenly along its length."""
    middle, base = (felt.x0 + felt.x1) / 2, felt.y0 + 0.42 * (felt.y1 - felt.y0)
    wide, deep = (felt.x1 - felt.x0) / 2 - EDGE, felt.y1 - EDGE - base
    return _along([(middle - wide * math.cos(a), base + deep * math.sin(a)) for a in _turns(0.0, math.pi)], seats)


def _kitchen(seats: int, felt: Felt) -> list[Point]:
    """Along three sides of a rectangle, its corners cut so that nobody sits at one."""
    left, right, far, near = felt.x0 + EDGE, felt.x1 - EDGE, felt.y1 - EDGE, felt.y0 + 0.46 * (felt.y1 - felt.y0)
    cut = min(170.0, 0.6 * (far - near))
    path = [(left, near), (left, far - cut), (left + cut, far), (right - cut, far), (right, far - cut), (right, near)]
    return _along(path, seats)


def _turns(start: float, end: float) -> list[float]:
    return [start + (end - start) * i / 90 for i in range(91)]


def _along(path: list[Point], count: int) -> list[Point]:
    """Points at even distances along a path, its ends included; a single one in its middle."""
    steps = [math.dist(a, b) for a, b in pairwise(path)]
    total = sum(steps)
    wanted = [total / 2] if count == 1 else [total * i / (count - 1) for i in range(count)]
    return [_at(path, steps, min(w, total)) for w in wanted]


def _at(path: list[Point], steps: list[float], far: float) -> Point:
    for ((ax, ay), (bx, by)), step in zip(pairwise(path), steps, strict=True):
        if far <= step + 1e-9:
            part = far / step if step else 0.0
            return ax + part * (bx - ax), ay + part * (by - ay)
        far -= step
    return path[-1]


def _place(circle: Point, aim: Point) -> Place:
    """Cards and insurance lie between the circle and the middle of the table."""
    away = math.dist(circle, aim)
    reach = min(1.0, 0.85 * away / TO_INSURANCE)

    def toward(mm: float) -> Point:
        part = mm * reach / away
        return _whole((circle[0] + part * (aim[0] - circle[0]), circle[1] + part * (aim[1] - circle[1])))

    return Place(_whole(circle), toward(TO_CARDS), toward(TO_INSURANCE))


def _whole(point: Point) -> Point:
    return float(round(point[0])), float(round(point[1]))
