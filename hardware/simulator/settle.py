"""Pay and take, clearing, and what is left on the table; with the mistakes made there."""

from fractions import Fraction

from hardware.simulator import arithmetic
from hardware.simulator.book import Due, Json
from hardware.simulator.dealer_turn import play_dealer
from hardware.simulator.game import GONE, LAG, Game, Hand, Place, worth
from hardware.simulator.money import pay, take
from hardware.simulator.places import along
from hardware.simulator.stage import DEALER, PLAYER


def outcome(g: Game, place: Place, hand: Hand) -> tuple[str, Fraction]:
    """How a hand ended and the profit that is due."""
    if hand.state in ("bust", "surrender", "void"):
        return hand.state, {"bust": -hand.stake, "surrender": -hand.bet / 2}.get(hand.state, Fraction(0))
    if place.paid is not None:
        return "blackjack", place.paid
    total, dealer = hand.total[0], g.dealer.total[0]
    theirs = arithmetic.natural(g.dealer.codes)
    if hand.total[0] > 21:
        return "bust", -hand.stake
    if place.natural:
        return ("push", Fraction(0)) if theirs else ("blackjack", hand.bet * g.rules.blackjack_pays)
    if theirs or (dealer <= 21 and total < dealer):
        return "lose", -hand.stake
    return ("push", Fraction(0)) if total == dealer else ("win", hand.stake)


def settle(g: Game) -> None:
    """Pay and take every hand in the house's order."""
    _insurance(g)
    order = _order(g)
    if g.want("dealer-must-draw"):
        _stopped_early(g, order)
        play_dealer(g)
    if g.planned("pay-order") and len(_open(g, order)) > 1:
        order = _wrong_order(g, order)
    for place in order:
        for hand in reversed(place.hands) if g.rules.pay_order != "left-to-right" else place.hands:
            _settle_hand(g, place, hand)


def _order(g: Game) -> list[Place]:
    if g.rules.pay_order == "left-to-right" or (g.rules.pay_order == "any" and g.rng.random() < 0.25):
        return list(g.players)
    return list(reversed(g.players))


def _open(g: Game, order: list[Place]) -> list[Place]:
    """Seats with something to pay or take."""
    out = []
    for place in order:
        due = [h for h in place.hands if h.state not in GONE and outcome(g, place, h)[1] != 0]
        if due and place.paid is None:
            out.append(place)
    return out


def _wrong_order(g: Game, order: list[Place]) -> list[Place]:
    """Settle the last seat first; evident when its chips have moved."""
    last = _open(g, order)[-1]
    g.did("pay-order")
    started = g.stage.t
    for hand in last.hands:
        _settle_hand(g, last, hand)
    seats: list[int | None] = [last.number, None, *(p.number for p in _open(g, order) if p is not last)]
    g.due(Due("pay-order", seats, started, g.stage.t + LAG))
    g.book.allow("pay-order", "any", started, g.stage.t + 40.0)
    return [p for p in order if p is not last]


def _insurance(g: Game) -> None:
    """Pay or take what insurance still stands: two to one against a dealer's blackjack."""
    won = arithmetic.natural(g.dealer.codes)
    for place in g.players:
        if not place.insurance:
            continue
        pays = 2 * place.insurance if won else -place.insurance
        g.book.insurance.append(
            {
                "round": g.book.round,
                "seat": place.number,
                "hand": 0,
                "outcome": ["win" if won else "lose"],
                "bet": [_n(place.insurance)],
                "pays": [_n(pays)],
                "insurance": True,
                "required": True,
            }
        )
        if won:
            g.stage.wait(0.5, 1.0)
            first = place.insured[0]
            at = along(place.seat, 40.0 * len(place.insured), 0.0, (first.x, first.y))
            aside = along(place.seat, 40.0, 0.0, (0.0, 0.0))
            place.payouts.extend(g.stage.put(at, g.make(pays), DEALER, aside))
            place.payouts.extend(place.insured)
        elif any(s.gone > g.stage.t for s in place.insured):
            g.stage.wait(0.3, 0.6)
            take(g, place.insured)


def _n(x: Fraction) -> int | float:
    return x.numerator if x.denominator == 1 else float(x)


