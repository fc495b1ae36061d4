"""The table as a form: the draft of a new or an opened layout, and the layout that a draft says."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hardware.web.wizard.fields import Draft, Fields, plain
from hardware.web.wizard.rulebook import nearest_preset, read_rules, rules_draft
from hardware.web.wizard.templates import MOST_SEATS, Felt, Template, template
from table_state.layout import CameraPoints, Layout, Seat
from table_state.rules import HouseRules
from vision.camera_view import CameraView

COLORS = ("white", "yellow", "orange", "red", "pink", "purple", "blue", "green", "black", "brown", "grey")
FURTHEST = 3000.0  # mm that a place may be from the middle of the dealer's edge
FELT = Felt(-600.0, 0.0, 600.0, 800.0)
FIRST_CHIPS = (("white", "1"), ("red", "5"), ("green", "25"), ("black", "100"))
MARKERS = ((-450.0, 60.0), (450.0, 60.0), (-450.0, 700.0), (450.0, 700.0))
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Table:
    """A draft as it is understood: what is missing is None, and stands in the form's errors."""

    layout: Layout | None
    rules: HouseRules | None


def first_draft(layout: Layout | None, rules: HouseRules) -> Draft:
    """The draft of an opened layout, or of a new table."""
    draft: Draft = {
        "name": layout.name if layout else "",
        "card": [plain(v) for v in layout.card] if layout else ["63.5", "88.9"],
        "chip": plain(layout.chip) if layout else "39",
        "camera": "",
        "size": "",
        "how": "corners",
        "lens": "file" if layout and layout.camera and layout.camera.matrix else "find",
        "height": "",
        "corners": _corners(layout),
        "middles": [None] * 4,
        "markers": [{"x": plain(x), "y": plain(y)} for x, y in MARKERS],
        "template": {"kind": "half-moon", "seats": str(len(layout.seats)) if layout else "5"},
        "chips": _chips(layout),
        "rules": rules_draft(rules, nearest_preset(rules)),
    }
    return draft | (_places(layout) if layout else template_draft("half-moon", 5, FELT))


def _corners(layout: Layout | None) -> list[Draft]:
    camera = layout.camera if layout else None
    felt = FELT
    if camera is not None:
        xs, ys = [p[2] for p in camera.points], [p[3] for p in camera.points]
        felt = Felt(min(xs), min(ys), max(xs), max(ys))
    places = ((felt.x0, felt.y0), (felt.x1, felt.y0), (felt.x1, felt.y1), (felt.x0, felt.y1))
    pixels = [("", "")] * 4 if camera is None else _pixels(camera, places)
    return [{"px": px, "py": py, "x": plain(x), "y": plain(y)} for (px, py), (x, y) in zip(pixels, places, strict=True)]


def _pixels(camera: CameraPoints, places: Sequence[Point]) -> list[tuple[str, str]]:
    """Where an opened layout's camera sees the corners; a corner that is one of its points is that point."""
    exact = {p[2:]: p[:2] for p in camera.points}
    seen = CameraView(camera, camera.size).to_pixels(_array(places))
    return [
        (f"{px:.1f}", f"{py:.1f}")
        for px, py in (exact.get(place, tuple(at)) for place, at in zip(places, seen, strict=True))
    ]


def _array(points: Sequence[Point]) -> Any:
    import numpy as np

    return np.array(points, np.float64)


def _chips(layout: Layout | None) -> list[Draft]:
    if layout is None:
        return [{"color": color, "value": value, "samples": []} for color, value in FIRST_CHIPS]
    return [
        {"color": color, "value": plain(value), "samples": [list(s) for s in layout.chip_colors.get(color, ())]}
        for color, value in layout.chip_values.items()
    ]


def _point(point: Point) -> Draft:
    return {"x": plain(point[0]), "y": plain(point[1])}


def _places(layout: Layout) -> Draft:
    seats = []
    for seat in layout.seats:
        circle, insurance = seat.circle, seat.insurance
        row = {
            "number": seat.number,
            "name": seat.name,
            "spoken": seat.spoken,
            "cx": plain(circle[0]),
            "cy": plain(circle[1]),
        }
        row |= {"r": plain(circle[2]), "x": plain(seat.cards[0]), "y": plain(seat.cards[1])}
        row |= {"ix": plain(insurance[0]) if insurance else "", "iy": plain(insurance[1]) if insurance else ""}
        seats.append(row)
    places = {key: _point(getattr(layout, key)) for key in ("dealer", "shoe", "discard")}
    return places | {"seats": seats}


def template_draft(kind: str, count: int, felt: Felt, names: Sequence[Draft] = ()) -> Draft:
    """The places of a template as the form's fields; seats keep their names by number."""
    made: Template = template(kind, count, felt)
    seats = []
    for index, place in enumerate(made.seats):
        row = {"number": index + 1, "name": "", "spoken": "", "r": "60"}
        row |= names[index] if index < len(names) else {}
        row |= {"cx": plain(place.circle[0]), "cy": plain(place.circle[1])}
        row |= {"x": plain(place.cards[0]), "y": plain(place.cards[1])}
        seats.append(row | {"ix": plain(place.insurance[0]), "iy": plain(place.insurance[1])})
    return {key: _point(getattr(made, key)) for key in ("dealer", "shoe", "discard")} | {"seats": seats}


