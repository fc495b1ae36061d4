"""What a comparison finds: disagreements and delays."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
SLACK = 0.06
"""Seconds, for rounding of times."""
EARLY = 0.3
"""Seconds before a thing lands that naming it is not yet wrong."""
ECHO = 3.0
"""Seconds after a total has changed that saying the old one is still no error."""
REPEATS = 3
CLEARING = 5.0


@dataclass(frozen=True, slots=True)
class Problem:
    """One disagreement: its kind, the code or seat it is about, when, and in words."""

    kind: str
    about: str
    t: float
    text: str


@dataclass(slots=True)
class Verdict:
    """All disagreements and the seconds from evident to said."""

    problems: list[Problem] = field(default_factory=list)
    alert_delays: list[float] = field(default_factory=list)
    say_delays: list[float] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def problem(self, kind: str, about: str, t: float, text: str) -> None:
        """Note a disagreement."""
        self.problems.append(Problem(kind, about, t, text))

    def merge(self, other: "Verdict") -> None:
        """Add another stretch's verdict to this one."""
        self.problems += other.problems
        self.alert_delays += other.alert_delays
        self.say_delays += other.say_delays
        self.counts += other.counts


def equal(a: Any, b: Any) -> bool:
    """Whether two amounts are one, unknown ones included."""
    return (a is None) == (b is None) and (a is None or abs(float(a) - float(b)) < 0.005)
