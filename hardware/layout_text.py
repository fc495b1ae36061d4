"""A layout as the text of its file (contract, section 2), read back to the same layout."""

import json
from decimal import Decimal
from fractions import Fraction

from hardware.calibration import camera_text
from table_state.layout import Layout, Seat


def layout_text(layout: Layout) -> str:
    """The layout in TOML, colours and camera included where it has them."""
    out = [f"name = {_text(layout.name)}", f"card = {_numbers(layout.card)}", f"chip = {layout.chip!r}"]
    out += [f"{key} = {_numbers(getattr(layout, key))}" for key in ("dealer", "shoe", "discard")]
    out += ["", "[chip_values]", *(f"{_text(color)} = {_exact(v)}" for color, v in layout.chip_values.items())]
    for seat in layout.seats:
        out += ["", *_seat(seat)]
    if layout.chip_colors:
        out += ["", "[chip_colors]"]
        out += [f"{_text(c)} = {[list(sample) for sample in samples]}" for c, samples in layout.chip_colors.items()]
    return "\n".join(out) + "\n" + (f"\n{camera_text(layout.camera)}" if layout.camera is not None else "")


def _seat(seat: Seat) -> list[str]:
    rows = ["[[seat]]", f"number = {seat.number}", f"name = {_text(seat.name)}", f"circle = {_numbers(seat.circle)}"]
    rows.append(f"cards = {_numbers(seat.cards)}")
    rows += [f"spoken = {_text(seat.spoken)}"] if seat.spoken else []
    return rows if seat.insurance is None else [*rows, f"insurance = {_numbers(seat.insurance)}"]


def _numbers(values: tuple[float, ...]) -> str:
    return str([float(value) for value in values])


def _text(text: str) -> str:
    """A basic string; JSON leaves DEL as it is, which TOML does not take."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _exact(value: Fraction) -> str:
    return format(Decimal(value.numerator) / Decimal(value.denominator), "f")
