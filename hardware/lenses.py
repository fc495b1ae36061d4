"""How high a camera has to hang above a table, and how many pixels a card then gets."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

CARD = 88.9  # mm, the long side of a playing card
FEWEST, GOOD = 85, 110  # pixels of a card's long side that can be read, and that are read well
MARGIN = 60.0  # mm about the felt that the picture shows, too


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera and its lens: degrees across and down, and the picture sizes that show all of its field."""

    name: str
    across: float
    down: float
    sizes: tuple[tuple[int, int], ...]

    def height(self, width: float, depth: float) -> float:
        """Millimetres from the felt to the lens, straight above the middle, for all of a table to be seen."""
        return max(
            (width / 2 + MARGIN) / math.tan(math.radians(self.across / 2)),
            (depth / 2 + MARGIN) / math.tan(math.radians(self.down / 2)),
        )

    def card(self, height: float, size: tuple[int, int]) -> float:
        """Pixels of a card's long side at that height."""
        return size[0] * CARD / (2 * height * math.tan(math.radians(self.across / 2)))


LENSES = (
    Lens("Camera Module 2", 62.2, 48.8, ((1640, 1232), (3280, 2464))),
    Lens("Camera Module 3", 66.0, 41.0, ((2304, 1296), (4608, 2592))),
    Lens("Camera Module 3 Wide", 102.0, 67.0, ((2304, 1296), (4608, 2592))),
    Lens("HQ Camera, 6 mm lens", 55.3, 42.9, ((2028, 1520), (4056, 3040))),
    Lens("USB camera, 78 degrees", 70.4, 43.3, ((1920, 1080), (3840, 2160))),
)
"""Fields of view as their makers give them; of the HQ camera by its sensor (6.29 mm) and the lens' focal length."""


def table(width: float, depth: float) -> Iterator[str]:
    """A line a lens for a felt of this size (mm)."""
    yield f"for a felt of {width:g} x {depth:g} mm, the camera straight above its middle:"
    yield f"{'camera':24}{'above the felt':>16}   a card's long side at each picture size"
    for lens in LENSES:
        height = lens.height(width, depth)
        cards = (
            f"{w} x {h}: {lens.card(height, (w, h)):.0f} px{_sign(lens.card(height, (w, h)))}" for w, h in lens.sizes
        )
        yield f"{lens.name:24}{height / 10:13.0f} cm   {'   '.join(cards)}"
    yield f"under {FEWEST} px (--) a card is hardly read, from {GOOD} px (+) well"


def _sign(pixels: float) -> str:
    return " --" if pixels < FEWEST else " +" if pixels >= GOOD else ""
