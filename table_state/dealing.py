"""The deal as it goes: read, mended, left standing, joined late, and the turns begun once it is done."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from table_state.deal import DealError, lies_right, read_deal, right_places
from table_state.dealer_hand import dealer_cards
from table_state.facts import Cards
from table_state.play import begin as begin_play
from table_state.play import on_signal, seat_cards
from table_state.senses import Signal
from table_state.state import Round

SETTLED: Final = 1.2
"""Seconds after which a start in mid-round has seen what lies there."""
LATE_DEALER: Final = 2.2
"""Seconds after a player's signal at which the dealer's second card is overdue."""
STUCK: Final = 1.5
"""Seconds for which the first turn waits while a mistake of the deal stands."""

ClearAt = Callable[[int], float]


def wait(r: Round, t: float, clear_at: ClearAt) -> None:
    """A hand hid the place whose card was due: by now it may have been there for long enough."""
    r.wall = t
    if r.deal_done is None and r.reading.waiting:
        read(r, clear_at)
        if _is_done(r):
            begin(r, r.cards_t)


def deal_cards(r: Round, fact: Cards, moved: bool, clear_at: ClearAt) -> None:
    if r.partial and not _joins(r, clear_at):
        _partial_deal(r, fact)
        return
    read(r, clear_at)
    if moved and r.reading.errors:
        r.mending = True
    if r.reading.errors and _is_right(r):
        whole = {i for i in [*r.good, *r.reading.sequence] if i is not None}
        r.good = dealt(r)
        # A card that went from one place to another unseen is known by the one that came; the one that left is no card.
        r.landings = [c for c in r.landings if c.id not in whole or c.id in r.good]
        r.good_t = fact.t
        r.mends += 1
        r.mending = False
        r.deal_errors = []
        read(r, clear_at)
    if _is_done(r):
        begin(r, fact.t)
    elif fact.place == 0 and len(fact.up) > 1 and len(fact.ids) == len(fact.up) and r.was_down & fact.up:
        goes_on(r, fact.t)


def read(r: Round, clear_at: ClearAt) -> None:
    """Read the deal as it fell after what is known to be right."""
    settled = set(r.good)
    tail = [c for c in r.landings if c.id not in settled]
    key = (tuple(r.order), len(r.good), tuple((c.id, c.place) for c in tail))
    reading = r.memo.get(key)
    if reading is None:
        reading = read_deal(r.order, len(r.good), tail, clear_at, r.wall)
        if reading.firm:
            r.memo[key] = reading
    if r.mending and r.deal_errors:
        last = max(e.t for e in r.deal_errors)
        reading = replace(reading, errors=[e for e in reading.errors if e.t <= last])
    r.reading = reading
    r.deal_errors = reading.errors


def dealt(r: Round) -> list[int | None]:
    """All cards of the deal that lie somewhere, in the order in which they were dealt."""
    return [i for i in [*r.good, *r.reading.sequence] if i is None or r.place_now.get(i) is not None]


def whereabouts(r: Round) -> list[tuple[str, int | None, int | None]]:
    """Every dealt card that lies somewhere: its code, where it lies and where it belongs."""
    cards = dealt(r)
    right = right_places(r.order, len(cards))
    return [(r.codes([i])[0], r.place_now.get(i), at) for i, at in zip(cards, right, strict=True) if i is not None]


def _is_right(r: Round) -> bool:
    cards = dealt(r)
    right = right_places(r.order, len(cards))
    lying = [(r.deck[i].face, r.place_now.get(i), at) for i, at in zip(cards, right, strict=True) if i is not None]
    return lies_right(lying)


def _is_done(r: Round) -> bool:
    if r.mending:
        return False
    down = sum(place == 0 for place in r.place_now.values()) >= 2
    face_up_first = any(i in r.up for i, place in r.place_now.items() if place == 0)
    ready = r.reading.complete and (face_up_first or not down)
    return ready and (not r.deal_errors or bool(r.reading.later))


def begin(r: Round, t: float) -> None:
    r.misplaced = whereabouts(r)
    later = {c.id for c in r.reading.later}
    first = [c for c in r.landings if c.id not in later]
    hits = [c for c in r.landings if c.id in later]
    r.landings = first
    begin_play(r, t)
    r.landings = first + hits
    for card in sorted(hits, key=lambda c: c.born):
        _again(r, card.place, t)


def goes_on(r: Round, t: float) -> None:
    """Insurance, a look at the hole card or its turning after a whole deal: a mistake of it is left standing."""
    if r.deal_done is None and r.started is not None and r.reading.complete and r.deal_errors and not r.mending:
        begin(r, t)


def _again(r: Round, place: int, t: float) -> None:
    """Look at a place once more, now that the deal is over."""
    ids = tuple(c.id for c in r.landings if r.place_now.get(c.id) == place)
    fact = Cards(t, place, (ids,), frozenset(i for i in ids if i in r.up))
    if place == 0:
        dealer_cards(r, fact)
    else:
        seat_cards(r, fact)


def _joins(r: Round, clear_at: ClearAt) -> bool:
    """Whether what lies there, begun late, is a right beginning of a deal that goes on: then it is followed as such."""
    if not r.purses or sum(place == 0 for place in r.place_now.values()) > 1:
        return False
    r.set_order()
    read(r, clear_at)
    if r.reading.errors or r.reading.complete or r.reading.position < 1:
        r.deal_errors = []
        return False
    r.partial = False
    return True


def _partial_deal(r: Round, fact: Cards) -> None:
    """The order of the deal is not known: once the dealer has two cards, what lies there are the hands."""
    seats = {place for place in r.place_now.values() if place}
    r.order = [*sorted({*r.purses, *seats}), 0]
    dealer = [i for i, place in r.place_now.items() if place == 0]
    if r.started is not None and fact.t < r.started + 0.6:
        r.pay_unseen = r.pay_unseen or sum(i in r.up for i in dealer) > 1


def begin_late(r: Round, t: float) -> None:
    """Once the first look is over and the dealer has two cards, what lies there are the hands."""
    if r.deal_done is not None or not r.partial or r.started is None or t < r.started + SETTLED:
        return
    dealer = [i for i, place in r.place_now.items() if place == 0]
    if len(dealer) >= 2 and any(i in r.up for i in dealer):
        r.order = [*sorted({place for place in r.place_now.values() if place}), 0]
        begin_play(r, t)


def overdue(r: Round, t: float, clear_at: ClearAt) -> None:
    """A player plays although the dealer's second card was forgotten."""
    if r.deal_done is not None or r.partial or r.started is None or not r.signals:
        return
    signals = [s for s in r.signals if s[0] > r.started]
    if signals and t - signals[0][0] >= LATE_DEALER and r.reading.position >= len(r.order):
        due = signals[0][0] + LATE_DEALER
        r.deal_errors = [*r.deal_errors, DealError("dealer-skipped", 0, 0, due)] if _only_dealer(r) else r.deal_errors
        r.mending = False
        begin(r, due)
        r.signals = [s for s in r.signals if s not in signals]
        for when, seat, kind in signals:
            on_signal(r, Signal(when, seat, kind))


def _only_dealer(r: Round) -> bool:
    return not r.reading.complete and r.reading.position == 2 * len(r.order) - 1


def stuck(r: Round, clear_at: ClearAt) -> None:
    """A mistake of the deal stands and nobody mends it: let the turns be seen, but begin them only when one plays."""
    if r.deal_done is None and r.started is not None and not r.partial and r.deal_errors:
        read(r, clear_at)
        last = max(c.born for c in r.landings)
        if not r.reading.complete or r.mending:
            return
        if r.now - last > STUCK:
            begin(r, r.now)
            r.tentative = True
        else:
            r.again_at = last + STUCK + 0.001
