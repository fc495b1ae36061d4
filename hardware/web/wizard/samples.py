"""A chip's colours from a tap on it: its rim's first, then its face's."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_view import CameraView
from vision.color import NEUTRAL_WHITE, names_of
from vision.discs import find_discs

Image = NDArray[np.uint8]
Rgb = tuple[int, int, int]
SCALE = 2.0  # pixels a mm of the picture in which the chip is looked for
RIM, FACE = (0.66, 0.93), (0.0, 0.5)  # parts of the radius


def sample_chip(image: Image, view: CameraView, chip: float, px: float, py: float) -> tuple[Rgb, Rgb] | None:
    """The colours of rim and face of the chip at a pixel; None where the pixel is not on the picture."""
    if not (0 <= px < image.shape[1] and 0 <= py < image.shape[0]):
        return None
    x, y = view.to_felt(np.array([[px, py]], np.float64))[0]
    reach = 1.1 * chip
    part = view.felt_image(image, x - reach, y - reach, x + reach, y + reach, SCALE)
    middle, radius = reach * SCALE, chip / 2 * SCALE
    at = (middle, middle)
    near = [d for d in find_discs(part, radius, 0.4) if math.hypot(d.x - middle, d.y - middle) < radius]
    if near:
        at, radius = (near[0].x, near[0].y), near[0].r
    rows, columns = np.indices(part.shape[:2])
    away = np.hypot(columns - at[0], rows - at[1]) / radius
    rim, face = (_main(part[(away >= low) & (away <= high)]) for low, high in (RIM, FACE))
    return rim, face


def _main(bgr: Image) -> Rgb:
    """The colour of the larger part: spots and letters are the smaller one."""
    pixels = cv2.cvtColor(bgr.reshape(-1, 1, 3), cv2.COLOR_BGR2Lab).reshape(-1, 3).astype(np.float32)
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    _, labels, _ = cv2.kmeans(pixels, 2, np.zeros((len(pixels), 1), np.int32), stop, 3, cv2.KMEANS_PP_CENTERS)
    own = bgr.reshape(-1, 3)[labels.ravel() == np.bincount(labels.ravel()).argmax()]
    blue, green, red = (round(float(v)) for v in np.median(own, axis=0))
    return red, green, blue


def likely_name(rim: Rgb) -> str:
    """The colour's name as it looks in plain light."""
    found = names_of(np.array([rim[::-1]], np.uint8), NEUTRAL_WHITE, frozenset())
    return max(found, key=lambda name: found[name])
