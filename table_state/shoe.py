"""What has left the shoe since the shuffle, and what can still be in it."""

import math
from collections import Counter
from collections.abc import Iterable
from typing import Final

from table_state.cards import DECK, is_known
from table_state.rules import HouseRules
from table_state.state import Problem
from table_state.track import Track

DEPTH: Final = 0.45
"""Share of the shoe from which a card too many means rather that a shuffle was not seen."""


class Shoe:
    """Counts every card once, by what it was surely read as."""

    def __init__(self, rules: HouseRules) -> None:
        self.rules = rules
        self.gone: Counter[str] = Counter()
        self.cut_card = False

    def shuffle(self) -> None:
        """A new shoe: every card may come again."""
        self.gone.clear()
        self.cut_card = False

    def round_over(self, tracks: Iterable[Track]) -> None:
        """A round's cards went to the rack; after the cut card the shoe is shuffled."""
        same: dict[tuple[int, str], list[Track]] = {}
        for x in tracks:
            if x.belief.sure_code and x.place >= 0:
                same.setdefault((x.place, x.code), []).append(x)
        for (_, code), cards in same.items():
            self.gone[code] += most_at_once(cards)
        if self.cut_card or sum(self.gone.values()) > 52 * self.rules.decks:
            self.shuffle()

    def left(self, tracks: Iterable[Track]) -> dict[str, int]:
        """How many of each card may still be in the shoe."""
        seen = self.gone + Counter(x.code for x in tracks if is_known(x.code))
        return {code: max(0, self.rules.decks - seen[code]) for code in DECK}

    def problems(self, tracks: Iterable[Track]) -> list[Problem]:
        """impossible-card: more equal cards than the decks hold."""
        lying: dict[str, list[Track]] = {}
        for track in tracks:
            if track.belief.sure_code and track.belief.face_up:
                lying.setdefault(track.code, []).append(track)
        out = []
        for code, same in lying.items():
            if len(same) <= self.rules.decks < self.gone[code] + len(same) and self._deep():
                self.gone.clear()
            if self.gone[code] + len(same) > self.rules.decks:
                newest = max(same, key=lambda x: (x.born, x.id))
                seat = newest.place if newest.place >= 0 else None
                text = f"There are more {code} than {self.rules.decks} decks hold. Stop and check the cards."
                out.append(Problem("impossible-card", seat, None, text, 0.4, key=newest.id))
        return out

    def _deep(self) -> bool:
        """Whether so much was dealt that a shuffle, not seen, is likelier than a card too many."""
        return sum(self.gone.values()) >= DEPTH * 52 * self.rules.decks


def most_at_once(cards: list[Track]) -> int:
    """How many of these lay together: one that was lost and found again counts once."""
    spans = [(x.born, math.inf if x.gone is None else x.gone) for x in cards]
    return max(sum(a <= start < b for a, b in spans) for start, _ in spans)
