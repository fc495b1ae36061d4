"""A table's layout: places, chips and camera as plain data, parsed from text (contract, section 2)."""

from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any

from table_state.errors import InputError
from table_state.toml import Section, parse

Point = tuple[float, float]
DISTORTIONS = (0, 4, 5, 8, 12, 14)
"""How many numbers a lens's distortion may have, in OpenCV's order."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One place; mm on the felt: circle x, y, radius; the first card's centre; where insurance is put.

    `spoken`: how the name is spelled for the voice, where it is spelled otherwise.
    """

    number: int
    name: str
    circle: tuple[float, float, float]
    cards: Point
    insurance: Point | None = None
    spoken: str = ""


@dataclass(frozen=True, slots=True)
class CameraPoints:
    """How a camera sees the felt: picture size, points (pixel x, y, felt x, y), lens."""

    size: tuple[int, int]
    points: tuple[tuple[float, float, float, float], ...]
    matrix: tuple[float, float, float, float] | None = None
    distortion: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """A table: card and chip sizes and all places in mm, chip values exact; seats are in order from first base."""

    name: str
    card: Point
    chip: float
    dealer: Point
    shoe: Point
    discard: Point
    chip_values: dict[str, Fraction]
    seats: tuple[Seat, ...]
    chip_colors: dict[str, tuple[tuple[int, int, int], ...]] = field(default_factory=dict)
    camera: CameraPoints | None = None


def parse_layout(text: str, file: str = "layout") -> Layout:
    """A layout from TOML text; unknown keys are ignored; InputError names file and key."""
    top = parse(text, file)
    width, height = _positive(top, "card", 2)
    chip = top.as_number("chip", top.get("chip"))
    if chip <= 0:
        raise top.error("chip", "a chip's diameter must be over 0")
    return Layout(
        top.text("name", ""),
        (width, height),
        chip,
        _point(top, "dealer"),
        _point(top, "shoe"),
        _point(top, "discard"),
        _chip_values(top),
        _seats(top),
        _chip_colors(top),
        _camera(top.table("camera")) if "camera" in top.values else None,
    )


def unknown_keys(text: str) -> tuple[str, ...]:
    """The keys of a good layout's text that mean nothing here, each with the path to it, in the order of the file."""
    top = parse(text, "layout").values
    found = [name for name in top if name not in {f.name for f in fields(Layout)} - {"seats"} | {"seat"}]
    for n, row in enumerate(top.get("seat", ())):
        found += [f"seat[{n}].{name}" for name in row if name not in {f.name for f in fields(Seat)}]
    known = {f.name for f in fields(CameraPoints)}
    return (*found, *(f"camera.{name}" for name in top.get("camera", ()) if name not in known))


def _point(section: Section, name: str) -> Point:
    x, y = section.numbers(name, 2)
    return x, y


def _positive(section: Section, name: str, count: int) -> tuple[float, ...]:
    numbers = section.numbers(name, count)
    if min(numbers) <= 0:
        raise section.error(name, "must be over 0")
    return numbers


def _chip_values(top: Section) -> dict[str, Fraction]:
    table = top.table("chip_values")
    values = {color: table.fraction(color) for color in table.values}
    for color, value in values.items():
        if value <= 0:
            raise table.error(color, "a chip's value must be over 0")
    return values


def _seats(top: Section) -> tuple[Seat, ...]:
    rows = top.get("seat")
    if not isinstance(rows, list) or not rows or not all(isinstance(r, dict) for r in rows):
        raise top.error("seat", "not a list of one or more [[seat]] tables")
    seats = [_seat(Section(row, top.file, f"seat[{i}]")) for i, row in enumerate(rows)]
    if len({s.number for s in seats}) < len(seats):
        raise top.error("seat", "two seats have the same number")
    return tuple(sorted(seats, key=lambda s: s.number))


def _seat(row: Section) -> Seat:
    number: Any = row.get("number")
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= 1000:
        raise row.error("number", f"{str(number)[:40]} is not a whole number from 1")
    x, y, r = row.numbers("circle", 3)
    if r <= 0:
        raise row.error("circle", "the radius must be over 0")
    insurance = _point(row, "insurance") if "insurance" in row.values else None
    return Seat(number, row.text("name", ""), (x, y, r), _point(row, "cards"), insurance, row.text("spoken", ""))


def _chip_colors(top: Section) -> dict[str, tuple[tuple[int, int, int], ...]]:
    if "chip_colors" not in top.values:
        return {}
    table = top.table("chip_colors")
    return {color: tuple(_rgb(table, color, sample) for sample in _list(table, color)) for color in table.values}


def _list(section: Section, name: str) -> list[Any]:
    value = section.get(name)
    if not isinstance(value, list):
        raise section.error(name, "not a list")
    return value


def _rgb(section: Section, name: str, sample: Any) -> tuple[int, int, int]:
    r, g, b = section.as_numbers(name, sample, 3)
    if min(r, g, b) < 0 or max(r, g, b) > 255:
        raise section.error(name, "a sample is three numbers from 0 to 255")
    return int(r), int(g), int(b)


def _camera(section: Section) -> CameraPoints:
    width, height = _positive(section, "size", 2)
    if min(width, height) < 1:
        raise section.error("size", "not a picture's width and height in pixels")
    rows = [section.as_numbers("points", row, 4) for row in _list(section, "points")]
    if len(rows) < 4:
        raise section.error("points", "four or more points are needed")
    points = tuple((r[0], r[1], r[2], r[3]) for r in rows)
    matrix = None
    if "matrix" in section.values:
        fx, fy, cx, cy = section.numbers("matrix", 4)
        if min(fx, fy) <= 0:
            raise section.error("matrix", "the focal lengths, its first two numbers, must be over 0")
        matrix = (fx, fy, cx, cy)
    distortion = section.numbers("distortion", None) if "distortion" in section.values else None
    if distortion is not None and len(distortion) not in DISTORTIONS:
        raise section.error("distortion", "not five numbers, k1, k2, p1, p2, k3")
    return CameraPoints((int(width), int(height)), points, matrix, distortion)


def seat_of(layout: Layout, number: int) -> Seat | None:
    """The seat of a number; None where there is none."""
    return next((s for s in layout.seats if s.number == number), None)


def check_distinct(layout: Layout, file: str = "layout") -> None:
    """InputError where two places for cards coincide, which nothing could tell apart."""
    points = [layout.dealer, *(s.cards for s in layout.seats)]
    if len(set(points)) < len(points):
        raise InputError("two places for cards coincide", file, None, "seat.cards")
