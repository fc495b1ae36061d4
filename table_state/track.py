"""One physical card on the table, or something like one that has not yet been seen to lie still."""

import math
from typing import Final

from table_state.belief import Belief
from table_state.cards import BACK, is_known
from table_state.observation import SeenCard
from table_state.places import NOBODY

GATE: Final = 14.0
"""Millimetres that a lying card may seem to move between two lines; cards of a hand lie 23 apart."""
SHIFT: Final = 26.0
"""The same where a hand was on the card and it is read as before."""


def x_of(track: "Track") -> float:
    """For sorting by place."""
    return track.x


def cost_of(pair: tuple[float, int, "Track"]) -> float:
    """For sorting by cost."""
    return pair[0]


def cost(track: "Track", card: SeenCard, back: bool, d: float) -> float:
    """What it costs to take a sighting at a squared distance for a track; over GATE squared it is another card."""
    if back == track.is_up:
        return d + 130.0
    if card.code != track.code:
        if not track.state[1] or card.code == BACK:
            return d + 20.0
        # Where a card was taken off, another one may be laid in its place.
        return d + (200.0 if track.misses >= 3 else 80.0)
    return 0.28 * d if track.touched > track.seen else d


def repeats(last: SeenCard, card: SeenCard) -> bool:
    """Whether an entry is that of the line before: the same look told again."""
    return (
        card.x == last.x and card.y == last.y and card.p == last.p and card.code == last.code and card.deg == last.deg
    )


class Track:
    """One physical card on the table."""

    __slots__ = (
        "belief",
        "born",
        "covered",
        "deg",
        "front",
        "gone",
        "home",
        "id",
        "is_up",
        "kind",
        "last",
        "lo",
        "misses",
        "missing_since",
        "neared",
        "place",
        "rest",
        "seen",
        "shifted",
        "shown",
        "state",
        "taken",
        "touched",
        "up_since",
        "x",
        "y",
    )

    def __init__(self, number: int, first: "Candidate", lo: float) -> None:
        self.id = number
        self.x, self.y, self.deg = first.x, first.y, first.last.deg
        self.belief = first.belief
        self.kind = first.kind
        self.last = first.last
        """Its last entry, as it came."""
        self.born = first.since
        """When it was first seen at rest in the round."""
        self.lo = lo
        """The earliest time at which it may have been laid there."""
        self.rest = first.since
        """Since when it lies where it lies."""
        self.seen = first.seen
        self.shown = first.n
        """Lines in which it was seen since a hand last lay on it."""
        self.place = NOBODY
        self.home: tuple[float, float] = (self.x, self.y)
        """Where it lay before it was last seen to be shifted."""
        self.shifted = -math.inf
        """When that was."""
        self.covered = False
        self.touched = -math.inf
        self.neared = -math.inf
        self.misses = 0
        self.missing_since = 0.0
        self.gone: float | None = None
        self.taken = False
        """Whether a hand was there as it went."""
        self.up_since: float | None = None
        self.front: str | None = None
        """What it was read as before it was turned on its face."""
        self.state: tuple[str, bool, bool] = ("??", False, False)
        self.is_up = first.belief.face_up

    @property
    def code(self) -> str:
        """The likeliest code."""
        return self.belief.code

    @property
    def face(self) -> str:
        """The code, whichever way up it lies now."""
        code = self.belief.code
        return self.front if self.front is not None and not is_known(code) else code

    @property
    def value(self) -> int | None:
        """The likeliest value, an ace 1."""
        return self.belief.value

    @property
    def sure(self) -> bool:
        """Whether the value is beyond a passing misreading."""
        return self.belief.sure


class Candidate:
    """Something like a card that has not yet been seen to lie still."""

    __slots__ = ("bare", "belief", "deg", "ghost_of", "hand", "kind", "last", "misses", "n", "seen", "since", "x", "y")

    def __init__(self, t: float, card: SeenCard, hand: float) -> None:
        self.x, self.y, self.deg = card.x, card.y, card.deg
        self.since = self.seen = t
        self.hand = hand
        """When a hand that may have brought it was last there, as it was first seen."""
        self.bare = 0
        """Lines in which cards beside it were seen, no hand lying there, as it was first seen."""
        self.n = 0
        self.misses = 0
        self.kind = card.kind
        self.last = card
        self.belief = Belief()
        self.ghost_of: Track | None = None
        """The card that it is rather a second reading of."""

    @property
    def need(self) -> int:
        """Lines in which it must be seen: more where nothing was read, as cards on their way show."""
        return 2 if self.belief.ever_read or not self.belief.face_up else 4
