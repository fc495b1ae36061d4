"""Chips between dealer and players: payouts, takings, and where they are put."""

from collections.abc import Sequence
from fractions import Fraction

from hardware.simulator.game import Game, Hand, Place
from hardware.simulator.places import BESIDE, along
from hardware.simulator.stage import DEALER, Stack


def pay(g: Game, place: Place, hand: Hand, amount: Fraction) -> list[Stack]:
    """Lay a payout beside the bet it pays, nearer to the dealer; the clock moves on."""
    first = hand.stacks[0]
    at = g.places.near(along(place.seat, 0.0, -BESIDE, (first.x, first.y)), 2.5)
    aside = along(place.seat, 40.0, 0.0, (0.0, 0.0))
    stacks = g.stage.put(at, like(g, first, amount), DEALER, aside)
    place.payouts.extend(stacks)
    return stacks


def like(g: Game, bet: Stack, amount: Fraction) -> list[tuple[str, int]]:
    """Chips for an amount: of the bet's own colour where that makes it, as a dealer pays."""
    count = amount / g.layout.chip_values[bet.color]
    return [(bet.color, int(count))] if count.denominator == 1 and 0 < count <= 20 else g.make(amount)


def take(g: Game, stacks: Sequence[Stack]) -> float:
    """The dealer takes stacks; returns when they were off the felt; the clock moves on."""
    return g.stage.take(stacks, DEALER)
