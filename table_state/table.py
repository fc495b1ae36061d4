"""The referee's front door: observations and corrections in, what is newly said out."""

import math
from fractions import Fraction
from typing import Final

from table_state.alarms import Alarms
from table_state.checks import problems
from table_state.chips import Chips, ChipTracker
from table_state.corrections import Corrections
from table_state.facts import Cards, Clear, Fact
from table_state.fold import fold
from table_state.happenings import happenings
from table_state.layout import Layout
from table_state.notation import note_of, write
from table_state.observation import Correction, Observation
from table_state.output import Alert, Event, Output, Resolved, Result, Say
from table_state.places import heaps
from table_state.results import results
from table_state.rules import HouseRules
from table_state.senses import Burn, Senses
from table_state.shoe import Shoe
from table_state.show import show
from table_state.speech import wanted
from table_state.state import Memo, Problem, Round
from table_state.track import Track
from table_state.tracks import COVER, CardTracker
from table_state.view import HandView, SeatView, TableView
from table_state.voice import Voice

__all__ = ["Alert", "Event", "HandView", "Output", "Resolved", "Result", "Say", "SeatView", "Table", "TableView"]

CLEARED, SURELY = 1.3, 0.3
"""Seconds without a card at any place, and since the last one counts as taken, that end a round."""
UNREAD: Final = 5.0
WAKE: Final = 0.9


