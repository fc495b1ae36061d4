"""The deal: two passes from first base, the dealer last; and the ways in which it goes wrong and is put right."""

from dataclasses import dataclass, field

from hardware.simulator import arithmetic, bets
from hardware.simulator.book import Due
from hardware.simulator.game import LAG, Game
from hardware.simulator.places import Spot
from hardware.simulator.stage import DEALER, PLAYER, Card
from table_state.layout import Seat

ORDER_ERRORS = ("skipped-seat", "dealt-to-empty-circle", "dealer-skipped", "extra-card")
Where = Seat | None
"""A place that cards are dealt to; None = the dealer."""
RACK = Seat(-1, "", (0.0, 0.0, 1.0), (0.0, 0.0))
"""Where a card beyond the full deal goes."""


@dataclass(slots=True)
class Dealt:
    """The deal so far: every card, where it went, at which index of its heap it lies."""

    slots: list[Where]
    way: list[Where]
    cards: list[Card] = field(default_factory=list)
    at: list[Where] = field(default_factory=list)
    index: list[int] = field(default_factory=list)

    def free(self, where: Where) -> int:
        """The lowest index of a place's heap where no card lies."""
        taken = {i for i, w in zip(self.index, self.at, strict=True) if same(w, where)}
        return next(i for i in range(9) if i not in taken)


def same(a: Where, b: Where) -> bool:
    """Whether two places are one."""
    return (a.number if a else 0) == (b.number if b else 0)


def name(where: Where) -> str:
    """A place as moves name it."""
    return f"seat:{where.number}" if where else "dealer"


def deal(g: Game) -> None:
    """Deal the round, mistakes and their mending included; leaves all hands as a right deal has them."""
    g.book.start(g.stage.t)
    seats: list[Where] = [p.seat for p in g.players]
    slots = [*seats, None, *seats, None]
    d = Dealt(slots, list(slots))
    error = next((e for e in ORDER_ERRORS if g.planned(e)), None)
    spoil = _spoil(g, d, error) if error else None
    late = g.rng.randrange(1, len(slots)) if g.want("late-bet") else None
    while len(d.cards) < len(d.slots):
        n = len(d.cards)
        if late == n:
            bets.late_bet(g)
        if spoil and n == spoil[0]:
            assert error is not None
            _wrong_order(g, d, error, spoil)
            spoil = None
            continue
        _one(g, d)
    _finish(g, d)


def _spoil(g: Game, d: Dealt, error: str) -> tuple[int, int, Where] | None:
    """Change the way of the deal; (index of the card that makes it evident, cards dealt when noticed, whose)."""
    players, rng = len(g.players), g.rng
    if error == "dealer-skipped":
        d.way.pop(players)
        return players, min(players + 1 + rng.choice((0, 0, 1, 2)), len(d.way)), None
    second = rng.random() < 0.5
    base = players + 1 if second else 0
    if error == "skipped-seat":
        k = rng.randrange(players)
        seat = d.way.pop(base + k)
        return base + k, min(base + k + 1 + rng.choice((0, 1, 2, 9)), len(d.way)), seat
    if error == "dealt-to-empty-circle":
        empty = [s for s in g.layout.seats if g.place(s.number) is None]
        if not empty:
            return None
        seat = rng.choice(empty)
        k = sum(p.number < seat.number for p in g.players)
        d.way.insert(base + k, seat)
    else:
        k = rng.randrange(players)
        seat = d.way[base + k]
        k += 1
        d.way.insert(base + k, seat)
    return base + k, min(base + k + 1 + rng.choice((0, 0, 1, 3, 9)), len(d.way)), seat


def _one(g: Game, d: Dealt) -> tuple[float, float]:
    """Deal the next card on the way; when it landed and when it was uncovered."""
    n = len(d.cards)
    where = d.way[n]
    index = d.free(where)
    card = _to_dealer(g, d, index) if where is None else _to_seat(g, where, index)
    d.cards.append(card)
    d.at.append(where)
    d.index.append(index)
    landed, seen = card.legs[-1].t1, g.stage.t
    _record(g, d)
    g.note(where.number if where else 0, landed, seen)
    if n == 0:
        bets.limits_passed(g, landed, seen)
    _face_down_evident(g, d, landed, seen)
    g.stage.wait(0.1, 0.3)
    return landed, seen


