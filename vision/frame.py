"""One picture of the table and the moment it was taken."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A camera's picture at `t` seconds of the sensor's clock. `image`: H x W x 3 uint8, BGR, read-only."""

    t: float
    image: NDArray[np.uint8]

    def __post_init__(self) -> None:
        if self.image.ndim != 3 or self.image.shape[2] != 3 or self.image.dtype != np.uint8:
            raise ValueError(f"a frame is H x W x 3 of uint8, not {self.image.shape} of {self.image.dtype}")
        view = self.image.view()
        view.flags.writeable = False
        object.__setattr__(self, "image", view)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, pixels."""
        return self.image.shape[1], self.image.shape[0]
