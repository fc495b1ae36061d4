"""What a card is believed to be: readings weighed over time, with their rivals.

A reading's weight is its log odds for every second in which it is repeated, so that one wrong line, or a card misread
for most of a second, loses to what is read before and after, at any number of lines a second.
"""

import math
from typing import Final

from table_state.cards import BACK, VALUES, is_known

BACK_KEY: Final = "back"
CAP: Final = 6.0
"""Most that one reading can gather; what is read for longer than this is as sure as can be."""
ENOUGH: Final = 1.5
LEAD: Final = 1.2
GLIMPSE: Final = 0.05
"""Most that one doubtful look gathers: what has more was read."""
LONGEST: Final = 1.0
"""Seconds between two lines that still count as one run."""
LASTING: Final = 2.0
"""Seconds of one reading without a break that overrule everything before."""
AFTER_HAND: Final = 1.45
"""What a back keeps after a hand was on it, since hands turn cards."""
DOUBTFUL, CLEAR = 0.8, 0.95
"""Probabilities up to which one look alone is never enough, and from which it is worth as much as many."""
ONE_LOOK: Final = 1.2
"""Most that one doubtful look can gather, however often it is repeated: less than enough."""


def weight(p: float) -> float:
    """Evidence for each second of a reading with probability p."""
    if p < 0.5:
        return 2.7 * p
    odds = max(1.35, math.log(p / (1.0001 - p)))
    return min(4.9, 1.25 * odds if p > 0.87 else odds)


def most_of_one_look(p: float) -> float:
    """Most that a single look can gather by being repeated line after line: it confirms presence, not the reading."""
    share = min(1.0, max(0.0, (p - DOUBTFUL) / (CLEAR - DOUBTFUL)))
    return ONE_LOOK + share * (CAP - ONE_LOOK)


class Belief:
    """Readings of one card, code or back, and how sure they make it."""

    __slots__ = (
        "_code",
        "_fixed",
        "_judged",
        "_last",
        "_since",
        "_sure",
        "_sure_code",
        "_t",
        "_value",
        "ever_read",
        "scores",
        "version",
    )

    def __init__(self) -> None:
        self.scores: dict[str, float] = {}
        self._last = ""
        self._t = 0.0
        self._since = 0.0
        self._fixed: str | None = None
        self._judged = -1
        self._code, self._sure, self._sure_code = BACK, False, False
        self._value: int | None = None
        self.ever_read = False
        self.version = 0
        """Counts changes of what is believed, so that nobody need compare."""

    def read(self, t: float, code: str | None, p: float, repeated: bool = False) -> None:
        """Take one reading; None = a back, `??` = face up but unreadable; repeated = the line before's look again."""
        key = BACK_KEY if code is None else code
        if key == BACK:
            if BACK not in self.scores:
                self.scores[BACK] = 0.01
                self.version += 1
            return
        self.ever_read = self.ever_read or (code is not None and key[0] != "?")
        gain = min(t - self._t, LONGEST) if key == self._last else 0.02
        if key != self._last:
            self._since = t
        elif t - self._since >= LASTING and not (repeated and p < CLEAR):
            self._outlast(key)
        self._last, self._t = key, t
        scores = self.scores
        old = scores.get(key, 0.0)
        most = most_of_one_look(p) if repeated else CAP
        if old >= most:
            return
        scores[key] = min(most, old + gain * weight(p))
        self.version += 1

    def _outlast(self, key: str) -> None:
        """Nothing misreads for so long: it is another card, or it was turned."""
        for other, score in self.scores.items():
            if other != key and score > 1.0:
                self.scores[other] = 1.0
                self.version += 1

    def touched(self) -> None:
        """A hand was on the card: it may have been turned."""
        if self.scores.get(BACK_KEY, 0.0) > AFTER_HAND:
            self.scores[BACK_KEY] = AFTER_HAND
            self.version += 1

    def absorb(self, other: "Belief") -> None:
        """Add what another track of the same card was read as."""
        for key, score in other.scores.items():
            self.scores[key] = min(CAP, self.scores.get(key, 0.0) + score)
        self.ever_read = self.ever_read or other.ever_read
        self._last, self._t = other._last, other._t
        self.version += 1

    def turned_up(self) -> None:
        """The card was turned face up for certain: forget that it was a back."""
        self.scores.pop(BACK_KEY, None)
        self.version += 1

    def fix(self, code: str | None) -> None:
        """A person's word, which no reading overrules; None takes it back."""
        self._fixed = code
        self.version += 1

    @property
    def fixed_code(self) -> str | None:
        """What a person said that it is."""
        return self._fixed

    @property
    def fixed(self) -> bool:
        """Whether a person said what it is."""
        return self._fixed is not None

    @property
    def read_once(self) -> bool:
        """Whether its rank was read at any time, by more than a doubtful glimpse."""
        return any(score > GLIMPSE for key, score in self.scores.items() if key != BACK_KEY and key[0] != "?")

    @property
    def since(self) -> float:
        """Since when it is read as it is read now."""
        return self._since

    @property
    def face_up(self) -> bool:
        """Whether its face is rather up than down."""
        if self._fixed is not None:
            return True
        back = self.scores.get(BACK_KEY, 0.0)
        return back == 0.0 or sum(s for k, s in self.scores.items() if k != BACK_KEY) > back

    def _judge(self) -> None:
        """Work out what is believed, once for every change."""
        self._weigh()
        self._value = VALUES.get(self._code[0])

    def _weigh(self) -> None:
        self._judged = self.version
        self._code, self._sure, self._sure_code = BACK, False, False
        if self._fixed is not None:
            self._code, self._sure, self._sure_code = self._fixed, True, True
            return
        most = 0.0
        values: dict[int, float] = {}
        codes: list[float] = []
        for key, score in self.scores.items():
            if key == BACK_KEY:
                continue
            codes.append(score)
            if score + (0.001 if is_known(key) else 0.0) > most:
                self._code, most = key, score
            if key[0] != "?":
                value = VALUES[key[0]]
                values[value] = values.get(value, 0.0) + score
        self._sure = _leads(list(values.values()), ENOUGH, LEAD)
        self._sure_code = is_known(self._code) and _leads(codes, 2 * ENOUGH, 2 * LEAD)

    @property
    def code(self) -> str:
        """The likeliest code; `??` where none was read."""
        if self._judged != self.version:
            self._judge()
        return self._code

    @property
    def value(self) -> int | None:
        """The likeliest value, an ace 1, whether or not it is sure; None where no rank was read."""
        if self._judged != self.version:
            self._judge()
        return self._value

    @property
    def sure(self) -> bool:
        """Whether the value is beyond a passing misreading."""
        if self._judged != self.version:
            self._judge()
        return self._sure

    @property
    def sure_code(self) -> bool:
        """Whether rank and suit are beyond a passing misreading, twice as sure as a total needs."""
        if self._judged != self.version:
            self._judge()
        return self._sure_code


def _leads(scores: list[float], enough: float, lead: float) -> bool:
    """Whether the highest score is high enough and leads the next by enough."""
    if not scores:
        return False
    scores.sort(reverse=True)
    return scores[0] >= enough and (len(scores) == 1 or scores[0] - scores[1] >= lead)
