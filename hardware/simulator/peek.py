"""Between the deal and the first turn: insurance, even money, the look at the hole card, blackjacks paid at once."""

import itertools
from fractions import Fraction

from hardware.simulator import arithmetic
from hardware.simulator.book import OPEN_TIME, Due
from hardware.simulator.game import LAG, Game, Place, worth
from hardware.simulator.money import pay
from hardware.simulator.places import along
from hardware.simulator.stage import DEALER, PLAYER, Motion, Stack
from table_state.layout import Point


def before_turns(g: Game) -> bool:
    """Play everything up to the first turn; True where the dealer has blackjack and showed it."""
    upcard = g.dealer.cards[0].code[0]
    ten = arithmetic.points(upcard) == 10
    if g.planned("paid-early") and (upcard == "A" or ten) and not g.exposed:
        _paid_early(g)
    if upcard == "A" and g.rules.insurance and not g.exposed:
        _insurance(g)
    elif g.want("insurance-not-allowed"):
        _not_allowed(g)
    wanted = "A" if upcard == "A" else "T" if ten else ""
    checked = wanted in g.rules.peek and wanted != "" and not g.exposed
    blackjack = arithmetic.natural(g.dealer.codes)
    if checked:
        _look(g)
        if blackjack and not g.want("dealer-blackjack-missed"):
            turn_hole(g)
            return True
        _collect_insurance(g)
    _pay_naturals(g, safe=not wanted or checked or g.exposed)
    return False


def _sweep(g: Game, back: bool) -> tuple[float, float]:
    """The dealer's hand passes over the insurance line; when it began and ended."""
    points: list[Point] = [s.insurance for s in g.layout.seats if s.insurance is not None]
    way = [(x * 0.95, y) for x, y in points]
    if back:
        way.reverse()
    started = g.stage.t
    each = 1.45 / max(1, len(way) - 1)
    for a, b in itertools.pairwise(way):
        g.stage.motions.append(Motion(g.stage.t, g.stage.t + each, a, b, 60.0, DEALER, "sweep"))
        g.stage.t += each
    return started, g.stage.t


def _insurance(g: Game) -> None:
    g.stage.wait(0.3, 0.8)
    started, ended = _sweep(g, False)
    g.book.phrase("Insurance is open", None, started, ended, OPEN_TIME)
    g.stage.wait(0.3, 1.0)
    for place in g.players:
        if place.natural and g.rules.even_money and place.paid is None and g.rng.random() < 0.4:
            _even_money(g, place)
        elif g.want("insurance-too-large", place.number) or g.rng.random() < 0.25:
            _insure(g, place)
    g.stage.wait(1.5, 3.0)
    started, ended = _sweep(g, True)
    g.book.phrase("Insurance is closed", None, started, ended, 4.0)
    g.over(started, ended, g.turn.due)
    if g.want("insurance-not-allowed"):
        g.stage.wait(0.4, 0.8)
        _not_allowed(g)


def _insure(g: Game, place: Place) -> None:
    seat = place.seat
    if seat.insurance is None or not place.hands[0].cards or place.hands[0].state == "void":
        return
    half = place.bet / 2
    started = g.stage.t
    large = g.want("insurance-too-large", place.number)
    amount = place.bet if large else half
    spot = g.places.near(seat.insurance, 6.0)
    place.insured = _stand(g, spot, amount, place)
    place.insurance = worth(place.insured, g.layout)
    if large and place.insurance > half:
        g.did("insurance-too-large")
        due = Due("insurance-too-large", [place.number], started, g.stage.t + LAG, needs="count")
        due.expected, due.seen = [half], [place.insurance]
        g.due(due)
        g.notice()
        back = g.stage.t
        place.insured = g.stage.swap(place.insured, spot, g.make(half), PLAYER)
        place.insurance = worth(place.insured, g.layout)
        g.book.mend(due, back, g.stage.t + LAG)
    g.stage.wait(0.2, 0.6)


def _stand(g: Game, at: Point, amount: Fraction, place: Place) -> list[Stack]:
    return g.stage.put(at, g.make(amount), PLAYER, along(place.seat, 40.0, 0.0, (0.0, 0.0)))


def _not_allowed(g: Game) -> None:
    """A player puts an insurance bet where none may be; he takes it back when told."""
    able = [p for p in g.players if p.seat.insurance is not None and not p.insured and p.hands[0].state == "live"]
    if not able:
        return
    place = g.rng.choice(able)
    assert place.seat.insurance is not None
    started = g.stage.t
    stacks = _stand(g, g.places.near(place.seat.insurance, 6.0), place.bet / 2, place)
    g.did("insurance-not-allowed")
    offered = g.dealer.cards[0].code[0] == "A" and g.rules.insurance
    needs = "sweep" if offered else ""
    due = g.due(Due("insurance-not-allowed", [place.number], started, g.stage.t + LAG, needs=needs))
    g.book.allow("late-bet", [place.number], started, g.stage.t + 5.0)
    g.notice()
    back = g.stage.t
    g.stage.take(stacks, PLAYER)
    g.book.mend(due, back, g.stage.t + LAG)
    g.stage.wait(0.4, 0.8)
    g.over(g.turn.t_from, g.stage.t)


