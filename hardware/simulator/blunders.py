"""Mistakes made while the players have their turns, and how they are put right."""

from fractions import Fraction

from hardware.simulator import arithmetic, refused
from hardware.simulator.actions import (
    away,
    draw,
    hit,
    may_split,
    signal,
    take_bust,
)
from hardware.simulator.book import Due
from hardware.simulator.game import LAG, Game, Hand, Place
from hardware.simulator.misdeal import ORDER_ERRORS
from hardware.simulator.money import take
from hardware.simulator.peek import turn_hole
from hardware.simulator.places import along
from hardware.simulator.stage import DEALER, Card


def wish(g: Game, place: Place, hand: Hand) -> str | None:
    """What a player must choose so that a planned mistake has its occasion; None = as he likes."""
    n, total = place.number, hand.total[0]
    if g.want("bust-not-taken", n):
        if total >= 12:
            g.next_is(lambda c: arithmetic.points(c) == 10)
        return "hit"
    if g.want("card-not-due", n) and g.flavour["card-not-due"] != "stood":
        g.next_is(lambda c: c[0] in "2345678" if g.flavour["card-not-due"] == "doubled" else c[0] == "8")
        return "double" if g.flavour["card-not-due"] == "doubled" else "hit"
    if any(g.want(x, n) for x in STANDING):
        return "stand"
    if g.want("double-not-allowed", n) and g.flavour["double-not-allowed"] == "split":
        return "split" if may_split(g, place, hand) and not hand.split else "stand"
    if g.want("double-not-allowed", n) and len(hand.cards) == 2:
        g.next_is(lambda c: c[0] in "234")
        return "hit"
    if g.want("taken-early", n) and total <= 11:
        return "hit"
    return None


STANDING = (
    "not-paid", "not-taken", "push-taken", "wrong-payout", "cleared-early", "pay-order", "card-not-due", "out-of-turn",
    "dealer-must-draw", "dealer-must-stand",
)  # fmt: skip


def before_action(g: Game, place: Place, hand: Hand) -> None:
    """What goes wrong at the start of a hand's turn."""
    n = place.number
    if hand.done or hand.state != "live":
        return
    if hand.split:
        if g.want("double-not-allowed", n) and g.flavour["double-not-allowed"] == "split" and hand.total[0] < 18:
            refused.double_late_refused(g, place, hand)
        return
    if g.want("split-not-allowed", n):
        refused.split_refused(g, place, hand)
    elif g.want("surrender-not-allowed", n) and not g.rules.surrender:
        refused.surrender_refused(g, place, hand)
    elif g.want("double-not-allowed", n) and g.flavour["double-not-allowed"] == "too much":
        refused.double_too_much_refused(g, place, hand)
    elif g.planned("out-of-turn") and g.targets["out-of-turn"] != n:
        _out_of_turn(g, place)
    elif g.want("dealer-played-early", n):
        _ignored(g, place)


def after_hit(g: Game, place: Place, hand: Hand) -> None:
    """What goes wrong when a hand has taken a card and is not over."""
    n = place.number
    if hand.split:
        return
    if g.want("taken-early", n):
        _taken_early(g, place, hand)
    elif g.want("double-not-allowed", n):
        refused.double_late_refused(g, place, hand)
    elif g.want("surrender-not-allowed", n):
        refused.surrender_refused(g, place, hand)


def after_hand(g: Game, place: Place, hand: Hand) -> None:
    """What goes wrong when a hand is over, or while it is drawn to."""
    if hand.state != "live" or hand.split or hand.total[0] > 21 or not g.want("card-not-due", place.number):
        return
    way = g.flavour["card-not-due"]
    if (way == "stood" and hand.waved) or (way == "doubled" and hand.extra) or (way == "21" and hand.total[0] == 21):
        _card_not_due(g, place, hand)


# ---- a card too much
def card_on_natural(g: Game, place: Place) -> None:
    """A blackjack is given a card."""
    if g.want("card-not-due", place.number) and place.hands[0].state == "blackjack":
        _card_not_due(g, place, place.hands[0])


def _extra(g: Game, place: Place, hand: Hand) -> tuple[Card, float, float, float]:
    """A card to a hand that is due none; the card, when it came, landed and was uncovered."""
    started = g.stage.t
    i = place.hands.index(hand)
    spot = g.places.card(place.seat, len(place.hands), i, len(hand.cards))
    card = g.stage.bring(g.draw(), g.layout.shoe, spot, True)
    hand.cards.append(card)
    landed, seen = card.legs[-1].t1, g.stage.t
    g.note(place.number, landed, seen)
    return card, started, landed, seen


def _card_not_due(g: Game, place: Place, hand: Hand) -> None:
    turn = g.turn
    g.stage.wait(1.2, 2.5)
    card, started, _, seen = _extra(g, place, hand)
    g.did("card-not-due")
    due = g.due(Due("card-not-due", [place.number], started, seen + LAG))
    g.book.allow("out-of-turn", [place.number], started, seen + 6.0)
    g.book.allow("bust-not-taken", [place.number], started, seen + 9.0)
    g.notice()
    back, leave = away(g, place.number, hand, card)
    g.book.mend(due, back, leave + LAG)
    g.over(turn.t_from, g.stage.t, due=turn.due)
    g.turn.evident = max(turn.evident, leave)
    g.stage.wait(0.3, 0.6)


