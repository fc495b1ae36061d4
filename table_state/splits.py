"""Heaps that part are a split, heaps that join again are none."""

from table_state.facts import Cards
from table_state.hands import act
from table_state.stakes import claim_late, stake_for, undouble, use_stake
from table_state.state import Hand, Round


def unpart(r: Round, fact: Cards, hands: list[Hand]) -> None:
    """A split that was not allowed is put back together."""
    for heap in fact.heaps:
        mine = [h for h in hands if len(h.ids) == 1 and h.ids[0] in heap]
        if len(mine) == 2 and len(heap) == 2:
            first, second = mine
            first.ids += second.ids
            first.split = first.aces = len(hands) > 2
            hands.remove(second)
            r.bad_splits = [b for b in r.bad_splits if b[0] != fact.place]
            purse = r.purses.get(fact.place)
            if purse is not None and second.bet:
                purse.stake, purse.stake_t = second.bet, fact.t
            r.stakes_at.pop(fact.place, None)


def part(r: Round, fact: Cards, hands: list[Hand]) -> None:
    """Heaps that were one hand are a split."""
    for hand in list(hands):
        mine = [heap for heap in fact.heaps if any(i in hand.ids for i in heap)]
        if len(mine) < 2 or len(hand.ids) < 2:
            continue
        apart = [n for n, heap in enumerate(mine) if hand.ids[0] in heap or hand.ids[1] in heap]
        if len(apart) < 2:
            continue
        undouble(hand)
        first, second = ([i for i in mine[n] if i in hand.ids] for n in apart)
        _split(r, hands, hand, first, second, fact.t)
        _as_they_lie(hands, fact)


def _as_they_lie(hands: list[Hand], fact: Cards) -> None:
    """Hands count from the dealer's left as they lie, whichever of two equal cards went where."""
    at = {i: n for n, heap in enumerate(fact.heaps) for i in heap}
    lying = [n for n, h in enumerate(hands) if any(i in at for i in h.ids)]
    ordered = sorted((hands[n] for n in lying), key=lambda h: min(at[i] for i in h.ids if i in at))
    for n, hand in zip(lying, ordered, strict=True):
        hands[n] = hand


def _split(r: Round, hands: list[Hand], hand: Hand, first: list[int], second: list[int], t: float) -> None:
    pair = hand.ids[:2]
    values = r.values(pair)
    claim_late(r, hand.seat)
    if hand.extra is not None:
        r.purses[hand.seat].stake = hand.extra
    if values is not None:
        _check_split(r, hands, hand, t)
    stake = use_stake(r, hand.seat)
    aces = values == [1, 1]
    bet = hand.bet
    at = hands.index(hand)
    new = [Hand(hand.seat, ids, bet if i == 0 else stake, True, aces) for i, ids in enumerate((first, second))]
    new[0].turn = new[0].acted = hand.turn
    new[0].undue = hand.undue
    new[0].played, new[1].played = first[1:], second[1:]
    hands[at : at + 1] = new
    act(r, new[0], t, at)
    r.stakes_at.pop(hand.seat, None)


def _check_split(r: Round, hands: list[Hand], hand: Hand, t: float) -> None:
    codes = r.codes(hand.ids[:2])
    values = r.values(hand.ids[:2]) or []
    pair = values[0] == values[1] if r.rules.split_by == "value" else codes[0][0] == codes[1][0]
    stake, why = stake_for(r, hand.seat), ""
    if not pair:
        why = f"{codes[0]} and {codes[1]} are no pair"
    elif len(hands) >= r.rules.max_hands:
        why = f"a seat may have {r.rules.max_hands} hands" if r.rules.max_hands > 1 else "splitting is not offered"
    elif stake is not None and hand.bet is not None and stake != hand.bet:
        why = "the second bet must equal the first"
    if why:
        wrong = (hand.seat, hands.index(hand), tuple(hand.ids), why, hand.bet, stake)
        r.bad_splits.append(wrong)
