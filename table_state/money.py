"""Chips in their circles: locked bets, stakes of doubles and splits, what was taken and what was paid."""

from fractions import Fraction
from typing import Final

from table_state.chips import Chips
from table_state.settle import may_surrender, sign
from table_state.state import Hand, Purse, Round
from table_state.turns import end_turns, turns_may_be_over

SIGNAL_LASTS: Final = 12.0
CLAIM: Final = 6.0
"""Seconds after chips were laid within which a card or a signal may make them a stake."""
FIRST_LOOK: Final = 2.5
"""Seconds after a start in mid-round within which chips that are found lay there before."""
ZERO: Final = Fraction(0)


def lock(r: Round, t: float) -> None:
    """The first card fell: what lies in the circles are the bets."""
    for seat, chips in r.circles.items():
        if chips.stacks:
            r.purses[seat] = Purse(r.bets_said.get(seat, chips.amount), chips)


def on_chips(r: Round, fact: Chips) -> None:
    """A circle or an insurance spot settled in a new state."""
    if fact.insurance:
        r.insured[fact.seat] = fact
        if r.started is not None:
            _insurance(r, fact)
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
            _pay(r, fact)
        else:
            _before_pay(r, purse, fact)


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
        r.purses[fact.seat] = Purse(r.bets_said.get(fact.seat, fact.amount), fact)
        for hand in r.hands.get(fact.seat, [])[:1]:
            hand.bet = r.purses[fact.seat].locked if len(r.hands[fact.seat]) == 1 else None
    else:
        r.purses.pop(fact.seat, None)
    if r.deal_done is None:
        r.set_order()


def in_pay(r: Round) -> bool:
    """Whether all turns are over and the hole card is up."""
    return r.deal_done is not None and r.hole_up is not None and r.on_turn() is None


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
    if right is not None and seen is not None and seen > right:
        purse.stake, purse.stake_t, purse.late = seen - right, r.now, None


def use_stake(r: Round, seat: int) -> Fraction | None:
    """The same, used up by a double or a split."""
    purse = r.purses.get(seat)
    if purse is None:
        return None
    stake = purse.stake
    purse.stake, purse.stake_t = ZERO, None
    return stake


def undouble(hand: Hand) -> None:
    """It was no double after all, or it was refused."""
    if hand.doubled:
        hand.doubled, hand.fault = False, None
        hand.over = None if hand.over == "doubled" else hand.over
        if hand.bet is not None and hand.extra is not None:
            hand.bet -= hand.extra


# ---- before pay and take
def _before_pay(r: Round, purse: Purse, fact: Chips) -> None:
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


def outside(r: Round, amount: Fraction | None) -> Fraction | None:
    """The limit that a bet breaks; None where it breaks none."""
    low, high = r.rules.bets
    if amount is None:
        return None
    if amount < low:
        return low
    return high if high and amount > high else None


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


def stake_due(r: Round, seat: int) -> bool:
    """Whether a stake laid now at a seat may be for a double or a split."""
    turn = r.on_turn()
    if r.deal_done is None or r.dealer_turn or turn is None:
        return False
    return turn[0] == seat or (
        r.signalled(seat, ("one-finger", "v"), r.now - SIGNAL_LASTS) and any(h.over is None for h in r.hands[seat])
    )


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


# ---- insurance
def _insurance(r: Round, fact: Chips) -> None:
    seat = fact.seat
    decided = r.peeked is not None or r.hole_up is not None
    if not decided:
        r.insurance_late.pop(seat, None)
        if fact.stacks:
            r.insurance[seat] = fact.amount
            closed = len(r.sweeps) >= 2 and fact.lo > r.sweeps[1] + 0.5
            if closed and fact.by != "dealer" and not _grown(r, seat):
                r.insurance_late[seat] = fact.amount
        else:
            r.insurance.pop(seat, None)
    elif not fact.stacks:
        r.insurance_late.pop(seat, None)
        if fact.by != "player" and seat not in r.insurance_paid:
            r.insurance_taken.add(seat)
    elif seat in r.insurance:
        bet, now = r.insurance[seat], fact.amount
        if bet is None or now is None or now > bet:
            r.insurance_paid[seat] = None if bet is None or now is None else now - bet
    elif fact.by != "dealer":  # what the dealer lays there is a neighbour's payment
        r.insurance_late[seat] = fact.amount


