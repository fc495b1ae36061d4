"""What vision would report of a stage: observations at any rate, clean, noisy or hard, the same for the same seed."""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from hardware.simulator.places import Spot
from hardware.simulator.stage import DEALER, Card, Stage
from table_state.cards import RANKS, SUITS
from table_state.observation import Observation, SeenCard, SeenChips, SeenHand

STILL_AFTER = 1.5
"""Seconds after the last movement from which lines come once a second."""


@dataclass(frozen=True, slots=True)
class Level:
    """How badly is seen: jitter in mm, shares of readings missing and wrong, how sure a wrong one may look."""

    name: str
    jitter: float = 0.0
    missing: float = 0.0
    wrong: float = 0.0
    wrong_p: tuple[float, float] = (0.4, 0.7)
    chips_null: float = 0.0
    signal_lost: float = 0.0
    stretch: float = 0.0
    """Chance a second that a card is misread for up to 0.8 s at a stretch."""
    gap: float = 0.0
    """Chance a second that no lines come for 2 s."""
    jolt: float = 0.0
    """Chance a second that everything jumps by up to 5 mm, and stays so."""
    resting: float = 0.0
    """Chance a second that a hand comes to rest on a seat for some seconds."""
    ghost: float = 0.0
    """Chance a second that a card lying still is seen a second time, 15 to 30 mm beside itself, for some seconds."""
    signals: frozenset[str] | None = None
    """Signals that are recognised; None = all."""


LEVELS = {
    "clean": Level("clean"),
    "noisy": Level("noisy", 1.5, 0.03, 0.01, (0.4, 0.7), 0.04, 0.1),
    "ghosts": Level("ghosts", 1.5, 0.03, 0.01, (0.4, 0.7), 0.04, 0.1, ghost=0.02),
    "camera": Level("camera", 1.5, 0.03, 0.01, (0.4, 0.7), 1.0, 0.1, ghost=0.002, signals=frozenset(("wave", "tap"))),
    "hard": Level("hard", 2.0, 0.1, 0.03, (0.4, 0.85), 0.08, 0.2, 0.004, 0.01, 0.004, 0.01),
}


