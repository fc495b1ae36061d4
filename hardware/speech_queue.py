"""What waits to be spoken: newer words about a hand replace older ones, alerts go first, nothing is late or twice."""

from collections.abc import Callable
from dataclasses import dataclass, field

from table_state.table import Alert, Event, Output, Resolved, Say

FRESH = {"alert": 12.0, "total": 4.0, "phrase": 6.0}  # seconds for which words are worth saying
AGAIN = 3.0  # seconds within which the same words about the same thing are not said again

About = tuple[str, str | int | None, int | None]


@dataclass(frozen=True, slots=True)
class Words:
    """A phrase to be spoken, said at `t` (any one clock, seconds), and what it is about."""

    text: str
    kind: str
    about: About
    t: float

    @property
    def rank(self) -> tuple[bool, float]:
        """What is spoken first: an alert, else what was said first."""
        return self.kind != "alert", self.t


def words_of(output: Output, t: float) -> Words | None:
    """What is spoken of one output, if anything."""
    match output:
        case Say(text=text, seat=None):
            return Words(text, "phrase", ("phrase", text, None), t)
        case Say(text=text, seat=seat, hand=hand):
            return Words(text, "total", ("hand", seat, hand or 0), t)
        case Alert(text=text, code=code, seat=seat):
            return Words(text, "alert", (f"alert {code}", seat, None), t)
    return None


@dataclass(slots=True)
class SpeechQueue:
    """Pure: the caller brings the time and keeps two threads from it at once."""

    waiting: list[Words] = field(default_factory=list)
    spoken: dict[About, Words] = field(default_factory=dict)

    def hear(self, output: Output, t: float) -> None:
        """Take one output: words wait to be spoken, a mended alert and a past round's totals no longer do."""
        if isinstance(output, Resolved):
            self._drop(lambda w: w.about == (f"alert {output.code}", output.seat, None))
        elif isinstance(output, Event) and output.event == "round-ended":
            self._drop(lambda w: w.kind == "total")
        elif (words := words_of(output, t)) is not None:
            self.put(words)

    def put(self, words: Words) -> None:
        """Let words wait, in place of older ones about the same thing."""
        self._drop(lambda w: w.about == words.about)
        before = self.spoken.get(words.about)
        if before is None or before.text != words.text or words.t - before.t > AGAIN:
            self.waiting.append(words)

    def take(self, t: float) -> Words | None:
        """What is to be spoken now; it counts as spoken."""
        self._drop(lambda w: t - w.t > FRESH[w.kind])
        if not self.waiting:
            return None
        words = min(self.waiting, key=lambda w: w.rank)
        self.waiting.remove(words)
        self.spoken[words.about] = words
        return words

    def _drop(self, stale: Callable[[Words], bool]) -> None:
        self.waiting[:] = [w for w in self.waiting if not stale(w)]