def _even_money(g: Game, place: Place) -> None:
    """A blackjack is paid one to one at once against an ace, and its cards are taken."""
    pay(g, place, place.hands[0], place.bet)
    place.paid, place.even = place.bet, True
    _scoop(g, place)


def _scoop(g: Game, place: Place) -> None:
    gone = g.stage.scoop(place.hands[0].cards)
    place.hands[0].state = "paid"
    g.note(place.number, gone, gone)
    g.stage.wait(0.3, 0.8)


def _look(g: Game) -> None:
    """Both hands round the dealer's cards for a look at the hole card; they shift a little."""
    g.stage.wait(0.2, 0.7)
    x, y = g.layout.dealer
    started, leave = g.stage.t, g.stage.t + g.rng.uniform(1.9, 2.3)
    g.stage.motions.append(Motion(started, leave, (x - 25, y - 10), (x - 25, y - 10), 85.0, DEALER))
    g.stage.motions.append(Motion(started, leave, (x + 35, y - 10), (x + 35, y - 10), 85.0, DEALER))
    for card in g.dealer.cards:
        s = card.spot
        g.stage.turn(card, g.places.shaken(s.x, s.y, s.deg, 3.0, 3.0), card.shown is not None, started + 1.0)
    g.stage.t = leave
    g.over(g.turn.t_from, leave, g.turn.due)


def turn_hole(g: Game) -> tuple[float, float]:
    """The dealer turns his hole card up; when it was turned and when it was uncovered."""
    beside = g.rules.first_dealer_card == "down"
    hole = g.dealer.cards[1]
    x, y = g.layout.dealer
    started = g.stage.t
    leave = g.stage.rest((x, y), 95.0, g.rng.uniform(0.9, 1.05), DEALER)
    if not g.exposed:
        g.stage.turn(hole, hole.spot if beside else g.places.opened(), True, started + 0.4)
    g.stage.t = leave
    g.note(0, started + 0.4, leave)
    if arithmetic.natural(g.dealer.codes):
        g.book.phrase("Dealer has blackjack", 0, started, leave + LAG)
    return started, leave


def _collect_insurance(g: Game) -> None:
    for place in reversed(g.players):
        if place.insured:
            g.stage.wait(0.2, 0.4)
            g.stage.take(place.insured, DEALER)
            g.over(g.turn.t_from, g.stage.t, g.turn.due)


def pay_natural(g: Game, place: Place) -> None:
    """Pay a blackjack in full, and sometimes clear its cards at once."""
    profit = place.bet * g.rules.blackjack_pays
    pay(g, place, place.hands[0], profit)
    place.paid = profit
    if g.rules.pay_order == "any" or g.rng.random() < 0.4:
        _scoop(g, place)


def _pay_naturals(g: Game, safe: bool) -> None:
    if not safe or g.rules.pay_blackjack != "after-peek" or g.rng.random() < 0.4:
        return
    first = g.turn
    for place in g.players:
        if place.natural and place.paid is None:
            g.stage.wait(0.8, 1.6)
            pay_natural(g, place)
            first.evident = g.stage.t + LAG


def _paid_early(g: Game) -> None:
    """A blackjack is paid although the dealer may have one: taken back when told, or left where he has none."""
    place = next((p for p in g.players if g.want("paid-early", p.number) and p.natural), None)
    even = g.rules.even_money and g.rules.blackjack_pays == 1 and g.dealer.cards[0].code[0] == "A"
    if place is None or even:
        return  # what would be paid too early may be even money
    g.stage.wait(0.8, 1.5)
    started = g.stage.t
    before = list(place.payouts)
    pay(g, place, place.hands[0], place.bet * g.rules.blackjack_pays)
    g.did("paid-early")
    like_even = g.rules.even_money and g.dealer.cards[0].code[0] == "A"
    due = g.due(Due("paid-early", [place.number], started, g.stage.t + LAG, needs="count" if like_even else ""))
    g.notice()
    if g.rng.random() < 0.6 or arithmetic.natural(g.dealer.codes):
        back = g.stage.t
        g.stage.take([s for s in place.payouts if s not in before], DEALER)
        place.payouts = before
        g.book.mend(due, back, g.stage.t + LAG)
    else:
        place.paid = place.bet * g.rules.blackjack_pays
    g.over(g.turn.t_from, g.stage.t)
