"""Chip stacks where bets are laid: found by the rim of their top face, named by their largest colour."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from table_state.layout import Layout
from vision.camera_view import CameraView
from vision.color import names_of, taught_names_of
from vision.discs import Disc, find_discs, polar
from vision.felt_map import Patch, Rect
from vision.heights import Top, chips_in, without_walls
from vision.standing import WEAK, BareFelt, KnownFelt, changed_part

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
White = tuple[float, float, float]

SPOT_MARGIN = 20.0  # mm about a circle that still belong to it, as the contract has it
INSURANCE_REACH = 60.0
_LEAST_NEW = 0.5  # of a radius squared that must differ from the empty felt for a chip to be there
_PATTERN = np.linspace(0.1, 0.93, 12)  # radii, parts of the whole, at which a face is sampled


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where chips are looked for: centre and reach in mm."""

    x: float
    y: float
    reach: float

    @property
    def rect(self) -> Rect:
        """The felt that must be seen to find a chip whose centre is within reach."""
        return Rect(self.x, self.y, self.x, self.y).grown(self.reach + 26)


@dataclass(frozen=True, slots=True, eq=False)
class ChipSighting:
    """A stack: its top face's centre and radius in mm, its colour, how many, how sure, and its face.

    `face` is float32 (ANGLES, 12, 3): the top face around its centre, by which a stack is known again.
    """

    x: float
    y: float
    r: float
    color: str
    count: int | None
    p: float
    face: NDArray[np.float32]


def spots_of(layout: Layout) -> tuple[Spot, ...]:
    """Where a table's bets lie: its circles, then its insurance points."""
    circles = [Spot(s.circle[0], s.circle[1], s.circle[2] + SPOT_MARGIN) for s in layout.seats]
    points = [Spot(*s.insurance, INSURANCE_REACH) for s in layout.seats if s.insurance is not None]
    return (*circles, *points)


class ChipFinder:
    """Finds the chips of one layout. `white` is what white looks like now, blue green red."""

    def __init__(self, layout: Layout) -> None:
        self._radius = layout.chip / 2
        self._house = frozenset(layout.chip_values)
        self._taught = dict(layout.chip_colors)
        camera = layout.camera
        self._eye = None if camera is None else CameraView(camera, camera.size).eye()

    def find(
        self, patch: Patch, spot: Spot, white: White, empty: Image | None = None, cards: Sequence[Floats] = ()
    ) -> list[ChipSighting]:
        """The stacks whose centre lies within the spot's reach, from left to right.

        `empty`: the same part of the felt (the patch's shape) as it was seen without anything on it, where known.
        `cards`: the corners (4, 2), mm, of the cards that lie there: what is new inside them is no chip.
        """
        radius = self._radius * patch.px_per_mm
        felt: BareFelt | KnownFelt
        new = None
        if empty is not None and empty.shape == patch.image.shape:
            new = changed_part(patch, empty, radius, _LEAST_NEW * radius * radius, cards)
            if new is None:
                return []
            patch = patch.part(*new)
            felt = KnownFelt(patch, empty[new])
        else:
            felt = BareFelt(patch)
        found = []
        discs = find_discs(patch.image, radius, WEAK, felt.things, felt.holds)
        for disc in discs if self._eye is None else without_walls(discs, patch, self._eye):
            x, y = patch.to_mm(np.array([[disc.x, disc.y]]))[0]
            if math.hypot(x - spot.x, y - spot.y) <= spot.reach:
                found.append(self._sighting(patch, disc, float(x), float(y), white))
        if len(found) == 1 and isinstance(felt, KnownFelt) and new is not None and empty is not None:
            found = [self._counted(found[0], patch, empty[new])]
        return sorted(found, key=lambda c: (c.x, c.y))

    def _counted(self, stack: ChipSighting, patch: Patch, empty: Image) -> ChipSighting:
        """The same with the number of its chips, where the camera sees enough of its wall to tell."""
        if self._eye is None:
            return stack
        return replace(stack, count=chips_in(patch, empty, Top(stack.x, stack.y, stack.r), self._eye, 2 * self._radius))

    def _sighting(self, patch: Patch, disc: Disc, x: float, y: float, white: White) -> ChipSighting:
        face = polar(patch.image, disc.x, disc.y, _PATTERN * disc.r)
        color, sure = self._color(face, white)
        p = min(0.99, 0.7 + 0.3 * min(1.0, (disc.support - WEAK) / 0.4)) * sure
        return ChipSighting(x, y, disc.r / patch.px_per_mm, color, None, round(p, 3), face)

    def _color(self, face: NDArray[np.float32], white: White) -> tuple[str, float]:
        pixels = face[::2]
        # A ring's area grows with its radius. A chip's label may be large and white, so the rim, which every maker
        # keeps in the chip's colour, counts twice.
        weight = np.broadcast_to(_PATTERN + (_PATTERN > 0.6) * _PATTERN, pixels.shape[:2])
        shares = self._names(pixels.reshape(-1, 3), weight.ravel(), white)
        (first, name), (second, _) = sorted(((share, n) for n, share in shares.items()), reverse=True)[:2]
        return name, 0.6 + 0.4 * min(1.0, (first - second) / (0.5 * first))

    def _names(self, bgr: NDArray[np.float32], weights: Floats, white: White) -> dict[str, float]:
        if len(self._taught) > 1:
            return taught_names_of(bgr, self._taught, weights)
        return names_of(bgr, white, self._house, weights)


def same_stack(before: ChipSighting, after: ChipSighting) -> bool:
    """Whether a stack is as it was: nothing added, taken or moved, even where its height is not known.

    A chip laid on top brings another face, turned otherwise, nearer to the camera.
    """
    if before.color != after.color or not agree(before.count, after.count):
        return False
    if math.hypot(before.x - after.x, before.y - after.y) > 1.0:
        return False
    one, other = _plain(before.face), _plain(after.face)
    return float((one * other).mean()) > 0.6


def agree(count: int | None, other: int | None) -> bool:
    """Whether two counts may be of one stack; that one could not be told is no contradiction."""
    return count is None or other is None or count == other


def _plain(face: NDArray[np.float32]) -> NDArray[np.float32]:
    """A face without its rings' own colours: what is left tells how it is turned. Evened to mean 0 and spread 1."""
    rest = face.mean(2) - face.mean(2).mean(0, keepdims=True)
    return np.asarray(rest / max(2.0, float(rest.std())), np.float32)
