"""What is to be said about a round, in order; each thing has a key and is said once."""

from collections.abc import Iterator
from typing import Final

from table_state.hand import is_blackjack
from table_state.layout import Layout
from table_state.settle import may_surrender
from table_state.state import Hand, Round, Words

PEEK_LATE: Final = 4.0
"""Seconds after the deal at which the first turn begins although no look at the hole card was seen."""
PAUSE: Final = 0.4
"""Seconds between the end of a turn and the first total of the next."""
REVEAL: Final = 1.0
"""Seconds after a look at the hole card in which a blackjack would be turned up."""
REFUSED: Final = 8.0
"""Seconds for which a surrender that the house does not offer may yet be undone, before the next turn is called."""
OFFER_LATE: Final = 8.0
"""The same under an ace, where insurance comes first."""
INSURED: Final = 4.5
"""Seconds after the last insurance bet at which the offer is over, where no hand was seen to open or close it."""

CHECK_LATE: Final = 15.0
"""The same where the dealer checks the hole card after it."""


def wanted(r: Round, layout: Layout, looking: bool) -> list[Words]:
    """Everything that should have been said by now and is still true; looking = hands lie over the hole card."""
    if r.started is None or r.cleared is not None:
        return []
    names = {s.number: s.name or f"seat {s.number}" for s in layout.seats}
    out = [*_insurance(r), *_blackjacks(r)]
    if r.deal_done is not None:
        out += _landed(r)
        out += _first_total(r, names, looking)
        out += _dealer(r)
    return out


def _insurance(r: Round) -> Iterator[Words]:
    if r.sweeps and r.upcard in (1, None) and r.rules.insurance:
        yield Words(("insurance", "open"), "Insurance is open")
        if len(r.sweeps) > 1 or r.peeked is not None or r.play_t is not None or r.dealer_turn:
            yield Words(("insurance", "closed"), "Insurance is closed")


def _blackjacks(r: Round) -> Iterator[Words]:
    """`Blackjack!` as it is dealt."""
    if r.partial or (r.deal_errors and r.deal_done is None):
        return
    if r.deal_done is None:
        hands = {s: [c.id for c in r.landings if r.place_now.get(c.id) == s] for s in r.order if s}
    else:
        hands = {s: h[0].ids for s, h in r.hands.items() if len(h) == 1}
    for seat, ids in hands.items():
        values = r.values(ids)
        if values and len(ids) == 2 and is_blackjack(values) and r.sure(ids):
            yield Words(("blackjack", seat, *ids), "Blackjack!", seat, 0, 21, True, r.codes(ids))


def _landed(r: Round) -> Iterator[Words]:
    """Totals after each card of the play."""
    for seat, index, hand in r.all_hands():
        if hand.played and hand.lying and len(hand.ids) > 1:
            yield _say(r, hand, seat, index, "", ("total",))


def _say(r: Round, hand: Hand, seat: int, index: int, name: str, key: tuple[object, ...]) -> Words:
    total, cards = r.total(hand), r.codes(hand.ids)
    key = (*key, seat, index, *hand.ids)
    if total is None or not r.sure(hand.ids):
        return Words(key, f"check seat {seat}", seat, index, None, False, cards, False)
    text = "too many" if total.best > 21 else f"{total.words}, {name}?" if name else total.words
    return Words(key, text, seat, index, total.best, total.soft, cards)


def _first_total(r: Round, names: dict[int, str], looking: bool) -> Iterator[Words]:
    """The first total of the turn that it is now."""
    turn = r.on_turn()
    if turn is None or r.dealer_turn or not turns_open(r, looking) or _not_yet_known(r):
        return
    seat, index, hand = turn
    purse = r.purses.get(seat)
    if not hand.lying or hand.undue or (purse is not None and purse.gone is not None) or hand.played:
        return
    ready = max((t for t, _, _ in r.acts), default=0.0) + PAUSE
    ready = max(ready, _refused(r) + REFUSED)
    if r.peeked is not None:
        ready = max(ready, r.peeked + REVEAL)
    if r.now < ready:
        r.again_at = ready
    elif len(hand.ids) >= 2:
        yield _say(r, hand, seat, index, names[seat], ("turn", r.mends, r.reopened, _was_offered(r)))


def _was_offered(r: Round) -> bool:
    """Whether insurance was open, seen by the dealer's hand or by a bet: then the turn begins after it."""
    return bool(r.sweeps) or (r.upcard == 1 and bool(r.insurance))


def _not_yet_known(r: Round) -> bool:
    """Whether a hand counts as over by cards that may be misread, and nobody after it has acted."""
    for seat, index, hand in r.all_hands():
        if hand.over is None:
            return False
        if hand.over in ("bust", "blackjack", "21") and not r.sure(hand.ids):
            return not any((s, i) > (seat, index) for _, s, i in r.acts)
    return False


def _refused(r: Round) -> float:
    """When a hand last surrendered that may not."""
    times = [r.purses[s].surrender for s, _, h in r.all_hands() if s in r.purses and not may_surrender(r, h)]
    return max((t for t in times if t is not None), default=-REFUSED)


def turns_open(r: Round, looking: bool) -> bool:
    """Whether the first turn may begin: deal mended, insurance closed, hole card checked."""
    if r.deal_done is None:
        return False
    if r.play_t is not None:
        return True
    if r.partial or looking or r.insurance_open:
        return False
    waited = r.now - max(r.deal_done, r.sweeps[-1] if r.sweeps else 0.0)
    if r.upcard is None and waited < PEEK_LATE:
        return False
    if r.peeked is not None:
        return True
    offered = r.upcard == 1 and r.rules.insurance and not r.sweeps
    if offered:
        last = max((f.t for f in r.insured.values() if f.stacks), default=0.0)
        return waited > OFFER_LATE and r.now - last > (CHECK_LATE if r.needs_peek and r.insurance else INSURED)
    return not r.needs_peek or waited > PEEK_LATE


def _dealer(r: Round) -> Iterator[Words]:
    """The dealer's totals, from the turned hole card on."""
    if not r.dealer_turn:
        return
    total, cards, ids = r.dealer_total, r.codes(r.dealer), tuple(r.dealer)
    key = ("dealer", *ids)
    if len(ids) < 2 or (r.draws and r.draws[-1][1] is not None):
        return
    if any(why == "dealer-must-stand" for _, why, _ in r.draws):
        return
    if total is None or not r.sure(r.dealer):
        yield Words(key, "check the dealer's cards", 0, 0, None, False, cards, False)
        return
    if r.dealer_blackjack:
        text = "Dealer has blackjack"
    elif total.best > 21:
        text = "Dealer breaks"
    else:
        text = total.words if len(ids) > 2 else f"The dealer has {total.words}"
    yield Words(key, text, 0, 0, total.best, total.soft, cards)
