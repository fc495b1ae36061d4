"""The deal so far, and its next card: to a seat or to the dealer, face up or down."""

from dataclasses import dataclass, field

from hardware.simulator import bets
from hardware.simulator.book import Due
from hardware.simulator.game import LAG, Game
from hardware.simulator.stage import DEALER, Card
from table_state.layout import Seat

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
    mended: float = 0.0
    """When a deal that had gone wrong lay right."""

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


def next_card(g: Game, d: Dealt) -> tuple[float, float]:
    """Deal the next card on the way; when it landed and when it was uncovered."""
    n = len(d.cards)
    where = d.way[n]
    index = d.free(where)
    card = _to_dealer(g, d, index) if where is None else _to_seat(g, where, index)
    d.cards.append(card)
    d.at.append(where)
    d.index.append(index)
    landed, seen = card.legs[-1].t1, g.stage.t
    record(g, d)
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
    card = g.stage.bring(g.draw(), g.layout.shoe, g.places.hole(home), exposed, None if home or exposed else first)
    if exposed:
        g.did("hole-card-exposed")
        g.exposed = g.flavour["hole-card-exposed"] == "stays"
        g.due(Due("hole-card-exposed", [0], card.legs[0].t0, g.stage.t + LAG))
    return card


def record(g: Game, d: Dealt) -> None:
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
