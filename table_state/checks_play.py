"""Mistakes of the turns, insurance and the dealer's hand, one small function each."""

from collections.abc import Iterator
from fractions import Fraction

from table_state.amounts import words
from table_state.output import Move
from table_state.play import double_fault
from table_state.settle import may_surrender
from table_state.stakes import stake_for
from table_state.state import Hand, Problem, Round
from table_state.uncounted import may_be_surrendered

_UNDUE = {
    "card-not-due": "The hand of seat {seat} is over and was given a card. Take the card away.",
    "out-of-turn": "Seat {seat} was given a card out of turn. Stop, and play in order.",
    "dealer-played-early": "The dealer has blackjack and play went on. Take the card back.",
}
_OVER = ("bust", "blackjack", "surrender", "folded", "paid")


def undue_cards(r: Round) -> Iterator[Problem]:
    """card-not-due, out-of-turn, and play that went on against a dealer blackjack."""
    for seat, index, hand in r.all_hands():
        for card, code in hand.undue:
            if r.deck[card].value is None:
                continue  # what was never read may be no card
            early = code == "dealer-played-early"
            moves = () if code == "out-of-turn" else (Move(r.codes([card])[0], f"seat:{seat}", "discard"),)
            text = _UNDUE[code].format(seat=seat)
            yield Problem(code, 0 if early else seat, None if early else index, text, 0.2, moves, key=card)


def dealer_draws(r: Round) -> Iterator[Problem]:
    """dealer-played-early and dealer-must-stand."""
    for card, code, _ in r.draws:
        if r.deck[card].value is None:
            continue
        if code == "dealer-played-early":
            text = "The dealer drew before the last player's turn was over. Take the card back and finish the turns."
            yield Problem(code, 0, None, text, 0.3, key=card)
        elif code == "dealer-must-stand":
            text = "The dealer must stand and drew a card. Put the card away."
            yield Problem(code, 0, None, text, 0.3, (Move(r.codes([card])[0], "dealer", "discard"),), key=card)


def blackjack_missed(r: Round) -> Iterator[Problem]:
    """dealer-played-early: the hole card made a blackjack, was to be checked, and play had gone on."""
    if not (r.dealer_blackjack and r.hole_up is not None and r.needs_peek) or r.draws:
        return
    since = max(r.peeked or 0.0, r.deal_done or 0.0)
    if any(since < t < r.hole_up for t, _, _ in r.acts):
        text = "The dealer had blackjack and play went on. Only the first bets are lost; undo what was played."
        yield Problem("dealer-played-early", 0, None, text, 0.3, key="blackjack")


def dealer_must_draw(r: Round) -> Iterator[Problem]:
    """Pay and take began and the dealer has not drawn to a standing total."""
    total = r.dealer_total
    if r.short_pay is not None and total is not None and not r.dealer_stands and r.cleared is None:
        text = f"The dealer has {total.words} and must draw. Take the payment back and draw first."
        yield Problem("dealer-must-draw", 0, None, text, 0.2)


def bust_not_taken(r: Round) -> Iterator[Problem]:
    """Play went on and a bust hand still has its cards or bet."""
    if r.cleared is not None:
        return
    for seat, index, hand in r.all_hands():
        if hand.over != "bust" or hand.acted is None or not (hand.lying or _bet_lies(r, hand)):
            continue
        on = any(t > hand.acted + 0.2 and (s, i) > (seat, index) for t, s, i in r.acts)
        if on or (r.dealer_turn and not r.hole_was_up) or r.draws or _settled_since(r, hand):
            text = f"Seat {seat} has too many. Take cards and bet before play goes on."
            yield Problem("bust-not-taken", seat, index, text, 0.3)


def _settled_since(r: Round, hand: Hand) -> bool:
    """Whether pay and take began after a hand was over."""
    return any(t > (hand.acted or 0.0) + 0.2 for t, _ in r.settlements)


def _bet_lies(r: Round, hand: Hand) -> bool:
    chips = r.circles.get(hand.seat)
    return not hand.taken and chips is not None and bool(chips.stacks)


