"""The deal read from the order in which cards fell: who was passed over, who got one too many, what puts it right."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from table_state.cards import is_known

DEALER: Final = 0
SLACK: Final = 0.35
"""Seconds by which a card may have been seen late."""
MISSED: Final = 0.15
"""Seconds for which a card that lies there already may not be read."""
PATIENCE: Final = 1.2
"""Seconds after which a hidden place is taken to have its card."""


@dataclass(frozen=True, slots=True)
class Landing:
    """A card where it fell; lo = the earliest time at which it may have fallen."""

    id: int
    place: int
    born: float
    lo: float


@dataclass(frozen=True, slots=True)
class DealError:
    """One mistake of the deal and the card that made it evident."""

    code: str
    seat: int
    card: int
    t: float


@dataclass(slots=True)
class DealReading:
    """Cards in the order in which they were dealt (None = one that a hand still hides), mistakes, and how far it is."""

    sequence: list[int | None] = field(default_factory=list)
    errors: list[DealError] = field(default_factory=list)
    position: int = 0
    complete: bool = False
    waiting: bool = False
    """A hand hides the place that is due: a little later it is taken to have its card."""
    later: list[Landing] = field(default_factory=list)
    firm: bool = True
    """Whether nothing hidden was guessed: the same cards are read so at any later time."""


class _Reader:
    """Walks the landings along the order of the deal."""

    def __init__(
        self, order: list[int], start: int, landings: list[Landing], clear_at: Callable[[int], float], now: float
    ) -> None:
        self.order = order
        self.now = now
        self.waiting = False
        self.queue = sorted(landings, key=lambda c: (c.born, c.id))
        self.clear_at = clear_at
        self.passes, self.pos = divmod(start, len(order))
        self.served = set(order[: self.pos])
        self.last: int | None = order[self.pos - 1] if start else None
        self.out = DealReading()

    def read(self) -> DealReading:
        while self.queue and self.passes < 2 and not self.waiting:
            self._next()
        out = self.out
        out.complete = self.passes >= 2
        out.waiting = self.waiting
        out.position = self.passes * len(self.order) + self.pos
        out.later = self.queue if out.complete else []
        return out

    def _next(self) -> None:
        due, first = self.order[self.pos], self.queue[0]
        match = next((c for c in self.queue if c.place == due and c.lo <= first.born + MISSED), None)
        if match is not None:
            self._take(match)
            self._serve(due)
        elif self.clear_at(due) < first.born + SLACK and not self._came_after(due, first):
            self._hidden(due, first)
        else:
            self._wrong(first)

    def _came_after(self, due: int, first: Landing) -> bool:
        """Whether the place that is due was seen empty after a card fell elsewhere, though it has its card by now."""
        return any(c.place == due and c.lo > first.born + MISSED for c in self.queue)

    def _hidden(self, due: int, first: Landing) -> None:
        """The place that is due cannot be seen: wait a little, then take it that its card lies there."""
        if self.now - first.born < PATIENCE:
            self.waiting, self.out.firm = True, False
            return
        self.out.firm = False
        self.out.sequence.append(None)
        self._serve(due)

    def _take(self, card: Landing) -> None:
        self.queue.remove(card)
        self.out.sequence.append(card.id)
        self.last = card.place

    def _serve(self, place: int) -> None:
        self.served.add(place)
        while self.pos < len(self.order) and self.order[self.pos] in self.served:
            self.pos += 1
        if self.pos >= len(self.order):
            self._new_pass()

    def _new_pass(self) -> None:
        self.passes += 1
        self.pos = 0
        self.served = set()

    def _error(self, code: str, seat: int, card: Landing) -> None:
        self.out.errors.append(DealError(code, seat, card.id, card.born))

    def _wrong(self, card: Landing) -> None:
        """The next card did not fall where it was due."""
        place = card.place
        if place not in self.order:
            self._error("dealt-to-empty-circle", place, card)
            self._take(card)
        elif place in self.served or self._stuck(place):
            self._again(card)
        else:
            self._skip(card)

    def _stuck(self, place: int) -> bool:
        """Two cards running at one place, which the pass does not have: they stuck together."""
        return place == self.last and len(self.order) > 2

    def _again(self, card: Landing) -> None:
        only_dealer = self.order[self.pos] == DEALER
        if only_dealer and not self._stuck(card.place):
            self._error("dealer-skipped", DEALER, card)
            self._new_pass()
            return
        self._error("extra-card", card.place, card)
        self._take(card)

    def _skip(self, card: Landing) -> None:
        target = self.order.index(card.place)
        passed = [p for p in self.order[self.pos : target] if p not in self.served]
        for place in passed:
            self._error("dealer-skipped" if place == DEALER else "skipped-seat", place, card)
        self._take(card)
        self.served.update(passed)
        self._serve(card.place)


def read_deal(
    order: list[int], start: int, landings: list[Landing], clear_at: Callable[[int], float], now: float
) -> DealReading:
    """Read the cards that fell after `start` rightly dealt ones; order = seats with a bet, then 0.

    Contract, section 5: skipped-seat, dealt-to-empty-circle, dealer-skipped, extra-card.
    """
    return _Reader(order, start, landings, clear_at, now).read()


def right_places(order: list[int], count: int) -> list[int | None]:
    """Where a correct deal puts its first cards; None = beyond the deal."""
    full = order * 2
    return [full[i] if i < len(full) else None for i in range(count)]


def lies_right(cards: list[tuple[str, int | None, int | None]]) -> bool:
    """Whether dealt cards, as (code, place, right place), lie right; two equal cards may stand for each other."""
    wrong = [c for c in cards if c[1] != c[2]]
    if not all(is_known(code) for code, _, _ in wrong):
        return False
    return Counter((code, now) for code, now, _ in wrong) == Counter((code, right) for code, _, right in wrong)
