"""When turns are over that nobody was seen to end."""

from table_state.state import Hand, Round


def turns_may_be_over(r: Round) -> bool:
    """Whether every hand that has not said so may stand: unseen, or the last one by a word."""
    if r.begun_late and r.partial:
        return True
    left = [h for _, _, h in r.all_hands() if h.over is None]
    unseen = [h for h in left if not may_have_stood(r, h)]
    if not unseen:
        return True
    last = r.all_hands()[-1][2]
    return unseen == [last] and _may_stand_by_word(r, last)


def _may_stand_by_word(r: Round, hand: Hand) -> bool:
    """A last player who was served, or has enough, may just say that he stands; not one who asks for a card."""
    total = r.total(hand)
    asked = r.signalled(hand.seat, ("tap", "one-finger", "v"), max(hand.acted or 0.0, hand.turn or 0.0) + 0.05)
    return not asked and (bool(hand.played) or (total is not None and total.best >= 17))


def may_have_stood(r: Round, hand: Hand) -> bool:
    """Whether a hand's player may have stood unseen: no signals are seen here, or none could be seen in time."""
    if not r.signals_seen:
        return True
    since = hand.turn if hand.turn is not None else (r.play_t or r.deal_done or 0.0)
    if any(t > since for t, _ in r.gaps):
        return True
    return any(t > since and seat == hand.seat for t, seat in r.hovers)


def end_turns(r: Round) -> None:
    """It is the dealer's turn: every hand that is not over stands."""
    for _, _, hand in r.all_hands():
        if hand.over is None:
            hand.over = "dealer"
