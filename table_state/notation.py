"""A round as one line of text, read and written without loss.

`1=10:Ts8d 4=20d:6s5h9s 6=10:AdKc i6=5 D:6dJh4h`: seat, `=` whole stake (`?` unknown), letters for what was done, `:`
cards in laying order; the hands of a seat follow one another from the dealer's left; `i` insurance; `D` the dealer,
upcard first. Letters: `s` of a split, `d` doubled, `u` surrendered, `f` folded, `b` over 21, `e` even money.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from table_state.cards import is_code
from table_state.errors import InputError
from table_state.state import Hand, Round

_HAND: Final = re.compile(r"(\d{1,4})=(\?|[0-9]+(?:/[0-9]+|\.[0-9]+)?)([sdufeb]*):((?:[A2-9TJQK?][cdhs?])*)")
_INSURANCE: Final = re.compile(r"i(\d{1,4})=(\?|[0-9]+(?:/[0-9]+|\.[0-9]+)?)")
_DEALER: Final = re.compile(r"D:((?:[A2-9TJQK?][cdhs?])*)")


@dataclass(frozen=True, slots=True)
class HandNote:
    """One hand: seat, whole stake (None = unknown), letters of what was done, cards in laying order."""

    seat: int
    bet: Fraction | None
    done: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundNote:
    """One round: hands in playing order, insurance bets, the dealer's cards."""

    hands: tuple[HandNote, ...]
    insurance: tuple[tuple[int, Fraction | None], ...]
    dealer: tuple[str, ...]


def write(note: RoundNote) -> str:
    """The line of text of a round."""
    parts = [f"{h.seat}={_amount(h.bet)}{h.done}:{''.join(h.cards)}" for h in note.hands]
    parts += [f"i{seat}={_amount(bet)}" for seat, bet in note.insurance]
    return " ".join([*parts, f"D:{''.join(note.dealer)}"])


def read(text: str, file: str = "round", line: int | None = None) -> RoundNote:
    """The round of a line of text; InputError where a part is not understood."""
    hands: list[HandNote] = []
    insurance: list[tuple[int, Fraction | None]] = []
    dealer: tuple[str, ...] | None = None
    for part in text.split():
        hand, insured, cards = _HAND.fullmatch(part), _INSURANCE.fullmatch(part), _DEALER.fullmatch(part)
        if hand:
            hands.append(HandNote(int(hand[1]), _bet(hand[2], file, line), hand[3], _cards(hand[4])))
        elif insured:
            insurance.append((int(insured[1]), _bet(insured[2], file, line)))
        elif cards and dealer is None:
            dealer = _cards(cards[1])
        else:
            raise InputError(f"{part[:40]!r} is no part of a round", file, line)
    if dealer is None:
        raise InputError("the dealer's part D: is missing", file, line)
    return RoundNote(tuple(hands), tuple(insurance), dealer)


def note_of(r: Round) -> RoundNote:
    """The note of a round; a hole card that was never turned is `??`."""
    hands = tuple(HandNote(seat, h.bet, _done(h), r.codes(h.ids)) for seat, _, h in r.all_hands())
    return RoundNote(hands, tuple(sorted(r.insurance.items())), r.codes(r.dealer))


def _done(hand: Hand) -> str:
    over = {"surrender": "u", "folded": "f", "bust": "b"}
    return "s" * hand.split + "d" * hand.doubled + over.get(hand.over or "", "") + "e" * hand.even


def _amount(bet: Fraction | None) -> str:
    return "?" if bet is None else str(bet)


def _bet(text: str, file: str, line: int | None) -> Fraction | None:
    if text == "?":
        return None
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise InputError(f"{text[:40]} is no amount", file, line) from None


def _cards(text: str) -> tuple[str, ...]:
    codes = tuple(text[i : i + 2] for i in range(0, len(text), 2))
    return tuple(c for c in codes if is_code(c))
