"""How much is said: everything, turns only or alerts only, of the table and of single seats; nothing in quiet hours."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time

from hardware.speech_queue import Words
from hardware.wording import known

ALWAYS = ("spoken.cannot-see", "spoken.see-again")
TURNS = (
    "spoken.turn",
    "spoken.blackjack",
    "spoken.check-seat",
    "spoken.check-dealer",
    "spoken.dealer-first",
    "spoken.dealer-blackjack",
)
"""What is still said with `turns`: the first total of each turn, blackjacks, the dealer's first total."""


def _now() -> time:
    return datetime.now().time()


@dataclass(frozen=True, slots=True)
class Verbosity:
    """`table`: all, turns or alerts; `seats`: the same for single seats; `quiet`: from when to when nothing is said.

    What a person asked for by a key is always said.
    """

    table: str = "all"
    seats: Mapping[int, str] = field(default_factory=dict)
    quiet: tuple[time, time] | None = None
    clock: Callable[[], time] = _now

    def wants(self, words: Words) -> bool:
        """Whether words are to be spoken."""
        if words.kind == "asked":
            return True
        if self.is_quiet():
            return False
        level = self.table if words.seat is None else self.seats.get(words.seat, self.table)
        if level == "all":
            return True
        key = it.key if (it := known(words.text)) is not None else ""
        if key in ALWAYS:
            return True
        return words.kind == "alert" if level == "alerts" else key in TURNS

    def is_quiet(self) -> bool:
        """Whether it is a quiet hour now."""
        if self.quiet is None:
            return False
        (start, end), now = self.quiet, self.clock()
        return start <= now < end if start < end else now >= start or now < end