def _settle_hand(g: Game, place: Place, hand: Hand) -> None:
    if hand.state in GONE or place.paid is not None or not hand.stacks:
        return
    kind, profit = outcome(g, place, hand)
    if not any(s.gone > g.stage.t for s in hand.stacks):
        return
    n = place.number
    if kind == "push":
        if g.want("push-taken", n):
            g.did("push-taken")
            g.stage.wait(0.5, 1.0)
            hand.state = "push-taken"
            take(g, hand.stacks)
        return
    if g.want("cleared-early", n):
        g.book.allow("pay-order", "any", g.stage.t, g.stage.t + 30.0)
        return
    if (profit > 0 and g.want("not-paid", n)) or (profit < 0 and g.want("not-taken", n)):
        return
    g.stage.wait(0.3, 0.7)
    if profit < 0:
        take(g, hand.stacks)
    else:
        _pay(g, place, hand, profit)


def _pay(g: Game, place: Place, hand: Hand, profit: Fraction) -> None:
    if not g.want("wrong-payout", place.number):
        pay(g, place, hand, profit)
        return
    wrong = hand.bet if place.natural else 2 * profit if g.rng.random() < 0.5 else profit / 2
    stacks_value = arithmetic.stacks(wrong, g.layout.chip_values)
    if stacks_value is None or wrong == profit:
        wrong = 2 * profit
    started = g.stage.t
    stacks = pay(g, place, hand, wrong)
    wrong = worth(stacks, g.layout)
    g.did("wrong-payout")
    due = Due("wrong-payout", [place.number], started, g.stage.t + LAG, needs="count")
    due.expected, due.seen = [profit], [wrong]
    g.due(due)
    if g.rng.random() < 0.7:
        g.notice()
        back = g.stage.t
        place.payouts = [s for s in place.payouts if s not in stacks]
        new = g.stage.swap(stacks, (stacks[0].x, stacks[0].y), g.make(profit), DEALER)
        place.payouts.extend(new)
        g.book.mend(due, back, g.stage.t + LAG)


def _stopped_early(g: Game, order: list[Place]) -> None:
    """Pay and take begins on 16 or less; told so, the dealer takes it back."""
    candidates = [p for p in _open(g, order) if p.hands[0].state == "live" and not p.natural]
    if not candidates or arithmetic.natural(g.dealer.codes):
        g.did("dealer-must-draw")
        g.book.injected.pop()
        return
    place = candidates[0]
    hand = place.hands[0]
    g.stage.wait(1.4, 2.2)
    started = g.stage.t
    profit = outcome(g, place, hand)[1]
    stacks = pay(g, place, hand, profit) if profit > 0 else []
    chips = [(s.color, s.count) for s in hand.stacks]
    if not stacks:
        take(g, hand.stacks)
    g.did("dealer-must-draw")
    due = g.due(Due("dealer-must-draw", [0], started, g.stage.t + LAG))
    for code in ("wrong-payout", "taken-early", "pay-order"):
        g.book.allow(code, "any", started, g.stage.t + 9.0)
    g.notice()
    back = g.stage.t
    if stacks:
        g.stage.take(stacks, DEALER)
        place.payouts = [s for s in place.payouts if s not in stacks]
    else:
        first = hand.stacks[0]
        hand.stacks = g.stage.put((first.x, first.y), chips, DEALER, along(place.seat, 42.0, 0.0, (0.0, 0.0)))
    g.book.resolved.append(
        {"code": ["dealer-must-draw"], "seat": [0], "t_from": back, "t_evident": g.stage.t, "t_until": g.stage.t + 9.0}
    )
    due.mended = g.stage.t


