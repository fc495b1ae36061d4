"""What has left the shoe since the shuffle, and what can still be in it."""

from collections import Counter
from collections.abc import Iterable

from table_state.cards import DECK, is_known
from table_state.rules import HouseRules
from table_state.state import Problem
from table_state.tracks import Track


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
        self.gone.update(x.code for x in tracks if x.belief.sure_code and x.place >= 0)
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
            if self.gone[code] + len(same) > self.rules.decks:
                newest = max(same, key=lambda x: (x.born, x.id))
                seat = newest.place if newest.place >= 0 else None
                text = f"There are more {code} than {self.rules.decks} decks hold. Stop and check the cards."
                out.append(Problem("impossible-card", seat, None, text, 0.4, key=newest.id))
        return out
