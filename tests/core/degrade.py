"""Makes a clean recording a bad one: noise, misreadings, resting hands, gaps, jolts. Seeded and pure."""

import random
from dataclasses import dataclass, replace

from table_state.cards import DECK
from table_state.layout import Layout
from table_state.observation import Observation, SeenCard, SeenChips, SeenHand


@dataclass(frozen=True, slots=True)
class Noise:
    """How bad it is; rates are for each reading, seconds for each stretch."""

    jitter: float = 1.5
    missing: float = 0.10
    wrong: float = 0.03
    wrong_p: float = 0.85
    stretches: int = 6
    stretch: float = 0.8
    null_count: float = 0.05
    lost_signal: float = 0.25
    jolts: int = 2
    jolt: float = 5.0
    gaps: int = 1
    gap: float = 2.0
    rests: int = 1
    rest: float = 8.0
    stocks: bool = True


@dataclass(frozen=True, slots=True)
class Degraded:
    """The bad recording and what was done to it: (from, to) of gaps, (from, to, seat) of resting hands."""

    lines: list[Observation]
    gaps: list[tuple[float, float]]
    rests: list[tuple[float, float, int]]


def degrade(lines: list[Observation], layout: Layout, seed: int, noise: Noise | None = None) -> Degraded:
    """The same recording, seen badly."""
    noise = noise or Noise()
    rng = random.Random(seed)
    end = lines[-1].t
    gaps = [(t, t + noise.gap) for t in (rng.uniform(1.0, end - 3.0) for _ in range(noise.gaps))]
    rests = [
        (t, t + rng.uniform(2.0, noise.rest), rng.choice(layout.seats).number)
        for t in (rng.uniform(1.0, end - 9.0) for _ in range(noise.rests))
    ]
    jolts = sorted(
        (rng.uniform(1.0, end), rng.uniform(-noise.jolt, noise.jolt), rng.uniform(-noise.jolt, noise.jolt))
        for _ in range(noise.jolts)
    )
    stretches = [(rng.uniform(1.0, end), rng.random(), rng.choice(DECK)) for _ in range(noise.stretches)]
    out = []
    for line in lines:
        if any(a < line.t < b for a, b in gaps):
            continue
        out.append(_line(line, layout, rng, noise, rests, jolts, stretches))
    return Degraded(out, gaps, rests)


def _line(
    line: Observation,
    layout: Layout,
    rng: random.Random,
    noise: Noise,
    rests: list[tuple[float, float, int]],
    jolts: list[tuple[float, float, float]],
    stretches: list[tuple[float, float, str]],
) -> Observation:
    t = line.t
    dx = sum(j[1] for j in jolts if j[0] <= t)
    dy = sum(j[2] for j in jolts if j[0] <= t)
    arms = [_arm(layout, seat) for a, b, seat in rests if a <= t <= b]
    cards = [c for c in line.cards if not any(_under(c.x, c.y, h) for h in arms)]
    chips = [c for c in line.chips if not any(_under(c.x, c.y, h) for h in arms)]
    cards = [_card(c, rng, noise, dx, dy) for c in cards if rng.random() >= noise.missing]
    cards = [_stretched(c, i, len(cards), t, noise, stretches) for i, c in enumerate(cards)]
    if noise.stocks:
        stock = [(layout.shoe, 90.0), (layout.discard, 90.0)]
        cards += [
            SeenCard(x + rng.gauss(0, 1.5), y + rng.gauss(0, 1.5), deg, None, 0.95)
            for (x, y), deg in stock
            if rng.random() > 0.1
        ]
    return Observation(
        t,
        tuple(cards),
        tuple(_chip(c, rng, noise, dx, dy) for c in chips if rng.random() >= noise.missing / 2),
        (*(_hand(h, rng, noise) for h in line.hands), *arms),
    )


def _arm(layout: Layout, seat: int) -> SeenHand:
    x, y = next(s.cards for s in layout.seats if s.number == seat)
    return SeenHand(x, y + 10, 75.0, "player", None)


def _under(x: float, y: float, hand: SeenHand) -> bool:
    return (x - hand.x) ** 2 + (y - hand.y) ** 2 < hand.r**2


def _card(c: SeenCard, rng: random.Random, noise: Noise, dx: float, dy: float) -> SeenCard:
    code, p = c.code, rng.uniform(0.88, 1.0)
    if code is not None and rng.random() < noise.wrong:
        code, p = rng.choice([*DECK, "??", code[0] + "?"]), rng.uniform(0.4, noise.wrong_p)
    return SeenCard(
        c.x + rng.gauss(0, noise.jitter) + dx,
        c.y + rng.gauss(0, noise.jitter) + dy,
        c.deg + rng.gauss(0, 1.5),
        code,
        p,
        c.kind,
    )


def _stretched(
    c: SeenCard, i: int, n: int, t: float, noise: Noise, stretches: list[tuple[float, float, str]]
) -> SeenCard:
    """A card misread for some time at a stretch: the same wrong code."""
    if c.code is None:
        return c
    for start, which, code in stretches:
        if start <= t <= start + noise.stretch and _bucket(c) == int(which * 7):
            return replace(c, code=code, p=noise.wrong_p - 0.02)
    return c


def _bucket(c: SeenCard) -> int:
    return (sum(map(ord, c.code or "")) * 31) % 7


def _chip(c: SeenChips, rng: random.Random, noise: Noise, dx: float, dy: float) -> SeenChips:
    count = None if rng.random() < noise.null_count else c.count
    return SeenChips(c.x + rng.gauss(0, 2.0) + dx, c.y + rng.gauss(0, 2.0) + dy, c.color, count, rng.uniform(0.85, 1))


def _hand(h: SeenHand, rng: random.Random, noise: Noise) -> SeenHand:
    return replace(h, signal=None) if rng.random() < noise.lost_signal else h
