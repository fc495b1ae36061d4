"""A round that was on when the program died goes on, if the table still shows it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hardware.journal import Entry, Line
from table_state.observation import Observation, SeenCard
from table_state.output import Output

GAP = 1.0  # seconds of the stream between the last line that was kept and the first new one
NEAR = 30.0  # mm within which a card lies where it lay
ENOUGH = 0.5  # share of the cards that must lie where they lay
PATIENCE = 6.0  # seconds in which they must have been recognised


class Steps(Protocol):
    """`table_state.table.Table` is the real one."""

    def step(self, line: Line) -> list[Output]:
        """What is newly said after one line."""
        ...


@dataclass(slots=True)
class Resume:
    """What is left of a round, and the new lines until it is known whether it goes on."""

    entries: Sequence[Entry]
    start: float
    lay: tuple[SeenCard, ...]
    untold: list[Output]
    _lines: list[Line] = field(default_factory=list)

    def take(self, line: Line) -> tuple[bool, list[Line]] | None:
        """Whether the round goes on and the lines that came meanwhile, as soon as that is known."""
        self._lines.append(line)
        if not isinstance(line, Observation):
            return None
        if _share(self.lay, line) >= ENOUGH:
            return True, self._lines
        return (False, self._lines) if line.t - self.start > PATIENCE else None


def resumed(entries: Sequence[Entry], table: Steps) -> Resume | None:
    """Tell a new table all that was kept; None where no card lay, so that nothing is worth going on with."""
    untold: list[Output] = []
    lay: tuple[SeenCard, ...] = ()
    t = 0.0
    for entry in entries:
        if isinstance(entry, int):
            untold.clear()
            continue
        untold += table.step(entry)
        t = entry.t
        if isinstance(entry, Observation) and entry.cards:
            lay = entry.cards
    return Resume(entries, t + GAP, lay, untold) if lay else None


def _share(lay: Sequence[SeenCard], now: Observation) -> float:
    """The share of the cards that lay there and lie there still."""
    return sum(any(_is_same(old, new) for new in now.cards) for old in lay) / len(lay)


def _is_same(old: SeenCard, new: SeenCard) -> bool:
    near = (old.x - new.x) ** 2 + (old.y - new.y) ** 2 <= NEAR * NEAR
    return near and (old.code == new.code or "??" in (old.code, new.code))
