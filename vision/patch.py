"""Cuts an index out of a picture, upright and at one size, as the reader wants it."""

import cv2
import numpy as np
from numpy.typing import NDArray

PATCH_H, PATCH_W = 64, 48  # px, what the reader takes
REACH = 3.2  # the patch's height, in distances from the rank's centre to the suit's


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
