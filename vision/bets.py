"""The chips at the places where bets lie: looked at when something there changed, kept until it changes again."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from table_state.observation import SeenChips
from vision.chips import ChipSighting, Spot, agree, same_stack
from vision.places import Grid

Mask = NDArray[np.bool_]
Image = NDArray[np.uint8]

ENOUGH = 2  # agreeing looks
MOST = 4  # looks after which a dispute is left as it is
_FIRST = 0.8  # the most that one look alone is trusted


@dataclass(slots=True, eq=False)
class Bet:
    """One spot's stacks. `cells`: where something must change for it to be looked at; `looks` since it did.

    `empty`: the felt there as it was when looks agreed that nothing lay on it. `changed_at`: when the stacks last
    changed, known height or not.
    """

    spot: Spot
    cells: Mask
    stacks: list[ChipSighting] = field(default_factory=list)
    looks: int = 0
    agreed: int = 0
    changed_at: float | None = None
    empty: Image | None = None

    @property
    def due(self) -> bool:
        """Whether another look is needed."""
        return self.agreed < ENOUGH and self.looks < MOST

    def disturb(self) -> None:
        """Something moved there: looks begin anew, what was seen stands until then."""
        self.looks = self.agreed = 0

    def learn(self, seen: Image) -> None:
        """Nothing lies there: this is the empty felt, the newest fits the light best."""
        if self.agreed >= ENOUGH and not self.stacks:
            self.empty = seen

    def take(self, t: float, found: list[ChipSighting]) -> None:
        """One look found these stacks, from left to right."""
        same = len(found) == len(self.stacks) and all(map(_alike, self.stacks, found))
        if len(found) == len(self.stacks) and all(map(same_stack, self.stacks, found)):
            found = list(map(_with_count, self.stacks, found))
        else:
            self.changed_at = t
        self.looks += 1
        self.agreed = self.agreed + 1 if same or self.looks == 1 else 1
        self.stacks = found

    def seen(self) -> list[SeenChips]:
        """The stacks as an observation has them."""
        most = 1.0 if self.agreed >= ENOUGH else _FIRST
        return [
            SeenChips(round(c.x, 1), round(c.y, 1), c.color, c.count, round(min(c.p, most), 3)) for c in self.stacks
        ]


def bets_of(spots: tuple[Spot, ...], grid: Grid) -> list[Bet]:
    """One for each spot."""
    return [Bet(s, grid.near(s.x, s.y, s.reach + 6.0)) for s in spots]


def once(chips: list[SeenChips], apart: float) -> list[SeenChips]:
    """The stacks without those that a neighbouring spot saw too: centres under `apart` mm from each other."""
    kept: list[SeenChips] = []
    for chip in chips:
        if all((chip.x - k.x) ** 2 + (chip.y - k.y) ** 2 > apart * apart for k in kept):
            kept.append(chip)
    return kept


def _alike(one: ChipSighting, other: ChipSighting) -> bool:
    near = (one.x - other.x) ** 2 + (one.y - other.y) ** 2 < 16.0
    return near and one.color == other.color and agree(one.count, other.count)


def _with_count(before: ChipSighting, after: ChipSighting) -> ChipSighting:
    """A stack that did not change still has the number of chips that one look could tell."""
    return after if after.count is not None else replace(after, count=before.count)
