"""The card recogniser: detector, reader and geometry as one, on pictures whose scale is known."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.assemble import cards
from vision.backs import with_hidden_cards
from vision.cut_card import with_cut_cards
from vision.detector import INDEX, Detection, Detector
from vision.face import face_patch
from vision.gauge import Gauge, Prints
from vision.patch import index_patch, spots_in_box
from vision.reader import Reader, Reading, blend
from vision.sighting import CardSighting

Image = NDArray[np.uint8]
PLAIN = 0.995  # of a reading's rank and suit together: another cut of the same index would tell the same
Source = Callable[[Detection], tuple[Image, float]]


class Networks:
    """The shipped networks together: what is found, read and put together into cards.

    Raises FileNotFoundError where the weights are missing.
    """

    def __init__(self, weights: Path) -> None:
        self._detector = Detector(weights)
        self._indices, self._faces = Reader(weights), Reader(weights, "face.onnx")

    def find(self, image: Image) -> list[Detection]:
        """Everything found in a BGR picture, best first."""
        return self._detector.find(image)

    def cards(
        self,
        image: Image,
        found: Sequence[Detection],
        source: Source | None = None,
        gauge: Gauge | None = None,
        sure: float = 0.5,
    ) -> list[CardSighting]:
        """The cards of a picture out of what was found in it; `gauge` and `sure` as `vision.assemble.cards` has them.

        `source` gives the picture to read an index in, and its px per px of the detections; default: the picture.
        """
        readings = self._read_indices(found, source or (lambda _: (image, 1.0)))
        return cards(
            found, readings, gauge, sure, lambda quads: self._faces.read([face_patch(image, q) for q in quads])
        )

    def _read_indices(self, detections: Sequence[Detection], source: Source) -> list[Reading]:
        """Read every INDEX detection, in order.

        Each is cut out by the centres that the detector names; where that is not read plainly, by its box, too, and
        the two readings are blended.
        """
        indices = [d for d in detections if d.cls == INDEX]
        read = self._indices.read([self._patch(source, d, boxed=False) for d in indices])
        again = [k for k, reading in enumerate(read) if reading.likely < PLAIN]
        second = self._indices.read([self._patch(source, indices[k], boxed=True) for k in again])
        for k, reading in zip(again, second, strict=True):
            read[k] = blend(read[k], reading)
        return read

    @staticmethod
    def _patch(source: Source, d: Detection, boxed: bool) -> Image:
        image, k = source(d)
        if not boxed:
            return index_patch(image, d.points[0] * k, d.points[1] * k)
        x0, y0, x1, y1 = (v * k for v in d.box)
        return index_patch(image, *spots_in_box((x0, y0, x1, y1), d.points[1] - d.points[0]))


class CardRecogniser:
    """Cards in a felt picture resampled to `px_per_mm`; one thread.

    It learns the deck's print as it looks: the same pictures in the same order give the same sightings.
    """

    px_per_mm = 1.44  # a card of 88.9 mm is 128 px long: what the detector knows best

    def __init__(self, weights: Path, card: tuple[float, float] = (63.5, 88.9)) -> None:
        self._networks = Networks(weights)
        self._card = card  # mm
        self._prints = Prints()

    def new_deck(self) -> None:
        """Forget the print that was learned: cards of another deck come."""
        self._prints = Prints()

    def recognise(self, image: NDArray[np.uint8], px_per_mm: float | None = None) -> list[CardSighting]:
        """All physical cards of a BGR picture, polygons in its pixels; `px_per_mm` None = scale not known."""
        detections = self._networks.find(image)
        gauge = None
        if px_per_mm is not None:
            detections = [d for d in detections if d.cls != INDEX or _fits(d, px_per_mm)]
            gauge = Gauge(self._card, px_per_mm, self._prints)
        found = self._networks.cards(image, detections, gauge=gauge)
        if px_per_mm is not None:
            found = with_hidden_cards(image, found, self._card, px_per_mm)
        return with_cut_cards(image, found)


def _fits(detection: Detection, px_per_mm: float) -> bool:
    """True where the card that an index tells could have a card's size: the guess is rough."""
    return 60 < detection.outline.long / px_per_mm < 125
