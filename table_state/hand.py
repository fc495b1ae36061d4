"""Totals of a hand of cards: hard, soft, blackjack, and how a total is written."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Total:
    """The best total that is not over 21, else the lowest; soft = an ace counts 11 and may count 1."""

    best: int
    soft: bool

    @property
    def words(self) -> str:
        """How it is spoken: `3 or 13`, `17`, and `21` for every 21."""
        return f"{self.best - 10} or {self.best}" if self.soft and self.best != 21 else str(self.best)


def total(values: Iterable[int]) -> Total:
    """The total of card values, aces given as 1."""
    points = list(values)
    low = sum(points)
    soft = 1 in points and low + 10 <= 21
    return Total(low + 10 if soft else low, soft)


def is_blackjack(values: Iterable[int]) -> bool:
    """Whether the values are those of an ace and a ten; whether it counts as one depends on the hand."""
    return sorted(values) == [1, 10]
