"""Tells the cut card, plain coloured plastic from edge to edge, from the back of a playing card."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.color import oklab
from vision.sighting import CardSighting

Image = NDArray[np.uint8]

_LEAST_SHOWN = 0.5  # of the card must show
_COLOR = 0.07  # least distance from grey: white and black plastic is left to the person who asks
_PRINT = 0.014  # most that a place may differ from its surroundings: a back has a pattern
_PAPER = 0.04  # most that its rim's colour may differ from the middle's: a back has a white border


def with_cut_cards(image: Image, seen: Sequence[CardSighting]) -> list[CardSighting]:
    """The sightings, of which those backs that are a cut card are called so; a back in doubt stays a back."""
    if all(s.code is not None for s in seen):
        return list(seen)
    fine, coarse = (np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8) for sigma in (1.0, 5.0))
    return [
        replace(s, code="??", kind="cut-card") if s.code is None and _is_plain(fine, coarse, s, seen) else s
        for s in seen
    ]


def _is_plain(fine: Image, coarse: Image, back: CardSighting, seen: Sequence[CardSighting]) -> bool:
    """Whether a back is one colour all over; `fine` and `coarse`: the picture a little and much softened."""
    middle, whole = (_mask(fine, back.polygon, part) for part in (0.8, 0.95))
    shown = np.ones(fine.shape[:2], np.uint8)
    for other in seen:
        if other is not back and other.code is not None:
            shown &= 1 - _mask(fine, other.polygon, 1.06)
    area = abs(float(cv2.contourArea(back.polygon.astype(np.float32))))
    rim, middle = whole & (1 - middle) & shown, middle & shown
    if float(middle.sum()) < _LEAST_SHOWN * area * 0.64 or not rim.any():
        return False
    inner, around, outer = oklab(fine[middle > 0]), oklab(coarse[middle > 0]), oklab(fine[rim > 0])
    color = np.median(inner[:, 1:], axis=0)
    pattern = float(np.percentile(np.linalg.norm(inner - around, axis=1), 80))
    edge = float(np.percentile(np.hypot(*(outer[:, 1:] - color).T), 75))
    return float(np.hypot(*color)) > _COLOR and pattern < _PRINT and edge < _PAPER


def _mask(image: Image, polygon: NDArray[np.float64], part: float) -> Image:
    """The pixels of a polygon drawn in or out about its middle."""
    middle = polygon.mean(axis=0)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(middle + (polygon - middle) * part).astype(np.int32), 1)
    return mask
