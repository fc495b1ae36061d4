"""Exact amounts: fractions inside, plain JSON numbers outside."""

from decimal import Decimal
from fractions import Fraction


def plain(amount: Fraction | None) -> int | float | None:
    """An amount as JSON writes it: 10, 2.5; None stays None."""
    if amount is None:
        return None
    return amount.numerator if amount.denominator == 1 else float(amount)


def words(amount: Fraction) -> str:
    """An amount as a sentence writes it: 10, 2.5."""
    return str(plain(amount))


def exact(number: int | float | Decimal) -> Fraction:
    """A number of a file as it was written there: 2.5 is 5/2 and 0.1 is 1/10."""
    return Fraction(str(number))
