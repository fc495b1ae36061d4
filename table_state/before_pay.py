"""Chips that change before pay and take: stakes, late bets, surrenders, bets of busts taken, mistakes put right."""

from fractions import Fraction

from table_state.chips import Chips
from table_state.stakes import SIGNAL_LASTS, ZERO, accepted, late_extra, outside, stake_due, undouble
from table_state.state import Hand, Purse, Round


def before_pay(r: Round, purse: Purse, fact: Chips) -> None:
    seat, right, now = fact.seat, accepted(r, fact.seat), fact.amount
    hands = r.hands.get(seat, [])
    if purse.surrender is not None and len(hands) == 1:
        purse.half_back = purse.half_back or bool(fact.stacks)
        bet = hands[0].bet
        if now is not None and bet is not None and now in (bet, bet + late_extra(purse)):
            _restored(purse, hands, now > bet)
        return
    if now is None or right is None:
        _unknown(r, purse, fact, hands)
        return
    busts = [h for h in hands if h.over == "bust" and not h.taken and h.bet is not None]
    owed = sum((h.bet or ZERO for h in busts), ZERO)
    late = late_extra(purse)
    if busts and now in (right - owed, right - owed + late):
        for hand in busts:
            hand.taken = True
        _restored(purse, hands, now > right - owed)
    elif _put_right(r, purse, fact, hands, right, now):
        _restored(purse, hands, late=False)
    elif late and now >= late and _put_right(r, purse, fact, hands, right, now - late):
        _restored(purse, hands, late=True)
    elif late <= now < right + late:
        _less(r, purse, fact, hands, now - late)
    elif now > right:
        _more(r, purse, fact, now - right, hands)
    else:
        _less(r, purse, fact, hands, now)


def _put_right(r: Round, purse: Purse, fact: Chips, hands: list[Hand], right: Fraction, now: Fraction) -> bool:
    """Whether what should lie there does, maybe now that a double is refused, a bet in limits, a split made even."""
    if now == right or _refused(r, hands, right - now):
        return True
    return _within_limits(r, purse, now, hands) or _evened(r, fact.seat, now, hands)


def _refused(r: Round, hands: list[Hand], less: Fraction) -> bool:
    """Whether the stake of a double that is not allowed was taken back: then there is no double."""
    for hand in hands:
        if hand.fault is not None and hand.extra and hand.extra == less:
            r.reopened += hand.over == "doubled"
            undouble(hand)
            return True
    return False


def _within_limits(r: Round, purse: Purse, now: Fraction, hands: list[Hand]) -> bool:
    """A bet outside the limits was put right."""
    if outside(r, purse.locked) is None or outside(r, now) is not None or not now:
        return False
    if r.play_t is not None or len(hands) > 1:
        return False
    purse.locked = now
    for hand in hands:
        hand.bet = now
    return True


def _evened(r: Round, seat: int, now: Fraction, hands: list[Hand]) -> bool:
    """The second bet of a split was made equal to the first."""
    unequal = any(b[0] == seat and b[4] != b[5] for b in r.bad_splits)
    if not unequal or hands[0].bet is None or now != hands[0].bet * len(hands):
        return False
    for hand in hands:
        hand.bet = hands[0].bet
    r.bad_splits = [b for b in r.bad_splits if b[0] != seat or b[4] == b[5]]
    return True


def _restored(purse: Purse, hands: list[Hand], late: bool) -> None:
    """What should lie there does; late = beside a late bet that does not count."""
    purse.stake, purse.stake_t, purse.gone = ZERO, None, None
    purse.late = purse.late if late else None
    if purse.surrender is not None:
        purse.surrender = None
        for hand in hands:
            hand.over = None if hand.over == "surrender" else hand.over
    for hand in hands:
        if hand.over != "bust":
            hand.paid, hand.settled, hand.even, hand.early = ZERO, None, False, False


def _unknown(r: Round, purse: Purse, fact: Chips, hands: list[Hand]) -> None:
    """Heights are not known: only whether there are chips, and more of them, can be told."""
    if not fact.stacks:
        _less(r, purse, fact, hands, ZERO)
    elif stake_due(r, fact.seat) and r.signalled(fact.seat, ("one-finger", "v"), fact.t - SIGNAL_LASTS):
        purse.stake, purse.stake_t = None, fact.t


def _more(r: Round, purse: Purse, fact: Chips, extra: Fraction, hands: list[Hand]) -> None:
    naturals = [h for h in hands if r.natural(h)]
    if naturals and fact.by != "player":
        paid = naturals[0]
        extra -= late_extra(purse)
        if extra <= 0:
            return
        paid.paid, paid.settled = extra, fact.t
        checked = r.hole_up is not None or (r.peeked is not None and r.rules.pay_blackjack != "at-end")
        paid.even = r.rules.even_money and r.upcard == 1 and not checked and extra == paid.bet
        paid.early = r.upcard in (1, 10) and not checked and not paid.even
    elif stake_due(r, fact.seat) and not naturals:
        late = late_extra(purse)
        if extra > late:
            purse.stake, purse.stake_t = extra - late, fact.t
    else:
        purse.late, purse.late_t = (accepted(r, fact.seat), fact.amount), fact.t


def _less(r: Round, purse: Purse, fact: Chips, hands: list[Hand], now: Fraction) -> None:
    """Some or all of a bet is gone; now = what is left of it."""
    if hands and all(h.over in ("bust", "folded") or h.taken for h in hands):
        for hand in hands:
            hand.taken = hand.taken or hand.over == "bust"
        return
    if any(h.paid is None or h.paid > 0 for h in hands):
        return
    if _surrenders(r, purse, fact, hands, now):
        return
    if r.hole_was_up and hands and fact.by != "dealer":
        hands[0].over = "folded"
    elif fact.by == "player" and (not hands or hands[0].lying):
        purse.late, purse.late_t = (accepted(r, fact.seat), fact.amount), fact.t
    else:
        purse.gone = purse.gone if purse.gone is not None else fact.t


def _surrenders(r: Round, purse: Purse, fact: Chips, hands: list[Hand], now: Fraction) -> bool:
    if len(hands) != 1 or r.deal_done is None or hands[0].over not in (None, "passed", "surrender"):
        return False
    hand = hands[0]
    half = hand.bet is not None and now > 0 and now * 2 == hand.bet and fact.by != "player"
    line = r.signalled(fact.seat, ("line",), fact.t - SIGNAL_LASTS)
    if not (line or (half and purse.gone is not None)):
        return False
    purse.surrender = purse.surrender or fact.t
    purse.half_back = purse.half_back or now > 0
    purse.gone = None
    hand.over = "surrender"
    return True
