"""Turns: who is to act, what a card, a signal or a parted pair does to a hand."""

from fractions import Fraction
from typing import Final

from table_state.amounts import words
from table_state.facts import Card, Cards
from table_state.money import claim_late, stake_for, undouble, use_stake
from table_state.senses import Signal
from table_state.state import Hand, Round
from table_state.turns import end_turns, turns_may_be_over

TAKEN_BACK: Final = 1.4
"""Seconds that a drawn card must be away, the dealer's other cards lying, to count as taken back."""
SCOOP: Final = 2.0
"""Seconds within which the cards of one hand go that are scooped together."""
SCOOPED: Final = 3.0
"""The same for a card of a hand that is being scooped."""
STUCK: Final = 1.5
"""Seconds for which the first turn waits while a mistake of the deal stands."""


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
    _find_hole(r)
    for _, _, hand in r.all_hands():
        refresh(r, hand)
    _hole_face(r, t, present=True)


def _lying(r: Round, place: int) -> list[int]:
    return [c.id for c in sorted(r.landings, key=lambda c: (c.born, c.id)) if r.place_now.get(c.id) == place]


def _find_hole(r: Round) -> None:
    """The upcard is the one that is turned up first, whichever fell first; a second card dealt face up is exposed."""
    if len(r.dealer) < 2 or r.hole_up is not None:
        return
    first, second = r.dealer[:2]
    dealt_up = r.rules.first_dealer_card == "down" and not r.partial and second not in r.was_down
    if second in r.up and first not in r.up and not dealt_up:
        r.dealer[:2] = [second, first]
    r.hole = r.dealer[1]


def refresh(r: Round, hand: Hand) -> None:
    """Set why a hand is over, None while it is not."""
    if hand.over in ("wave", "surrender", "folded", "dealer", "paid", "21?"):
        return
    if hand.over == "passed" and len(hand.ids) < 2:
        return
    now = r.total(hand)
    if now is not None and now.best > 21:
        hand.over = "bust"
    elif r.natural(hand):
        hand.over = "blackjack"
    elif hand.doubled and len(hand.ids) >= 3:
        hand.over = "doubled"
    elif hand.aces and r.rules.split_aces_one_card and len(hand.ids) >= 2:
        hand.over = "ace"
    elif now is not None and now.best == 21 and len(hand.ids) >= 2:
        hand.over = "21"
    elif hand.over != "passed":
        hand.over = None


# ---- cards at a seat
def seat_cards(r: Round, fact: Cards) -> None:
    """The cards of a seat lie otherwise than before."""
    hands = r.hands.get(fact.place)
    if hands is None and fact.place in r.order and fact.heaps and None in [*r.good, *r.reading.sequence]:
        hands = r.hands[fact.place] = [Hand(fact.place, [], r.purses[fact.place].locked)]
    if hands is None:
        return
    _unpart(r, fact, hands)
    _part(r, fact, hands)
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
        _presence(r, hand, present, fact.t)
        refresh(r, hand)


def _hand_for(r: Round, seat: int, hands: list[Hand]) -> Hand:
    turn = r.on_turn()
    if turn is not None and turn[0] == seat:
        return turn[2]
    return next((h for h in hands if h.lying), hands[-1])


def _presence(r: Round, hand: Hand, present: set[int], t: float) -> None:
    hand.undue = [(i, why) for i, why in hand.undue if i in present]
    lying = any(i in present for i in hand.ids)
    if all(i in present for i in hand.ids):
        hand.going = None
    elif hand.going is None:
        hand.going = t
    if hand.lying and not lying:
        hand.left = hand.going if hand.going is not None and t - hand.going < SCOOP else t
    elif lying:
        hand.left = None
    hand.lying = lying
    for i in hand.played:
        if i in present:
            hand.away.pop(i, None)
        elif lying:
            hand.away.setdefault(i, t)
            r.taken_off = True


def take_back_cards(r: Round, t: float) -> None:
    """A card of the play that a hand took off while the rest of its hand lies on was taken back."""
    if not r.taken_off or r.cleared is not None:
        return
    if r.hole_up is not None and (not r.hole_was_up or r.draws or r.settlements):
        return
    for _, _, hand in r.all_hands():
        for card, since in list(hand.away.items()):
            if (
                t - since < (SCOOPED if hand.over == "bust" else TAKEN_BACK)
                or not hand.lying
                or hand.taken
                or not r.deck[card].taken
            ):
                continue
            over = hand.over
            del hand.away[card]
            hand.ids.remove(card)
            hand.played.remove(card)
            hand.back.add(card)
            if hand.doubled:
                _return_stake(r, hand, t)
            if hand.over in ("bust", "doubled", "21"):
                hand.over = None
            refresh(r, hand)
            r.reopened += over is not None and hand.over is None


