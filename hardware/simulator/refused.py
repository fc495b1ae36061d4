"""What a player may not do and tries: splits, doubles, surrenders; refused and taken back."""

from fractions import Fraction

from hardware.simulator.actions import (
    away,
    hit,
    may_split,
    signal,
    split,
    spread,
    stake_spot,
    surrender,
)
from hardware.simulator.book import Due
from hardware.simulator.game import LAG, Game, Hand, Place, worth
from hardware.simulator.places import along
from hardware.simulator.stage import DEALER, PLAYER


def split_refused(g: Game, place: Place, hand: Hand) -> None:
    """A split of no pair, or for another bet than the first."""
    if g.flavour["split-not-allowed"] == "unequal":
        _unequal(g, place, hand)
        return
    if len(hand.cards) != 2 or (may_split(g, place, hand) and hand.bet == worth(hand.stacks, g.layout)):
        return
    g.stage.wait(1.5, 2.5)
    started = g.stage.t
    new = split(g, place, hand, hand.bet)
    g.did("split-not-allowed")
    due = g.due(Due("split-not-allowed", [place.number], started, g.stage.t + LAG))
    g.book.allow("late-bet", [place.number], started, g.stage.t + 6.0)
    g.notice()
    back = g.stage.t
    hand.cards.append(new.cards[0])
    place.hands.remove(new)
    hand.split = False
    spread(g, place)
    gone = g.stage.take(new.stacks, PLAYER)
    g.note(place.number, back + 0.5, g.stage.t)
    g.book.holds(place.number, 1, gone, None, False, gone)
    g.book.mend(due, back, g.stage.t + LAG)
    g.stage.wait(0.3, 0.8)


def _unequal(g: Game, place: Place, hand: Hand) -> None:
    """A split for another bet than the first, made equal when told; then it is played."""
    stake = hand.bet * 2 if g.rng.random() < 0.5 else hand.bet / 2
    if not may_split(g, place, hand) or worth_of(g, stake) == hand.bet:
        return
    g.stage.wait(1.5, 2.5)
    started = g.stage.t
    new = split(g, place, hand, stake)
    g.did("split-not-allowed")
    due = g.due(Due("split-not-allowed", [place.number], started, g.stage.t + LAG, needs="count"))
    g.book.allow("late-bet", [place.number], started, g.stage.t + 6.0)
    g.notice()
    back, at = g.stage.t, (new.stacks[0].x, new.stacks[0].y)
    new.stacks = g.stage.swap(new.stacks, at, g.make(hand.bet), PLAYER)
    new.bet = worth(new.stacks, g.layout)
    g.book.mend(due, back, g.stage.t + LAG)
    g.stage.wait(0.3, 0.8)


def worth_of(g: Game, amount: Fraction) -> Fraction:
    """What the chips laid for an amount are worth."""
    return sum((g.layout.chip_values[c] * n for c, n in g.make(amount)), Fraction(0))


def surrender_refused(g: Game, place: Place, hand: Hand) -> None:
    """A surrender that the rules do not offer, or after a hit: the bet is put back."""
    g.stage.wait(1.5, 2.5)
    started, evident = surrender(g, place, hand, allowed=False)
    g.did("surrender-not-allowed")
    due = g.due(Due("surrender-not-allowed", [place.number], started, evident + LAG, needs="count"))
    half = place.payouts.pop()
    halves = [half]
    while place.payouts and place.payouts[-1].born == half.born:
        halves.append(place.payouts.pop())
    g.book.allow("taken-early", [place.number], started, evident + 9.0)
    g.book.allow("late-bet", [place.number], started, evident + 9.0)
    g.notice()
    back = g.stage.t
    hand.stacks = g.stage.swap(halves, (half.x, half.y), g.make(hand.bet), DEALER)
    g.book.mend(due, back, g.stage.t + LAG)


def double_too_much_refused(g: Game, place: Place, hand: Hand) -> None:
    """A stake over the bet for a double, made smaller when told; then the card."""

    more: Fraction = hand.bet * 2
    g.stage.wait(1.5, 2.5)
    started = signal(g, place, "one-finger")
    g.stage.wait(0.1, 0.3)
    at = stake_spot(g, place, hand)
    stacks = g.stage.put(at, g.make(more), PLAYER, along(place.seat, 40.0, 0.0, (0.0, 0.0)))
    g.did("double-not-allowed")
    due = g.due(Due("double-not-allowed", [place.number], started, g.stage.t + LAG, needs="count"))
    g.book.allow("late-bet", [place.number], started, g.stage.t + 6.0)
    g.notice()
    back = g.stage.t
    right = g.stage.swap(stacks, at, g.make(hand.bet), PLAYER)
    g.book.mend(due, back, g.stage.t + LAG)
    hand.stacks, hand.extra = hand.stacks + right, worth(right, g.layout)
    g.stage.wait(0.4, 0.8)
    g.next_is(lambda c: c[0] in "23456789")
    landed, seen = hit(g, place, hand, crosswise=True)
    hand.done = True
    g.say(place, hand, landed - 0.6, seen + LAG)
    g.over(landed - 0.6, seen)


def double_late_refused(g: Game, place: Place, hand: Hand) -> None:
    """A double on three cards, or after a split that the house lets nobody double, taken back when told."""

    g.stage.wait(1.5, 2.5)
    started = signal(g, place, "one-finger")
    g.stage.wait(0.1, 0.3)
    stacks = g.stage.put(stake_spot(g, place, hand), g.make(hand.bet), PLAYER)
    g.stage.wait(0.4, 0.8)
    g.next_is(lambda c: c[0] in "23")
    hit(g, place, hand, crosswise=True)
    g.did("double-not-allowed")
    due = g.due(Due("double-not-allowed", [place.number], started, g.stage.t + LAG))
    g.book.allow("late-bet", [place.number], started, g.stage.t + 6.0)
    g.notice()
    back, _ = away(g, place.number, hand, hand.cards[-1])
    g.stage.take(stacks, PLAYER)
    g.book.mend(due, back, g.stage.t + LAG)
    g.stage.wait(0.3, 0.8)