class Table:
    """One table over time; `step` is the only way in, a line that goes back in time is ignored."""

    def __init__(self, layout: Layout, rules: HouseRules) -> None:
        self.layout = layout
        self.rules = rules
        self.tracker = CardTracker(layout)
        self.chips = ChipTracker(layout)
        self.senses = Senses(layout)
        self.shoe = Shoe(rules)
        self.ledger: dict[int, Fraction] = {}
        """Profit of every seat over all rounds, as far as bets were known."""
        self.rounds = 0
        self.note: str | None = None
        """The last finished round as a line of notation."""
        self._points = [(0, layout.dealer), *((s.number, s.cards) for s in layout.seats)]
        self._t = 0.0
        self._first: float | None = None
        self._facts: list[Fact] = []
        self.alarms = Alarms()
        self._voice = Voice()
        self._corrections = Corrections(self)
        self.corrected = False
        """Whether the last correction found something to change."""
        self._told: set[tuple[object, ...]] = set()
        self._round = Round(rules, self.tracker.by_id)
        self._memo: Memo = {}
        self._partial = False
        self._on = False
        self._empty: float | None = None
        self._folded = -math.inf
        self._dirty = False
        self._last_cards: dict[int, float] = {}
        self._last_up: dict[int, frozenset[int]] = {}
        self._ended: list[Resolved] = []

    # ---- the only way in
    def step(self, line: Observation | Correction) -> list[Output]:
        """Take one line; returns what is newly said, in order."""
        if line.t < self._t:
            self.corrected = False
            return []
        gap = line.t - self._t if self._first is not None else 0.0
        self._t = line.t
        if isinstance(line, Correction):
            self.corrected = self._corrections.take(line)
            self.dirty()
            return self._judge()
        self._see(line, gap)
        if self._must_fold():
            return self._judge()
        return []

    def view(self) -> TableView:
        """What a display may show now."""
        return show(self.layout, self._round, self._t, self.alarms.standing, self.chips.settled)

    def dirty(self) -> None:
        """Something changed that the round has to be derived from anew."""
        self._dirty = True

    # ---- seeing
    def _see(self, obs: Observation, gap: float) -> None:
        t = obs.t
        first = self._first is None
        if first:
            self._first = t
        self.tracker.update(obs, gap)
        self._look(obs)
        for chips in self.chips.update(obs, gap):
            self.add(chips)
        for sense in self.senses.update(obs, gap, self._on):
            if isinstance(sense, Burn):
                if not self._on:
                    self.shoe.shuffle()
            else:
                self.add(sense)
        for card in obs.cards:
            if card.kind == "cut-card":
                self.shoe.cut_card = True
        if self.tracker.twins:
            self._rewrite()
        if self.tracker.changed:
            self._arrange(t)
        if self.tracker.beliefs_changed:
            self.tracker.beliefs_changed = False
            self._dirty = True
        self._watch_clearing(t)

    def _rewrite(self) -> None:
        """Facts that told of a card as a new one are told of the old one instead."""
        twins = self.tracker.twins
        for n, fact in enumerate(self._facts):
            if isinstance(fact, Cards) and any(i in twins for i in fact.ids):
                renamed = tuple(tuple(twins.get(i, i) for i in heap) for heap in fact.heaps)
                self._facts[n] = Cards(fact.t, fact.place, renamed, frozenset(twins.get(i, i) for i in fact.up))
        twins.clear()
        self._dirty = True

    def _look(self, obs: Observation) -> None:
        """Which places' next card would be seen in this line."""
        clear = dict.fromkeys((number for number, _ in self._points), True)
        for hand in obs.hands:
            reach = (hand.r + COVER + 25.0) ** 2
            for number, (x, y) in self._points:
                if (x - hand.x) ** 2 + (y - hand.y) ** 2 < reach:
                    clear[number] = False
        for candidate in self.tracker.candidates:
            if candidate.ghost_of is not None:
                continue
            for number, (x, y) in self._points:
                if abs(x - candidate.x) < 90 and abs(y - candidate.y) < 90:
                    clear[number] = False
        self.tracker.sight.look(obs.t, clear)

    def add(self, fact: Fact) -> None:
        """Put a fact in its place in time."""
        facts = self._facts
        at = len(facts)
        while at > 0 and facts[at - 1].t > fact.t:
            at -= 1
        facts.insert(at, fact)
        self._dirty = True

    def drop(self, fact: Fact) -> None:
        """Take a fact back."""
        if fact in self._facts:
            self._facts.remove(fact)
        self._dirty = True

    def _arrange(self, t: float) -> None:
        """Cards came, went, moved or turned at some places."""
        for place in sorted(self.tracker.changed):
            if place < 0:
                continue
            lying = [x for x in self.tracker.live if x.place == place]
            if lying and not self._on:
                self._new_round(t, lying)
            last = self._last_cards.get(place, -math.inf)
            up = frozenset(x.id for x in lying if x.belief.face_up)
            turned = up - self._last_up.get(place, frozenset())
            news = [x.rest for x in lying] + [x.up_since for x in lying if x.id in turned and x.up_since is not None]
            when = max(min((n for n in news if t - n < 3.0 and n > last), default=t), last)
            self._last_cards[place], self._last_up[place] = when, up
            self.add(Cards(when, place, heaps(list(lying)), up))
        self.tracker.changed.clear()

    def _new_round(self, t: float, lying: list[Track]) -> None:
        self._on = True
        self._empty = None
        self.rounds += 1
        start = min(x.rest for x in lying)
        self._partial = self._first is not None and start <= self._first + 0.05
        last: dict[tuple[int, bool], Fact] = {}
        for fact in self._facts:
            if isinstance(fact, Chips):
                last[(fact.seat, fact.insurance)] = fact
        self._facts = sorted(last.values(), key=lambda f: f.t)
        self._told.clear()
        self._memo.clear()
        self.tracker.new_round()
        self._voice.new_round()
        self._corrections.new_round()
        self._last_cards.clear()
        self._last_up.clear()
        self._ended = self.alarms.new_round(t)

    def _watch_clearing(self, t: float) -> None:
        if not self._on:
            return
        if any(x.place >= 0 for x in self.tracker.live):
            self._empty = None
            return
        if self._empty is None:
            self._empty = t
        went = max((x.missing_since for x in self.tracker.gone if x.place >= 0), default=self._empty)
        if t - went >= CLEARED and t - self._empty >= SURELY:
            self.add(Clear(t))

    # ---- judging
    def _must_fold(self) -> bool:
        if self._dirty or self.alarms.waiting or self._voice.waiting:
            return True
        return self._on and (self._t - self._folded >= WAKE or self._t >= self._round.again_at)

    def _judge(self) -> list[Output]:
        t = self._t
        self._dirty = False
        self._folded = t
        out: list[Output] = list(self._ended)
        self._ended = []
        r = self._round = fold(
            self.rules,
            self.tracker.by_id,
            self._facts,
            t,
            self.tracker.sight.clear_at,
            self._partial,
            self.senses.signals_seen,
            self._memo,
        )
        if r.started is not None:
            self._let_go(r)
            out += self._tell(r)
        out += self.alarms.update(t, self._problems(r))
        if self._on:
            out += self._voice.speak(t, wanted(r, self.layout, self.senses.looking))
        if r.cleared is not None and self._on:
            out += self._end(r, t)
        return out

    def _let_go(self, r: Round) -> None:
        """Cards that were rightly taken away do not come back; an equal card is another one."""
        for _, _, hand in r.all_hands():
            if hand.left is not None and hand.over in ("bust", "blackjack", "surrender"):
                self.tracker.let_go(hand.ids)

    def _tell(self, r: Round) -> list[Output]:
        out: list[Output] = []
        if not self._on:
            return out
        for key, event in happenings(r):
            if key not in self._told:
                self._told.add(key)
                out.append(event)
        return out

    def _problems(self, r: Round) -> list[Problem]:
        found = problems(r)
        found += self.shoe.problems(self.tracker.by_id.values() if self._on else ())
        return found + self._unreadable()

    def _unreadable(self) -> list[Problem]:
        out = []
        for x in self.tracker.live:
            lies = self._t - x.rest >= UNREAD and self._t - x.seen < 1.5
            if lies and x.kind == "card" and not x.belief.read_once and x.belief.face_up and not x.belief.fixed:
                seat = x.place if x.place >= 0 else None
                text = "A card cannot be read. Straighten it, or say what it is."
                out.append(Problem("unreadable-card", seat, None, text, 0.0, key=x.id))
        return out

    def _end(self, r: Round, t: float) -> list[Output]:
        self._on = False
        self.note = write(note_of(r))
        out: list[Output] = list(results(r, t))
        for line in out:
            if isinstance(line, Result) and line.pays is not None:
                self.ledger[line.seat] = self.ledger.get(line.seat, Fraction(0)) + line.pays
        out.append(Event(t, "round-ended"))
        out.append(Say(t, "Place your bets"))
        self.shoe.round_over(self.tracker.by_id.values())
        self.tracker.gone.clear()
        return out
