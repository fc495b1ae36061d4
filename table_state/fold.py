"""The fold: facts in their order in, a round out. Nothing is kept between two folds."""

from collections.abc import Iterable

from table_state.chips import Chips
from table_state.deal import Landing
from table_state.dealer_hand import dealer_cards, take_back_draws
from table_state.dealing import ClearAt, begin, begin_late, deal_cards, goes_on, overdue, stuck, wait
from table_state.facts import BetSaid, Cards, Clear, Deck, Fact
from table_state.hands import take_back_cards
from table_state.money import bet_said, lock, on_chips
from table_state.payments import note_stakes
from table_state.play import on_signal, seat_cards
from table_state.rules import HouseRules
from table_state.senses import Gap, Hover, Look, Signal, Sweep
from table_state.stakes import in_pay
from table_state.state import Memo, Round


def fold(
    rules: HouseRules,
    deck: Deck,
    facts: Iterable[Fact],
    now: float,
    clear_at: ClearAt,
    partial: bool = False,
    signals_seen: bool = True,
    memo: Memo | None = None,
) -> Round:
    """The round that follows from the facts up to now; clear_at tells when a place was last in full sight.

    memo remembers how the deal of this round was read, only to be quicker.
    """
    r = Round(rules, deck, partial, begun_late=partial, signals_seen=signals_seen, wall=now)
    r.memo = {} if memo is None else memo
    for fact in facts:
        wait(r, fact.t, clear_at)
        overdue(r, fact.t, clear_at)
        take_back_draws(r, fact.t)
        take_back_cards(r, fact.t)
        begin_late(r, fact.t)
        r.now = fact.t
        _take(r, fact, clear_at)
        _turns(r, fact.t)
    r.now = now
    wait(r, now, clear_at)
    overdue(r, now, clear_at)
    take_back_draws(r, now)
    take_back_cards(r, now)
    begin_late(r, now)
    stuck(r, clear_at)
    _peek(r)
    return r


def _take(r: Round, fact: Fact, clear_at: ClearAt) -> None:
    if isinstance(fact, Cards):
        if fact.place >= 0:
            _cards(r, fact, clear_at)
    elif isinstance(fact, Chips):
        if fact.by == "dealer":
            goes_on(r, fact.t)
        on_chips(r, fact)
    elif isinstance(fact, Signal):
        if r.deal_done is None and r.started is not None and (r.reading.complete or r.mending):
            begin(r, fact.t)
        on_signal(r, fact)
    elif isinstance(fact, Sweep):
        if r.started is not None and r.play_t is None:
            goes_on(r, fact.t)
            r.sweeps.append(fact.t)
    elif isinstance(fact, Look):
        if fact.hands > 1:
            goes_on(r, fact.t)
        r.looks.append(fact)
    elif isinstance(fact, Hover):
        r.hovers.append((fact.t, fact.seat))
    elif isinstance(fact, Gap):
        r.gaps.append((fact.t, fact.start))
    elif isinstance(fact, Clear):
        r.cleared = fact.t
    elif isinstance(fact, BetSaid):
        bet_said(r, fact.seat, fact.amount)


def _peek(r: Round) -> None:
    """The dealer looked at the hole card: both hands on the cards, or one for longer than turning the upcard takes."""
    if r.peeked is not None or r.hole is None or r.upcard is None or r.deal_done is None:
        return
    laid = r.deck[r.hole].born
    turned = r.up_at.get(r.dealer[0], 0.0)
    for look in r.looks:
        down = r.hole not in r.up or look.t < r.up_at.get(r.hole, 0.0)
        if look.hands > 1:
            # Hands that came before the card was seen lay on it as it was laid.
            after = look.start > laid or (look.start > r.deck[r.hole].lo and look.t > laid - 0.8)
        else:
            after = look.start > max(r.deal_done - 0.6, turned - 0.2)
        if after and down and (look.hands > 1 or r.hole not in r.up):
            r.peeked = look.t
            return


def _turns(r: Round, t: float) -> None:
    """Note when a hand's turn began, and what the stakes were before pay and take."""
    if r.deal_done is None:
        return
    _peek(r)
    turn = r.on_turn()
    if turn is not None and turn[2].turn is None:
        turn[2].turn = t
    if r.pay_t is None:
        note_stakes(r)
        if in_pay(r):
            r.pay_t = t


def _cards(r: Round, fact: Cards, clear_at: ClearAt) -> None:
    if r.started is None:
        if not fact.heaps:
            return
        r.started = fact.t
        lock(r, fact.t)
        r.partial = r.partial or not r.purses
        r.set_order()
    moved = _whereabouts(r, fact)
    r.cards_t = fact.t
    if r.deal_done is None:
        deal_cards(r, fact, moved, clear_at)
    elif fact.place == 0:
        dealer_cards(r, fact)
    else:
        seat_cards(r, fact)


def _whereabouts(r: Round, fact: Cards) -> bool:
    """Note where cards lie and which way up; returns whether one that was dealt went elsewhere."""
    moved = False
    r.heaps[fact.place] = fact.heaps
    present = set(fact.ids)
    for i, place in r.place_now.items():
        if place == fact.place and i not in present:
            r.place_now[i] = None
            moved = True
    known = {c.id for c in r.landings}
    for i in fact.ids:
        if i not in known:
            card = r.deck[i]
            r.landings.append(Landing(i, fact.place, card.born, card.lo))
        elif r.place_now.get(i) != fact.place:
            moved = True
        r.place_now[i] = fact.place
    for i in fact.ids:
        if i in fact.up and i not in r.up:
            r.up.add(i)
            r.up_at[i] = fact.t
        if i not in fact.up:
            r.up.discard(i)
            r.was_down.add(i)
    return moved
