"""A round as it stands: hands, bets, dealer, what is wrong and what is to be said."""

import math
from dataclasses import dataclass, field
from fractions import Fraction

from table_state.chips import Chips
from table_state.deal import DealError, DealReading, Landing
from table_state.facts import Deck
from table_state.hand import Total, is_blackjack, total
from table_state.output import Move
from table_state.rules import HouseRules
from table_state.senses import Look


@dataclass(slots=True)
class Hand:
    """One hand of a seat; bet is the whole stake, None = unknown."""

    seat: int
    ids: list[int]
    bet: Fraction | None
    split: bool = False
    aces: bool = False
    doubled: bool = False
    extra: Fraction | None = None
    """The stake of its double."""
    over: str | None = None
    acted: float | None = None
    turn: float | None = None
    undue: list[tuple[int, str]] = field(default_factory=list)
    played: list[int] = field(default_factory=list)
    away: dict[int, float] = field(default_factory=dict)
    """Cards of its play that do not lie there now, the others lying, and since when."""
    back: set[int] = field(default_factory=set)
    """Cards that were taken back: they are its own no more."""
    lying: bool = True
    left: float | None = None
    going: float | None = None
    """Since when not all of its cards lie there."""
    paid: Fraction | None = Fraction(0)
    settled: float | None = None
    taken: bool = False
    even: bool = False
    early: bool = False
    fault: tuple[str, Fraction | None, Fraction | None] | None = None
    """Why its double is not allowed, and the amounts that should be and are."""


