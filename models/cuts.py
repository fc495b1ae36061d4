"""The two kinds of patches that are read: an index alone, and a whole face; how they are stored and varied."""

from dataclasses import dataclass

from table_state.cards import RANKS, SUITS
from vision.face import FACE_H, FACE_W
from vision.patch import PATCH_H, PATCH_W, REACH

NONE = len(RANKS)  # rank number of what is no card's index or face
JOKER_RANK = NONE + 1
NO_SUIT = len(SUITS)


@dataclass(frozen=True, slots=True)
class Cut:
    """A kind of patch; sizes (width, height) in px, what is varied in radians and in parts of the patch."""

    name: str
    stored: tuple[int, int]  # with room for the trainer to turn and shift it
    size: tuple[int, int]  # what the network takes
    zoom: float  # of the stored patch, that the network's shows
    turn: float
    scale: float
    stretch: float
    shift: float
    either_way_up: bool


WIDE_REACH = 4.8  # the stored index patch's height, in distances from the rank's centre to the suit's
MARGIN = 1 / 12  # of a face, stored beyond each edge
INDEX_CUT = Cut(
    "index", (72, 96), (PATCH_W, PATCH_H), REACH / WIDE_REACH, turn=0.26, scale=0.2, stretch=0.12, shift=0.09,
    either_way_up=False,
)  # fmt: skip
FACE_CUT = Cut(
    "face", (84, 112), (FACE_W, FACE_H), 1 / (1 + 2 * MARGIN), turn=0.08, scale=0.07, stretch=0.06, shift=0.05,
    either_way_up=True,
)  # fmt: skip
CUTS = {cut.name: cut for cut in (INDEX_CUT, FACE_CUT)}
