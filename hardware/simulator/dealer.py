"""A dealer who deals endless, varied, seeded rounds at any table under any rules, mistakes included on request."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from hardware.simulator import arithmetic, bets, dealer_turn, peek, settle, turns
from hardware.simulator.book import Book
from hardware.simulator.deal import deal
from hardware.simulator.game import Game
from hardware.simulator.rigging import RIGS, rig_deal
from hardware.simulator.stage import Stage
from table_state.layout import Layout
from table_state.rules import HouseRules

GROUPS: tuple[tuple[str, ...], ...] = (
    ("late-bet", "bet-out-of-limits"),
    ("skipped-seat", "dealt-to-empty-circle", "dealer-skipped", "extra-card", "hole-card-exposed", "card-face-down",
     "impossible-card", "unreadable-card"),
    ("insurance-too-large", "insurance-not-allowed", "paid-early"),
    ("surrender-not-allowed", "out-of-turn", "card-not-due", "bust-not-taken", "taken-early", "split-not-allowed",
     "double-not-allowed"),
    ("dealer-must-draw", "dealer-must-stand", "dealer-played-early", "dealer-blackjack-missed"),
    ("wrong-payout", "not-paid", "not-taken", "push-taken", "pay-order", "cleared-early"),
)  # fmt: skip
"""Mistakes by the part of a round; at most one of a part is made in one round."""
MISTAKES = tuple(name for group in GROUPS for name in group)
TABLE_WIDE = (
    "late-bet", "dealt-to-empty-circle", "skipped-seat", "dealer-skipped", "extra-card", "hole-card-exposed",
    "insurance-not-allowed", "dealer-blackjack-missed", "pay-order", "dealer-must-draw", "dealer-must-stand",
)  # fmt: skip
"""Mistakes that are not meant for one seat from the start."""


@dataclass(frozen=True, slots=True)
class Played:
    """One round: its number, when it began and ended, what was planned and what was really made of it."""

    number: int
    start: float
    end: float
    planned: tuple[str, ...]
    made: tuple[str, ...]


class Dealer:
    """Deals rounds one after another on a stage; `book` holds what is true and due of all of them.

    `full`: every seat plays every round.
    """

    def __init__(self, layout: Layout, rules: HouseRules, seed: int | str, full: bool = False) -> None:
        self.layout, self.rules = layout, rules
        self.full = full
        self.rng = random.Random(f"dealer {seed}")
        self.stage = Stage(layout, self.rng, t=1.0)
        self.book = Book()
        self.game = Game(layout, rules, self.rng, self.stage, self.book)
        self.game.shuffle()
        self._last: tuple[list[str], int] = ([], 0)

    def round(self, mistakes: Sequence[str] | int = 0) -> Played:
        """Play one round on; `mistakes` are names, or how many random ones to plan."""
        g, start = self.game, self.stage.t
        if len(g.shoe) < max(g.cut, 12 * (len(self.layout.seats) + 1) // 2):
            self.stage.wait(4.0, 8.0)
            g.shuffle()
        plan = self._pick(mistakes) if isinstance(mistakes, int) else list(mistakes)
        g.new_round(plan)
        if g.fresh:
            bets.burn(g)
        self._bets(plan)
        self._play()
        if len(self.book.rounds) > 1 and self.book.rounds[-2]["t_until"] is None:
            self.book.rounds[-2]["t_until"] = self.book.rounds[-1]["t_from"]
        self.stage.wait(0.8, 2.0)
        return Played(self.book.round, start, self.stage.t, tuple(plan), tuple(g.done))

    def _play(self) -> None:
        g = self.game
        rig_deal(g)
        self._legal_enough()
        deal(g)
        if not peek.before_turns(g):
            turns.play_turns(g)
            dealer_turn.play_dealer(g)
        settle.settle(g)
        settle.clear(g)
        for row in self.book.blackjacks:
            if row["t_until"] == 1e9:
                row["t_until"] = self.stage.t + 1.0

    def _bets(self, plan: list[str]) -> None:
        """Players bet; then every planned mistake finds the seat that it will be made at."""
        g = self.game
        if "bet-out-of-limits" in plan:
            free = [s.number for s in self.layout.seats if s.number not in g.standing]
            if free and self._wrong_bet_exists():
                g.targets["bet-out-of-limits"] = self.rng.choice(free)
            else:
                plan.remove("bet-out-of-limits")
                g.plan = list(plan)
        seats_ = len(self.layout.seats)
        bets.place_bets(g, want=seats_ if self.full else min(seats_, 2 + len(plan)) if plan else 0)
        seats = [p.number for p in g.players]
        self.rng.shuffle(seats)
        for name in plan:
            if name in TABLE_WIDE and name not in ("dealer-must-draw", "pay-order"):
                continue
            if name == "dealer-played-early":
                g.targets[name] = g.players[-1].number
                if g.players[-1].number in seats:
                    seats.remove(g.players[-1].number)
            elif name not in g.targets and seats:
                g.targets[name] = self._earliest(seats) if name in ("out-of-turn", "card-face-down") else seats.pop()
        if "dealer-must-draw" in g.targets:
            del g.targets["dealer-must-draw"]

    def _earliest(self, seats: list[int]) -> int:
        first = min(seats)
        seats.remove(first)
        return first

    def _wrong_bet_exists(self) -> bool:
        low, high = self.rules.bets
        values = self.layout.chip_values.values()
        bets_ = [v * n for v in values for n in range(1, 13) if self.game.payable(v * n)]
        return any(b < low or (high and b > high) for b in bets_)

    def _pick(self, count: int) -> list[str]:
        """Random mistakes that can go together and that these rules know."""
        groups = list(GROUPS)
        self.rng.shuffle(groups)
        plan: list[str] = []
        dealer_rigged = False
        for group in groups:
            if len(plan) >= count:
                break
            fit = [m for m in group if self._possible(m)]
            if dealer_rigged:
                fit = [m for m in fit if RIGS.get(m, (None, None))[1] is None]
            if not fit:
                continue
            name = self.rng.choice(fit)
            dealer_rigged = dealer_rigged or RIGS.get(name, (None, None))[1] is not None
            plan.append(name)
        return plan

    def _possible(self, name: str) -> bool:
        rules = self.rules
        if name == "bet-out-of-limits":
            return self._wrong_bet_exists()
        if name == "impossible-card":
            return rules.decks == 1
        if name == "insurance-too-large":
            return rules.insurance
        if name == "pay-order":
            return rules.pay_order != "any"
        if name == "dealer-blackjack-missed":
            return "T" in rules.peek
        if name == "hole-card-exposed":
            return True
        return True

    def _legal_enough(self) -> None:
        """Keep a rigged dealer from an accidental blackjack that would end the round before its mistake."""
        g = self.game
        n = len(g.players)
        if not g.plan or "dealer-blackjack-missed" in g.plan:
            return
        if arithmetic.natural([g.shoe[n], g.shoe[2 * n + 1]]):
            g.fix(2 * n + 1, lambda c: c[0] in "6789", 2 * n + 2)


def random_rules(rng: random.Random) -> HouseRules:
    """A house with rules of its own, every key drawn."""

    def flag(chance: float = 0.5) -> bool:
        return rng.random() < chance

    return HouseRules(
        decks=rng.choice((1, 2, 4, 6, 8)),
        first_dealer_card=rng.choice(("up", "up", "down")),
        hits_soft_17=flag(),
        blackjack_pays=rng.choice((Fraction(3, 2), Fraction(3, 2), Fraction(6, 5), Fraction(1), Fraction(2))),
        split_by=rng.choice(("value", "rank")),
        max_hands=rng.choice((1, 2, 3, 4)),
        split_aces_one_card=flag(),
        double_after_split=flag(),
        double_for_less=flag(),
        double_on_21=flag(),
        hit_on_21=flag(),
        pay_blackjack=rng.choice(("after-peek", "on-turn", "at-end")),
        peek=rng.choice((("A", "T"), ("A", "T"), ("A",), ())),
        surrender=flag(),
        insurance=flag(0.8),
        even_money=flag(),
        pay_order=rng.choice(("right-to-left", "left-to-right", "any")),
        bets=rng.choice(((Fraction(0), Fraction(0)), (Fraction(0), Fraction(0)), (Fraction(5), Fraction(50)))),
    )
