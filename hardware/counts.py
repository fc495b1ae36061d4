"""What the program has done since it began: written by its loop, read by whoever shows it."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from table_state.table import Alert, Output, Say

Ask = Callable[[], float]
WEIGHT = 0.05
"""Share of the newest run in a stage's recent time."""


@dataclass(slots=True)
class Stage:
    """One part of the work: how often it was done, its seconds in all, and milliseconds of late."""

    runs: int = 0
    seconds: float = 0.0
    recent_ms: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one run."""
        weight = WEIGHT if self.runs else 1.0
        self.runs += 1
        self.seconds += seconds
        self.recent_ms += weight * (seconds * 1000.0 - self.recent_ms)


@dataclass(slots=True)
class Counts:
    """Numbers of this run. One thread writes each of them; a reader in another thread sees it a moment late.

    `asked`: numbers that others keep, by name, asked for when they are shown (dropped frames, open pages).
    """

    frames: int = 0
    words: int = 0
    alerts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    standing: str | None = None
    stages: dict[str, Stage] = field(default_factory=dict)
    asked: dict[str, Ask] = field(default_factory=dict)
    last_frame: float | None = None
    clock: Callable[[], float] = time.monotonic

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Take the time of one part of the work, also where it fails."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.stages.setdefault(name, Stage()).add(time.perf_counter() - began)

    def looked(self) -> None:
        """One frame was looked at to the end."""
        self.frames += 1
        self.last_frame = self.clock()

    def said(self, outputs: Sequence[Output]) -> None:
        """Count words and alerts."""
        for output in outputs:
            if isinstance(output, Say):
                self.words += 1
            elif isinstance(output, Alert):
                self.alerts[output.code] += 1

    def noticed(self, code: str | None, text: str) -> None:
        """The most urgent fault that stands now, None where none does."""
        self.standing = code

    def fault(self, code: str, stands: bool) -> None:
        """Count a fault of the installation as it begins."""
        self.faults[code] += stands

    def number(self, name: str) -> float:
        """A number that another keeps; 0 where nobody does."""
        return self.asked[name]() if name in self.asked else 0.0

    def age(self) -> float | None:
        """Seconds since the last frame was looked at, None before the first."""
        return None if self.last_frame is None else self.clock() - self.last_frame
