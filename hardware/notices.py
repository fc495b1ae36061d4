"""Words about the installation itself: a camera that is gone, a disk that is full, a speaker that is back."""

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

Hears = Callable[[str | None, str], None]

BLIND: Final = ("camera-lost", "camera-frozen", "camera-dark", "camera-bright", "camera-moved")
"""Faults with which nothing can be seen, the most urgent first."""
FAULTS: Final = (*BLIND, "silent", "recording-stopped", "camera-slow")
"""Every fault, the most urgent first; the pages have a word for each."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A fault that begins (`stands`) or ends, with a line for a person that says what to do."""

    code: str
    text: str
    stands: bool

    @property
    def is_blind(self) -> bool:
        """Whether it is one with which nothing can be seen."""
        return self.code in BLIND


class Notices:
    """The faults that stand now, each told once when it begins and once when it ends; safe from any thread.

    Whoever listens hears the most urgent one that stands then (None: all is well), whoever follows every single one.
    """

    def __init__(self) -> None:
        self._listeners: list[Hears] = []
        self._followers: list[Callable[[Notice], None]] = []
        self._standing: set[str] = set()
        self._lock = threading.RLock()

    def listen(self, hears: Hears) -> None:
        """Let `hears` have the most urgent standing code at every change, and the words of the change."""
        with self._lock:
            self._listeners.append(hears)
            if (first := self.first) is not None:
                hears(first, "")

    def follow(self, takes: Callable[[Notice], None]) -> None:
        """Let `takes` have each beginning and end of a fault, in the thread that tells it."""
        self._followers.append(takes)

    @property
    def standing(self) -> tuple[str, ...]:
        """The faults that stand, the most urgent first."""
        with self._lock:
            return tuple(sorted(self._standing, key=_urgency))

    @property
    def first(self) -> str | None:
        """The most urgent fault that stands."""
        return next(iter(self.standing), None)

    @property
    def blind(self) -> bool:
        """Whether a fault stands with which nothing can be seen."""
        return not self._standing.isdisjoint(BLIND)

    def tell(self, code: str, text: str) -> None:
        """A fault begins; nothing happens where it stands already."""
        self._change(Notice(code, text, True))

    def end(self, code: str, text: str) -> None:
        """A fault ends; nothing happens where it does not stand."""
        self._change(Notice(code, text, False))

    def _change(self, notice: Notice) -> None:
        with self._lock:
            if (notice.code in self._standing) == notice.stands:
                return
            (self._standing.add if notice.stands else self._standing.discard)(notice.code)
            say(notice.text)
            for takes in self._followers:
                takes(notice)
            first = self.first
            for hears in self._listeners:
                hears(first, notice.text)


def _urgency(code: str) -> tuple[int, str]:
    return FAULTS.index(code) if code in FAULTS else len(FAULTS), code


def say(text: str) -> None:
    """A line for whoever started the program; standard output belongs to what is said at the table."""
    with suppress(OSError):  # a log on a full disk must not end what it tells of
        print(f"railbird: {text}", file=sys.stderr, flush=True)
