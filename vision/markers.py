"""Printed square markers (ArUco) that say where the felt lies in a picture."""

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_view import Floats, Image

NUMBERS = (1, 2, 3, 4)
DICTIONARY = cv2.aruco.DICT_4X4_50


def draw_marker(number: int, pixels: int) -> Image:
    """A marker's picture, grey, `pixels` wide and high, without the white margin that it needs around it."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number - 1, pixels), np.uint8)


def find_markers(image: Image) -> dict[int, Floats]:
    """The corners (4, 2) in pixels of each of the four markers that shows once, clockwise from its own top left."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters)
    corners, ids, _ = detector.detectMarkers(image)
    numbers = [] if ids is None else [int(i) + 1 for i in ids.ravel()]
    seen = zip(numbers, corners, strict=True)
    return {n: np.asarray(c, np.float64).reshape(4, 2) for n, c in seen if n in NUMBERS and numbers.count(n) == 1}


def middle(corners: Floats) -> tuple[float, float]:
    """Where a square's diagonals cross, pixels: its middle, however aslant it is seen."""
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = corners
    along = np.array([[x3 - x1, x2 - x4], [y3 - y1, y2 - y4]])
    part = np.linalg.solve(along, np.array([x2 - x1, y2 - y1]))[0]
    return float(x1 + part * (x3 - x1)), float(y1 + part * (y3 - y1))


def points(
    found: Mapping[int, Floats], places: Mapping[int, tuple[float, float]]
) -> tuple[tuple[float, float, float, float], ...]:
    """Calibration points (pixel x, y, felt x, y) of the markers whose middles' places on the felt (mm) are known."""
    return tuple((*middle(found[number]), *places[number]) for number in sorted(places) if number in found)


def sides(felt_corners: Floats) -> NDArray[np.float64]:
    """The lengths of a marker's four sides."""
    return np.asarray(np.linalg.norm(np.roll(felt_corners, -1, axis=0) - felt_corners, axis=1), np.float64)
