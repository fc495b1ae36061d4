"""Finds the circles that are printed on the felt, near where a layout has them."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_view import CameraView

Image = NDArray[np.uint8]
Circle = tuple[float, float, float]
SCALE = 1.0  # pixels a mm of the felt that is searched
REACH = 110.0  # mm about a circle's middle in which its print may begin
DIRECTIONS = 90  # in which a found circle is looked at
EDGE = 14.0  # levels of difference between two pixels that make an edge
DRAWN = 0.75  # of the directions in which there must be one
OTHER_SIZE = 0.15  # part by which a circle's radius may differ from the others'
LEAST, MOST = 35.0, 95.0  # mm of a printed circle's radius


def find_circle(image: Image, view: CameraView, near: Circle) -> Circle | None:
    """The printed circle (x, y, radius in mm) nearest to one of a layout; None where there is none."""
    reach = REACH + MOST
    x0, y1 = near[0] - reach, near[1] + reach
    part = view.felt_image(image, x0, near[1] - reach, near[0] + reach, y1, SCALE)
    smooth = cv2.GaussianBlur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), (0, 0), 1.2)
    grey = np.asarray(cv2.createCLAHE(3.0, (4, 4)).apply(smooth), np.uint8)
    least, most = round(LEAST * SCALE), round(MOST * SCALE)
    found = cv2.HoughCircles(
        grey, cv2.HOUGH_GRADIENT_ALT, 1.5, 15.0, param1=120, param2=0.6, minRadius=least, maxRadius=most
    )
    if found is None:
        return None
    rows = [row for row in found.reshape(-1, found.shape[-1])[:, :3].tolist() if _drawn(grey, *row) >= DRAWN]
    circles = [(x0 + px / SCALE, y1 - py / SCALE, r / SCALE) for px, py, r in rows]
    inside = [c for c in circles if math.hypot(c[0] - near[0], c[1] - near[1]) <= REACH]
    return min(inside, key=lambda c: math.hypot(c[0] - near[0], c[1] - near[1])) if inside else None


def _drawn(grey: Image, px: float, py: float, r: float) -> float:
    """The part of a circle along which there is an edge across it."""
    turn, rays = np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False), np.arange(r - 4, r + 4.1, 1.0)
    columns = px + rays[None] * np.cos(turn)[:, None]
    rows = py + rays[None] * np.sin(turn)[:, None]
    seen = cv2.remap(grey, columns.astype(np.float32), rows.astype(np.float32), cv2.INTER_LINEAR).astype(np.float32)
    return float((np.abs(np.diff(seen, axis=1)).max(axis=1) > EDGE).mean())


def find_circles(image: Image, view: CameraView, near: list[Circle]) -> list[Circle | None]:
    """The printed circle for each of a layout's; one print is given to nobody twice."""
    found: list[Circle | None] = []
    for circle in near:
        seen = find_circle(image, view, circle)
        taken = seen is not None and any(c and math.hypot(seen[0] - c[0], seen[1] - c[1]) < LEAST for c in found)
        found.append(None if taken else seen)
    return _alike(found)


def _alike(found: list[Circle | None]) -> list[Circle | None]:
    """Without those of another size than most: a table's circles are alike."""
    radii = [circle[2] for circle in found if circle]
    if len(radii) < 3:
        return found
    usual = float(np.median(radii))
    return [circle if circle and abs(circle[2] / usual - 1) < OTHER_SIZE else None for circle in found]
