"""Chips in their circles: locked bets, and what a change of chips may mean."""

from fractions import Fraction
from typing import Final

from table_state.before_pay import before_pay
from table_state.chips import Chips
from table_state.insured import insure
from table_state.payments import settle_chips
from table_state.settle import may_surrender
from table_state.stakes import SIGNAL_LASTS, accepted, in_pay
from table_state.state import Purse, Round
from table_state.turns import end_turns, turns_may_be_over
from table_state.uncounted import uncounted

FIRST_LOOK: Final = 2.5
"""Seconds after a start in mid-round within which chips that are found lay there before."""


def lock(r: Round, t: float) -> None:
    """The first card fell: what lies in the circles are the bets."""
    for seat, chips in r.circles.items():
        if chips.stacks:
            r.purses[seat] = Purse(r.bets_said.get(seat, chips.amount), chips, len(chips.stacks))


def on_chips(r: Round, fact: Chips) -> None:
    """A circle or an insurance spot settled in a new state."""
    if fact.insurance:
        r.insured[fact.seat] = fact
        if r.started is not None:
            insure(r, fact)
        return
    before = r.circles.get(fact.seat)
    r.circles[fact.seat] = fact
    if r.started is None or _next_bet(r, fact, before):
        return
    purse = r.purses.get(fact.seat)
    if _still_bets(r, fact, purse, before):
        _relock(r, fact)
    elif purse is not None:
        purse.chips = fact
        if _pays(r, fact):
            end_turns(r)
        if in_pay(r) and fact.seat in r.hands:
            settle_chips(r, fact, before)
        elif accepted(r, fact.seat) is None:
            uncounted(r, purse, fact, before)
        else:
            before_pay(r, purse, fact)


def _pays(r: Round, fact: Chips) -> bool:
    """Whether the dealer pays and takes though a hand has not said that it stands: he took the turns for over."""
    if r.hole_up is None or fact.by != "dealer" or r.on_turn() is None or r.purses[fact.seat].gone is not None:
        return False
    hands = r.hands.get(fact.seat, [])
    if all(h.over in ("bust", "surrender", "blackjack", "folded", "paid") for h in hands) or _surrendered(r, fact):
        return False
    if any(h.over == "bust" and not h.taken for h in hands):
        return False
    return turns_may_be_over(r) or bool(r.draws) or (r.hole in r.was_down and r.dealer_stands)


def _surrendered(r: Round, fact: Chips) -> bool:
    """Whether half of the bet of a hand that is not over is left: nothing that is won or lost leaves that."""
    hands = r.hands.get(fact.seat, [])
    if len(hands) != 1 or hands[0].over not in (None, "passed"):
        return False
    if not may_surrender(r, hands[0]) and not r.signalled(fact.seat, ("line",), fact.t - SIGNAL_LASTS):
        return False
    return fact.amount is not None and hands[0].bet is not None and fact.amount * 2 == hands[0].bet


def bet_said(r: Round, seat: int, amount: Fraction) -> None:
    """A person's word for a bet, which no count of chips overrules."""
    r.bets_said[seat] = amount
    if seat in r.purses:
        r.purses[seat].locked = amount
        for hand in r.hands.get(seat, [])[:1]:
            hand.bet = amount


def _next_bet(r: Round, fact: Chips, before: Chips | None) -> bool:
    """After clearing, what no dealer laid belongs to the next round: the last result stands."""
    if r.cleared is None:
        return False
    was_empty = before is None or not before.stacks
    if fact.by == "player" or (was_empty and fact.by != "dealer"):
        r.closed.add(fact.seat)
    return fact.seat in r.closed


def _still_bets(r: Round, fact: Chips, purse: Purse | None, before: Chips | None) -> bool:
    """Whether the change may have been made before the first card, or only tells a height that was unknown."""
    if r.started is None:
        return False
    if r.deal_done is None and fact.lo < r.started:
        return True
    if r.begun_late and before is None and fact.t < r.started + FIRST_LOOK:
        return True
    unknown = purse is not None and purse.locked is None and fact.seat not in r.hands
    return unknown and before is not None and len(before.stacks) == len(fact.stacks)


def _relock(r: Round, fact: Chips) -> None:
    if fact.stacks:
        r.purses[fact.seat] = Purse(r.bets_said.get(fact.seat, fact.amount), fact, len(fact.stacks))
        for hand in r.hands.get(fact.seat, [])[:1]:
            hand.bet = r.purses[fact.seat].locked if len(r.hands[fact.seat]) == 1 else None
    else:
        r.purses.pop(fact.seat, None)
    if r.deal_done is None:
        r.set_order()
