"""What each seat has at stake: accepted bets, stakes put up for doubles and splits, late chips that do not count."""

from fractions import Fraction
from typing import Final

from table_state.state import Hand, Purse, Round

SIGNAL_LASTS: Final = 12.0
CLAIM: Final = 6.0
"""Seconds after chips were laid within which a card or a signal may make them a stake."""
ZERO: Final = Fraction(0)


def accepted(r: Round, seat: int) -> Fraction | None:
    """What should lie in a circle before pay and take: all stakes of hands that were not taken."""
    hands = r.hands.get(seat)
    if not hands:
        return r.purses[seat].locked
    amount = ZERO
    for hand in hands:
        if hand.taken or hand.over == "surrender":
            continue
        if hand.bet is None:
            return None
        amount += hand.bet
    return amount


def stake_for(r: Round, seat: int) -> Fraction | None:
    """The stake that a seat put up and has not used; None = unknown."""
    return r.purses[seat].stake if seat in r.purses else ZERO


def late_extra(purse: Purse | None) -> Fraction:
    """Chips of a late bet that was left standing: they do not count in this round."""
    if purse is None or purse.late is None or purse.late[0] is None or purse.late[1] is None:
        return ZERO
    return max(ZERO, purse.late[1] - purse.late[0])


def claim_late(r: Round, seat: int) -> None:
    """Chips taken for a late bet turn out to be the stake of a double or a split."""
    purse = r.purses.get(seat)
    if purse is None or purse.late is None or r.now - purse.late_t > CLAIM:
        return
    right, seen = purse.late
    if purse.late == (None, None):
        purse.stake, purse.stake_t, purse.late, purse.late_at = None, r.now, None, ()
    elif right is not None and seen is not None and seen > right:
        purse.stake, purse.stake_t, purse.late = seen - right, r.now, None


def use_stake(r: Round, seat: int) -> Fraction | None:
    """The same, used up by a double or a split."""
    purse = r.purses.get(seat)
    if purse is None:
        return None
    stake = None if purse.locked is None else purse.stake
    purse.stake, purse.stake_t = ZERO, None
    return stake


def undouble(hand: Hand) -> None:
    """It was no double after all, or it was refused."""
    if hand.doubled:
        hand.doubled, hand.fault = False, None
        hand.over = None if hand.over == "doubled" else hand.over
        if hand.bet is not None and hand.extra is not None:
            hand.bet -= hand.extra


def outside(r: Round, amount: Fraction | None) -> Fraction | None:
    """The limit that a bet breaks; None where it breaks none."""
    low, high = r.rules.bets
    if amount is None:
        return None
    if amount < low:
        return low
    return high if high and amount > high else None


def in_pay(r: Round) -> bool:
    """Whether all turns are over and the hole card is up."""
    return r.deal_done is not None and r.hole_up is not None and r.on_turn() is None


def stake_due(r: Round, seat: int) -> bool:
    """Whether a stake laid now at a seat may be for a double or a split."""
    turn = r.on_turn()
    if r.deal_done is None or r.dealer_turn or turn is None:
        return False
    return turn[0] == seat or (
        r.signalled(seat, ("one-finger", "v"), r.now - SIGNAL_LASTS) and any(h.over is None for h in r.hands[seat])
    )
