"""The dealer's hand: the hole card found and turned, draws in and out of their time."""

from table_state.facts import Card, Cards
from table_state.hands import TAKEN_BACK
from table_state.state import Round
from table_state.turns import end_turns, turns_may_be_over


def find_hole(r: Round) -> None:
    """The upcard is the one that is turned up first, whichever fell first; a second card dealt face up is exposed."""
    if len(r.dealer) < 2 or r.hole_up is not None:
        return
    first, second = r.dealer[:2]
    dealt_up = r.rules.first_dealer_card == "down" and not r.partial and second not in r.was_down
    if second in r.up and first not in r.up and not dealt_up:
        r.dealer[:2] = [second, first]
    r.hole = r.dealer[1]


def dealer_cards(r: Round, fact: Cards) -> None:
    """The dealer's cards lie otherwise than before: a draw, a card taken back, a hole card turned."""
    present = set(fact.ids)
    for i in fact.ids:
        if i not in r.dealer:
            _dealer_got(r, i)
    for card, _, _ in r.draws:
        if card in present:
            r.draw_gone.pop(card, None)
        else:
            r.draw_gone.setdefault(card, fact.t)
    find_hole(r)
    hole_face(r, fact.t, r.hole in fact.ids)


def take_back_draws(r: Round, t: float) -> None:
    """A drawn card that is away while the dealer's first cards still lie was taken back, not scooped."""
    for card, since in list(r.draw_gone.items()):
        lying = all(r.place_now.get(i) == 0 for i in r.dealer[:2]) and any(h.lying for _, _, h in r.all_hands())
        if t - since >= TAKEN_BACK and lying:
            r.draws = [d for d in r.draws if d[0] != card]
            r.dealer.remove(card)
            del r.draw_gone[card]


def _dealer_got(r: Round, card: int) -> None:
    if len(r.dealer) < 2:
        r.dealer.append(card)
        return
    why: str | None = None
    before = r.dealer_total
    if r.on_turn() is not None and not r.draws and not turns_may_be_over(r):
        why = "dealer-played-early"
    elif before is not None and r.dealer_stands and r.sure(r.dealer):
        why = "dealer-must-stand"
    else:
        end_turns(r)
    r.draws.append((card, why, r.deck[card].born))
    r.dealer.append(card)


def hole_face(r: Round, t: float, present: bool) -> None:
    if r.hole is None:
        return
    if r.hole in r.up and r.hole_up is None:
        r.hole_up = t
        _turned(r, t)
    elif r.hole not in r.up and present and r.hole_was_up:
        r.hole_up = None


def _turned(r: Round, t: float) -> None:
    """The hole card was turned up: in its time, as a blackjack, or exposed."""
    hole = r.deck[r.hole] if r.hole is not None else None
    dealt_up = hole is not None and r.hole not in r.was_down and r.on_turn() is not None and not _looked_at(r, hole)
    if (r.partial and r.deal_done is not None and t <= r.deal_done) or (r.dealer_blackjack and not dealt_up):
        end_turns(r)
    elif dealt_up or not turns_may_be_over(r):
        r.hole_was_up = r.hole_was_up or r.on_turn() is not None
    else:
        end_turns(r)


def _looked_at(r: Round, hole: Card) -> bool:
    """Whether the dealer looked at the hole card before it was seen: then it lay on its face under his hands."""
    return any(look.hands > 1 and hole.lo < look.start and look.t < hole.born for look in r.looks)
