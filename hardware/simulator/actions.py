"""What players and dealer do at the table, one function an action; the clock moves on with each."""

from fractions import Fraction

from hardware.simulator import arithmetic
from hardware.simulator.game import GONE, Game, Hand, Place, worth
from hardware.simulator.money import like, take
from hardware.simulator.places import BESIDE, Spot, along, gesture
from hardware.simulator.stage import DEALER, PLAYER, Card, Leg
from table_state.layout import Point


def signal(g: Game, place: Place, kind: str, seconds: float = 0.85) -> float:
    """A player's sign; returns when it began; the clock moves on to its end."""
    started = g.stage.t
    at: Point = place.seat.cards if kind == "wave" else gesture(place.seat)
    r = 75.0 if kind == "wave" else 50.0
    g.stage.t = g.stage.rest(at, r, seconds + g.rng.uniform(0.0, 0.2), PLAYER, kind)
    return started


def hit(g: Game, place: Place, hand: Hand, crosswise: bool = False) -> tuple[float, float]:
    """Give a hand its next card; when it landed and was uncovered."""
    i = place.hands.index(hand)
    spot = g.places.card(place.seat, len(place.hands), i, len(hand.cards), crosswise)
    hand.cards.append(g.stage.bring(g.draw(), g.layout.shoe, spot, True))
    landed, seen = hand.cards[-1].legs[-1].t1, g.stage.t
    g.note(place.number, landed, seen)
    return landed, seen


def take_bust(g: Game, place: Place, hand: Hand) -> None:
    """Take a bust hand's bet, then its cards."""
    take(g, hand.stacks)
    gone = g.stage.scoop(hand.cards)
    hand.state = "bust"
    g.note(place.number, gone, gone)


def stake_spot(g: Game, place: Place, hand: Hand) -> Point:
    """Where the stake of a double or a split is put beside a hand's bet."""
    first = hand.stacks[0]
    way = (0.0, BESIDE) if len(place.hands) > 1 else (BESIDE, 0.0)
    return g.places.near(along(place.seat, *way, (first.x, first.y)), 2.0)


def split(g: Game, place: Place, hand: Hand, stake: Fraction | None = None) -> Hand:
    """A second bet beside the first, the two cards apart, each a hand of its own."""
    if g.rng.random() < 0.85 or stake is not None:
        signal(g, place, "v")
        g.stage.wait(0.1, 0.3)
    at = (
        stake_spot(g, place, hand)
        if len(place.hands) == 1
        else g.places.near(along(place.seat, 0.0, BESIDE, (hand.stacks[0].x, hand.stacks[0].y)), 2.0)
    )
    chips = like(g, hand.stacks[0], stake or hand.bet)
    stacks = g.stage.put(at, chips, PLAYER, along(place.seat, 40.0, 0.0, (0.0, 0.0)))
    g.stage.wait(0.3, 0.6)
    new = Hand([hand.cards.pop()], stacks, worth(stacks, g.layout), split=True)
    hand.split = True
    place.hands.insert(place.hands.index(hand) + 1, new)
    spread(g, place)
    return new


def spread(g: Game, place: Place) -> None:
    """Lay a seat's heaps and bets out side by side, hands over them; the clock moves on."""
    stage, seat = g.stage, place.seat
    started, turned = stage.t, stage.t + 0.7
    leave = started + 1.5
    stage.rest(along(seat, 0.0, -20.0, seat.cards), 115.0, 1.5, DEALER)
    stage.t = started + 0.6
    stage.rest(seat.circle[:2], 80.0, 0.9, DEALER)
    for i, h in enumerate(place.hands):
        if h.state in GONE:
            continue
        for k, card in enumerate(h.cards):
            crosswise = h.extra > 0 and k == 2
            stage.turn(card, g.places.card(seat, len(place.hands), i, k, crosswise), True, turned)
            stage.level += 1.0
            card.level = stage.level
        _move_bets(g, place, h, i, turned + 0.2)
    stage.t = leave
    g.note(place.number, turned, leave)


