"""What is seen in one picture, in that picture's pixels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class CardSighting:
    """One physical card in one picture.

    `polygon` is float (4, 2): the card's corners in pixels, clockwise from its own top left, corners taken as
    square. `code` is rank and suit; None = a back, "??" = face up but unreadable. `kind` is "card", "joker" or
    "cut-card". `rank_p` is how likely the rank alone is right, `p` the whole code.
    """

    polygon: NDArray[np.float64]
    code: str | None
    p: float
    kind: str = "card"
    rank_p: float = 0.0
