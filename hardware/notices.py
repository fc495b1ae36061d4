"""Words about the installation itself: a camera that is gone, a speaker that is back."""

import sys
from collections.abc import Callable

Hears = Callable[[str | None, str], None]


class Notices:
    """Passes notices on to whoever listens; the terminal always does.

    Each has a standing code for the pages (`camera-lost`; None = all is well again) and a line for a person.
    """

    def __init__(self) -> None:
        self._listeners: list[Hears] = []

    def listen(self, hears: Hears) -> None:
        """Let `hears` have every notice from now on, in the thread that gives it."""
        self._listeners.append(hears)

    def tell(self, code: str | None, text: str) -> None:
        """Give a notice."""
        say(text)
        for hears in self._listeners:
            hears(code, text)


def say(text: str) -> None:
    """A line for whoever started the program; standard output belongs to what is said at the table."""
    print(f"railbird: {text}", file=sys.stderr, flush=True)
