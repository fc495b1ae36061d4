"""A deal in the wrong order: how it goes wrong, what would mend it, and how it is mended or left."""

from hardware.simulator.book import Due
from hardware.simulator.game import LAG, Game
from hardware.simulator.laying import RACK, Dealt, Where, name, next_card, record, same
from hardware.simulator.places import Spot

ORDER_ERRORS = ("skipped-seat", "dealt-to-empty-circle", "dealer-skipped", "extra-card")


def spoil(g: Game, d: Dealt, error: str) -> tuple[int, int, Where] | None:
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


def wrong_order(g: Game, d: Dealt, error: str, spoil: tuple[int, int, Where]) -> None:
    """Deal on the wrong way until it is noticed, then put every card where it belongs."""
    _evident, noticed, whose = spoil
    g.did(error)
    due: Due | None = None
    rows: list[tuple[float, float, list[tuple[str, str, str]]]] = []
    while len(d.cards) < noticed or due is None:
        started = g.stage.t
        _, seen = next_card(g, d)
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
    right = _mend(g, d)
    done = d.mended = g.stage.t
    rows[-1] = (rows[-1][0], done + 3.0, rows[-1][2])
    due.moves = rows
    for code in ORDER_ERRORS:
        g.book.allow(code, "any", mending, done + 0.5)
    g.book.mend(due, right - 1.6, done + LAG)
    d.way = list(d.slots)
    g.stage.wait(0.6, 1.5)


def _left(g: Game, d: Dealt, due: Due, rows: list[tuple[float, float, list[tuple[str, str, str]]]]) -> None:
    """Nobody sees it: the deal goes on with every player served, and the stray cards stay where they lie."""
    while len(d.cards) < len(d.way):
        started = g.stage.t
        _, seen = next_card(g, d)
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


def _mend(g: Game, d: Dealt) -> float:
    """Put every card where it belongs, then lay the hands straight; returns when all lay at the right places."""
    wrong = [i for i in range(len(d.cards)) if i >= len(d.slots) or not same(d.at[i], d.slots[i])]
    onward = len(wrong) > 1 and (wrong[-1] >= len(d.slots) or (d.at[wrong[0]] is not None and _ahead(d, wrong[0])))
    for i in reversed(wrong) if onward else wrong:
        _move(g, d, i)
    right = g.stage.t
    _close_gaps(g, d)
    if len(d.cards) > len(d.slots):
        del d.cards[-1], d.at[-1], d.index[-1]
        record(g, d)
    return right


def _close_gaps(g: Game, d: Dealt) -> None:
    """A hand that lost a card from its middle is laid straight again."""
    for i, (card, where) in enumerate(zip(d.cards, d.at, strict=True)):
        right = sum(same(w, where) for w in d.at[:i])
        if where is not None and where is not RACK and d.index[i] > right:
            g.stage.shift(card, g.places.card(where, 1, 0, right))
            d.index[i] = right
            g.stage.wait(0.1, 0.3)


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
    record(g, d)
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
