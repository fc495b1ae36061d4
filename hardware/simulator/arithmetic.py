"""Counting cards and chips, written from the three guides and independently of the referee."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

TENS = "TJQK"
MOST_STACKS = 3
"""Stacks that one amount is laid in at most."""


def points(code: str) -> int:
    """Points of a card with an ace as 1."""
    rank = code[0]
    return 1 if rank == "A" else 10 if rank in TENS else int(rank)


def total(codes: Iterable[str]) -> tuple[int, bool]:
    """Best total not over 21 (else the total) and whether an ace counts 11 in it."""
    cards = list(codes)
    low = sum(points(c) for c in cards)
    if low <= 11 and any(c[0] == "A" for c in cards):
        return low + 10, True
    return low, False


def natural(codes: Iterable[str]) -> bool:
    """Whether these are an ace and a ten-valued card and nothing else; a split hand must be ruled out by the caller."""
    return sorted(points(c) for c in codes) == [1, 10]


def pair(a: str, b: str, by: str) -> bool:
    """Whether two cards may be split where pairs go `by` value or rank."""
    return points(a) == points(b) if by == "value" else a[0] == b[0]


def stacks(amount: Fraction, values: Mapping[str, Fraction]) -> list[tuple[str, int]] | None:
    """Chips that make an amount, largest first, as (colour, count); None where it takes too many stacks."""
    out: list[tuple[str, int]] = []
    for color, value in sorted(values.items(), key=lambda x: (-x[1], x[0])):
        count = int(amount / value)
        if count:
            out.append((color, count))
            amount -= count * value
    short = amount == 0 and 0 < len(out) <= MOST_STACKS and all(n <= 20 for _, n in out)
    return out if short else None