def _to_seat(g: Game, seat: Seat, index: int) -> Card:
    down = index == 1 and g.want("card-face-down", seat.number) and g.place(seat.number) is not None
    if index == 1 and g.want("impossible-card", seat.number):
        twin = next((c for c in g.stage.cards if c.shown and c.gone > g.stage.t and c.code != g.shoe[0]), None)
        if twin is not None:
            return _impossible(g, seat, index, twin.code)
    card = g.stage.bring(g.draw(), g.layout.shoe, g.places.card(seat, 1, 0, index), not down)
    if index == 1 and g.want("unreadable-card", seat.number):
        card.unread = (card.legs[0].t0, g.stage.t + g.rng.uniform(8.5, 10.0))
    return card


def _impossible(g: Game, seat: Seat, index: int, code: str) -> Card:
    card = g.stage.bring(code, g.layout.shoe, g.places.card(seat, 1, 0, index), True)
    g.did("impossible-card")
    g.book.loose()
    g.due(Due("impossible-card", "any", card.legs[0].t0, g.stage.t + LAG))  # type: ignore[arg-type]
    return card


def _to_dealer(g: Game, d: Dealt, index: int) -> Card:
    home = g.rules.first_dealer_card == "down"
    if index == 0:
        return g.stage.bring(g.draw(), g.layout.shoe, g.places.upcard(), not home)
    first = next(c for c, w, i in zip(d.cards, d.at, d.index, strict=True) if w is None and i == 0)
    exposed = g.want("hole-card-exposed")
    card = g.stage.bring(
        g.draw(), g.layout.shoe, g.places.hole(home), exposed, None if home or exposed else first
    )
    if exposed:
        g.did("hole-card-exposed")
        g.exposed = True
        g.due(Due("hole-card-exposed", [0], card.legs[0].t0, g.stage.t + LAG))
    return card


def _record(g: Game, d: Dealt) -> None:
    """Hand every place the cards that lie there, in dealing order; an empty circle's belong to nobody."""
    for place in g.players:
        place.hands[0].cards = [c for c, w in zip(d.cards, d.at, strict=True) if w and w.number == place.number]
        if place.natural:
            at = g.stage.t
            g.book.blackjacks.append({"seat": place.number, "t_from": at - 1.5, "t_until": at + 6.0})
    g.dealer.cards = [c for c, w in zip(d.cards, d.at, strict=True) if w is None]


def _face_down_evident(g: Game, d: Dealt, landed: float, seen: float) -> None:
    """A card dealt face down to a player is evident when the next card lies; then it is turned."""
    if not g.planned("card-face-down") or len(d.cards) < 2 or d.at[-2] is None or d.cards[-2].shown is not None:
        return
    seat, card = d.at[-2], d.cards[-2]
    g.did("card-face-down")
    due = g.due(Due("card-face-down", [seat.number], card.legs[0].t1, seen + LAG))
    g.notice()
    turned = g.stage.t + 0.4
    leave = g.stage.rest((card.spot.x, card.spot.y), 80.0, 0.8, DEALER)
    g.stage.turn(card, card.spot, True, turned)
    g.stage.t = leave
    g.note(seat.number, turned, leave)
    g.book.mend(due, turned - 0.4, leave + LAG)


# ---- cards in the wrong places
def _wrong_order(g: Game, d: Dealt, error: str, spoil: tuple[int, int, Where]) -> None:
    """Deal on the wrong way until it is noticed, then put every card where it belongs."""
    _evident, noticed, whose = spoil
    g.did(error)
    due: Due | None = None
    rows: list[tuple[float, float, list[tuple[str, str, str]]]] = []
    while len(d.cards) < noticed or due is None:
        started = g.stage.t
        _, seen = _one(g, d)
        if due is None:
            due = g.due(Due(error, [whose.number if whose else 0], started, seen + LAG))
        if rows:
            rows[-1] = (rows[-1][0], seen + 2.75, rows[-1][2])
        rows.append((started, seen + 99.0, moves(d)))
    if error == "dealt-to-empty-circle" and g.rng.random() < 0.2:
        _left(g, d, due, rows)
        return
    g.notice(3.2, 4.2)
    mending = g.stage.t
    _mend(g, d)
    done = g.stage.t
    rows[-1] = (rows[-1][0], done + 3.0, rows[-1][2])
    due.moves = rows
    for code in ORDER_ERRORS:
        g.book.allow(code, "any", mending, done + 0.5)
    g.book.mend(due, done - 1.6, done + LAG)
    d.way = list(d.slots)
    g.stage.wait(0.6, 1.5)


