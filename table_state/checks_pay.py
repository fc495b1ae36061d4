"""Mistakes of pay and take and of clearing, one small function each."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from table_state.amounts import words
from table_state.settle import is_settled, live_hands, outcome, profit, sign
from table_state.state import Hand, Problem, Round

ZERO = Fraction(0)
SEEN: Final = 0.9
"""Seconds after which a bet that was taken together with a payment of unknown height is known to be gone, too."""


def dealer_done(r: Round) -> bool:
    """Whether the dealer has nothing left to draw."""
    return r.dealer_stands or (r.hole_up is not None and not live_hands(r))


def wrong_payout(r: Round) -> Iterator[Problem]:
    """A bet was paid another amount than it won."""
    for seat, index, hand in r.all_hands():
        what, due = sign(r, hand), profit(r, hand)
        if r.pay_unseen:
            return
        if what is None or hand.paid is None or hand.paid <= 0 or hand.early or seat in r.closed:
            continue
        if r.natural(hand) and _paid_before_reveal(r, hand):
            continue
        right = max(due, ZERO) if due is not None else ZERO if what <= 0 else None
        if right is not None and hand.paid != right:
            text = f"Seat {seat} was paid {words(hand.paid)} and is due {words(right)}. Put it right."
            yield Problem("wrong-payout", seat, index, text, 0.3, (), right, hand.paid)


def _paid_before_reveal(r: Round, hand: Hand) -> bool:
    """Whether a blackjack was paid in good faith before the dealer's own was turned up: the payment stands."""
    return r.dealer_blackjack and r.hole_up is not None and hand.settled is not None and hand.settled < r.hole_up


def pay_order(r: Round) -> Iterator[Problem]:
    """Pay and take against the house's order: the seat settled too soon."""
    if r.rules.pay_order == "any" or not dealer_done(r) or r.cleared is not None or r.pay_unseen:
        return
    to_left = r.rules.pay_order == "right-to-left"
    times = [(t, s) for t, s in r.settlements if r.pay_t is not None and t >= r.pay_t]
    for t, seat in times:
        before = [h for s, _, h in r.all_hands() if (s > seat if to_left else s < seat)]
        if any(_was_open(r, h, t) for h in before):
            side = "right" if to_left else "left"
            text = f"Seat {seat} was settled too soon. Pay and take from the {side}."
            counted = all(h.paid is not None for s, _, h in r.all_hands() if s == seat)
            yield Problem("pay-order", seat, None, text, 0.3 if counted else SEEN)
            return


def _was_open(r: Round, hand: Hand, t: float) -> bool:
    """Whether a bet was still to be paid or taken at a time."""
    if not sign(r, hand) or hand.over in ("bust", "surrender", "folded"):
        return False
    return hand.settled is None or hand.settled > t + 0.25


def cleared_early(r: Round) -> Iterator[Problem]:
    """Cards were scooped before all bets were settled, the dealer's still lying."""
    if not dealer_done(r) or r.pay_t is None or r.cleared is not None or r.partial:
        return
    if all(is_settled(r, h) for _, _, h in r.all_hands()):
        return
    scooped = [
        (hand.left, seat, index, hand)
        for seat, index, hand in r.all_hands()
        if hand.left is not None and hand.left > r.pay_t and hand.over not in ("bust", "surrender", "folded")
        if not (r.natural(hand) and is_settled(r, hand))  # a paid blackjack is cleared at once
    ]
    for _, seat, index, hand in sorted(scooped, key=lambda x: x[:3])[:1]:
        what = "all bets were" if is_settled(r, hand) else "its bet was"
        text = f"The cards of seat {seat} were taken before {what} settled. Settle first."
        yield Problem("cleared-early", seat, index, text, 0.4)


def left_open(r: Round) -> Iterator[Problem]:
    """not-paid, not-taken and push-taken once the table is cleared."""
    if r.cleared is None or r.partial:
        return
    for seat, index, hand in r.all_hands():
        what, due = sign(r, hand), profit(r, hand)
        if seat in r.closed:
            continue
        if what is None or outcome(r, hand) == "void" or hand.over == "surrender":
            continue
        if what > 0 and not is_settled(r, hand):
            amount = f" {words(due)}" if due is not None else ""
            yield Problem(
                "not-paid", seat, index, f"Seat {seat} won and was not paid. Pay{amount}.", 0.1, (), due, ZERO
            )
        elif what < 0 and not is_settled(r, hand) and _lies(r, seat):
            text = f"Seat {seat} lost and the bet still lies there. Take it."
            yield Problem("not-taken", seat, index, text, 0.1, (), ZERO, hand.bet)
        elif what == 0 and hand.taken:
            text = f"Seat {seat} tied and the bet was taken. Give it back."
            yield Problem("push-taken", seat, index, text, 0.1, (), hand.bet, ZERO)


def _lies(r: Round, seat: int) -> bool:
    chips = r.circles.get(seat)
    return chips is not None and bool(chips.stacks)