def _out_of_turn(g: Game, place: Place) -> None:
    """An earlier seat gets a card after this one has taken one."""
    early = g.place(g.targets["out-of-turn"])
    if early is None or early.number > place.number or early.hands[0].waved or early.hands[0].state != "live":
        return
    hand = early.hands[0]
    if len(early.hands) > 1 or hand.total[0] >= 20 or not hand.done or hand.extra:
        return

    mine = place.hands[0]
    if mine.total[0] > 11:
        return
    g.next_is(lambda c: c[0] in "2345")
    g.stage.wait(1.5, 2.5)
    signal(g, place, "tap")
    landed, seen = hit(g, place, mine)
    g.say(place, mine, landed - 0.6, seen + LAG)
    g.stage.wait(2.0, 3.0)
    g.next_is(lambda c: c[0] in "23")
    card, started, _, seen = _extra(g, early, hand)
    g.did("out-of-turn")
    due = Due("out-of-turn", [early.number], started, seen + LAG)
    due.other = [("card-not-due", [early.number])]
    g.due(due)
    g.notice()
    back, leave = away(g, early.number, hand, card)
    g.book.mend(due, back, leave + LAG)
    g.stage.wait(0.3, 0.8)


# ---- busts and takings
def _later(g: Game, place: Place) -> list[Place]:
    """Players whose turn comes after a seat's."""
    return [p for p in g.players if p.number > place.number and p.hands[0].state == "live"]


def may_go_on(g: Game, place: Place) -> bool:
    """Whether it can be seen that play goes on after a seat: a turn comes, or the hole card is turned up."""
    return bool(_later(g, place)) or not g.exposed


def leave_bust(g: Game, place: Place, hand: Hand, landed: float) -> None:
    """A bust hand stays as it is; `next_action` notes when that is evident."""
    g.did("bust-not-taken")
    way = g.flavour["bust-not-taken"]
    if way == "cards":
        g.stage.wait(0.8, 1.6)
        take(g, hand.stacks)
    elif way == "bet":
        g.stage.wait(0.8, 1.6)
        gone = g.stage.scoop(hand.cards)
        hand.state = "bust"
        g.note(place.number, gone, gone)
    g.over(landed - 0.6, g.stage.t + 30.0, due=False)
    later = _later(g, place)

    g.stage.wait(1.5, 2.5)
    started = g.stage.t
    if later:
        # play goes on: the next player is served
        other = later[0]
        if other.hands[0].total[0] > 11:
            signal(g, other, "wave")
            other.hands[0].done = other.hands[0].waved = True
            evident = g.stage.t
        else:
            signal(g, other, "tap")
            g.next_is(lambda c: c[0] in "2345")
            a, seen = hit(g, other, other.hands[0])
            g.say(other, other.hands[0], a - 0.6, seen + LAG)
            evident = seen
            g.turn.due = False
    else:
        turned, evident = turn_hole(g)
        if arithmetic.natural(g.dealer.codes) and g.want("dealer-blackjack-missed"):
            g.did("dealer-blackjack-missed")
            g.due(Due("dealer-played-early", [0], turned, evident + LAG))
            g.book.loose()
    due = g.due(Due("bust-not-taken", [place.number], landed, evident + LAG))
    g.notice(3.2, 4.2)
    back = g.stage.t

    if way == "bet":
        take(g, hand.stacks)
        hand.state = "bust"
    else:
        take_bust(g, place, hand)
    g.book.mend(due, back, g.stage.t + LAG)
    g.stage.wait(0.4, 0.9)
    g.turn.t_from = started


def _taken_early(g: Game, place: Place, hand: Hand) -> None:
    """The dealer takes a hand that is not over for too many; told so, he gives it back, or does not."""
    g.stage.wait(1.0, 2.0)
    started = g.stage.t
    took = take(g, hand.stacks)
    old = list(hand.stacks)
    gone = g.stage.scoop(hand.cards)
    codes = hand.codes
    total = hand.total[0]
    hand.state = "out"
    g.note(place.number, gone, gone)
    g.did("taken-early")
    due = Due("taken-early", [place.number], started, g.stage.t + LAG)

    due.expected = [Fraction(total)]
    g.due(due)
    g.book.allow("late-bet", [place.number], took, took + 9.0)
    g.notice(2.6, 4.0)
    hand.state, hand.cards = "live", []
    begun = g.stage.t
    for k, code in enumerate(codes):
        card = g.stage.bring(code, g.layout.discard, g.places.card(place.seat, 1, 0, k), True)
        hand.cards.append(card)
        g.note(place.number, card.legs[-1].t1, g.stage.t)
        g.stage.wait(0.1, 0.3)
    chips = [(s.color, s.count) for s in old]
    at = (old[0].x, old[0].y)
    back = g.stage.t
    hand.stacks = g.stage.put(at, chips, DEALER, along(place.seat, 42.0, 0.0, (0.0, 0.0)))
    for code in ("late-bet", "card-not-due", "out-of-turn", *ORDER_ERRORS):
        g.book.allow(code, "any", begun - 1.0, g.stage.t + 2.0)
    g.book.mend(due, back - 1.0, g.stage.t + LAG)


# ---- what a player may not do


def _ignored(g: Game, place: Place) -> None:
    """The last player asks for a card and the dealer plays his own hand instead."""
    if place is not g.players[-1] or g.exposed:
        return

    if arithmetic.natural(g.dealer.codes) or g.dealer.total[0] >= 17:
        return
    g.stage.wait(1.5, 2.5)
    signal(g, place, "tap")
    g.stage.wait(0.6, 1.2)
    started, leave = turn_hole(g)
    g.book.allow("hole-card-exposed", [0], started, leave + LAG)
    total, soft = g.dealer.total
    g.book.total(0, 0, total, soft, started, leave + LAG, required=False)
    g.stage.wait(1.0, 2.0)
    _, seen = draw(g)
    g.did("dealer-played-early")
    g.due(Due("dealer-played-early", [0], started, seen + LAG))
    for p in g.players:
        for h in p.hands:
            h.done = True
    g.book.loose()
    g.notice()
