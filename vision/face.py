"""Cuts whole faces out of a picture, upright and at one size: what pips and courts tell beside the index."""

import cv2
import numpy as np
from numpy.typing import NDArray

FACE_W, FACE_H = 72, 96  # px, what the network takes


def face_patch(
    image: NDArray[np.uint8], quad: NDArray[np.float64], size: tuple[int, int] = (FACE_W, FACE_H), margin: float = 0.0
) -> NDArray[np.uint8]:
    """Return the card with corners `quad` (4, 2; px, clockwise from its top left) as size (width, height), uint8.

    `margin`: parts of the card's width and height seen beyond each edge.
    """
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    target = (unit + margin) / (1 + 2 * margin) * np.array([size[0] - 1, size[1] - 1])
    long = float(max(np.hypot(*(quad[0] - quad[3])), np.hypot(*(quad[1] - quad[2]))))
    shrink = int(long / size[1])
    source, corners = image, np.asarray(quad, float)
    if shrink >= 2:  # so that nothing is skipped
        low = np.maximum(np.floor(corners.min(axis=0) - long * 0.2).astype(int), 0)
        high = np.minimum(np.ceil(corners.max(axis=0) + long * 0.2).astype(int), [image.shape[1], image.shape[0]])
        if (high - low >= shrink).all():
            part = image[low[1] : high[1], low[0] : high[0]]
            wide, tall = part.shape[1] // shrink, part.shape[0] // shrink
            source = np.asarray(cv2.resize(part, (wide, tall), interpolation=cv2.INTER_AREA), np.uint8)
            corners = (corners - low) * [wide / part.shape[1], tall / part.shape[0]]
    m = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
    flat = cv2.warpPerspective(source, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)
