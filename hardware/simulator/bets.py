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


def _standing(g: Game, seat: Seat) -> list[Stack]:
    """A bet left from the last round, now and then raised before the deal."""
    stacks = g.standing[seat.number]
    more = choose(g)
    total = worth(stacks, g.layout) + g.layout.chip_values[more[0]] * more[1]
    if g.rng.random() < 0.2 and g.payable(total) and g.in_limits(total):
        at = g.places.near(along(seat, BESIDE, 0.0, (stacks[0].x, stacks[0].y)))
        return stacks + g.stage.put(at, [more], PLAYER)
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
            due = Due("bet-out-of-limits", [place.number], landed - 3.0, seen + LAG, needs="count")
            due.expected, due.seen = [right], [place.bet]
            g.due(due)
            g.book.loose()


def late_bet(g: Game) -> None:
    """A bet is raised, made or taken back while the cards are dealt; put right when told, or left."""
    empty = [s for s in g.layout.seats if g.place(s.number) is None]
    whole = [p for p in g.players if len(p.hands[0].stacks) == 1 and p.hands[0].stacks[0].count > 1]
    if whole and g.rng.random() < 0.25:
        _pinch(g, g.rng.choice(whole))
    elif empty and g.rng.random() < 0.4:
        _too_late(g, g.rng.choice(empty), None)
    else:
        place = g.rng.choice(g.players)
        _too_late(g, place.seat, place)
    g.did("late-bet")
    g.stage.wait(0.5, 0.9)


def _too_late(g: Game, seat: Seat, place: Place | None) -> None:
    stage, started = g.stage, g.stage.t
    before = place.bet if place else Fraction(0)
    at = g.places.near(along(seat, BESIDE if place else 0.0, 0.0, seat.circle[:2]))
    stacks = stage.put(at, [choose(g)], PLAYER)
    due = Due("late-bet", [seat.number], started, stage.t + LAG)
    due.expected, due.seen = [before], [before + worth(stacks, g.layout)]
    g.due(due)
    if place is None or g.rng.random() < 0.8:
        stage.wait(3.1, 3.8)
        back = stage.t
        stage.take(stacks, PLAYER)
        g.book.mend(due, back, stage.t + LAG)
    else:
        place.payouts.extend(stacks)
        g.book.loose()


def _pinch(g: Game, place: Place) -> None:
    """A player takes a part of his bet back, and puts it down again when told."""
    stage, old = g.stage, place.hands[0].stacks[0]
    started, at = stage.t, (old.x, old.y)
    less = stage.swap([old], at, [(old.color, g.rng.randrange(1, old.count))], PLAYER)
    due = Due("late-bet", [place.number], started, stage.t + LAG, needs="count")
    due.expected, due.seen = [place.bet], [worth(less, g.layout)]
    g.due(due)
    stage.wait(3.1, 3.8)
    back = stage.t
    place.hands[0].stacks = stage.swap(less, at, [(old.color, old.count)], PLAYER)
    g.book.mend(due, back, stage.t + LAG)