def taken_early(r: Round) -> Iterator[Problem]:
    """The dealer took bet or cards of a hand that is not over."""
    if r.pay_t is not None or r.cleared is not None or r.deal_done is None:
        return
    for seat, index, hand in r.all_hands():
        purse = r.purses.get(seat)
        bet_gone = purse is not None and purse.gone is not None
        if hand.over in _OVER or not (bet_gone or hand.left is not None):
            continue
        if r.hole_was_up and not bet_gone:
            continue
        unsure = may_be_surrendered(r, hand)
        if unsure and hand.left is None:
            continue
        total = r.total(hand)
        plain = bet_gone and hand.left is not None and not unsure
        wait = 0.2 if plain else 2.0 if may_surrender(r, hand) else 0.6
        words_ = f"has {total.words}" if total else "is not over"
        text = f"The hand of seat {seat} {words_} and was taken. Give cards and bet back."
        expected = None if total is None else Fraction(total.best)
        yield Problem("taken-early", seat, index, text, wait, (), expected)


def split_not_allowed(r: Round) -> Iterator[Problem]:
    """No pair under the rules, too many hands, or an unequal bet."""
    for seat, index, ids, why, bet, stake in r.bad_splits:
        text = f"Seat {seat} may not split: {why}. Put the cards back together and return the bet."
        unequal = bet is not None and stake is not None and bet != stake
        expected, seen = (bet, stake) if unequal else (None, None)
        yield Problem("split-not-allowed", seat, index, text, 1.2 if unequal else 0.3, (), expected, seen, key=ids)


def double_not_allowed(r: Round) -> Iterator[Problem]:
    """A double that the rules do not offer, or of the wrong amount."""
    for seat, index, hand in r.all_hands():
        fault = hand.fault or (_pending_fault(r, hand) if _stakes(r, hand) else None)
        if fault is not None:
            why, expected, seen = fault
            text = f"Seat {seat} may not double so: {why}. Give the stake back."
            yield Problem("double-not-allowed", seat, index, text, 0.3, (), expected, seen)


def _stakes(r: Round, hand: Hand) -> bool:
    purse = r.purses.get(hand.seat)
    turn = next((h for h in r.hands[hand.seat] if h.over is None), None)
    return purse is not None and purse.stake_t is not None and turn is hand


def _pending_fault(r: Round, hand: Hand) -> tuple[str, Fraction | None, Fraction | None] | None:
    """The fault of a stake that lies there, where it can only be meant as a double."""
    if r.signalled(hand.seat, ("v",), r.now - 20.0):
        return None
    values = r.values(hand.ids)
    if values is None:
        return None
    pair = len(values) == 2 and values[0] == values[1]
    if pair and stake_for(r, hand.seat) == hand.bet and not r.signalled(hand.seat, ("one-finger",), r.now - 20.0):
        return None
    return double_fault(r, hand)


def surrender_not_allowed(r: Round) -> Iterator[Problem]:
    """A surrender that the rules do not offer, or after a hit."""
    for seat, index, hand in r.all_hands():
        purse = r.purses.get(seat)
        if purse is None or purse.surrender is None:
            continue
        allowed = may_surrender(r, hand)
        acted = purse.half_back or hand.left is not None or r.now - purse.surrender > 1.8
        if not allowed and acted:
            why = "after a hit" if r.rules.surrender else "in this house"
            yield Problem("surrender-not-allowed", seat, index, f"Seat {seat} may not surrender {why}. Undo it.", 0.2)


def paid_early(r: Round) -> Iterator[Problem]:
    """A blackjack was paid before the dealer's ace or ten was checked."""
    for seat, index, hand in r.all_hands():
        if hand.early and (hand.paid is None or hand.paid > 0):
            text = f"The blackjack of seat {seat} was paid before the dealer checked. Take the payment back for now."
            yield Problem("paid-early", seat, index, text, 0.3)


def insurance_bets(r: Round) -> Iterator[Problem]:
    """insurance-too-large and insurance-not-allowed."""
    for seat, amount in r.insurance.items():
        if seat in r.insurance_late or seat in r.insurance_taken:
            continue
        if not r.rules.insurance or (r.upcard is not None and r.upcard != 1 and not r.partial):
            why = "is not offered" if not r.rules.insurance else "is for a dealer's ace only"
            yield _not_allowed(seat, f"Insurance {why}. Seat {seat} takes the bet back.")
        elif seat in r.purses and amount is not None:
            bet = r.purses[seat].locked
            if bet is not None and amount * 2 > bet:
                text = f"Seat {seat} may insure for {words(bet / 2)} at most. Make the insurance bet smaller."
                yield Problem("insurance-too-large", seat, None, text, 0.2, (), bet / 2, amount)
    for seat in r.insurance_late:
        yield _not_allowed(seat, f"Insurance is closed. Seat {seat} takes the bet back.")


def _not_allowed(seat: int, text: str) -> Problem:
    return Problem("insurance-not-allowed", seat, None, text, 0.2)
