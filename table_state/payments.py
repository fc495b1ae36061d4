"""Pay and take: which hand each stack pays, and what was taken."""

import math
from fractions import Fraction
from itertools import pairwise

from table_state.chips import Chips
from table_state.settle import sign
from table_state.stakes import ZERO, in_pay, late_extra
from table_state.state import Hand, Round
from table_state.uncounted import came, own


def settle_chips(r: Round, fact: Chips, before: Chips | None) -> None:
    """A circle changed during pay and take; before = how it was."""
    hands = [
        h for h in r.hands[fact.seat] if h.over not in ("surrender", "folded") and not (h.over == "bust" and h.taken)
    ]
    purse = r.purses[fact.seat]
    fact, before = own(purse, fact), None if before is None else own(purse, before)
    if len(hands) == 1:
        _pay_one(r, hands[0], fact, before)
    elif hands:
        _pay_split(r, hands, fact)


def _pay_one(r: Round, hand: Hand, fact: Chips, before: Chips | None) -> None:
    if not fact.stacks:
        _emptied(r, hand, fact)
    elif fact.amount is None or hand.bet is None:
        if came(fact, before) and hand.taken:
            hand.paid, hand.taken, hand.settled = ZERO, False, None
        elif came(fact, before):
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
    paid = hand.paid is None or hand.paid > 0
    if fact.by == "player" or (paid and (hand.bet is not None or sign(r, hand) != -1)):
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
        stacks = sorted(own(r.purses[seat], chips).stacks, key=lambda s: s.x)
        live = [h for h in hands if not h.taken]
        r.stakes_at[seat] = _shares(hands, live, [(s.x, s.y, s.value) for s in stacks])


def _shares(
    hands: list[Hand], live: list[Hand], stacks: list[tuple[float, float, Fraction | None]]
) -> list[list[tuple[float, float]]]:
    shares: list[list[tuple[float, float]]] = [[] for _ in hands]
    if any(h.bet is None for h in live):
        for hand, spots in zip(live, apart([(x, y) for x, y, _ in stacks], len(live)), strict=False):
            shares[hands.index(hand)] = spots
        return shares
    left = list(stacks)
    for n, hand in enumerate(live):
        amount = ZERO
        others = len(live) - n - 1
        while len(left) > others and (amount < (hand.bet or ZERO) or not shares[hands.index(hand)]):
            x, y, value = left.pop(0)
            shares[hands.index(hand)].append((x, y))
            amount += value or ZERO
    return shares


def apart(spots: list[tuple[float, float]], count: int) -> list[list[tuple[float, float]]]:
    """Stacks parted into groups from the dealer's left, where the gaps are widest; doubles lie behind their bets."""
    ordered = sorted((-math.atan2(y, x), (x, y)) for x, y in spots)
    gaps = sorted(range(1, len(ordered)), key=lambda i: ordered[i - 1][0] - ordered[i][0])[: max(0, count - 1)]
    cuts = [0, *sorted(gaps), len(ordered)]
    return [[at for _, at in ordered[a:b]] for a, b in pairwise(cuts)]