def _move_bets(g: Game, place: Place, hand: Hand, i: int, at: float) -> None:
    x, y = g.places.bet(place.seat, len(place.hands), i)
    dx, dy = x - hand.stacks[0].x, y - hand.stacks[0].y
    new = []
    for k, old in enumerate(hand.stacks):
        old.gone = at
        spot = (old.x + dx, old.y + dy)
        if k and not hand.extra:
            spot = along(place.seat, 0.0, 40.0 * k, (x, y))
        new.append(type(old)(spot[0], spot[1], old.color, old.count, at))
    hand.stacks = new
    g.stage.stacks.extend(new)


def surrender(g: Game, place: Place, hand: Hand, allowed: bool = True) -> tuple[float, float]:
    """A line drawn behind the bet; the dealer takes all, puts half back and takes the cards."""
    started = signal(g, place, "line", 0.95)
    g.stage.wait(0.15, 0.3)
    take(g, hand.stacks)
    g.stage.wait(0.3, 0.7)
    half = g.stage.put(g.places.bet(place.seat), g.make(hand.bet / 2), DEALER)
    place.payouts.extend(half)
    evident = g.stage.t
    if not allowed:
        return started, evident
    gone = g.stage.scoop(hand.cards)
    hand.state, hand.done = "surrender", True
    g.note(place.number, gone, gone)
    g.over(started + 1.0, g.stage.t)
    return started, evident


def may_split(g: Game, place: Place, hand: Hand) -> bool:
    """Whether the rules let this hand be split, and there is room for the heaps."""
    if len(hand.cards) != 2 or len(place.hands) >= min(g.rules.max_hands, _room(g, place)):
        return False
    if hand.split and hand.cards[0].code[0] == "A":
        return False
    return arithmetic.pair(hand.codes[0], hand.codes[1], g.rules.split_by)


def _room(g: Game, place: Place) -> int:
    """How many heaps fit at a seat beside its neighbours' heaps."""
    gap, most = 1e9, 4
    for other in g.layout.seats:
        if other.number != place.number:
            x, y = other.cards[0] - place.seat.cards[0], other.cards[1] - place.seat.cards[1]
            near = (x * x + y * y) ** 0.5
            gap = min(gap, near)
            player = g.place(other.number)
            if near < 240 and player and len(player.hands) > 2:
                most = 2
    return min(most, 4 if gap > 240 else 3)


def draw(g: Game) -> tuple[float, float]:
    """The dealer's next card; when it landed and was uncovered."""
    beside = g.rules.first_dealer_card == "down"
    spot = g.places.drawn(len(g.dealer.cards), beside)
    card = g.stage.bring(g.draw(), g.layout.shoe, spot, True)
    g.dealer.cards.append(card)
    landed, seen = card.legs[-1].t1, g.stage.t
    g.note(0, landed, seen)
    return landed, seen


def away(g: Game, seat: int, hand: Hand, card: Card) -> tuple[float, float]:
    """Take one card off to the rack; when its taking began and when the rest was uncovered again."""
    at = card.spot.x, card.spot.y
    started = g.stage.t
    leave = g.stage.rest(at, 60.0, 0.8, DEALER)
    card.legs.append(Leg(leave, leave + 0.5, card.spot, Spot(*g.layout.discard, 90.0), card.shown))
    card.gone = leave + 0.5
    hand.cards.remove(card)
    g.note(seat, started, leave)
    g.stage.t = leave
    g.stage.t = g.stage.travel(at, g.layout.discard, 60.0, 0.55)
    return started, leave


def nudge(g: Game, hand: Hand) -> None:
    """The dealer straightens a hand: its cards lie a few millimetres elsewhere afterwards."""
    if not hand.cards:
        return
    g.stage.wait(0.3, 0.8)
    middle = hand.cards[len(hand.cards) // 2].spot
    moved = g.stage.t + 0.4
    leave = g.stage.rest((middle.x, middle.y), 85.0, 0.8, DEALER)
    dx, dy = g.rng.uniform(-9, 9), g.rng.uniform(-9, 9)
    for card in hand.cards:
        s = card.spot
        g.stage.turn(card, Spot(s.x + dx, s.y + dy, s.deg + g.rng.uniform(-3, 3)), card.shown is not None, moved)
    g.stage.t = leave
