"""What goes wrong in a soak, and when: a seeded timetable."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

KINDS: dict[str, tuple[float, float, float]] = {
    "camera-gone": (3.0, 5.0, 40.0),
    "camera-frozen": (3.0, 3.0, 20.0),
    "frames-dropped": (4.0, 20.0, 60.0),
    "disk-full": (2.0, 20.0, 120.0),
    "speaker-hang": (2.0, 20.0, 90.0),
    "stuck-browser": (2.0, 60.0, 300.0),
    "broker-gone": (2.0, 10.0, 60.0),
    "killed": (0.5, 3.0, 3.0),
}
"""How often an hour, and for how many seconds at least and at most."""
SIGHT = frozenset(("camera-gone", "camera-frozen", "frames-dropped", "killed"))
"""Faults after which something on the table was not seen."""
APART = 20.0
"""Seconds between two faults of sight."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: its kind, and from when to when, in the table's seconds."""

    kind: str
    start: float
    end: float

    def at(self, t: float) -> bool:
        """Whether it is on at a time."""
        return self.start <= t < self.end


def timetable(seed: int, seconds: float) -> list[Fault]:
    """All faults of a run in time order; at least one of each kind, none in the first and the last 20 seconds."""
    rng = random.Random(f"faults {seed}")
    found: list[Fault] = []
    for kind, (often, least, most) in KINDS.items():
        for _ in range(max(1, round(often * seconds / 3600.0))):
            found += _one(rng, kind, min(rng.uniform(least, most), seconds / 10.0), seconds, found)
    return sorted(found, key=lambda f: f.start)


def _one(rng: random.Random, kind: str, length: float, seconds: float, others: list[Fault]) -> Iterator[Fault]:
    """The fault at a time where it does not touch another of its sort; none where there is no room."""
    latest = 0.25 * seconds if kind == "killed" else seconds - 20.0 - length  # early: memory is watched after it
    for _ in range(200):
        start = rng.uniform(20.0, max(21.0, latest))
        near = [f for f in others if f.kind == kind or (kind in SIGHT and f.kind in SIGHT)]
        if all(f.end + APART < start or start + length + APART < f.start for f in near):
            yield Fault(kind, round(start, 2), round(start + length, 2))
            return


def on(faults: Iterable[Fault], kind: str, t: float) -> bool:
    """Whether a fault of this kind is on at a time."""
    return any(f.kind == kind and f.at(t) for f in faults)
