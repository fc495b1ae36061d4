"""The deal: two passes from first base, the dealer last, with what goes wrong in it."""

import math

from hardware.simulator import bets
from hardware.simulator.book import TOTAL_TIME, Due
from hardware.simulator.game import LAG, Game
from hardware.simulator.laying import Dealt, Where, next_card
from hardware.simulator.misdeal import ORDER_ERRORS, spoil, wrong_order
from hardware.simulator.stage import DEALER, PLAYER, Card


def deal(g: Game) -> None:
    """Deal the round, mistakes and their mending included; leaves all hands as a right deal has them."""
    g.book.start(g.stage.t)
    seats: list[Where] = [p.seat for p in g.players]
    slots = [*seats, None, *seats, None]
    d = Dealt(slots, list(slots))
    error = next((e for e in ORDER_ERRORS if g.planned(e)), None)
    bad = spoil(g, d, error) if error else None
    late = g.rng.randrange(1, len(slots)) if g.want("late-bet") else None
    while len(d.cards) < len(d.slots):
        n = len(d.cards)
        if late == n:
            bets.late_bet(g)
        if bad and n == bad[0]:
            assert error is not None
            wrong_order(g, d, error, bad)
            bad = None
            continue
        next_card(g, d)
    _finish(g, d)


def _finish(g: Game, d: Dealt) -> None:
    last = g.dealer.cards[-1]
    landed, seen = last.legs[-1].t1, g.stage.t
    if last.shown is not None and not g.exposed:
        _hide(g, last)
    for place in g.players:
        if place.natural:
            at, came = (max(when(c) for c in place.hands[0].cards) for when in (_laid, _came))
            at = max(at, d.mended)
            place.hands[0].state, place.hands[0].done = "blackjack", True
            g.book.blackjacks.append({"seat": place.number, "t_from": g.book.rounds[-1]["t_from"], "t_until": 1e9})
            if all(c.unread is None for c in place.hands[0].cards):
                left = 9.0 if g.strays else TOTAL_TIME
                g.book.phrase("Blackjack", place.number, came - 0.6, at + 0.35 + LAG, left)
    g.over(landed - 0.6, seen)
    if g.rules.first_dealer_card == "down":
        _turn_up(g)
    _read_again(g)
    if g.exposed:
        _folds(g)


def _laid(card: Card) -> float:
    """When a card came to rest."""
    return card.legs[-1].t1


def _came(card: Card) -> float:
    """When a card came to lie in its hand; laying it straight there is no coming."""
    far = [leg for leg in card.legs if math.dist((leg.start.x, leg.start.y), (leg.end.x, leg.end.y)) > 100.0]
    return far[-1].t1


def _hide(g: Game, hole: Card) -> None:
    """The dealer turns a hole card that was dealt face up on its face again."""
    g.stage.wait(0.9, 1.6)
    turned = g.stage.t + 0.4
    leave = g.stage.rest((hole.spot.x, hole.spot.y), 80.0, 0.8, DEALER)
    g.stage.turn(hole, hole.spot, False, turned)
    g.stage.t = leave
    g.note(0, turned, leave)


def _turn_up(g: Game) -> None:
    """The dealer turns his first card up once the second is dealt."""
    card = g.dealer.cards[0]
    g.stage.wait(0.2, 0.6)
    at = card.spot.x, card.spot.y
    leave = g.stage.rest(at, 80.0, 0.8, DEALER)
    turned = g.stage.t + 0.4
    g.stage.turn(card, card.spot, True, turned)
    g.stage.t = leave
    g.note(0, turned, leave)
    g.over(turned - 0.4, leave)


def _read_again(g: Game) -> None:
    """A card that could not be read is straightened after a while."""
    for place in g.players:
        for card in place.hands[0].cards:
            if card.unread is None:
                continue
            g.did("unreadable-card")
            seen = card.legs[0].t1 + 0.35
            due = g.due(Due("unreadable-card", [place.number], seen + 4.5, seen + 5.0 + LAG))
            g.stage.t = max(g.stage.t, card.unread[1] - 0.8)
            leave = g.stage.rest((card.spot.x, card.spot.y), 75.0, 0.9, DEALER)
            card.unread = (card.unread[0], g.stage.t + 0.4)
            g.note(place.number, g.stage.t + 0.45, leave)
            g.book.mend(due, g.stage.t, leave + LAG)
            g.stage.t = leave
            g.over(g.turn.t_from, leave)
            if place.natural:
                g.book.phrase("Blackjack", place.number, leave - 0.6, leave + LAG, 4.0)


def _folds(g: Game) -> None:
    """The hole card was shown: a player may fold and keep his bet."""
    g.stage.wait(3.2, 4.0)
    for place in g.players:
        hand = place.hands[0]
        if place.natural or g.rng.random() > 0.3:
            continue
        gone = g.stage.scoop(hand.cards)
        hand.state, hand.done = "void", True
        g.note(place.number, gone, gone)
        g.stage.take(hand.stacks, PLAYER)
        g.stage.wait(0.5, 1.0)
    g.turn.due = False
