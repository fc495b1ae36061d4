"""Card codes: two characters, rank then suit; `?` where a character could not be read."""

from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
BACK: Final = "??"
"""How a face-down or unreadable card is written in every output."""

DECK: Final = tuple(r + s for s in SUITS for r in RANKS)
VALUES: Final = {r: min(i, 10) for i, r in enumerate(RANKS, 1)}
"""Rank -> points, the ace as 1."""

_CODES: Final = frozenset(r + s for r in RANKS + "?" for s in SUITS + "?")


def is_code(text: str) -> bool:
    """Whether text is a card code, unread characters allowed."""
    return text in _CODES


def is_known(code: str | None) -> bool:
    """Whether rank and suit of a code were both read."""
    return code is not None and "?" not in code


def rank_known(code: str | None) -> bool:
    """Whether the rank of a code was read, which is all that a total needs."""
    return code is not None and code[0] != "?"


def value(code: str) -> int:
    """Points of a card, an ace 1, a picture 10; KeyError for an unread rank."""
    return VALUES[code[0]]


def matches(code: str, other: str) -> bool:
    """Whether two codes may be the same card: they differ in no character that both have read."""
    return all(a == b or "?" in (a, b) for a, b in zip(code, other, strict=True))
