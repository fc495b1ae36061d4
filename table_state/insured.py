"""Insurance bets: put up in time or too late, taken, paid."""

from table_state.chips import Chips
from table_state.state import Round


def insure(r: Round, fact: Chips) -> None:
    seat = fact.seat
    decided = r.peeked is not None or r.hole_up is not None
    if not decided:
        r.insurance_late.pop(seat, None)
        if fact.stacks:
            r.insurance[seat] = fact.amount
            closed = len(r.sweeps) >= 2 and fact.lo > r.sweeps[1] + 0.5
            if closed and fact.by != "dealer" and not _grown(r, seat):
                r.insurance_late[seat] = fact.amount
        else:
            r.insurance.pop(seat, None)
    elif not fact.stacks:
        r.insurance_late.pop(seat, None)
        if fact.by != "player" and seat not in r.insurance_paid:
            r.insurance_taken.add(seat)
    elif seat in r.insurance:
        bet, now = r.insurance[seat], fact.amount
        if bet is None or now is None or now > bet:
            r.insurance_paid[seat] = None if bet is None or now is None else now - bet
    elif fact.by != "dealer":  # what the dealer lays there is a neighbour's payment
        r.insurance_late[seat] = fact.amount


def _grown(r: Round, seat: int) -> bool:
    return seat in r.insurance and seat not in r.insurance_late and r.insurance[seat] is None