def _left(g: Game, d: Dealt, due: Due, rows: list[tuple[float, float, list[tuple[str, str, str]]]]) -> None:
    """Nobody sees it: the deal goes on with every player served, and the stray cards stay where they lie."""
    while len(d.cards) < len(d.way):
        started = g.stage.t
        _, seen = _one(g, d)
        rows[-1] = (rows[-1][0], seen + 2.75, rows[-1][2])
        rows.append((started, seen + 999.0, moves(d)))
    due.moves = rows
    g.strays = [c for c, w in zip(d.cards, d.at, strict=True) if w is not None and g.place(w.number) is None]
    g.book.loose()


def moves(d: Dealt) -> list[tuple[str, str, str]]:
    """Which card has to go from where to where; beyond the full deal it goes to the rack."""
    out = []
    for i, (card, at) in enumerate(zip(d.cards, d.at, strict=True)):
        if i >= len(d.slots):
            out.append((card.shown or "??", name(at), "discard"))
        elif not same(at, d.slots[i]):
            out.append((card.shown or "??", name(at), name(d.slots[i])))
    return out


def _mend(g: Game, d: Dealt) -> None:
    wrong = [i for i in range(len(d.cards)) if i >= len(d.slots) or not same(d.at[i], d.slots[i])]
    onward = len(wrong) > 1 and (wrong[-1] >= len(d.slots) or (d.at[wrong[0]] is not None and _ahead(d, wrong[0])))
    for i in reversed(wrong) if onward else wrong:
        _move(g, d, i)
    if len(d.cards) > len(d.slots):
        del d.cards[-1], d.at[-1], d.index[-1]
        _record(g, d)


def _ahead(d: Dealt, i: int) -> bool:
    """Whether card i's right place comes after the one where it lies: the cards shift onwards."""
    target = d.slots[i]
    return target is None or (d.at[i] is not None and target.number > d.at[i].number)  # type: ignore[union-attr]


def _move(g: Game, d: Dealt, i: int) -> None:
    """Slide one card to where it belongs."""
    card, old = d.cards[i], d.at[i]
    started = g.stage.t
    if i >= len(d.slots):
        g.stage.shift(card, Spot(*g.layout.discard, 90.0))
        card.gone = g.stage.t - 0.1
        d.at[i], d.index[i] = RACK, 99
        lifted = started
        landed = seen = g.stage.t
    else:
        where = d.slots[i]
        d.index[i] = 99
        index = d.free(where)
        spot, up = _spot(g, where, index)
        d.at[i], d.index[i] = where, index
        g.stage.shift(card, spot, up)
        lifted, landed, seen = started, card.legs[-1].t1, g.stage.t
    _record(g, d)
    if old is None or g.place(old.number):
        g.note(old.number if old else 0, lifted, seen)
    if i < len(d.slots):
        target = d.slots[i]
        g.note(target.number if target else 0, landed, seen)
    g.stage.wait(0.1, 0.3)


def _spot(g: Game, where: Where, index: int) -> tuple[Spot, bool]:
    if where is not None:
        return g.places.card(where, 1, 0, index), True
    home = g.rules.first_dealer_card == "down"
    return (g.places.upcard(), not home) if index == 0 else (g.places.hole(home), False)


# ---- the end of the deal
def _finish(g: Game, d: Dealt) -> None:
    last = g.dealer.cards[-1]
    landed, seen = last.legs[-1].t1, g.stage.t
    for place in g.players:
        if place.natural:
            at = max(c.legs[-1].t1 for c in place.hands[0].cards)
            place.hands[0].state, place.hands[0].done = "blackjack", True
            g.book.blackjacks.append({"seat": place.number, "t_from": g.book.rounds[-1]["t_from"], "t_until": 1e9})
            if all(c.unread is None for c in place.hands[0].cards):
                g.book.phrase("Blackjack", place.number, at - 0.6, at + 0.35 + LAG)
    g.over(landed - 0.6, seen)
    if g.rules.first_dealer_card == "down":
        _turn_up(g)
    _read_again(g)
    if g.exposed:
        _folds(g)


