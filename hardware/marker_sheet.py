"""The sheet of four markers to print, and the calibration from the markers where they lie."""

import io
import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from hardware.calibration import Point
from hardware.errors import BadInputError
from table_state.layout import CameraPoints
from vision.camera_view import CameraView
from vision.markers import NUMBERS, draw_marker, find_markers, points, sides

SIDE = 60.0  # mm of a marker's side
RULER = 100  # mm of the ruler on each page
DPI = 300
PAGE = (210.0, 297.0)  # A4, mm
WRONG_SIZE = 0.08  # by how much a marker's side may differ from SIDE before its place or the print is wrong


def sheet() -> bytes:
    """Four pages of A4 as PDF, true to scale: a marker of 60 mm and a ruler of 100 mm on each."""
    pages = [_page(number) for number in NUMBERS]
    out = io.BytesIO()
    pages[0].save(out, "PDF", save_all=True, append_images=pages[1:], resolution=DPI)
    return out.getvalue()


def _px(mm: float) -> int:
    return round(mm * DPI / 25.4)


def _page(number: int) -> Image.Image:
    page = Image.new("L", (_px(PAGE[0]), _px(PAGE[1])), 255)
    draw = ImageDraw.Draw(page)
    left, top = (PAGE[0] - SIDE) / 2, 60.0
    page.paste(Image.fromarray(draw_marker(number, _px(SIDE))), (_px(left), _px(top)))
    text = (
        f"Marker {number} of 4. Print at 100 %, not fitted to the page.\n"
        f"The line below must measure {RULER} mm.\n"
        "Cut it out with 10 mm of white around it and lay it flat on the felt.\n"
        "Measure its middle from the middle of the dealer's edge."
    )
    draw.multiline_text((_px(25), _px(150)), text, 0, ImageFont.load_default(_px(5)), spacing=_px(2))
    for mm in range(0, RULER + 1, 10):
        draw.rectangle((_px(50 + mm) - 2, _px(200), _px(50 + mm) + 2, _px(206)), 0)
    draw.rectangle((_px(50), _px(206) - 4, _px(50 + RULER), _px(206)), 0)
    return page


def parse_marker(text: str) -> tuple[int, float, float]:
    """A marker's place like `1=-560,30`: its number and its middle on the felt, mm. Raises ValueError."""
    number, _, place = text.partition("=")
    x, y = (float(part) for part in place.split(","))
    if int(number) not in NUMBERS or not (math.isfinite(x) and math.isfinite(y) and max(abs(x), abs(y)) < 1e4):
        raise ValueError(text)
    return int(number), x, y


def marker_points(image: NDArray[np.uint8], places: Mapping[int, tuple[float, float]]) -> tuple[Point, ...]:
    """The calibration points of four markers in a picture. Raises BadInputError naming what is missing or wrong."""
    if set(places) != set(NUMBERS):
        raise BadInputError("--marker: four places are needed, one for each marker: --marker 1=X,Y ... --marker 4=X,Y")
    found = find_markers(image)
    missing = [str(number) for number in NUMBERS if number not in found]
    if missing:
        raise BadInputError(
            f"--marker: marker {' and '.join(missing)} cannot be seen in the picture; "
            "lay each flat with its white margin, out of glare, and take care that each lies there once"
        )
    known = points(found, places)
    size = (image.shape[1], image.shape[0])
    view = CameraView(CameraPoints(size, known), size)
    for number in NUMBERS:
        length = float(sides(view.to_felt(found[number])).mean())
        if abs(length / SIDE - 1) > WRONG_SIZE:
            raise BadInputError(
                f"--marker {number}: would be {length:.0f} mm wide, not {SIDE:.0f}; "
                "measure the four places again, and the ruler of the sheet: it must be 100 mm"
            )
    return known
