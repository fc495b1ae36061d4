"""Mistakes of bets and deal, one small function each."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from table_state.amounts import words
from table_state.dealing import whereabouts
from table_state.output import Move
from table_state.remedies import remedy
from table_state.stakes import outside
from table_state.state import Problem, Round

UNFOLDS: Final = 3.5
"""Seconds in which a card or a split may follow chips that are its stake."""


def place_name(place: int | None) -> str:
    """A place as moves name it."""
    if place is None:
        return "discard"
    return "dealer" if place == 0 else f"seat:{place}"


def deal_moves(r: Round) -> tuple[Move, ...]:
    """What moves every card dealt from the first mistake on to where it belonged (contract, Moves)."""
    cards = whereabouts(r) if r.misplaced is None else r.misplaced
    return tuple(Move(code, place_name(now), place_name(right)) for code, now, right in cards if now != right)


_TEXTS = {
    "skipped-seat": "Seat {seat} has a bet and was passed over in the deal.",
    "dealt-to-empty-circle": "Seat {seat} has no bet and was dealt a card.",
    "dealer-skipped": "The dealer's own card was forgotten.",
    "extra-card": "{place} got one card too many.",
}


def deal_errors(r: Round) -> Iterator[Problem]:
    """skipped-seat, dealt-to-empty-circle, dealer-skipped, extra-card."""
    moves = deal_moves(r) if r.deal_errors else ()
    seen = set()
    for error in r.deal_errors:
        if (error.code, error.seat) in seen:
            continue
        seen.add((error.code, error.seat))
        how = remedy(r.rules.remedies, error.code)
        place = "The dealer" if error.seat == 0 else f"Seat {error.seat}"
        text = _TEXTS[error.code].format(seat=error.seat, place=place) + f" {how.advice}."
        yield Problem(error.code, error.seat, None, text, 0.25, moves if how.slide else ())


def hole_card_exposed(r: Round) -> Iterator[Problem]:
    """The dealer's second card lies face up before its time, or was seen so at rest."""
    if r.hole_was_up:
        text = "The hole card was exposed. Leave it; each player may fold and keep the bet, or play on."
        yield Problem("hole-card-exposed", 0, None, text, 0.0)


def card_face_down(r: Round) -> Iterator[Problem]:
    """A player's card lies face down and the deal went on."""
    for card in r.landings:
        place = r.place_now.get(card.id)
        if not place or card.id in r.up or place not in r.order:
            continue
        later = any(c.born > card.born + 0.1 for c in r.landings if c.id != card.id)
        if later or r.play_t is not None:
            yield Problem("card-face-down", place, None, f"A card of seat {place} lies face down. Turn it up.", 0.4)


def late_bet(r: Round) -> Iterator[Problem]:
    """Chips came or went after the first card, and not for a double, a split or insurance."""
    for seat, purse in r.purses.items():
        if purse.late is not None and r.cleared is None:
            expected, seen = purse.late
            text = f"The bet of seat {seat} was changed after the first card. Put it back"
            text = f"{text} to {words(expected)}." if expected is not None else f"{text}."
            yield _late(seat, text, expected, seen, UNFOLDS if _may_be_stake(r, seat) else 0.2)
    for seat, chips in r.circles.items():
        fresh = r.started is not None and chips.lo >= r.started and chips.t > r.started
        if seat not in r.purses and chips.stacks and fresh and r.cleared is None and not r.partial:
            text = f"Seat {seat} bet after the first card. The bet is not in this round; move it back."
            yield _late(seat, text, Fraction(0), chips.amount, 0.2)


def _may_be_stake(r: Round, seat: int) -> bool:
    """Whether a card may follow that makes it a double: the turn may have come to this seat unseen."""
    turn = r.on_turn()
    hands = r.hands.get(seat, [])
    return turn is not None and turn[0] < seat and any(h.over is None and len(h.ids) == 2 for h in hands)


def _late(seat: int, text: str, expected: Fraction | None, seen: Fraction | None, wait: float) -> Problem:
    return Problem("late-bet", seat, None, text, wait, (), expected, seen)


def bet_out_of_limits(r: Round) -> Iterator[Problem]:
    """A bet under or over the house's limits as the deal begins."""
    if r.begun_late and r.partial:
        return
    for seat, purse in r.purses.items():
        limit = outside(r, purse.locked)
        if limit is not None and purse.locked is not None:
            text = f"Seat {seat} bets {words(purse.locked)}; the limit is {words(limit)}. Make it {words(limit)}."
            yield Problem("bet-out-of-limits", seat, None, text, 0.1, (), limit, purse.locked)
