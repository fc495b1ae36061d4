"""Chips whose number is not known: only that stacks came or went can be told, and what follows shows what it was."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from table_state.chips import Chips, Stack
from table_state.settle import may_surrender
from table_state.stakes import ZERO, stake_due, undouble
from table_state.state import Hand, Purse, Round

SAME: Final = 26.0
"""Millimetres within which a stack lies where one lay."""
AT: Final = 8.0
"""The same for a stack that nobody touched."""


def uncounted(r: Round, purse: Purse, fact: Chips, before: Chips | None) -> None:
    """A circle changed before pay and take, and what should lie there is not known."""
    hands = r.hands.get(fact.seat, [])
    if purse.late_at and len(own(purse, fact).stacks) == len(fact.stacks):
        purse.late, purse.late_at = None, ()
    late, fact, before = purse.late_at, own(purse, fact), None if before is None else own(purse, before)
    if late and before is not None and len(fact.stacks) == len(before.stacks):
        return
    if purse.gone is not None and fact.stacks:
        purse.gone = None
        for hand in hands:
            surrendered(r, hand)
    elif not fact.stacks:
        _emptied(r, purse, fact, hands)
    elif _went(fact, before):
        _fewer(r, purse, fact, hands)
    elif came(fact, before):
        _more(r, purse, fact, before, hands)


def own(purse: Purse, chips: Chips) -> Chips:
    """The chips of a circle without those of a late bet, which do not count in this round."""
    if not purse.late_at:
        return chips
    return replace(chips, stacks=tuple(s for s in chips.stacks if not _lies((s,), purse.late_at, AT)))


def came(fact: Chips, before: Chips | None) -> bool:
    """Whether there are more stacks than before."""
    return len(fact.stacks) > (len(before.stacks) if before is not None else 0)


def _went(fact: Chips, before: Chips | None) -> bool:
    return before is not None and len(fact.stacks) < len(before.stacks)


def may_be_surrendered(r: Round, hand: Hand) -> bool:
    """Whether what is done with bet and cards of this hand may be a surrender: of it a bet of any height is left."""
    return hand.bet is None and may_surrender(r, hand) and hand.over in (None, "passed") and r.hole_up is None


def surrendered(r: Round, hand: Hand) -> None:
    """A hand whose cards are taken in its turn and whose bet lies there, as much of it as may be, has surrendered."""
    purse, chips = r.purses.get(hand.seat), r.circles.get(hand.seat)
    if purse is None or hand.bet is not None:
        return
    if hand.over == "surrender" and hand.left is None:
        purse.surrender, hand.over = None, None
    elif hand.left is not None and chips is not None and chips.stacks and may_be_surrendered(r, hand):
        purse.surrender, hand.over = hand.left, "surrender"


def _emptied(r: Round, purse: Purse, fact: Chips, hands: list[Hand]) -> None:
    if hands and all(h.over in ("bust", "folded", "surrender") or h.taken for h in hands):
        for hand in hands:
            hand.taken = hand.taken or hand.over == "bust"
    elif any(h.paid is None or h.paid > 0 for h in hands):
        return
    elif r.hole_was_up and hands and fact.by != "dealer":
        hands[0].over = "folded"
    elif fact.by == "player" and (not hands or hands[0].lying):
        purse.late, purse.late_t = (None, ZERO), fact.t
    else:
        purse.gone = purse.gone if purse.gone is not None else fact.t


def _fewer(r: Round, purse: Purse, fact: Chips, hands: list[Hand]) -> None:
    """A bust hand's bet was taken, or a player took back what he had put up."""
    busts = [h for h in hands if h.over == "bust" and not h.taken]
    shares = r.stakes_at.get(fact.seat, [])
    gone = [h for h, spots in zip(hands, shares, strict=False) if spots and not _lies(fact.stacks, spots)]
    for hand in [h for h in busts if h in gone] or busts[:1]:
        hand.taken = True
    purse.stake, purse.stake_t = ZERO, None
    for hand in hands:
        if hand.fault is not None and hand.doubled:
            r.reopened += hand.over == "doubled"
            undouble(hand)
        if hand.over != "bust":
            hand.paid, hand.settled, hand.even, hand.early = ZERO, None, False, False


def _lies(stacks: tuple[Stack, ...], spots: Sequence[tuple[float, float]], within: float = SAME) -> bool:
    return any(math.hypot(s.x - x, s.y - y) < within for s in stacks for x, y in spots)


def _more(r: Round, purse: Purse, fact: Chips, before: Chips | None, hands: list[Hand]) -> None:
    naturals = [h for h in hands if r.natural(h)]
    if naturals and fact.by != "player":
        paid = naturals[0]
        paid.paid, paid.settled = None, fact.t
        checked = r.hole_up is not None or (r.peeked is not None and r.rules.pay_blackjack != "at-end")
        paid.even = r.rules.even_money and r.upcard == 1 and not checked
        paid.early = r.upcard in (1, 10) and not checked and not paid.even
    elif fact.by != "dealer" and len(fact.stacks) > _known(purse, hands):
        if stake_due(r, fact.seat) and not naturals:
            purse.stake, purse.stake_t = None, fact.t
        elif fact.by == "player":
            purse.late, purse.late_t = (None, None), fact.t
            old = [(s.x, s.y) for s in before.stacks] if before is not None else []
            purse.late_at = tuple((s.x, s.y) for s in fact.stacks if not _lies((s,), old))


def _known(purse: Purse, hands: list[Hand]) -> int:
    """Stacks that should lie there: a bet of each hand, and the stakes of doubles."""
    live = [h for h in hands if not h.taken and h.over not in ("surrender", "folded")]
    return purse.stacks * max(1, len(live)) + sum(h.doubled for h in live)
