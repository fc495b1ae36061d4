"""The players' turns: signals, cards, doubles, splits, surrender, busts."""

from fractions import Fraction

from hardware.simulator import arithmetic, blunders
from hardware.simulator.actions import hit, may_split, nudge, signal, split, stake_spot, surrender, take_bust
from hardware.simulator.game import LAG, Game, Hand, Place, worth
from hardware.simulator.money import like
from hardware.simulator.peek import pay_natural
from hardware.simulator.places import along
from hardware.simulator.stage import PLAYER


def play_turns(g: Game) -> None:
    """Every seat's turn, from first base to third."""
    for place in g.players:
        if place.natural:
            _naturals_turn(g, place)
            continue
        i = 0
        while i < len(place.hands):
            play_hand(g, place, i)
            i += 1


def _naturals_turn(g: Game, place: Place) -> None:
    upcard = g.dealer.cards[0].code
    risky = arithmetic.points(upcard) in (1, 10)
    checked = not risky or ("A" if upcard[0] == "A" else "T") in g.rules.peek or g.exposed
    blunders.card_on_natural(g, place)
    if g.rules.pay_blackjack == "on-turn" and place.paid is None and checked and place.hands[0].state == "blackjack":
        turn = g.turn
        g.stage.wait(0.8, 1.6)
        pay_natural(g, place)
        turn.evident = max(turn.evident, g.stage.t + LAG)


def play_hand(g: Game, place: Place, i: int) -> None:
    """One hand's turn until it is over."""
    hand = place.hands[i]
    if hand.done:
        return
    if len(hand.cards) == 1:
        _second_card(g, place, hand)
    else:
        g.say(place, hand, g.turn.t_from, g.turn.evident, first=True, due=g.turn.due)
    blunders.before_action(g, place, hand)
    if g.rng.random() < 0.05:
        nudge(g, hand)
    while not hand.done and hand.state == "live":
        if len(hand.cards) == 1:
            _second_card(g, place, hand)
            continue
        if hand.total[0] >= 21:
            hand.done = True
            break
        _act(g, place, hand)
    blunders.after_hand(g, place, hand)


def think(g: Game) -> None:
    """The player makes up his mind."""
    g.stage.wait(1.5, 3.3)


def _second_card(g: Game, place: Place, hand: Hand) -> None:
    g.stage.wait(0.9, 1.6)
    landed, seen = hit(g, place, hand)
    g.say(place, hand, landed - 0.6, seen + LAG)
    aces = hand.cards[0].code[0] == "A" and g.rules.split_aces_one_card
    if aces or hand.total[0] == 21:
        hand.done = True
        g.over(landed - 0.6, seen)


def _act(g: Game, place: Place, hand: Hand) -> None:
    think(g)
    choice = _choice(g, place, hand)
    if choice == "split":
        split(g, place, hand)
    elif choice == "double":
        double(g, place, hand)
    elif choice == "surrender":
        surrender(g, place, hand)
    elif choice == "hit":
        if g.rng.random() < 0.92:
            signal(g, place, "tap")
            g.stage.wait(0.15, 0.3)
        landed, seen = hit(g, place, hand)
        _after_hit(g, place, hand, landed, seen)
    else:
        stand(g, place, hand)


def _after_hit(g: Game, place: Place, hand: Hand, landed: float, seen: float) -> None:
    total, _ = hand.total
    if total > 21:
        bust(g, place, hand, landed, seen)
        return
    g.say(place, hand, landed - 0.6, seen + LAG)
    if total == 21:
        hand.done = True
        g.over(landed - 0.6, seen)
        if g.rules.hit_on_21 and place is g.players[-1] and g.rng.random() < 0.1:
            _hit_21(g, place, hand)
    else:
        blunders.after_hit(g, place, hand)


def _hit_21(g: Game, place: Place, hand: Hand) -> None:
    """A player with 21 asks for a card all the same, where the house gives him one."""
    think(g)
    signal(g, place, "tap")
    g.stage.wait(0.15, 0.3)
    landed, seen = hit(g, place, hand)
    if hand.total[0] > 21:
        bust(g, place, hand, landed, seen)
    else:
        g.say(place, hand, landed - 0.6, seen + LAG, due=False)


