"""The parts that a program is made of, as its loop knows them."""

import queue
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from table_state.layout import Layout
from table_state.observation import Correction, Observation
from table_state.table import Output, TableView
from vision.frame import Frame


class Looks(Protocol):
    """Sees what lies on the table. `vision.looker.Looker` is the real one."""

    def look(self, frame: Frame) -> Observation:
        """What one frame shows."""
        ...


class Referee(Protocol):
    """Follows the game. `table_state.table.Table` is the real one. Its layout may get other names at any time."""

    layout: Layout

    def step(self, line: Observation | Correction) -> list[Output]:
        """What is newly said after one line."""
        ...

    def view(self) -> TableView:
        """What a display may show now."""
        ...


@runtime_checkable
class TellsOfCorrections(Protocol):
    """A referee that knows whether the last correction found something to change."""

    corrected: bool


class Listener(Protocol):
    """Hears what the referee says: a file, the speaker, the display. It must not make the loop wait."""

    def observe(self, frame: Frame, observation: Observation) -> None:
        """See what the referee is about to be told; most do not care."""
        return

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Take the newest state and what was said."""
        ...

    def answer(self, correction: Correction, applied: bool) -> None:
        """Hear what became of a correction, the very one that was put into the queue; most do not care."""
        return

    def waits(self) -> None:
        """Hear from time to time that nothing can be seen, which is known and told; most do not care."""
        return

    def close(self, failed: bool) -> None:
        """The end; `failed`: a bad source, leave nothing half-written."""
        ...


Corrections = queue.SimpleQueue[Correction]
