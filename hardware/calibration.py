"""How a camera sees the felt, from points whose place is known both in its picture and on the table."""

import re
from dataclasses import dataclass, replace

import numpy as np

from hardware.errors import BadInputError
from table_state.errors import InputError
from table_state.layout import CameraPoints, Layout, parse_layout
from vision.camera_view import CameraView

EXACT = 4  # points that fix a camera, with nothing left over to check them by
WORST = 8.0  # mm by which a point may miss before the points are taken to be wrong
HEADER = re.compile(r"^\s*\[{1,2}\s*[A-Za-z_\"'][^\]]*\]{1,2}\s*(#.*)?$")
Point = tuple[float, float, float, float]  # pixel x, y, felt x, y


@dataclass(frozen=True, slots=True)
class Fit:
    """A camera and, for each of its points, by how many millimetres the fit misses it.

    Four points are always met exactly, whatever is wrong with them: then how far they miss is not known, () here.
    """

    camera: CameraPoints
    misses: tuple[float, ...]
    card_px: float


def fit(layout: Layout, points: tuple[Point, ...], size: tuple[int, int]) -> Fit:
    """Fit the points; the lens is the one the layout had, if it had one of this size. Raises BadInputError."""
    for point in points:
        if not (0 <= point[0] <= size[0] and 0 <= point[1] <= size[1]):
            raise BadInputError(
                f"--point {as_text(point)}: lies outside the picture of {size[0]} x {size[1]} pixels; look at it again"
            )
    before = layout.camera if layout.camera is not None and layout.camera.size == size else None
    lens = (before.matrix, before.distortion) if before else (None, None)
    camera = CameraPoints(size, points, *lens)
    try:
        view = CameraView(camera, size)
    except InputError as error:
        raise BadInputError(f"--point: {error.what}") from None
    pixels, mm = np.array([p[:2] for p in points]), np.array([p[2:] for p in points])
    misses = tuple(float(d) for d in np.hypot(*(view.to_felt(pixels) - mm).T))
    if max(misses) > WORST:
        worst = points[misses.index(max(misses))]
        raise BadInputError(
            f"--point {as_text(worst)}: misses the others' fit by {max(misses):.0f} mm; look at this point again, "
            "or add points: with four, any of them may be the wrong one"
        )
    return Fit(camera, misses if len(points) > EXACT else (), view.px_per_mm(*layout.dealer) * layout.card[1])


def parse_point(text: str) -> Point:
    """A point like `312,1190.5=-600,20`: pixel x, y and felt x, y in mm. Raises ValueError."""
    pixel, _, place = text.partition("=")
    numbers = tuple(float(number) for part in (pixel, place) for number in part.split(","))
    if len(numbers) != 4 or not all(abs(number) < 1e5 for number in numbers):
        raise ValueError(text)
    return numbers[0], numbers[1], numbers[2], numbers[3]


def as_text(point: Point) -> str:
    """The same as text."""
    return "{:g},{:g}={:g},{:g}".format(*point)


def with_camera(text: str, camera: CameraPoints, file: str) -> str:
    """The layout's text with this [camera] in place of its own; all else stays as it was written.

    Raises BadInputError where the text is written in a way that does not allow it.
    """
    kept, inside = [], False
    for line in text.splitlines():
        if HEADER.match(line):
            inside = line.strip().startswith("[camera]")
        if not inside:
            kept.append(line)
    new = "\n".join(kept).rstrip() + "\n\n" + camera_text(camera)
    try:
        good = parse_layout(new, file) == replace(parse_layout(text, file), camera=camera)
    except InputError:
        good = False
    if not good:
        raise BadInputError(f"{file}: its [camera] cannot be replaced as it is written; take it out by hand")
    return new


def camera_text(camera: CameraPoints) -> str:
    """A [camera] table in TOML."""
    rows = "".join(f"  [{', '.join(_number(v) for v in point)}],\n" for point in camera.points)
    text = f"[camera]\nsize = [{camera.size[0]}, {camera.size[1]}]\npoints = [\n{rows}]\n"
    for name, values in (("matrix", camera.matrix), ("distortion", camera.distortion)):
        if values is not None:
            text += f"{name} = [{', '.join(_number(v) for v in values)}]\n"
    return text


def _number(value: float) -> str:
    return repr(float(value))