def felt_of(form: Fields) -> Felt:
    """The felt's rectangle by the corners as far as they are right, else a usual one."""
    found = [form.numbers((f"corners.{i}.x", f"corners.{i}.y"), -FURTHEST, FURTHEST) for i in range(4)]
    whole = [pair for pair in found if pair is not None]
    xs, ys = [p[0] for p in whole], [p[1] for p in whole]
    if len(whole) < 4 or max(xs) - min(xs) < 400 or max(ys) - min(ys) < 300:
        return FELT
    return Felt(min(xs), min(ys), max(xs), max(ys))


def read_table(form: Fields, camera: CameraPoints | None) -> Table:
    """The layout and the rules that a draft says; the form holds what is wrong with it."""
    return Table(read_layout(form, camera), read_rules(form))


def read_layout(form: Fields, camera: CameraPoints | None) -> Layout | None:
    """The layout alone."""
    card = form.numbers(("card.0", "card.1"), 20, 200)
    chip = form.number("chip", 10, 100)
    places = {key: _read_point(form, key) for key in ("dealer", "shoe", "discard")}
    seats = _seats(form, places)
    values, colors = _read_chips(form)
    if card is None or chip is None or seats is None or None in places.values() or values is None:
        return None
    points = {key: point for key, point in places.items() if point is not None}
    return Layout(form.text("name"), (card[0], card[1]), chip, **points, chip_values=values, seats=seats,
                  chip_colors=colors, camera=camera)  # fmt: skip


def _read_point(form: Fields, path: str, x: str = "x", y: str = "y") -> Point | None:
    found = form.numbers((f"{path}.{x}", f"{path}.{y}"), -FURTHEST, FURTHEST)
    return None if found is None else (found[0], found[1])


def _seats(form: Fields, places: dict[str, Point | None]) -> tuple[Seat, ...] | None:
    count = form.rows("seats")
    if not 1 <= count <= 20:
        form.fault("template.seats", "fault.no-seats", most=MOST_SEATS)
        return None
    found = [_seat(form, f"seats.{index}", index + 1) for index in range(count)]
    seats = [seat for seat in found if seat is not None]
    taken = {places["dealer"]}
    for index, seat in enumerate(found):
        if seat is not None and seat.cards in taken:
            form.fault(f"seats.{index}.x", "fault.same-place")
            return None
        taken.add(seat.cards if seat else None)
    return tuple(seats) if len(seats) == count else None


def _seat(form: Fields, path: str, number: int) -> Seat | None:
    circle = _read_point(form, path, "cx", "cy")
    radius = form.number(f"{path}.r", 10, 300)
    cards = _read_point(form, path)
    insured = form.filled(f"{path}.ix") or form.filled(f"{path}.iy")
    insurance = _read_point(form, path, "ix", "iy") if insured else None
    if circle is None or radius is None or cards is None or (insured and insurance is None):
        return None
    kept = form.raw(f"{path}.number")
    number = kept if isinstance(kept, int) and 1 <= kept <= 1000 else number
    name, spoken = form.text(f"{path}.name"), form.text(f"{path}.spoken")
    return Seat(number, name, (*circle, radius), cards, insurance, spoken)


def _read_chips(form: Fields) -> tuple[dict[str, Fraction] | None, dict[str, tuple[tuple[int, int, int], ...]]]:
    values: dict[str, Fraction] = {}
    colors: dict[str, tuple[tuple[int, int, int], ...]] = {}
    good = True
    for index in range(form.rows("chips")):
        path = f"chips.{index}"
        color, value = form.choice(f"{path}.color", COLORS), form.fraction(f"{path}.value", 0.01, 1_000_000)
        if color is not None and color in values:
            form.fault(f"{path}.color", "fault.same-color")
        if color is None or value is None or color in values:
            good = False
            continue
        values[color] = value
        colors[color] = _samples(form.raw(f"{path}.samples"))
    shown = {color for color, samples in colors.items() if samples}
    # With some colours shown and others not, the others could never be named.
    for index in range(form.rows("chips")):
        if shown and form.text(f"chips.{index}.color") in set(colors) - shown:
            form.fault(f"chips.{index}.samples", "fault.show-all")
            good = False
    return (values if good else None), ({color: colors[color] for color in colors} if shown else {})


def _samples(raw: Any) -> tuple[tuple[int, int, int], ...]:
    rows = raw if isinstance(raw, list) else []
    good = [row for row in rows[:4] if isinstance(row, list) and len(row) == 3 and all(type(v) is int for v in row)]
    return tuple((r, g, b) for r, g, b in good if min(r, g, b) >= 0 and max(r, g, b) <= 255)
