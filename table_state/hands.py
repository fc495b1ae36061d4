"""One hand over time: why it is over, acts upon it, its cards that go and come back."""

from typing import Final

from table_state.stakes import undouble
from table_state.state import Hand, Round

TAKEN_BACK: Final = 1.4
"""Seconds that a drawn card must be away, the dealer's other cards lying, to count as taken back."""
SCOOP: Final = 2.0
"""Seconds within which the cards of one hand go that are scooped together."""
SCOOPED: Final = 3.0
"""The same for a card of a hand that is being scooped."""


def refresh(r: Round, hand: Hand) -> None:
    """Set why a hand is over, None while it is not."""
    if hand.over in ("wave", "surrender", "folded", "dealer", "paid", "21?"):
        return
    if hand.over == "passed" and len(hand.ids) < 2:
        return
    now = r.total(hand)
    if now is not None and now.best > 21:
        hand.over = "bust"
    elif r.natural(hand):
        hand.over = "blackjack"
    elif hand.doubled and len(hand.ids) >= 3:
        hand.over = "doubled"
    elif hand.aces and r.rules.split_aces_one_card and len(hand.ids) >= 2:
        hand.over = "ace"
    elif now is not None and now.best == 21 and len(hand.ids) >= 2:
        hand.over = "21"
    elif hand.over != "passed":
        hand.over = None


def act(r: Round, hand: Hand, t: float, index: int) -> None:
    """A hand was acted upon: every hand before it that did not say so stands."""
    hand.acted = t
    r.play_t = r.play_t or t
    r.acts.append((t, hand.seat, index))
    pass_before(r, hand.seat, index)


def pass_before(r: Round, seat: int, index: int) -> None:
    """Play is at this hand, so the turns before it are over."""
    for s, i, other in r.all_hands():
        if (s, i) == (seat, index):
            return
        if other.over is None and len(other.ids) >= 2 - (s == seat):
            other.over = "passed"


def presence(r: Round, hand: Hand, present: set[int], t: float) -> None:
    hand.undue = [(i, why) for i, why in hand.undue if i in present]
    lying = any(i in present for i in hand.ids)
    if all(i in present for i in hand.ids):
        hand.going = None
    elif hand.going is None:
        hand.going = t
    if hand.lying and not lying:
        hand.left = hand.going if hand.going is not None and t - hand.going < SCOOP else t
    elif lying:
        hand.left = None
    hand.lying = lying
    for i in hand.played:
        if i in present:
            hand.away.pop(i, None)
        elif lying:
            hand.away.setdefault(i, t)
            r.taken_off = True


def take_back_cards(r: Round, t: float) -> None:
    """A card of the play that a hand took off while the rest of its hand lies on was taken back."""
    if not r.taken_off or r.cleared is not None:
        return
    if r.hole_up is not None and (not r.hole_was_up or r.draws or r.settlements):
        return
    for _, _, hand in r.all_hands():
        for card, since in list(hand.away.items()):
            if (
                t - since < (SCOOPED if hand.over == "bust" else TAKEN_BACK)
                or not hand.lying
                or hand.taken
                or not r.deck[card].taken
                or not _uppermost(hand, card)
            ):
                continue
            over = hand.over
            del hand.away[card]
            hand.ids.remove(card)
            hand.played.remove(card)
            hand.back.add(card)
            if hand.doubled:
                _return_stake(r, hand, t)
            if hand.over in ("bust", "doubled", "21"):
                hand.over = None
            refresh(r, hand)
            r.reopened += over is not None and hand.over is None


def _uppermost(hand: Hand, card: int) -> bool:
    """Whether no later card of its hand lies there: one from below is not taken off alone, it is out of sight."""
    later = hand.ids[hand.ids.index(card) + 1 :]
    return all(i in hand.away for i in later)


def _return_stake(r: Round, hand: Hand, t: float) -> None:
    """A double whose card was taken back is none; its stake lies there still."""
    stake = hand.extra
    undouble(hand)
    purse = r.purses.get(hand.seat)
    if purse is not None:
        purse.stake, purse.stake_t = stake, t