def _return_stake(r: Round, hand: Hand, t: float) -> None:
    """A double whose card was taken back is none; its stake lies there still."""
    stake = hand.extra
    undouble(hand)
    purse = r.purses.get(hand.seat)
    if purse is not None:
        purse.stake, purse.stake_t = stake, t


def _unpart(r: Round, fact: Cards, hands: list[Hand]) -> None:
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


def _part(r: Round, fact: Cards, hands: list[Hand]) -> None:
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
    _act(r, new[0], t, at)
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
        _maybe_double(r, hand)
    hand.ids.append(card)
    hand.played.append(card)
    if hand.over in ("passed", "wave"):
        hand.over = None if hand.over == "passed" else "wave"
    refresh(r, hand)
    _act(r, hand, r.deck[card].born, index)


def _maybe_double(r: Round, hand: Hand) -> None:
    claim_late(r, hand.seat)
    purse = r.purses.get(hand.seat)
    if purse is None or purse.stake_t is None:
        return
    hand.fault = double_fault(r, hand)
    stake = hand.extra = use_stake(r, hand.seat)
    hand.doubled = True
    if hand.bet is not None:
        hand.bet = None if stake is None else hand.bet + stake


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


def _act(r: Round, hand: Hand, t: float, index: int) -> None:
    """A hand was acted upon: every hand before it that did not say so stands."""
    hand.acted = t
    r.play_t = r.play_t or t
    r.acts.append((t, hand.seat, index))
    pass_before(r, hand.seat, index)


def pass_before(r: Round, seat: int, index: int) -> None:
    """Play is at this hand, so the turns before it are over."""
    for s, i, other in r.all_hands():
        if (s, i) == (seat, index):
            return
        if other.over is None and len(other.ids) >= 2 - (s == seat):
            other.over = "passed"


# ---- the dealer
def dealer_cards(r: Round, fact: Cards) -> None:
    """The dealer's cards lie otherwise than before: a draw, a card taken back, a hole card turned."""
    present = set(fact.ids)
    for i in fact.ids:
        if i not in r.dealer:
            _dealer_got(r, i)
    for card, _, _ in r.draws:
        if card in present:
            r.draw_gone.pop(card, None)
        else:
            r.draw_gone.setdefault(card, fact.t)
    _find_hole(r)
    _hole_face(r, fact.t, r.hole in fact.ids)


def take_back_draws(r: Round, t: float) -> None:
    """A drawn card that is away while the dealer's first cards still lie was taken back, not scooped."""
    for card, since in list(r.draw_gone.items()):
        lying = all(r.place_now.get(i) == 0 for i in r.dealer[:2]) and any(h.lying for _, _, h in r.all_hands())
        if t - since >= TAKEN_BACK and lying:
            r.draws = [d for d in r.draws if d[0] != card]
            r.dealer.remove(card)
            del r.draw_gone[card]


def _dealer_got(r: Round, card: int) -> None:
    if len(r.dealer) < 2:
        r.dealer.append(card)
        return
    why: str | None = None
    before = r.dealer_total
    if r.on_turn() is not None and not r.draws and not turns_may_be_over(r):
        why = "dealer-played-early"
    elif before is not None and r.dealer_stands and r.sure(r.dealer):
        why = "dealer-must-stand"
    else:
        end_turns(r)
    r.draws.append((card, why, r.deck[card].born))
    r.dealer.append(card)


def _hole_face(r: Round, t: float, present: bool) -> None:
    if r.hole is None:
        return
    if r.hole in r.up and r.hole_up is None:
        r.hole_up = t
        _turned(r, t)
    elif r.hole not in r.up and present and r.hole_was_up:
        r.hole_up = None


def _turned(r: Round, t: float) -> None:
    """The hole card was turned up: in its time, as a blackjack, or exposed."""
    hole = r.deck[r.hole] if r.hole is not None else None
    dealt_up = hole is not None and r.hole not in r.was_down and r.on_turn() is not None and not _looked_at(r, hole)
    if (r.partial and r.deal_done is not None and t <= r.deal_done) or (r.dealer_blackjack and not dealt_up):
        end_turns(r)
    elif dealt_up or not turns_may_be_over(r):
        r.hole_was_up = r.hole_was_up or r.on_turn() is not None
    else:
        end_turns(r)


def _looked_at(r: Round, hole: Card) -> bool:
    """Whether the dealer looked at the hole card before it was seen: then it lay on its face under his hands."""
    return any(look.hands > 1 and hole.lo < look.start and look.t < hole.born for look in r.looks)


# ---- signals
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
