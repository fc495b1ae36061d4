"""The state of one simulated round, and the small things that every part of its script needs."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from hardware.simulator import arithmetic
from hardware.simulator.book import TURN_TIME, Book, Due
from hardware.simulator.places import Places
from hardware.simulator.stage import Card, Stack, Stage
from table_state.cards import DECK
from table_state.layout import Layout, Seat
from table_state.rules import HouseRules

LAG = 0.24
"""From the moment a thing is uncovered to the line of a recording that shows it, at most, seconds."""


@dataclass(slots=True)
class Hand:
    """One hand at a seat. `state`: live, bust, blackjack, surrender, void, paid or out (taken by mistake)."""

    cards: list[Card] = field(default_factory=list)
    stacks: list[Stack] = field(default_factory=list)
    bet: Fraction = Fraction(0)
    extra: Fraction = Fraction(0)
    state: str = "live"
    split: bool = False
    waved: bool = False
    done: bool = False

    @property
    def stake(self) -> Fraction:
        """The whole bet, a double included."""
        return self.bet + self.extra

    @property
    def codes(self) -> list[str]:
        """All its cards as printed."""
        return [c.code for c in self.cards]

    @property
    def total(self) -> tuple[int, bool]:
        """What it really counts."""
        return arithmetic.total(self.codes)


@dataclass(slots=True)
class Place:
    """A seat that plays this round."""

    seat: Seat
    hands: list[Hand]
    insurance: Fraction = Fraction(0)
    insured: list[Stack] = field(default_factory=list)
    payouts: list[Stack] = field(default_factory=list)
    paid: Fraction | None = None
    """The profit of a blackjack that was paid before pay and take."""
    even: bool = False

    @property
    def number(self) -> int:
        """The seat's number."""
        return self.seat.number

    @property
    def natural(self) -> bool:
        """Whether its only hand is an ace and a ten."""
        return len(self.hands) == 1 and not self.hands[0].split and arithmetic.natural(self.hands[0].codes)

    @property
    def bet(self) -> Fraction:
        """What was bet before the deal."""
        return self.hands[0].bet


@dataclass(slots=True)
class Turn:
    """When the next hand's first total may be said, when it is evident, and whether anything makes it due."""

    t_from: float = 0.0
    evident: float = 0.0
    due: bool = True


