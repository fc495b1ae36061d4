"""All mistakes that stand in a round: each check is one small function of the round."""

from collections.abc import Callable, Iterator
from typing import Final

from table_state import checks_deal as deal
from table_state import checks_pay as pay
from table_state import checks_play as play
from table_state.state import Problem, Round

Check = Callable[[Round], Iterator[Problem]]

CHECKS: Final[tuple[Check, ...]] = (
    deal.deal_errors,
    deal.hole_card_exposed,
    deal.card_face_down,
    deal.late_bet,
    deal.bet_out_of_limits,
    play.undue_cards,
    play.dealer_draws,
    play.blackjack_missed,
    play.dealer_must_draw,
    play.bust_not_taken,
    play.taken_early,
    play.split_not_allowed,
    play.double_not_allowed,
    play.surrender_not_allowed,
    play.paid_early,
    play.insurance_bets,
    pay.wrong_payout,
    pay.pay_order,
    pay.cleared_early,
    pay.left_open,
)


def problems(r: Round) -> list[Problem]:
    """Every mistake that stands now."""
    if r.started is None:
        return []
    return [problem for check in CHECKS for problem in check(r)]
