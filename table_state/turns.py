"""When turns are over that nobody was seen to end."""

from typing import Final

from table_state.state import Hand, Round

WAITED: Final = 4.0
"""Seconds after which a player who was asked has answered."""
ENOUGH, STIFF = 17, 12
"""Totals from which a player who asked for nothing stands, and from which one who was served or waited for may."""


THINKS: Final = 1.2
"""Seconds that a player takes at least to say that he stands."""


def turns_may_be_over(r: Round) -> bool:
    """Whether every hand that has not said so may stand: unseen, or by a word."""
    if r.begun_late and r.partial:
        return True
    left = [h for _, _, h in r.all_hands() if h.over is None]
    unseen = [h for h in left if not may_have_stood(r, h)]
    if not unseen:
        return True
    since = max(unseen[0].acted or 0.0, unseen[0].turn or 0.0)
    if r.now - since < THINKS * len(unseen):
        return False
    # Play went past the earlier hands or may have; the last one is where the dealer comes from.
    return not any(_asks(r, h) for h in unseen) and all(_may_stand_by_word(r, h) for h in unseen[-1:])


def _asks(r: Round, hand: Hand) -> bool:
    """Whether a hand's player asked for something that he did not get."""
    since = max((hand.acted or 0.0) + 0.05, (hand.turn or 0.0) - 0.01)
    return r.signalled(hand.seat, ("tap", "one-finger", "v"), since)


def _may_stand_by_word(r: Round, hand: Hand) -> bool:
    """A player who was served, has enough, or was given time, may just have said that he stands."""
    total = r.total(hand)
    if total is None or total.best < STIFF:
        return False
    waited = hand.turn is not None and r.now - max(hand.acted or 0.0, hand.turn) >= WAITED
    return bool(hand.played) or total.best >= ENOUGH or waited


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
