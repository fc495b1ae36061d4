"""The physical side: things that come, slide, turn and go, hands over them, and the scene at any time."""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hardware.simulator.places import Spot
from models.render.scene import PlacedCard, PlacedChips, PlacedHand, Scene
from table_state.layout import Layout, Point

DEALER, PLAYER = "dealer", "player"
GESTURES = {"wave": ((46.0, 6.0), 2.0), "tap": ((2.0, 14.0), 3.0), "line": ((55.0, 0.0), 0.5)}
"""Signal -> how far the hand goes aside and forward, mm, and how often to and fro; the others are a held shape."""


@dataclass(slots=True)
class Leg:
    """A slide from one spot to another; after t1 the thing rests there until its next leg."""

    t0: float
    t1: float
    start: Spot
    end: Spot
    shown: str | None


@dataclass(slots=True)
class Card:
    """A physical card over time; `code` is what is printed on it."""

    code: str
    legs: list[Leg]
    gone: float = math.inf
    level: float = 0.0
    unread: tuple[float, float] | None = None
    """From and to when its face cannot be read."""

    @property
    def shown(self) -> str | None:
        """What shows at the end of the story so far: the face, or None for the back."""
        return self.legs[-1].shown

    @property
    def spot(self) -> Spot:
        """Where it rests at the end of the story so far."""
        return self.legs[-1].end

    def at(self, t: float) -> tuple[Spot, str | None, bool] | None:
        """Where it is, what shows and whether it moves; None where it is not on the table."""
        if t >= self.gone or t < self.legs[0].t0:
            return None
        leg = next(x for x in reversed(self.legs) if x.t0 <= t)
        if t >= leg.t1:
            return leg.end, leg.shown, False
        f = (t - leg.t0) / (leg.t1 - leg.t0)
        a, b = leg.start, leg.end
        spot = Spot(a.x + f * (b.x - a.x), a.y + f * (b.y - a.y), a.deg + f * (b.deg - a.deg))
        return spot, leg.shown, True


@dataclass(slots=True)
class Stack:
    """Chips of one colour in one stack, at one place from `born` to `gone`."""

    x: float
    y: float
    color: str
    count: int
    born: float
    gone: float = math.inf


@dataclass(slots=True)
class Motion:
    """A hand from one point to another, or resting where both are the same."""

    t0: float
    t1: float
    start: Point
    end: Point
    r: float
    source: str
    signal: str | None = None

    def at(self, t: float) -> Point:
        """Its centre at a time within [t0, t1), on the whole: a gesture's own motion comes on top of it."""
        f = (t - self.t0) / (self.t1 - self.t0)
        return self.start[0] + f * (self.end[0] - self.start[0]), self.start[1] + f * (self.end[1] - self.start[1])

    def gestured(self, t: float) -> Point:
        """How far the gesture has taken it aside and forward at a time, mm, as its arm reaches."""
        stroke, turns = GESTURES.get(self.signal or "", ((0.0, 0.0), 0.0))
        way = math.sin(2 * math.pi * turns * (t - self.t0) / (self.t1 - self.t0))
        return stroke[0] * way, stroke[1] * way


