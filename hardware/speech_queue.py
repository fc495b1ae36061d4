"""What waits to be spoken: newer words about a hand replace older ones, alerts go first, nothing is late or twice."""

from collections.abc import Callable
from dataclasses import dataclass, field

from table_state.table import Alert, Event, Output, Resolved, Say

FRESH = {"asked": 6.0, "alert": 12.0, "total": 8.0, "phrase": 6.0}  # seconds for which words are worth saying
AGAIN = 3.0  # seconds within which the same words about the same thing are not said again
FIRST = {"asked": 0, "alert": 1}  # what goes before the rest: what a person asked for, then alerts

About = tuple[str, str | int | None, int | None]


@dataclass(frozen=True, slots=True)
class Words:
    """A phrase to be spoken, said at `t` (any one clock, seconds), and what it is about.

    `kind`: `alert`, `total` (about a hand), `phrase` (about the table) or `asked` (a person pressed a key).
    """

    text: str
    kind: str
    about: About
    t: float

    @property
    def rank(self) -> tuple[int, float]:
        """What is spoken first: what was asked for, an alert, else what was said first."""
        return FIRST.get(self.kind, 2), self.t

    @property
    def seat(self) -> int | None:
        """The seat that the words are about, 0 = the dealer, None = the table."""
        return self.about[1] if isinstance(self.about[1], int) else None


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
    """Pure: the caller brings the time and keeps two threads from it at once.

    `speaking` are the words that sound now; None also where they are void and are to be broken off.
    """

    waiting: list[Words] = field(default_factory=list)
    spoken: dict[About, Words] = field(default_factory=dict)
    speaking: Words | None = None

    def hear(self, output: Output, t: float) -> None:
        """Take one output: words wait to be spoken, a mended alert and a past round's totals no longer do."""
        if isinstance(output, Resolved):
            self._void(lambda w: w.about == (f"alert {output.code}", output.seat, None))
        elif isinstance(output, Event) and output.event == "round-ended":
            self._void(lambda w: w.kind == "total")
        elif (words := words_of(output, t)) is not None:
            self.put(words)

    def put(self, words: Words) -> None:
        """Let words wait, in place of older ones about the same thing."""
        self._void(lambda w: w.about == words.about and (w is not self.speaking or w.text != words.text))
        before = self.spoken.get(words.about)
        new = before is None or before.text != words.text or words.t - before.t > AGAIN
        if new or words.kind == "asked":
            self.waiting.append(words)

    def take(self, t: float) -> Words | None:
        """What is to be spoken now; it counts as spoken."""
        self.waiting[:] = [w for w in self.waiting if t - w.t <= FRESH[w.kind]]
        if not self.waiting:
            return None
        words = min(self.waiting, key=lambda w: w.rank)
        self.waiting.remove(words)
        self.spoken[words.about] = self.speaking = words
        return words

    def give_back(self, words: Words) -> None:
        """Words could not be heard: they wait again, unless they are void or newer ones wait in their place."""
        if self.speaking is words and all(w.about != words.about for w in self.waiting):
            self.spoken.pop(words.about, None)
            self.waiting.append(words)
        self.speaking = None

    def _void(self, stale: Callable[[Words], bool]) -> None:
        self.waiting[:] = [w for w in self.waiting if not stale(w)]
        if self.speaking is not None and stale(self.speaking):
            self.speaking = None
