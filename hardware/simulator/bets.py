"""Before the deal: the burn card of a new shoe and the players' bets."""

import itertools
from fractions import Fraction

from hardware.simulator.book import Due
from hardware.simulator.game import LAG, Game, Hand, Place, worth
from hardware.simulator.places import BESIDE, Spot, along
from hardware.simulator.stage import DEALER, PLAYER, Card, Leg, Motion, Stack
from table_state.layout import Seat


def burn(g: Game) -> None:
    """Slide the first card of a new shoe face up across the table and into the rack."""
    stage, layout = g.stage, g.layout
    code = g.draw()
    far = 350.0 if max(s.cards[1] for s in layout.seats) > 450 else 300.0
    (sx, sy), (dx, dy) = layout.shoe, layout.discard
    way = [(sx, sy), (sx * 0.6, far * 0.87), (sx * 0.25, far), (dx * 0.25, far), (dx * 0.6, far * 0.87), (dx, dy)]
    stage.level += 1.0
    card = Card(code, [], level=stage.level)
    stage.wait(0.3)
    for a, b in itertools.pairwise(way):
        end = stage.t + 0.58
        card.legs.append(Leg(stage.t, end, _tilted(g, a), _tilted(g, b), code))
        stage.motions.append(Motion(stage.t, end, (a[0], a[1] - 75), (b[0], b[1] - 75), 45.0, DEALER))
        stage.t = end
    card.gone = stage.t
    stage.cards.append(card)
    g.fresh = False
    stage.wait(0.6)


def _tilted(g: Game, at: tuple[float, float]) -> Spot:
    return Spot(at[0], at[1], g.rng.uniform(-40.0, 40.0))


def place_bets(g: Game, want: int = 0) -> None:
    """Players put chips in their circles; who has chips standing from the last round leaves them."""
    seats = list(g.layout.seats)
    stands = [s for s in seats if s.number in g.standing]
    free = [s for s in seats if s.number not in g.standing]
    count = g.rng.randint(1, len(seats)) if len(seats) < 5 else g.rng.choice((1, 2, 3, 3, 4, 4, 5, 6, 7))
    count = max(count, want, len(stands), 1)
    playing = stands + g.rng.sample(free, min(len(free), count - len(stands)))
    for seat in sorted(playing, key=lambda s: s.number):
        stacks = g.standing[seat.number] if seat.number in g.standing else _bet(g, seat)
        hand = Hand(stacks=stacks, bet=worth(stacks, g.layout))
        g.players.append(Place(seat, [hand]))
    g.standing = {}
    g.stage.wait(1.0, 1.6)


def _bet(g: Game, seat: Seat) -> list[Stack]:
    color, count = choose(g, g.want("bet-out-of-limits", seat.number))
    stacks = g.stage.put(g.places.bet(seat), [(color, count)], PLAYER)
    g.stage.wait(0.1, 0.4)
    return stacks


def choose(g: Game, wrong: bool = False) -> tuple[str, int]:
    """A bet of one colour that the house can pay exactly, within its limits unless it is to be `wrong`."""
    low, high = g.rules.bets
    fair = []
    for color, value in g.layout.chip_values.items():
        for count in range(1, 13):
            bet = value * count
            inside = bet >= low and (not high or bet <= high)
            if g.payable(bet) and inside != wrong:
                fair.append((color, count))
    small = [x for x in fair if x[1] <= 5]
    return g.rng.choice(small or fair)


def limits_passed(g: Game, landed: float, seen: float) -> None:
    """The deal has begun: a bet out of the limits is evident now."""
    low, high = g.rules.bets
    for place in g.players:
        if g.want("bet-out-of-limits", place.number) and (place.bet < low or (high and place.bet > high)):
            g.did("bet-out-of-limits")
            right: Fraction = low if place.bet < low else high
            due = Due("bet-out-of-limits", [place.number], landed - 3.0, seen + LAG)
            due.expected, due.seen = [right], [place.bet]
            g.due(due)
            g.book.loose()


def late_bet(g: Game) -> None:
    """A player adds to a bet, or bets on an empty circle, while the cards are dealt, and takes it back when told."""
    stage = g.stage
    empty = [s for s in g.layout.seats if g.place(s.number) is None]
    late = bool(empty) and g.rng.random() < 0.4
    seat = g.rng.choice(empty) if late else g.rng.choice(g.players).seat
    place = g.place(seat.number)
    before = place.bet if place else Fraction(0)
    at = g.places.near(along(seat, BESIDE if place else 0.0, 0.0, seat.circle[:2]))
    started = stage.t
    chips = [choose(g)]
    stacks = stage.put(at, chips, PLAYER)
    due = Due("late-bet", [seat.number], started, stage.t + LAG)
    due.expected, due.seen = [before], [before + worth(stacks, g.layout)]
    g.due(due)
    g.did("late-bet")
    if late or g.rng.random() < 0.8:
        stage.wait(3.1, 3.8)
        back = stage.t
        stage.take(stacks, PLAYER)
        g.book.mend(due, back, stage.t + LAG)
    else:
        g.place(seat.number).payouts.extend(stacks)  # type: ignore[union-attr]
        g.book.loose()
    stage.wait(0.5, 0.9)