@dataclass(slots=True)
class Stage:
    """Everything on the felt; `t` is the script's clock in seconds."""

    layout: Layout
    rng: random.Random
    t: float = 0.0
    cards: list[Card] = field(default_factory=list)
    stacks: list[Stack] = field(default_factory=list)
    motions: list[Motion] = field(default_factory=list)
    level: float = 0.0

    def wait(self, low: float, high: float | None = None) -> None:
        """Let time pass."""
        self.t += low if high is None else self.rng.uniform(low, high)

    def rest(self, at: Point, r: float, seconds: float, source: str, signal: str | None = None) -> float:
        """A hand resting somewhere from now on; returns when it leaves. The clock is not moved."""
        self.motions.append(Motion(self.t, self.t + seconds, at, at, r, source, signal))
        return self.t + seconds

    def travel(self, start: Point, end: Point, r: float, seconds: float, signal: str | None = None) -> float:
        """A dealer's hand under way from now on; returns when it arrives."""
        self.motions.append(Motion(self.t, self.t + seconds, start, end, r, DEALER, signal))
        return self.t + seconds

    def bring(self, code: str, start: Point, spot: Spot, face_up: bool, under: Card | None = None) -> Card:
        """Slide a new card from a point (the shoe) to its spot under the dealer's hand; the clock moves on."""
        pace = self.rng.uniform(0.5, 0.8)
        self.level += 1.0
        leg = Leg(self.t, self.t + pace, Spot(*start, 90.0), spot, code if face_up else None)
        card = Card(code, [leg], level=self.level if under is None else under.level - 0.5)
        self.cards.append(card)
        self._carry(start, spot, pace)
        return card

    def shift(self, card: Card, spot: Spot, face_up: bool = True) -> None:
        """Take a lying card to another spot under the dealer's hand, there face up or down; the clock moves on."""
        pace = self.rng.uniform(0.5, 0.8)
        old = card.spot
        self.level += 1.0
        card.level = self.level
        card.legs.append(Leg(self.t, self.t + pace, old, spot, card.code if face_up else None))
        self._carry((old.x, old.y), spot, pace)

    def _carry(self, start: Point, spot: Spot, pace: float) -> None:
        end = spot.x, spot.y - 20.0
        self.travel((start[0], start[1] - 20.0), end, 75.0, pace)
        self.wait(pace)
        self.t = self.rest(end, 75.0, self.rng.uniform(0.2, 0.35), DEALER)

    def turn(self, card: Card, spot: Spot, face_up: bool, at: float) -> None:
        """A card lies otherwise from `at` on, put so under a hand that the caller holds over it."""
        card.legs.append(Leg(at, at, spot, spot, card.code if face_up else None))

    def scoop(self, cards: Sequence[Card], away: Point | None = None) -> float:
        """Gather cards under a hand and carry them to the rack; returns when the heap was empty; clock moves on."""
        last = cards[-1].spot
        at = last.x, last.y
        leave = self.rest(at, 85.0, self.rng.uniform(0.4, 0.6), DEALER)
        gathered = self.t + 0.2
        goal = away or self.layout.discard
        for card in cards:
            card.legs.append(Leg(gathered, leave, card.spot, last, card.shown))
            card.legs.append(Leg(leave, leave + 0.6, last, Spot(*goal, last.deg), card.shown))
            card.gone = leave + 0.58
        self.t = leave
        self.t = self.travel(at, goal, 85.0, 0.6)
        return leave

    def put(self, at: Point, chips: Iterable[tuple[str, int]], source: str, aside: Point = (40.0, 0.0)) -> list[Stack]:
        """Set stacks down side by side under one hand; the clock moves to when the hand has left."""
        leave = self.rest(at, 62.0, self.rng.uniform(0.8, 1.0), source)
        return self._set(at, chips, self.t + 0.3, leave, aside)

    def _set(self, at: Point, chips: Iterable[tuple[str, int]], born: float, leave: float, aside: Point) -> list[Stack]:
        new = [
            Stack(at[0] + k * aside[0], at[1] + k * aside[1], color, count, born)
            for k, (color, count) in zip((0, 1, -1), chips, strict=False)
        ]
        for stack in new:
            far = math.hypot(stack.x - at[0], stack.y - at[1]) >= 60.0
            stack.born = leave if far else born
        self.stacks.extend(new)
        self.t = leave
        return new

    def take(self, stacks: Sequence[Stack], source: str, seconds: float | None = None) -> float:
        """Take stacks away under a hand (at the first, then each that is far); returns when they were off the felt."""
        left = [s for s in stacks if s.gone == math.inf]
        gone = self.t
        while left:
            at = left[0].x, left[0].y
            leave = self.rest(at, 70.0, seconds or self.rng.uniform(0.8, 1.0), source)
            near = [s for s in left if math.hypot(s.x - at[0], s.y - at[1]) < 66.0]
            for stack in near:
                stack.gone = self.t + 0.3
            gone = self.t + 0.3
            left = [s for s in left if s not in near]
            self.t = leave
        return gone

    def swap(self, old: Sequence[Stack], at: Point, chips: Iterable[tuple[str, int]], source: str) -> list[Stack]:
        """Take stacks and set others down in one movement."""
        leave = self.rest(at, 75.0, self.rng.uniform(1.0, 1.4), source)
        for stack in old:
            stack.gone = min(stack.gone, self.t + 0.4)
        return self._set(at, chips, self.t + 0.7, leave, (40.0, 0.0))

    def prune(self, before: float) -> None:
        """Forget what was over before a time."""
        self.cards = [c for c in self.cards if c.gone > before]
        self.stacks = [s for s in self.stacks if s.gone > before]
        self.motions = [m for m in self.motions if m.t1 > before]


def scene_at(stage: Stage, t: float) -> Scene:
    """All that is on the table at a time, for the renderer."""
    cards = []
    for card in sorted(stage.cards, key=lambda c: c.level):
        now = card.at(t)
        if now is not None:
            cards.append(PlacedCard(now[1], now[0].x, now[0].y, now[0].deg))
    chips = tuple(PlacedChips(s.x, s.y, s.color, s.count) for s in stage.stacks if s.born <= t < s.gone)
    hands = tuple(_placed(m, t) for m in stage.motions if m.t0 <= t < m.t1)
    return Scene(tuple(cards), chips, hands)


def _placed(motion: Motion, t: float) -> PlacedHand:
    x, y = motion.at(t)
    # a dealer's arm comes from behind the table's edge, a player's from outside, on the line from the middle
    target = (x * 0.35, -450.0) if motion.source == DEALER else (x * 2.2, y + 600.0)
    away = math.atan2(target[1] - y, target[0] - x)
    aside, forward = motion.gestured(t)
    x -= aside * math.sin(away) + forward * math.cos(away)
    y += aside * math.cos(away) - forward * math.sin(away)
    return PlacedHand(x, y, motion.r, "dealer" if motion.source == DEALER else "player", math.degrees(away))
