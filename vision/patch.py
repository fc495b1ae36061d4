"""Cuts an index out of a picture, upright and at one size, as the reader wants it."""

import cv2
import numpy as np
from numpy.typing import NDArray

PATCH_H, PATCH_W = 64, 48  # px, what the reader takes
REACH = 3.2  # the patch's height, in distances from the rank's centre to the suit's


# From the rank's centre to the suit's, and an index's breadth, in its lengths; how much that shape is trusted.
_APART, _SLIM, _DOUBT = 0.53, 0.5, 0.15


def spots_in_box(
    box: tuple[float, float, float, float], down: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Centres of rank and suit (px) of an index that stands towards `down` and fills the upright `box`.

    The box tells an index's length better than its two centres do: of large indices these are found too close. Its
    height and width follow from the box's two sides; where it stands aslant they hardly do, so its usual shape helps.
    """
    c, s = np.abs(down)[::-1] / np.hypot(*down)
    width, height = box[2] - box[0], box[3] - box[1]
    lines = np.array([[c, s], [s, c], [-_SLIM * _DOUBT, _DOUBT]])  # of (length, breadth)
    length = float(np.linalg.lstsq(lines, np.array([height, width, 0.0]), rcond=None)[0][0])
    middle = np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2])
    half = np.asarray(down, float) / np.hypot(*down) * max(length, 4.0) * _APART / 2
    return middle - half, middle + half


def index_patch(
    image: NDArray[np.uint8],
    rank: NDArray[np.float64],
    suit: NDArray[np.float64],
    size: tuple[int, int] = (PATCH_W, PATCH_H),
    reach: float = REACH,
) -> NDArray[np.uint8]:
    """Return the index at `rank` and `suit` (centres, px of `image`) turned upright: size (width, height), uint8."""
    down = np.asarray(suit, float) - np.asarray(rank, float)
    distance = max(float(np.hypot(*down)), 1.0)
    scale = reach * distance / size[1]
    ux, uy = down / distance
    m = np.array([[uy * scale, ux * scale, 0.0], [-ux * scale, uy * scale, 0.0]])
    middle = (np.asarray(rank, float) + np.asarray(suit, float)) / 2
    m[:, 2] = middle - m[:, :2] @ np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(image, m, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)