def _grown(r: Round, seat: int) -> bool:
    return seat in r.insurance and seat not in r.insurance_late and r.insurance[seat] is None


# ---- pay and take
def _pay(r: Round, fact: Chips) -> None:
    hands = [
        h for h in r.hands[fact.seat] if h.over not in ("surrender", "folded") and not (h.over == "bust" and h.taken)
    ]
    if len(hands) == 1:
        _pay_one(r, hands[0], fact)
    elif hands:
        _pay_split(r, hands, fact)


def _pay_one(r: Round, hand: Hand, fact: Chips) -> None:
    if not fact.stacks:
        _emptied(r, hand, fact)
    elif fact.amount is None or hand.bet is None:
        purse = r.purses[fact.seat]
        if len(fact.stacks) > len(purse.chips.stacks if purse.chips else ()) or hand.bet is None:
            _settle(r, hand, fact, None)
    else:
        late = late_extra(r.purses.get(fact.seat))
        if fact.amount > hand.bet + late:
            _settle(r, hand, fact, fact.amount - hand.bet - late)
        elif late and fact.amount == late:
            _emptied(r, hand, fact)
        elif fact.amount in (hand.bet, hand.bet + late):
            hand.paid, hand.taken, hand.settled = ZERO, False, None


def _emptied(r: Round, hand: Hand, fact: Chips) -> None:
    if hand.paid is None or hand.paid > 0 or fact.by == "player":
        return
    if fact.by is None and sign(r, hand) != -1:
        return
    hand.taken = True
    _settle(r, hand, fact, ZERO)


def _settle(r: Round, hand: Hand, fact: Chips, paid: Fraction | None) -> None:
    hand.paid = paid
    if hand.settled is None:
        hand.settled = fact.t
        if hand.over != "bust":
            r.settlements.append((fact.t, hand.seat))
    if not r.dealer_stands and r.short_pay is None and hand.over != "bust" and not r.natural(hand):
        r.short_pay = fact.t


def _pay_split(r: Round, hands: list[Hand], fact: Chips) -> None:
    """Give every stack to the hand whose stake lies nearest."""
    stakes = r.stakes_at.get(fact.seat)
    if stakes is None or not any(stakes):
        return
    alive = r.hands[fact.seat]
    held = [ZERO] * len(alive)
    paid: list[Fraction | None] = [ZERO] * len(alive)
    for stack in fact.stacks:
        d, i = min((_distance(stack.x, stack.y, at), i) for i, spots in enumerate(stakes) for at in spots)
        if d < 26.0:
            held[i] += stack.value or Fraction(1)
        else:
            now = paid[i]
            paid[i] = None if stack.value is None or now is None else now + stack.value
    for i, hand in enumerate(alive):
        if hand not in hands:
            continue
        won = paid[i]
        if won is None or won > 0:
            _settle(r, hand, fact, won)
        elif held[i] == 0 and hand.settled is None and fact.by != "player":
            hand.taken = True
            _settle(r, hand, fact, ZERO)
        elif held[i] > 0:
            hand.paid, hand.taken, hand.settled = ZERO, False, None


def _distance(x: float, y: float, at: tuple[float, float]) -> float:
    return float(((x - at[0]) ** 2 + (y - at[1]) ** 2) ** 0.5)


def note_stakes(r: Round) -> None:
    """Before pay and take, remember which stacks are whose at seats with several hands."""
    for seat, hands in r.hands.items():
        chips = r.circles.get(seat)
        if len(hands) < 2 or chips is None or in_pay(r):
            continue
        stacks = sorted(chips.stacks, key=lambda s: s.x)
        live = [h for h in hands if not h.taken]
        r.stakes_at[seat] = _shares(hands, live, [(s.x, s.y, s.value) for s in stacks])


def _shares(
    hands: list[Hand], live: list[Hand], stacks: list[tuple[float, float, Fraction | None]]
) -> list[list[tuple[float, float]]]:
    shares: list[list[tuple[float, float]]] = [[] for _ in hands]
    left = list(stacks)
    for n, hand in enumerate(live):
        amount = ZERO
        others = len(live) - n - 1
        while len(left) > others and (amount < (hand.bet or ZERO) or not shares[hands.index(hand)]):
            x, y, value = left.pop(0)
            shares[hands.index(hand)].append((x, y))
            amount += value or ZERO
    return shares