def _turn_up(g: Game) -> None:
    """The dealer turns his first card up once the second is dealt."""
    card = g.dealer.cards[0]
    g.stage.wait(0.2, 0.6)
    at = card.spot.x, card.spot.y
    leave = g.stage.rest(at, 80.0, 0.8, DEALER)
    turned = g.stage.t + 0.4
    g.stage.turn(card, card.spot, True, turned)
    g.stage.t = leave
    g.note(0, turned, leave)
    g.over(turned - 0.4, leave)


def _read_again(g: Game) -> None:
    """A card that could not be read is straightened after a while."""
    for place in g.players:
        for card in place.hands[0].cards:
            if card.unread is None:
                continue
            g.did("unreadable-card")
            seen = card.legs[0].t1 + 0.35
            due = g.due(Due("unreadable-card", [place.number], seen + 4.5, seen + 5.0 + LAG))
            g.stage.t = max(g.stage.t, card.unread[1] - 0.8)
            leave = g.stage.rest((card.spot.x, card.spot.y), 75.0, 0.9, DEALER)
            card.unread = (card.unread[0], g.stage.t + 0.4)
            g.note(place.number, g.stage.t + 0.45, leave)
            g.book.mend(due, g.stage.t, leave + LAG)
            g.stage.t = leave
            g.over(leave - 1.0, leave)
            if place.natural:
                g.book.phrase("Blackjack", place.number, leave - 0.6, leave + LAG, 4.0)


def _folds(g: Game) -> None:
    """The hole card was shown: a player may fold and keep his bet."""
    g.stage.wait(3.2, 4.0)
    for place in g.players:
        hand = place.hands[0]
        if place.natural or g.rng.random() > 0.3:
            continue
        gone = g.stage.scoop(hand.cards)
        hand.state, hand.done = "void", True
        g.note(place.number, gone, gone)
        g.stage.take(hand.stacks, PLAYER)
        g.stage.wait(0.5, 1.0)
    g.turn.due = False


def rig_deal(g: Game) -> None:
    """Order the shoe so that the planned mistakes have their occasion."""
    n = len(g.players)
    total_slots = 2 * n + 2

    def first(k: int) -> int:
        return k

    def set_card(index: int, ranks: str) -> None:
        g.fix(index, lambda c: c[0] in ranks, total_slots)

    index = {p.number: i for i, p in enumerate(g.players)}
    for mistake, (mine, dealer) in RIGS.items():
        if not g.planned(mistake):
            continue
        if dealer:
            set_card(n, dealer[0])
            set_card(total_slots - 1, dealer[1])
        seat = g.targets.get(mistake)
        if mine and seat is not None:
            set_card(first(index[seat]), mine[0])
            set_card(n + 1 + index[seat], mine[1])
    if g.planned("hole-card-exposed") and arithmetic.natural([g.shoe[n], g.shoe[total_slots - 1]]):
        set_card(n, "6")


T = "TJQK"
RIGS: dict[str, tuple[tuple[str, str] | None, tuple[str, str] | None]] = {
    "insurance-too-large": (("9", "T8"), ("A", "23456789")),
    "insurance-not-allowed": (None, None),
    "paid-early": (("A", T), ("A" + T, "6789")),
    "bust-not-taken": ((T, "456"), None),
    "split-not-allowed": (("9", "5"), None),
    "double-not-allowed": (("2", "34"), None),
    "surrender-not-allowed": ((T, "56"), None),
    "taken-early": (("5", "2346"), None),
    "out-of-turn": (("5" + T, "46"), None),
    "card-not-due": ((T, "789"), None),
    "dealer-played-early": ((T, "56"), ("6", T)),
    "dealer-blackjack-missed": ((T, "56"), (T, "A")),
    "dealer-must-draw": ((T, "98"), (T + "9", "6")),
    "dealer-must-stand": ((T, "9"), (T, "789")),
    "not-paid": ((T, T + "9"), ("9", "89")),
    "not-taken": ((T, "6"), (T, "9")),
    "push-taken": ((T, "8"), ("8", T)),
    "wrong-payout": ((T, T + "9"), ("9", "89")),
    "cleared-early": ((T, T + "9"), ("9", "89")),
    "pay-order": ((T, T + "9"), ("9", "89")),
}
"""Mistake -> ranks of the two cards of its seat, ranks of the dealer's upcard and hole card."""
