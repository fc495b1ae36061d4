"""Turns: who is to act, what a card or a signal does to a hand."""

from fractions import Fraction

from table_state.amounts import words
from table_state.dealer_hand import find_hole, hole_face
from table_state.facts import Cards
from table_state.hands import act, pass_before, presence, refresh
from table_state.senses import Signal
from table_state.splits import part, unpart
from table_state.stakes import claim_late, stake_for, use_stake
from table_state.state import Hand, Round
from table_state.uncounted import surrendered


def begin(r: Round, t: float) -> None:
    """The deal is done: what lies at the seats are the hands."""
    r.deal_done = t
    for seat in r.order:
        ids = _lying(r, seat)
        if seat and ids and r.partial and len(r.heaps.get(seat, ())) > 1:
            r.hands[seat] = [Hand(seat, list(heap), None, True) for heap in r.heaps[seat]]
        elif seat and ids:
            r.hands[seat] = [Hand(seat, ids, r.purses[seat].locked if seat in r.purses else None)]
    r.dealer = _lying(r, 0)
    find_hole(r)
    for _, _, hand in r.all_hands():
        refresh(r, hand)
    hole_face(r, t, present=True)


def _lying(r: Round, place: int) -> list[int]:
    return [c.id for c in sorted(r.landings, key=lambda c: (c.born, c.id)) if r.place_now.get(c.id) == place]


def seat_cards(r: Round, fact: Cards) -> None:
    """The cards of a seat lie otherwise than before."""
    hands = r.hands.get(fact.place)
    if hands is None and fact.place in r.order and fact.heaps and None in [*r.good, *r.reading.sequence]:
        hands = r.hands[fact.place] = [Hand(fact.place, [], r.purses[fact.place].locked)]
    if hands is None:
        return
    unpart(r, fact, hands)
    part(r, fact, hands)
    owner = {i: h for h in hands for i in [*h.ids, *(u for u, _ in h.undue)]}
    for heap in fact.heaps:
        old = [owner[i] for i in heap if i in owner]
        for i in heap:
            if i not in owner:
                hand = old[0] if old else _hand_for(r, fact.place, hands)
                _landed(r, hand, i, fact.t)
                owner[i] = hand
    present = set(fact.ids)
    for hand in hands:
        presence(r, hand, present, fact.t)
        refresh(r, hand)
        surrendered(r, hand)


def _hand_for(r: Round, seat: int, hands: list[Hand]) -> Hand:
    turn = r.on_turn()
    if turn is not None and turn[0] == seat:
        return turn[2]
    return next((h for h in hands if h.lying), hands[-1])


def _landed(r: Round, hand: Hand, card: int, t: float) -> None:
    """A card was laid onto a hand after the deal."""
    seat_hands = r.hands[hand.seat]
    index = seat_hands.index(hand)
    if hand.left is not None and not hand.lying:
        return
    if card in hand.back:
        # It was only out of sight.
        hand.back.discard(card)
        hand.ids.append(card)
        hand.played.append(card)
        refresh(r, hand)
        return
    if len(hand.ids) < 2 and not hand.split:
        hand.ids.append(card)
        refresh(r, hand)
        return
    why = _why_undue(r, hand, index, card)
    if why is not None:
        hand.undue.append((card, why))
        return
    if len(hand.ids) == 2 and not hand.doubled:
        _maybe_double(r, hand, card)
    hand.ids.append(card)
    hand.played.append(card)
    if hand.over in ("passed", "wave"):
        hand.over = None if hand.over == "passed" else "wave"
    refresh(r, hand)
    act(r, hand, r.deck[card].born, index)


def _maybe_double(r: Round, hand: Hand, card: int) -> None:
    claim_late(r, hand.seat)
    purse = r.purses.get(hand.seat)
    if purse is None or (purse.stake_t is None and not (hand.bet is None and _crosswise(r, hand, card))):
        return
    hand.fault = double_fault(r, hand)
    stake = hand.extra = use_stake(r, hand.seat)
    hand.doubled = True
    if hand.bet is not None:
        hand.bet = None if stake is None else hand.bet + stake


def _crosswise(r: Round, hand: Hand, card: int) -> bool:
    """Whether a card lies across the first two, as a doubled one does (contract, section 2)."""
    return all(45.0 < (r.deck[card].deg - r.deck[i].deg) % 180.0 < 135.0 for i in hand.ids[:2])


def double_fault(r: Round, hand: Hand) -> tuple[str, Fraction | None, Fraction | None] | None:
    """Why a double with the stake that lies there is not allowed, right and seen amount; None = it is."""
    stake, now, rules = stake_for(r, hand.seat), r.total(hand), r.rules
    if len(hand.ids) != 2:
        return "only the first two cards may be doubled", None, None
    if hand.split and not rules.double_after_split:
        return "a hand of a split may not be doubled", None, None
    if now is not None and now.best == 21 and not rules.double_on_21:
        return "21 may not be doubled", None, None
    if stake is None or hand.bet is None:
        return None
    if stake > hand.bet:
        return f"the double is more than the bet of {words(hand.bet)}", hand.bet, stake
    if stake < hand.bet and not rules.double_for_less:
        return f"the double must equal the bet of {words(hand.bet)}", hand.bet, stake
    return None


def _why_undue(r: Round, hand: Hand, index: int, card: int) -> str | None:
    """Which alert a card raises that is laid on this hand now; None = it is due."""
    if r.dealer_blackjack and r.hole_up is not None:
        return "dealer-played-early"
    if hand.over == "wave" and hand.acted is not None and r.deck[card].lo < hand.acted < r.deck[card].born:
        return None
    if hand.over in ("bust", "blackjack", "doubled", "ace", "surrender", "wave", "folded", "paid"):
        return "card-not-due"
    if hand.over == "21":
        return None if r.rules.hit_on_21 else "card-not-due"
    if r.draws or (r.hole_up is not None and not r.hole_was_up and hand.over == "dealer"):
        return "out-of-turn"
    born, lo = r.deck[card].born, r.deck[card].lo
    since = max(lo, born - 2.5)
    for t, seat, i in r.acts:
        later = r.order.index(seat) > r.order.index(hand.seat) or (seat == hand.seat and i > index)
        if later and t < since and seat in r.hands:
            return "out-of-turn"
    return None


def on_signal(r: Round, fact: Signal) -> None:
    """A player's signal goes to the hand of the seat whose turn it is."""
    r.signals.append((fact.t, fact.seat, fact.kind))
    if r.deal_done is None or fact.seat not in r.hands or r.dealer_turn:
        return
    turn = r.on_turn()
    if turn is None:
        return
    hands = r.hands[fact.seat]
    index = next((i for i, h in enumerate(hands) if h.over is None), None)
    if index is None:
        return
    r.play_t = r.play_t or fact.t
    if fact.kind in ("one-finger", "v"):
        claim_late(r, fact.seat)
    hand = hands[index]
    if turn[0] != fact.seat:
        if r.order.index(turn[0]) < r.order.index(fact.seat):
            pass_before(r, fact.seat, index)
        else:
            return
    if fact.kind == "wave" and len(hand.ids) >= 2:
        hand.over = "wave"
        hand.acted = fact.t
        r.acts.append((fact.t, fact.seat, index))
