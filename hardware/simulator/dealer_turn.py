"""The dealer's own hand."""

from hardware.simulator import arithmetic
from hardware.simulator.actions import away, draw
from hardware.simulator.book import Due
from hardware.simulator.game import LAG, Game
from hardware.simulator.peek import turn_hole


def live(g: Game) -> bool:
    """Whether a hand remains that the dealer must draw against (a blackjack needs no drawing)."""
    return any(h.state == "live" for p in g.players for h in p.hands)


def must_draw(g: Game) -> bool:
    """Whether the rules make the dealer draw."""
    total, soft = g.dealer.total
    return total < 17 or (total == 17 and soft and g.rules.hits_soft_17)


def play_dealer(g: Game) -> None:
    """Turn the hole card and draw as the rules have it."""
    if g.dealer.cards[1].shown is None or g.exposed:
        g.stage.wait(1.5, 3.0)
        started, leave = turn_hole(g) if not g.exposed else (g.stage.t, g.stage.t)
        blackjack = arithmetic.natural(g.dealer.codes)
        if blackjack and g.want("dealer-blackjack-missed"):
            _missed(g, started, leave)
        if not g.exposed and not blackjack:
            _say(g, started, leave, live(g))
    while live(g) and must_draw(g) and not g.want("dealer-must-draw"):
        g.stage.wait(1.4, 2.4)
        _draw_and_say(g)
    if live(g) and g.want("dealer-must-stand") and not must_draw(g) and g.dealer.total[0] <= 21:
        _overdraw(g)


def _say(g: Game, started: float, leave: float, due: bool) -> None:
    total, soft = g.dealer.total
    if total > 21:
        g.book.phrase("Dealer breaks", 0, started, leave + LAG)
    else:
        g.book.total(0, 0, total, soft, started, leave + LAG, required=due)


def _draw_and_say(g: Game) -> None:
    landed, seen = draw(g)
    _say(g, landed - 0.6, seen, True)


def _overdraw(g: Game) -> None:
    """A card too much on the dealer's own hand, taken away when told."""
    g.stage.wait(1.4, 2.4)
    started = g.stage.t
    _, seen = draw(g)
    g.did("dealer-must-stand")
    due = g.due(Due("dealer-must-stand", [0], started, seen + LAG))
    g.stage.wait(3.3, 4.4)
    back, leave = away(g, 0, g.dealer, g.dealer.cards[-1])
    g.book.mend(due, back, leave + LAG)


def _missed(g: Game, started: float, leave: float) -> None:
    """The dealer looked and did not see his blackjack: players have acted against it."""
    g.did("dealer-blackjack-missed")
    g.due(Due("dealer-played-early", [0], started, leave + LAG))
    g.book.loose()
    g.notice()
