"""Says what is wanted once and in order, waits for sure totals, and asks for a look where none comes."""

from typing import Final

from table_state.output import Say
from table_state.state import Words

PATIENCE: Final = 2.0
"""Seconds for which an unsure total is waited for before a look is asked for."""


class Voice:
    """Remembers what was said in this round."""

    def __init__(self) -> None:
        self._said: dict[tuple[object, ...], str] = {}
        self._since: dict[tuple[object, ...], float] = {}
        self.waiting = False

    def new_round(self) -> None:
        """Nothing was said yet."""
        self._said.clear()
        self._since.clear()
        self.waiting = False

    def speak(self, t: float, wanted: list[Words]) -> list[Say]:
        """What is newly to be said."""
        out: list[Say] = []
        self.waiting = False
        for words in wanted:
            before = self._said.get(words.key)
            if before == words.text:
                continue
            if words.sure:
                self._said[words.key] = words.text
                out.append(self._say(t, words, corrected=before is not None and not before.startswith("check")))
                continue
            if before is not None:
                continue
            since = self._since.setdefault(words.key, t)
            if t - since >= PATIENCE:
                self._said[words.key] = words.text
                out.append(self._say(t, words, corrected=False))
                continue
            self.waiting = True
            break
        return out

    def _say(self, t: float, words: Words, corrected: bool) -> Say:
        """A corrected total says only the total."""
        text = words.text.split(",")[0] if corrected and words.seat else words.text
        return Say(t, text, words.seat, words.hand, words.total, words.soft, words.cards)
