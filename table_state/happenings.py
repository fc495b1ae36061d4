"""The event lines of a round: what happened, each with a key so that it is told once."""

from collections.abc import Iterator

from table_state.output import Event
from table_state.state import Round

Keyed = tuple[tuple[object, ...], Event]


def happenings(r: Round) -> Iterator[Keyed]:
    """All events of a round that can be told by now, in order."""
    if r.started is None:
        return
    t = r.now
    yield ("round-started",), Event(t, "round-started")
    for seat, purse in sorted(r.purses.items()):
        if seat in r.order:
            yield ("bet", seat), Event(t, "bet", seat, None, None, purse.locked)
    yield from _cards(r, t)
    yield from _turns(r, t)
    if r.dealer_turn:
        yield ("dealer-turn",), Event(t, "dealer-turn", 0)
    for seat, amount in r.insurance.items():
        yield ("insurance", seat), Event(t, "insurance", seat, None, None, amount)


def _cards(r: Round, t: float) -> Iterator[Keyed]:
    where = {i: (s, n) for s, n, h in r.all_hands() for i in h.ids}
    for card in r.landings:
        place = r.place_now.get(card.id)
        if place is None:
            continue
        hand = where[card.id][1] if card.id in where else 0
        if card.id in r.up:
            known = r.deck[card.id]
            if known.sure or t - card.born > 2.0:
                yield ("card", card.id), Event(t, "card", place, hand, known.code)
        elif place == 0:
            yield ("hole", card.id), Event(t, "hole-card", 0, 0, "??")


def _turns(r: Round, t: float) -> Iterator[Keyed]:
    for seat, index, hand in r.all_hands():
        if hand.turn is not None and r.play_t is not None:
            yield ("turn", seat, index), Event(t, "turn", seat, index)
        if hand.split:
            yield ("split", seat, index), Event(t, "split", seat, index, None, hand.bet)
        if hand.doubled:
            yield ("double", seat, index), Event(t, "double", seat, index, None, hand.bet)
        if not r.sure(hand.ids):
            continue
        if hand.over == "surrender":
            yield ("surrender", seat), Event(t, "surrender", seat, index)
        elif hand.over == "bust":
            yield ("bust", seat, index), Event(t, "bust", seat, index)
        elif r.natural(hand):
            yield ("blackjack", seat), Event(t, "blackjack", seat, index)
