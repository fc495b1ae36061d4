"""Raises what stands long enough, says it again when its moves change, and tells when it is mended."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from table_state.output import Alert, Resolved
from table_state.state import Problem

LINGER: Final = 0.35
"""Seconds for which a cause must be away before it counts as mended."""
REPEATS: Final = 3

Key = tuple[str, int | None, int | None, object]


@dataclass(slots=True)
class _Standing:
    problem: Problem
    since: float
    alert: Alert | None = None
    away: float | None = None
    repeats: int = 0
    changed: float | None = None


class Alarms:
    """The alerts that stand, and those about to."""

    def __init__(self) -> None:
        self._standing: dict[Key, _Standing] = {}
        self.dismissed: set[tuple[str, int | None]] = set()

    @property
    def waiting(self) -> bool:
        """Whether time alone may change what stands."""
        return any(s.alert is None or s.away is not None or s.changed is not None for s in self._standing.values())

    @property
    def standing(self) -> tuple[Alert, ...]:
        """All raised alerts, oldest first."""
        return tuple(s.alert for s in self._standing.values() if s.alert is not None)

    def update(self, t: float, problems: Iterable[Problem]) -> list[Alert | Resolved]:
        """What is newly raised or mended."""
        out: list[Alert | Resolved] = []
        present: set[Key] = set()
        for problem in problems:
            if (problem.code, problem.seat) in self.dismissed or (problem.code, None) in self.dismissed:
                continue
            key = (problem.code, problem.seat, problem.hand, problem.key)
            if key in present:
                continue
            present.add(key)
            standing = self._standing.setdefault(key, _Standing(problem, t))
            out += self._stands(t, standing, problem)
        for key in [k for k in self._standing if k not in present]:
            out += self._falls(t, key)
        return out

    def _stands(self, t: float, standing: _Standing, problem: Problem) -> list[Alert | Resolved]:
        standing.away = None
        old, standing.problem = standing.problem, problem
        if standing.alert is None:
            if t - standing.since + 1e-6 < problem.wait:
                return []
            standing.alert = _alert(t, problem)
            return [standing.alert]
        if set(problem.moves) <= set(standing.alert.moves):
            standing.changed = None
            return []
        if problem.moves != old.moves or standing.changed is None:
            standing.changed = t
        if t - standing.changed < 0.25 or standing.repeats >= REPEATS:
            if standing.repeats >= REPEATS:
                standing.changed = None
            return []
        standing.alert = _alert(t, problem)
        standing.repeats += 1
        standing.changed = None
        return [standing.alert]

    def _falls(self, t: float, key: Key) -> list[Alert | Resolved]:
        standing = self._standing[key]
        if standing.alert is None:
            del self._standing[key]
            return []
        if standing.away is None:
            standing.away = t
        if t - standing.away < LINGER:
            return []
        del self._standing[key]
        return [Resolved(t, key[0], key[1])]

    def new_round(self, t: float) -> list[Resolved]:
        """The last round's alerts no longer hold."""
        out = [Resolved(t, k[0], k[1]) for k, s in self._standing.items() if s.alert is not None]
        self._standing.clear()
        self.dismissed.clear()
        return out


def _alert(t: float, p: Problem) -> Alert:
    return Alert(t, p.code, p.seat, p.hand, p.text, p.moves, p.expected, p.seen)