class Game:
    """A round under way: who plays, what lies where, what was planned to go wrong."""

    def __init__(self, layout: Layout, rules: HouseRules, rng: random.Random, stage: Stage, book: Book) -> None:
        self.layout, self.rules, self.rng, self.stage, self.book = layout, rules, rng, stage, book
        self.places = Places(layout, rng)
        self.shoe: list[str] = []
        self.cut = 0
        self.fresh = True
        self.standing: dict[int, list[Stack]] = {}
        self._payable: dict[Fraction, bool] = {}
        self.new_round(())

    def new_round(self, plan: Sequence[str]) -> None:
        """Forget the last round; `plan` names the mistakes to be made."""
        self.players: list[Place] = []
        self.dealer = Hand()
        self.plan = list(plan)
        self.done: list[str] = []
        self.targets: dict[str, int] = {}
        self.turn = Turn()
        self.exposed = False
        self.strays: list[Card] = []
        self.flavour: dict[str, str] = {}
        self.order: list[Place] = []

    # ---- mistakes
    def planned(self, name: str) -> bool:
        """Whether a mistake is planned, anywhere, and not yet made."""
        return name in self.plan and name not in self.done

    def want(self, name: str, seat: int | None = None) -> bool:
        """Whether a mistake is planned, not yet made, and meant for this seat (or for any)."""
        return self.planned(name) and self.targets.get(name) in (None, seat)

    def did(self, name: str) -> None:
        """A mistake was made."""
        self.done.append(name)
        self.book.injected.append(f"round {self.book.round}: {name}")

    def due(self, due: Due) -> Due:
        """Note an alert that must come."""
        self.book.alerts.append(due)
        return due

    def notice(self, low: float = 3.3, high: float = 4.6) -> None:
        """The dealer takes a while to see his mistake."""
        self.stage.wait(low, high)

    # ---- cards
    def shuffle(self) -> None:
        """A new shoe."""
        self.shoe = list(DECK) * self.rules.decks
        self.rng.shuffle(self.shoe)
        self.cut = self.rng.randint(60, 80) if self.rules.decks > 2 else 26 * self.rules.decks
        self.fresh = True

    def fix(self, index: int, wanted: Callable[[str], bool], beyond: int) -> None:
        """Make the card at an index of the shoe one that is wanted, by exchange with one from `beyond` on."""
        if not wanted(self.shoe[index]):
            other = next((i for i in range(beyond, len(self.shoe)) if wanted(self.shoe[i])), None)
            if other is not None:
                self.shoe[index], self.shoe[other] = self.shoe[other], self.shoe[index]

    def next_is(self, wanted: Callable[[str], bool]) -> None:
        """Make the next card from the shoe one that is wanted."""
        self.fix(0, wanted, 1)

    def draw(self) -> str:
        """The next card from the shoe."""
        return self.shoe.pop(0)

    # ---- truth
    def place(self, seat: int) -> Place | None:
        """The player at a seat, if it plays."""
        return next((p for p in self.players if p.number == seat), None)

    def note(self, seat: int, landed: float, seen: float) -> None:
        """Write down what a place holds now (0 = dealer)."""
        place = self.place(seat)
        hands = [self.dealer] if seat == 0 else place.hands if place else []
        for i, hand in enumerate(hands):
            lying = [] if hand.state in GONE else hand.cards
            faces = [c.shown for c in lying if c.shown is not None and (c.unread is None or c.unread[1] < landed)]
            read = bool(faces) and (seat == 0 or len(faces) == len(lying))
            total, soft = arithmetic.total(faces) if read else (None, False)
            rows = self.book.truth.get(f"{seat}/{i}", [])
            if not rows or rows[-1][1:3] != [total, soft]:
                self.book.holds(seat, i, landed, total, soft, seen)

    def note_gone(self, place: Place, hand: Hand, t: float) -> None:
        """A hand's cards were scooped."""
        self.book.holds(place.number, place.hands.index(hand), t, None, False, t)

    def in_limits(self, bet: Fraction) -> bool:
        """Whether a bet is within the house's limits."""
        low, high = self.rules.bets
        return bet >= low and (not high or bet <= high)

    @property
    def played_out(self) -> bool:
        """Whether the dealer's total counts: his hole card is up and a hand was there to play against."""
        hole = self.dealer.cards[1].shown if len(self.dealer.cards) > 1 else None
        return hole is not None and any(h.state == "live" for p in self.players for h in p.hands)

    def hand_number(self, place: Place, hand: Hand) -> int | None:
        """A hand's number as results name it: None where three or more hands lie."""
        return None if len(place.hands) > 2 else place.hands.index(hand)

    def say(
        self, place: Place, hand: Hand, t_from: float, evident: float, first: bool = False, due: bool = True
    ) -> None:
        """A hand's total is due."""
        total, soft = hand.total
        more: dict[str, object] = {"required": due}
        if first:
            more |= {"seconds": TURN_TIME, "name": place.seat.name or f"seat {place.number}"}
        self.book.total(place.number, self.hand_number(place, hand), total, soft, t_from, evident, **more)

    def over(self, t_from: float, evident: float, due: bool = True) -> None:
        """A turn is over: the next hand's first total is due."""
        self.turn = Turn(t_from, evident + LAG, due)

    # ---- money
    def make(self, amount: Fraction) -> list[tuple[str, int]]:
        """Chips for an amount; the largest part of it that chips can make, one small chip at least."""
        values = self.layout.chip_values
        least = min(values, key=lambda c: values[c])
        while amount > values[least]:
            chips = arithmetic.stacks(amount, values)
            if chips is not None:
                return chips
            amount -= values[least]
        return [(least, 1)]

    def payable(self, bet: Fraction) -> bool:
        """Whether this house's chips can pay and halve a bet exactly."""
        if bet not in self._payable:
            self._payable[bet] = self._can_pay(bet)
        return self._payable[bet]

    def _can_pay(self, bet: Fraction) -> bool:
        values = self.layout.chip_values
        needed = [bet, 2 * bet, bet * self.rules.blackjack_pays]
        if self.rules.surrender or self.rules.insurance:
            needed.append(bet / 2)
        return all(arithmetic.stacks(x, values) is not None for x in needed)


GONE = ("bust", "surrender", "void", "paid", "out")
"""States of a hand whose cards lie no more."""


def worth(stacks: Sequence[Stack], layout: Layout) -> Fraction:
    """The value of stacks."""
    return sum((layout.chip_values[s.color] * s.count for s in stacks), Fraction(0))
