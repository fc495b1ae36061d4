"""The card recogniser: detector, reader and geometry as one, on pictures whose scale is known."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision import locate
from vision.backs import hidden_cards
from vision.detector import INDEX, Detection, Detector
from vision.patch import index_patch
from vision.reader import Reader, Reading
from vision.sighting import CardSighting


def read_indices(
    reader: Reader, image: NDArray[np.uint8], detections: Sequence[Detection], scale: float = 1.0
) -> list[Reading]:
    """Read every INDEX detection, in order; `scale` = px of `image` per px of the detections."""
    return reader.read(
        [index_patch(image, d.points[0] * scale, d.points[1] * scale) for d in detections if d.cls == INDEX]
    )


class CardRecogniser:
    """Cards in a felt picture resampled to `px_per_mm`; deterministic, one thread."""

    px_per_mm = 1.44  # a card of 88.9 mm is 128 px long: what the detector knows best

    def __init__(self, weights: Path, card: tuple[float, float] = (63.5, 88.9)) -> None:
        self._detector, self._reader = Detector(weights), Reader(weights)
        self._card = card  # mm

    def recognise(self, image: NDArray[np.uint8], px_per_mm: float | None = None) -> list[CardSighting]:
        """All physical cards of a BGR picture, polygons in its pixels; `px_per_mm` None = scale not known."""
        detections = self._detector.find(image)
        if px_per_mm is not None:
            detections = [d for d in detections if d.cls != INDEX or _fits(d, px_per_mm)]
        size = None if px_per_mm is None else (self._card[0] * px_per_mm, self._card[1] * px_per_mm)
        found = locate.cards(detections, read_indices(self._reader, image, detections), size)
        return found if px_per_mm is None else found + hidden_cards(image, found, self._card, px_per_mm)


def _fits(detection: Detection, px_per_mm: float) -> bool:
    """True where the card that an index tells has about a card's size (bridge to poker, a little perspective)."""
    return 75 < locate.long_side(detection.points[2:]) / px_per_mm < 105
