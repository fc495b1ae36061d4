"""What a display may show of a round; a hole card is `??` until it is turned."""

from collections.abc import Mapping
from fractions import Fraction

from table_state.amounts import words
from table_state.chips import Chips
from table_state.hand import Total, total
from table_state.layout import Layout
from table_state.output import Alert
from table_state.state import Hand, Round
from table_state.view import HandView, SeatView, TableView


def show(
    layout: Layout, r: Round, t: float, alerts: tuple[Alert, ...], settled: Mapping[tuple[int, bool], Chips]
) -> TableView:
    """The whole table at an instant."""
    seats = tuple(
        SeatView(s.number, s.name, _bet(r, s.number, settled), _hands(r, s.number), _placed(r, s.number, settled))
        for s in layout.seats
    )
    turn = r.on_turn() if r.deal_done is not None else None
    at = (turn[0], turn[1]) if turn else (0, 0) if r.dealer_turn and r.cleared is None else None
    return TableView(t, phase(r), at, seats, _dealer(r), alerts)


def phase(r: Round) -> str:
    """bets, deal, insurance, play, dealer, pay or over."""
    if r.started is None:
        return "bets"
    if r.cleared is not None:
        return "over"
    if r.deal_done is None:
        return "deal"
    if r.insurance_open:
        return "insurance"
    if not r.dealer_turn:
        return "play"
    return "pay" if r.dealer_stands else "dealer"


def _bet(r: Round, seat: int, settled: Mapping[tuple[int, bool], Chips]) -> str | None:
    amount = _amount(r, seat, settled)
    return None if amount is None else words(amount)


def _amount(r: Round, seat: int, settled: Mapping[tuple[int, bool], Chips]) -> Fraction | None:
    hands = r.hands.get(seat)
    if hands:
        bets = [h.bet for h in hands if h.bet is not None]
        return sum(bets, Fraction(0)) if len(bets) == len(hands) else None
    if seat in r.purses:
        return r.purses[seat].locked
    chips = settled.get((seat, False))
    return chips.amount if chips is not None and chips.stacks else None


def _placed(r: Round, seat: int, settled: Mapping[tuple[int, bool], Chips]) -> bool:
    """Whether a seat has a bet, its amount known or not."""
    chips = settled.get((seat, False))
    return seat in r.purses or (chips is not None and bool(chips.stacks))


def _hands(r: Round, seat: int) -> tuple[HandView, ...]:
    if r.deal_done is None:
        ids = [c.id for c in r.landings if r.place_now.get(c.id) == seat]
        return (_view(r, ids, r.values(ids), "dealt"),) if ids else ()
    return tuple(_hand(r, h) for h in r.hands.get(seat, []) if h.lying)


def _hand(r: Round, hand: Hand) -> HandView:
    turn = r.on_turn()
    state = "turn" if turn is not None and turn[2] is hand else hand.over or "waiting"
    return _view(r, hand.ids, r.values(hand.ids), state)


def _view(r: Round, ids: list[int], values: list[int] | None, state: str) -> HandView:
    now: Total | None = total(values) if values else None
    check = now is None or not r.sure(ids)
    if now is None:
        return HandView(r.codes(ids), None, False, "", state, check)
    return HandView(r.codes(ids), now.best, now.soft, now.words, state, check)


def _dealer(r: Round) -> HandView:
    ids = r.dealer or [c.id for c in r.landings if r.place_now.get(c.id) == 0]
    lying = [i for i in ids if r.place_now.get(i) == 0]
    if not lying:
        return HandView()
    open_ids = [i for i in lying if i in r.up]
    return _view_dealer(r, lying, open_ids)


def _view_dealer(r: Round, lying: list[int], open_ids: list[int]) -> HandView:
    state = "turn" if r.dealer_turn else "waiting"
    plain = _view(r, open_ids, r.values(open_ids), state)
    return HandView(r.codes(lying), plain.total, plain.soft, plain.text, state, bool(open_ids) and plain.check)
