"""How a cleared round ended: one line a hand, one an insurance bet."""

from fractions import Fraction

from table_state.output import Result
from table_state.settle import outcome, rate
from table_state.state import Hand, Round


def results(r: Round, t: float) -> list[Result]:
    """All result lines of a cleared round."""
    out = []
    dealer = r.dealer_total.best if r.dealer_total is not None else None
    for seat in r.order:
        if seat and seat not in r.hands and not r.partial:
            out.append(Result(t, seat, 0, "void", r.purses[seat].locked, Fraction(0), dealer, None))
    for seat, index, hand in r.all_hands():
        out.append(_hand(r, t, seat, index, hand, dealer))
    out += [_insurance(r, t, seat, bet, dealer) for seat, bet in sorted(r.insurance.items())]
    return out


def _hand(r: Round, t: float, seat: int, index: int, hand: Hand, dealer: int | None) -> Result:
    total = r.total(hand)
    known = outcome(r, hand)
    what = known if known is not None else _from_chips(hand)
    pays = hand.bet * rate(r, hand, what) if hand.bet is not None else Fraction(0) if what in ("push", "void") else None
    return Result(t, seat, index, what, hand.bet, pays, dealer, total.best if total else None)


def _from_chips(hand: Hand) -> str:
    """What the chips tell where the dealer's total is not known."""
    if hand.taken:
        return "lose"
    return "win" if hand.paid is None or hand.paid > 0 else "push"


def _insurance(r: Round, t: float, seat: int, bet: Fraction | None, dealer: int | None) -> Result:
    won = r.dealer_blackjack
    pays = None if bet is None else bet * 2 if won else -bet
    return Result(t, seat, 0, "win" if won else "lose", bet, pays, dealer, None, True)