@dataclass(slots=True)
class Purse:
    """What a seat has put up: the locked bet, a stake not yet used, what does not count."""

    locked: Fraction | None
    chips: Chips | None = None
    stacks: int = 1
    """How many stacks the locked bet is."""
    stake: Fraction | None = Fraction(0)
    """Put up and not yet used by a double or a split; None = unknown."""
    stake_t: float | None = None
    gone: float | None = None
    """When the dealer took the bet of a hand that is not over."""
    late: tuple[Fraction | None, Fraction | None] | None = None
    """A change that does not count: what should lie there, what does."""
    late_t: float = 0.0
    late_at: tuple[tuple[float, float], ...] = ()
    """Where its stacks lie, if it added some."""
    surrender: float | None = None
    half_back: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake that stands now; wait = seconds that it must stand before it is said."""

    code: str
    seat: int | None
    hand: int | None
    text: str
    wait: float = 0.3
    moves: tuple[Move, ...] = ()
    expected: Fraction | None = None
    seen: Fraction | None = None
    key: object = None


@dataclass(frozen=True, slots=True)
class Words:
    """Something to be said once; total None with sure False = it cannot be said yet."""

    key: tuple[object, ...]
    text: str
    seat: int | None = None
    hand: int | None = None
    total: int | None = None
    soft: bool = False
    cards: tuple[str, ...] = ()
    sure: bool = True


Memo = dict[tuple[tuple[int, ...], int, tuple[tuple[int, int], ...]], DealReading]
"""How a deal was read, by the order of the seats, how many cards are known to be right, and the cards after them."""


@dataclass(slots=True)
class Round:
    """Everything that follows from the facts of one round under the house rules."""

    rules: HouseRules
    deck: Deck
    partial: bool = False
    """Begun in mid-round, or bets are not seen: the order of the deal is not known."""
    begun_late: bool = False
    """Begun in mid-round: what lay there first was not seen to come."""
    pay_unseen: bool = False
    """Pay and take may have begun before anything was seen."""
    now: float = 0.0
    """The time that the fold has come to."""
    wall: float = 0.0
    """The time until which nothing else is known to have happened."""
    memo: Memo = field(default_factory=dict)
    cards_t: float = 0.0
    """When cards last came, went or turned."""
    started: float | None = None
    circles: dict[int, Chips] = field(default_factory=dict)
    insured: dict[int, Chips] = field(default_factory=dict)
    purses: dict[int, Purse] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    bets_said: dict[int, Fraction] = field(default_factory=dict)
    again_at: float = math.inf
    """When to look again though nothing happens."""
    # the deal
    landings: list[Landing] = field(default_factory=list)
    place_now: dict[int, int | None] = field(default_factory=dict)
    heaps: dict[int, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    up: set[int] = field(default_factory=set)
    was_down: set[int] = field(default_factory=set)
    """Cards that lay face down at some time."""
    up_at: dict[int, float] = field(default_factory=dict)
    taken_off: bool = False
    """Whether a card of the play is away from its hand."""
    good: list[int | None] = field(default_factory=list)
    good_t: float = -math.inf
    mends: int = 0
    reopened: int = 0
    """How often a hand that was over was not over after all, as what had ended it was taken back."""
    mending: bool = False
    deal_errors: list[DealError] = field(default_factory=list)
    reading: DealReading = field(default_factory=DealReading)
    deal_done: float | None = None
    misplaced: list[tuple[str, int | None, int | None]] | None = None
    """Where the dealt cards lay and belonged as the turns began: what is taken later changes no moves."""
    tentative: bool = False
    """The turns are only shown as begun: a mistake of the deal may still be mended."""
    # the play
    hands: dict[int, list[Hand]] = field(default_factory=dict)
    dealer: list[int] = field(default_factory=list)
    hole: int | None = None
    hole_up: float | None = None
    hole_was_up: bool = False
    draws: list[tuple[int, str | None, float]] = field(default_factory=list)
    draw_gone: dict[int, float] = field(default_factory=dict)
    sweeps: list[float] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    peeked: float | None = None
    play_t: float | None = None
    bad_splits: list[tuple[int, int, tuple[int, ...], str, Fraction | None, Fraction | None]] = field(
        default_factory=list
    )
    acts: list[tuple[float, int, int]] = field(default_factory=list)
    signals: list[tuple[float, int, str]] = field(default_factory=list)
    gaps: list[tuple[float, float]] = field(default_factory=list)
    hovers: list[tuple[float, int]] = field(default_factory=list)
    signals_seen: bool = True
    insurance: dict[int, Fraction | None] = field(default_factory=dict)
    """What each seat insured for, as it lay when insurance was closed."""
    insurance_late: dict[int, Fraction | None] = field(default_factory=dict)
    insurance_taken: set[int] = field(default_factory=set)
    insurance_paid: dict[int, Fraction | None] = field(default_factory=dict)
    # pay and take
    pay_t: float | None = None
    short_pay: float | None = None
    stakes_at: dict[int, list[list[tuple[float, float]]]] = field(default_factory=dict)
    settlements: list[tuple[float, int]] = field(default_factory=list)
    cleared: float | None = None
    closed: set[int] = field(default_factory=set)
    """Seats whose chips belong to the next round already."""
    problems: list[Problem] = field(default_factory=list)

    # ---- cards
    def values(self, ids: list[int]) -> list[int] | None:
        """Values of cards; None where one was not read."""
        out, deck, up = [], self.deck, self.up
        for i in ids:
            value = deck[i].value if i in up else None
            if value is None:
                return None
            out.append(value)
        return out

    def sure(self, ids: list[int]) -> bool:
        """Whether all values are beyond a passing misreading."""
        return all(i in self.up and self.deck[i].sure for i in ids)

    def total(self, hand: Hand) -> Total | None:
        """A hand's total; None where a card was not read."""
        values = self.values(hand.ids)
        return total(values) if values else None

    def codes(self, ids: list[int]) -> tuple[str, ...]:
        """Codes of cards, a card that lies face down as `??`."""
        return tuple(self.deck[i].code if i in self.up else "??" for i in ids)

    def natural(self, hand: Hand) -> bool:
        """Whether a hand is a blackjack."""
        values = self.values(hand.ids)
        return not hand.split and values is not None and len(values) == 2 and is_blackjack(values)

    # ---- dealer
    @property
    def upcard(self) -> int | None:
        """Value of the dealer's upcard, an ace 1; None while it is unknown."""
        if self.deal_done is None:
            lying = [i for i, place in self.place_now.items() if place == 0 and i in self.up]
            return self.deck[lying[0]].value if len(lying) == 1 else None
        if not self.dealer or self.dealer[0] not in self.up:
            return None
        return self.deck[self.dealer[0]].value

    @property
    def dealer_total(self) -> Total | None:
        """The dealer's total once the hole card is up; None before."""
        if len(self.dealer) < 2:
            return None
        values = self.values(self.dealer)
        return total(values) if values else None

    @property
    def dealer_blackjack(self) -> bool:
        """Whether the dealer's two cards lie open as a blackjack."""
        values = self.values(self.dealer)
        return values is not None and len(values) == 2 and is_blackjack(values)

    @property
    def dealer_stands(self) -> bool:
        """Whether the dealer's total is one to stand on, or over 21."""
        now = self.dealer_total
        if now is None:
            return False
        return now.best > 17 or (now.best == 17 and not (now.soft and self.rules.hits_soft_17))

    # ---- seats
    def all_hands(self) -> list[tuple[int, int, Hand]]:
        """All hands with seat and number, in playing order."""
        return [(s, i, h) for s in self.order if s for i, h in enumerate(self.hands.get(s, []))]

    def on_turn(self) -> tuple[int, int, Hand] | None:
        """The first hand that is not over; None once all are."""
        for seat in self.order:
            for i, hand in enumerate(self.hands.get(seat, ())):
                if hand.over is None:
                    return seat, i, hand
        return None

    @property
    def needs_peek(self) -> bool:
        """Whether the dealer has to check the hole card before the first turn."""
        upcard = self.upcard
        return (upcard == 1 and "A" in self.rules.peek) or (upcard == 10 and "T" in self.rules.peek)

    @property
    def dealer_turn(self) -> bool:
        """Whether the hole card was turned up in its time."""
        return self.hole_up is not None and (not self.hole_was_up or self.on_turn() is None)

    @property
    def insurance_open(self) -> bool:
        """Whether insurance was opened and not yet closed."""
        return len(self.sweeps) == 1 and self.peeked is None and self.hole_up is None

    def set_order(self) -> None:
        """The seats that the deal goes to are those with a bet."""
        self.order = [*sorted(self.purses), 0]

    def signalled(self, seat: int, kinds: tuple[str, ...], since: float) -> bool:
        """Whether a seat gave one of these signals since a time."""
        return any(s == seat and k in kinds and t >= since for t, s, k in self.signals)

    def problem(self, problem: Problem) -> None:
        """Note a mistake."""
        self.problems.append(problem)