class Observer:
    """Reports a stage from a moment on, stretch by stretch; what it remembers is the noise that lasts."""

    def __init__(self, stage: Stage, level: str, seed: int | str, rate: float = 5.0, steady: bool = False) -> None:
        self.stage, self.level, self.rate = stage, LEVELS[level], rate
        self.rng = random.Random(f"observer {level} {seed}")
        self.t = 0.0
        self.steady = steady
        self.shift = (0.0, 0.0)
        self.misread: dict[int, tuple[float, str]] = {}
        self.rested: tuple[float, float, float] | None = None
        self.ghosts: dict[int, tuple[float, float, float]] = {}
        self.backs = level != "clean" and self.rng.random() < 0.5
        self.used = False
        self.still = 0.0

    def lines(self, until: float) -> Iterator[Observation]:
        """Observations from where the last stretch ended to a time."""
        busy = _busy(self.stage)
        i = 0
        while self.t < until:
            while i < len(busy) and busy[i][1] < self.t:
                i += 1
            moving = i < len(busy) and busy[i][0] <= self.t
            yield self._line(moving)
            self._step(moving, busy[i][0] if i < len(busy) else math.inf)

    def _step(self, moving: bool, begins: float) -> None:
        step = 1.0 / self.rate
        step *= self.rng.uniform(0.93, 1.07)
        if not moving and not self.steady:
            step = min(1.0, max(step, begins - self.t))
        if self.level.gap and self.rng.random() < self.level.gap * step:
            step += 2.0
        self.t += step

    def _line(self, moving: bool) -> Observation:
        t, level = round(self.t, 3), self.level
        if level.jolt and self.rng.random() < level.jolt / self.rate:
            self.shift = (self.rng.uniform(-5, 5), self.rng.uniform(-5, 5))
        hands = self._hands(t)
        cards = list(self._cards(t, hands))
        if level.ghost:
            self.rng.shuffle(cards)
        chips = tuple(self._chips(t, hands))
        return Observation(t, tuple(cards), chips, tuple(h for h, _ in hands))

    # ---- hands
    def _hands(self, t: float) -> list[tuple[SeenHand, bool]]:
        out = []
        for m in self.stage.motions:
            if m.t0 <= t < m.t1:
                x, y = m.at(t)
                signal = m.signal
                if signal and self.level.signal_lost and self.rng.random() < self.level.signal_lost:
                    signal = None
                if self.level.signals is not None and signal not in self.level.signals:
                    signal = None
                out.append((SeenHand(round(x), round(y), m.r, m.source, signal), m.source == DEALER))
        self._rest_on_a_seat(t, out)
        return out

    def _rest_on_a_seat(self, t: float, out: list[tuple[SeenHand, bool]]) -> None:
        if not self.level.resting:
            return
        if self.rested is None and self.rng.random() < self.level.resting / self.rate:
            seat = self.rng.choice(self.stage.layout.seats)
            self.rested = (seat.cards[0], seat.cards[1], t + self.rng.uniform(2.0, 8.0))
        if self.rested is not None:
            x, y, end = self.rested
            out.append((SeenHand(round(x), round(y), 90.0, "player", None), False))
            if t > end:
                self.rested = None

    # ---- cards
    def _cards(self, t: float, hands: list[tuple[SeenHand, bool]]) -> Iterator[SeenCard]:
        if self.backs:
            for x, y in (self.stage.layout.shoe, self.stage.layout.discard):
                if self.rng.random() > self.level.missing:
                    yield self._card(x, y, 90.0, None)
        for card in self.stage.cards:
            now = card.at(t)
            if now is None:
                continue
            spot, shown, moving = now
            if _covered(spot.x, spot.y, hands):
                if moving and self.level.missing and self.rng.random() < 0.6:
                    yield self._passing(spot.x, spot.y, spot.deg, shown)
                continue
            if self.rng.random() >= self.level.missing:
                yield self._card(spot.x, spot.y, spot.deg, self._read(card, shown, t))
            if self.level.ghost and not moving:
                yield from self._ghost(card, spot, shown, t)

    def _ghost(self, card: Card, spot: Spot, shown: str | None, t: float) -> Iterator[SeenCard]:
        """The same card a second time, as a recogniser sees it that takes the second index for another card's."""
        rng, key = self.rng, id(card)
        if self.ghosts.get(key, (t, 0.0, 0.0))[0] <= t:
            self.ghosts.pop(key, None)
            if rng.random() >= self.level.ghost / self.rate:
                return
            far, way = rng.uniform(15.0, 30.0), rng.uniform(0.0, 2.0 * math.pi)
            self.ghosts[key] = (t + rng.uniform(0.2, 4.0), far * math.cos(way), far * math.sin(way))
        _, dx, dy = self.ghosts[key]
        x, y, jitter = spot.x + dx, spot.y + dy, self.level.jitter
        lying = (other.at(t) for other in self.stage.cards if other is not card)
        if any(now is not None and math.hypot(now[0].x - x, now[0].y - y) < 20.0 for now in lying):
            return  # another card lies there, and is what is seen
        if rng.random() < 0.9:
            at = round(x + rng.gauss(0, jitter)), round(y + rng.gauss(0, jitter))
            yield SeenCard(*at, round(spot.deg + rng.gauss(0, 1.5)), shown, round(rng.uniform(0.8, 0.999), 3))

    def _passing(self, x: float, y: float, deg: float, shown: str | None) -> SeenCard:
        rng = self.rng
        code = "??" if shown else None
        x, y = x + rng.uniform(-12, 12), y + rng.uniform(0, 16)
        return SeenCard(round(x), round(y), round(deg + rng.uniform(-40, 40)), code, round(rng.uniform(0.3, 0.66), 2))

    def _card(self, x: float, y: float, deg: float, code: str | None, p: float | None = None) -> SeenCard:
        rng, jitter = self.rng, self.level.jitter
        if not jitter:
            return SeenCard(round(x), round(y), round(deg), code)
        if code is not None and self.rng.random() < self.level.wrong:
            code = self._mistake(code)
            p = rng.uniform(*self.level.wrong_p)
        x, y = x + self.shift[0] + rng.gauss(0, jitter), y + self.shift[1] + rng.gauss(0, jitter)
        sure = round(rng.uniform(0.9, 0.99) if p is None else p, 2)
        return SeenCard(round(x), round(y), round(deg + rng.gauss(0, 1.5)), code, sure)

    def _read(self, card: Card, shown: str | None, t: float) -> str | None:
        if shown is None:
            return None
        if card.unread is not None and card.unread[0] <= t < card.unread[1]:
            return "??"
        if not self.level.stretch:
            return shown
        key = id(card)
        if key in self.misread and t < self.misread[key][0]:
            return self.misread[key][1]
        if self.rng.random() < self.level.stretch / self.rate:
            self.misread[key] = (t + self.rng.uniform(0.2, 0.8), self._mistake(shown))
        return shown

    def _mistake(self, code: str) -> str:
        rng = self.rng
        kind = rng.random()
        if kind < 0.15:
            return "??"
        if kind < 0.25:
            return code[0] + "?"
        if kind < 0.6:
            return code[0] + rng.choice([s for s in SUITS if s != code[1]])
        return rng.choice([r for r in RANKS if r != code[0]]) + code[1]

    # ---- chips
    def _chips(self, t: float, hands: list[tuple[SeenHand, bool]]) -> Iterator[SeenChips]:
        rng, level = self.rng, self.level
        for s in self.stage.stacks:
            if not s.born <= t < s.gone or _covered(s.x, s.y, hands):
                continue
            if level.missing and rng.random() < level.missing / 2:
                continue
            if not level.jitter:
                yield SeenChips(round(s.x), round(s.y), s.color, s.count)
                continue
            count = None if rng.random() < level.chips_null else s.count
            x, y = s.x + self.shift[0] + rng.gauss(0, level.jitter), s.y + self.shift[1] + rng.gauss(0, level.jitter)
            yield SeenChips(round(x), round(y), s.color, count, round(rng.uniform(0.9, 0.99), 2))


def _covered(x: float, y: float, hands: list[tuple[SeenHand, bool]]) -> bool:
    return any((x - h.x) ** 2 + (y - h.y) ** 2 < h.r**2 for h, _ in hands)


def _busy(stage: Stage) -> list[tuple[float, float]]:
    """When something moves, or has just moved."""
    spans = sorted((m.t0, m.t1 + STILL_AFTER) for m in stage.motions)
    out: list[tuple[float, float]] = []
    for a, b in spans:
        if out and a <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], b))
        else:
            out.append((a, b))
    return out
