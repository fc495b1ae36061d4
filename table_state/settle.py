"""What a hand is due: the profit under the house rules, and the outcome's name."""

from fractions import Fraction

from table_state.state import Hand, Round

LIVE = ("21", "doubled", "ace", "wave", "passed", "dealer", None)
"""Why a hand may be over, or not, and still await the dealer's total."""


def outcome(r: Round, hand: Hand) -> str | None:
    """The contract's outcome of a hand; None while it is open."""
    if hand.over == "bust":
        return "bust"
    if hand.over in ("surrender", "folded"):
        return "surrender" if hand.over == "surrender" else "void"
    if r.natural(hand):
        return _natural(r, hand)
    mine, dealer = r.total(hand), r.dealer_total
    if mine is None or dealer is None or not (r.dealer_stands or r.cleared is not None):
        return None
    if r.dealer_blackjack:
        return "lose"
    if dealer.best > 21 or mine.best > dealer.best:
        return "win"
    return "push" if mine.best == dealer.best else "lose"


def _natural(r: Round, hand: Hand) -> str | None:
    if hand.even:
        return "blackjack"
    if r.dealer_blackjack:
        return "push"
    checked = r.peeked is not None or r.hole_up is not None or r.cleared is not None
    return "blackjack" if checked or (r.upcard is not None and r.upcard not in (1, 10)) else None


def profit(r: Round, hand: Hand) -> Fraction | None:
    """The profit that is due, negative when lost; None while it is open or the bet is unknown."""
    result = outcome(r, hand)
    if result is None or hand.bet is None:
        return Fraction(0) if result in ("push", "void") else None
    return hand.bet * rate(r, hand, result)


def rate(r: Round, hand: Hand, result: str) -> Fraction:
    """Profit for each unit bet of an outcome."""
    if result == "blackjack":
        return Fraction(1) if hand.even else r.rules.blackjack_pays
    rates = {"win": Fraction(1), "lose": Fraction(-1), "bust": Fraction(-1), "surrender": Fraction(-1, 2)}
    return rates.get(result, Fraction(0))


def sign(r: Round, hand: Hand) -> int | None:
    """1 = must be paid, -1 = must be taken, 0 = stays; None while it is open. Needs no bet."""
    result = outcome(r, hand)
    if result is None:
        return None
    value = rate(r, hand, result)
    return (value > 0) - (value < 0)


def is_settled(r: Round, hand: Hand) -> bool:
    """Whether nothing is left to be done about a hand's bet."""
    what = sign(r, hand)
    if what is None:
        return False
    if hand.over in ("surrender", "folded") or what == 0:
        return True
    if what > 0:
        return hand.paid is None or hand.paid > 0
    return hand.taken


def live_hands(r: Round) -> list[Hand]:
    """Hands that the dealer's total decides."""
    return [h for _, _, h in r.all_hands() if h.over in LIVE and not r.natural(h)]


def may_surrender(r: Round, hand: Hand) -> bool:
    """Whether the house lets a hand surrender: late, on the first two cards, none that was split."""
    return r.rules.surrender and len(hand.ids) == 2 and not hand.split