def stand(g: Game, place: Place, hand: Hand) -> None:
    """The player waves his hand over his cards, or says so without a sign."""
    hand.done = True
    # a last player who has asked for nothing and gives no sign cannot be told from one who was passed over
    last = [p for p in g.players if not p.natural][-1:]
    clear = last != [place] or hand.total[0] >= 17
    unseen = g.want("out-of-turn", place.number) or (clear and g.rng.random() < 0.1 and not _wants_wave(g, place))
    if unseen:
        g.turn.due = False
        g.over(g.stage.t - 2.5, g.stage.t, due=False)
        return
    started = signal(g, place, "wave")
    hand.waved = True
    g.over(started, g.stage.t)


def _wants_wave(g: Game, place: Place) -> bool:
    return g.want("card-not-due", place.number)


def bust(g: Game, place: Place, hand: Hand, landed: float, seen: float) -> None:
    """Over 21: bet and cards are taken at once, unless that is forgotten."""
    hand.done = True
    g.book.phrase("too many", place.number, landed - 0.6, seen + LAG)
    if g.want("bust-not-taken", place.number) and not hand.split and blunders.may_go_on(g, place):
        blunders.leave_bust(g, place, hand, landed)
        return
    g.stage.wait(0.8, 2.5)
    take_bust(g, place, hand)
    g.over(landed - 0.6, g.stage.t)


# ---- what a player may choose
def _choice(g: Game, place: Place, hand: Hand) -> str:
    total, soft = hand.total
    wish = blunders.wish(g, place, hand)
    if wish:
        return wish
    two, rng = len(hand.cards) == 2, g.rng
    if two and may_split(g, place, hand) and rng.random() < (0.75 if total != 20 else 0.15):
        return "split"
    if two and may_double(g, hand) and rng.random() < (0.5 if 8 <= total <= 11 and not soft else 0.06):
        return "double"
    if two and g.rules.surrender and not hand.split and total in (14, 15, 16) and not soft and rng.random() < 0.2:
        return "surrender"
    if total <= 11 or (soft and total <= 17):
        return "hit" if rng.random() < 0.93 else "stand"
    return "hit" if rng.random() < (0.5 if total < 17 else 0.03) else "stand"


def may_double(g: Game, hand: Hand) -> bool:
    """Whether the rules let this two-card hand be doubled."""
    if hand.split and not g.rules.double_after_split:
        return False
    return hand.total[0] != 21 or g.rules.double_on_21


# ---- double, split, surrender
def less(g: Game, hand: Hand) -> Fraction:
    """The stake of a double: the bet, or less where the house allows it."""
    own = hand.stacks[0].color
    values = [v for c, v in g.layout.chip_values.items() if c == own or not hand.split]
    smaller = [v * n for v in values for n in (1, 2, 3) if v * n < hand.bet and g.payable(hand.bet + v * n)]
    if g.rules.double_for_less and smaller and g.rng.random() < 0.2:
        return g.rng.choice(smaller)
    return hand.bet


def double(g: Game, place: Place, hand: Hand, amount: Fraction | None = None) -> tuple[float, float]:
    """Stake beside the bet, one card crosswise, turn over."""
    if g.rng.random() < 0.85 or amount is not None:
        signal(g, place, "one-finger")
        g.stage.wait(0.1, 0.3)
    aside = along(place.seat, *((0.0, 40.0) if len(place.hands) > 1 else (40.0, 0.0)), (0.0, 0.0))
    stacks = g.stage.put(stake_spot(g, place, hand), like(g, hand.stacks[0], amount or less(g, hand)), PLAYER, aside)
    hand.stacks = hand.stacks + stacks
    hand.extra = worth(stacks, g.layout)
    g.stage.wait(0.4, 0.8)
    landed, seen = hit(g, place, hand, crosswise=True)
    hand.done = True
    if hand.total[0] > 21:
        bust(g, place, hand, landed, seen)
    else:
        g.say(place, hand, landed - 0.6, seen + LAG)
        g.over(landed - 0.6, seen)
    return landed, seen
