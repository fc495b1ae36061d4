"""The seam between looking at a table and recognising the cards in a picture."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.sighting import CardSighting


class Recogniser(Protocol):
    """Finds the cards in a picture. `vision.recognise.CardRecogniser` is the real one."""

    @property
    def px_per_mm(self) -> float:
        """The scale at which it reads a felt picture best, pixels per millimetre."""
        ...

    def recognise(self, image: NDArray[np.uint8], px_per_mm: float | None) -> list[CardSighting]:
        """The cards in `image` (H x W x 3, BGR). `px_per_mm`: the picture's scale where it is known."""
        ...