# ---- clearing
def clear(g: Game) -> None:
    """Scoop all cards, the dealer's last, then the players take what is theirs."""
    g.stage.wait(0.8, 1.4)
    begun = g.stage.t
    early = next((p for p in g.players if g.want("cleared-early", p.number) and _is_open(g, p)), None)
    due: Due | None = None
    for place in reversed(g.players):
        for hand in reversed(place.hands):
            if hand.state in GONE or not hand.cards:
                continue
            started = g.stage.t
            gone = g.stage.scoop(hand.cards)
            g.note_gone(place, hand, gone)
            if early is not None and due is None and (place is early or not place.natural):
                due = _cleared_early(g, place, started)
        if place is early and due is not None:
            _settle_after_all(g, place, due)
    if g.strays:
        g.stage.scoop(g.strays)
    results(g)
    gone = g.stage.scoop(g.dealer.cards)
    g.book.holds(0, 0, gone, None, False, gone)
    g.book.cleared(g.stage.t)
    _left_open(g, gone, begun)
    g.stage.wait(0.4, 0.9)
    _pick_up(g)


def _is_open(g: Game, place: Place) -> bool:
    """Whether a seat has a bet that is still to be paid or taken."""
    return any(h.state not in GONE and outcome(g, place, h)[1] != 0 for h in place.hands)


def _cleared_early(g: Game, place: Place, started: float) -> Due:
    """The first cards are scooped while a bet is not settled: evident at once."""
    g.did("cleared-early")
    due = g.due(Due("cleared-early", [place.number], started, g.stage.t + LAG))
    g.book.allow("cleared-early", "any", started, g.stage.t + 30.0)
    return due


def _settle_after_all(g: Game, place: Place, due: Due) -> None:
    g.notice()
    back = g.stage.t
    for hand in place.hands:
        profit = outcome(g, place, hand)[1]
        if profit > 0 and hand.state not in GONE:
            pay(g, place, hand, profit)
        elif profit < 0 and hand.state not in GONE:
            take(g, hand.stacks)
    g.book.mend(due, back, g.stage.t + LAG)


def _left_open(g: Game, gone: float, begun: float) -> None:
    """The dealer's cards are gone: what was not settled is evident now."""
    for place in g.players:
        for hand in place.hands:
            _left(g, place, hand, gone, begun)


def _left(g: Game, place: Place, hand: Hand, gone: float, begun: float) -> None:
    if hand.state in GONE or place.paid is not None:
        return
    _, profit = outcome(g, place, hand)
    n, evident = place.number, g.stage.t + LAG
    due: Due | None = None
    if profit > 0 and g.want("not-paid", n):
        due = Due("not-paid", [n], gone - 8.0, evident)
        due.expected, due.seen = [profit], [Fraction(0)]
        g.did("not-paid")
    elif profit < 0 and g.want("not-taken", n):
        due = Due("not-taken", [n], gone - 8.0, evident)
        g.did("not-taken")
    elif hand.state == "push-taken":
        due = Due("push-taken", [n], gone - 20.0, evident)
    if due is not None:
        g.due(due)
        g.book.allow("cleared-early", "any", begun, evident)
        g.book.allow("pay-order", "any", begun - 30.0, begun)
        g.book.allow("taken-early", [n], gone - 20.0, evident)


def results(g: Game) -> None:
    """Write down every hand's result."""
    dealer = g.dealer.total[0]
    for place in g.players:
        for hand in place.hands:
            kind, profit = outcome(g, place, hand)
            row: Json = {"round": g.book.round, "seat": place.number, "hand": g.hand_number(place, hand)}
            row |= {"outcome": [kind] if not place.even else ["blackjack", "win"]}
            row |= {"bet": [_n(hand.stake)], "pays": [_n(profit)], "total": hand.total[0], "cards": hand.codes}
            row |= {"dealer_total": dealer if g.played_out else None, "required": hand.state != "out"}
            g.book.results.append(row)


def _pick_up(g: Game) -> None:
    """Players take winnings; a push, or now and then all of it, stays for the next round."""
    for place in g.players:
        bets = [s for h in place.hands for s in h.stacks if s.gone > g.stage.t]
        rest = [s for s in place.payouts if s.gone > g.stage.t]
        if not bets and not rest:
            continue
        plain = len(place.hands) == 1 and not rest and place.hands[0].extra == 0 and not place.hands[0].split
        if plain and len(bets) == 1 and g.payable(place.bet) and g.in_limits(place.bet) and g.rng.random() < 0.4:
            g.standing[place.number] = bets
            continue
        g.stage.take(bets + rest, PLAYER)
        g.stage.wait(0.1, 0.3)
