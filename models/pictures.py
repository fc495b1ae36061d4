"""Composes training pictures: cards as they lie at blackjack tables and elsewhere, with every index labelled."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.backgrounds import background
from models.render.deck import CODES, JOKER, Deck, drawn_deck, night_deck
from models.render.joker import joker_deck
from models.render.lay import Lying, apply, lay, placed
from models.render.own_back import own_back
from models.render.own_deck import blank_card, own_deck, scraps
from models.render.things import CHIP_COLORS, draw_hand, draw_stack
from models.spoil import spoil

Image = NDArray[np.uint8]
Quad = NDArray[np.float64]

INDEX, BACK, CHIP, FACE = range(4)
JOKERS = 0.08  # of the heaps hold one
FACE_PX = 320  # height of a face before it is warped onto the picture


@dataclass(frozen=True, slots=True)
class Label:
    """One thing to find: class, box x0 y0 x1 y1 in px, six points (rank, suit, the card's corners clockwise) or NaN."""

    cls: int
    box: tuple[float, float, float, float]
    points: Quad  # (6, 2)
    code: str | None = None
    shown: float = 1.0  # of a face or a back


@dataclass(frozen=True, slots=True)
class Supplies:
    """What pictures are made of: drawn decks, textures, and makers of glyphs and courts for our own decks."""

    decks: Sequence[Deck]
    textures: Sequence[Path]
    fonts: Sequence[Path]


def load_supplies(art: Path, textures: Path, fonts: Sequence[Path], names: Sequence[str]) -> Supplies:
    """Gather decks named `names` under `art`, pictures under `textures`, and `fonts` (TrueType files)."""
    rng = np.random.default_rng(5)
    decks = [drawn_deck(art / n, FACE_PX, lambda: own_back(rng, FACE_PX)) for n in names]
    return Supplies(decks, sorted(textures.glob("*.jpg")), fonts)


def font_glyphs(path: Path, squeeze: float) -> "object":
    from models.fonts import FontGlyphs  # Pillow is only needed where fonts are used

    return FontGlyphs(path, squeeze)


def pick_deck(rng: np.random.Generator, supplies: Supplies, own_share: float = 0.5, night: float = 0.1) -> Deck:
    """A drawn deck, or one of ours with strokes or a font for its letters and, often, a drawn deck's courts.

    `night` is the share of drawn decks and of ours that are printed again as all-black ones.
    """
    if supplies.decks and rng.random() > own_share:
        drawn = supplies.decks[int(rng.integers(len(supplies.decks)))]
        return night_deck(drawn, rng) if rng.random() < night else drawn
    glyphs = None
    if supplies.fonts and rng.random() < 0.7:
        glyphs = font_glyphs(supplies.fonts[int(rng.integers(len(supplies.fonts)))], float(rng.uniform(0.6, 1.0)))
    art = supplies.decks[int(rng.integers(len(supplies.decks)))] if supplies.decks else None

    def court(code: str, _: np.random.Generator, width: int, height: int) -> Image | None:
        if art is None:
            return None
        face = art.face(code)[:, :, :3]
        h, w = face.shape[:2]
        part = face[round(h * 0.1) : round(h * 0.9), round(w * 0.24) : round(w * 0.76)]
        return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)

    own = own_deck(int(rng.integers(1 << 30)), FACE_PX, glyphs=glyphs, court=court)  # type: ignore[arg-type]
    return night_deck(own, rng) if rng.random() < night / 2 else own


def _view(rng: np.random.Generator, size: int, tilted: float) -> NDArray[np.float64]:
    """A perspective about the picture's middle: nearly straight down, or tilted as a hand-held photograph."""
    tilt = math.radians(float(rng.uniform(15, 52) if rng.random() < tilted else rng.uniform(0, 9)))
    way = float(rng.uniform(0, 2 * math.pi))
    spin = np.array([[math.cos(way), -math.sin(way), 0], [math.sin(way), math.cos(way), 0], [0, 0, 1]])
    f = size * float(rng.uniform(1.2, 3.0))
    lean = np.array([[1, 0, 0], [0, math.cos(tilt), 0], [0, math.sin(tilt) / f, 1]])
    shift = np.array([[1, 0, size / 2], [0, 1, size / 2], [0, 0, 1.0]])
    return np.asarray(shift @ spin.T @ lean @ spin @ np.linalg.inv(shift))


def _group(
    rng: np.random.Generator, decks: Sequence[Deck], at: tuple[float, float], px: float, view: NDArray[np.float64]
) -> list[Lying]:
    """One heap: a blackjack hand, a single, a fan, a row or a mess, as people lay them."""
    deck = decks[int(rng.integers(len(decks)))]
    mm = px / 88.9
    deg = float(rng.uniform(0, 360))
    kind = rng.choice(["hand", "single", "fan", "row", "mess", "dealer"], p=[0.42, 0.2, 0.1, 0.1, 0.08, 0.1])
    codes = [CODES[int(k)] for k in rng.integers(0, 52, 13)]
    a = math.radians(deg)
    joker = _joker(rng) if rng.random() < JOKERS else None
    if joker is not None:
        codes[int(rng.integers(3))] = JOKER

    def card(code: str | None, right: float, down: float, turn: float = 0.0) -> Lying:
        x = at[0] + (right * math.cos(a) - down * math.sin(a)) * mm
        y = at[1] + (right * math.sin(a) + down * math.cos(a)) * mm
        upside = 180 if rng.random() < 0.5 else 0
        return placed(
            code,
            joker if code == JOKER and joker is not None else deck,
            x + rng.normal(0, 1.2) * mm,
            y + rng.normal(0, 1.2) * mm,
            deg + turn + upside + rng.normal(0, 3),
            px,
            view,
        )

    if kind == "single":
        return [card(None if rng.random() < 0.25 else codes[0], 0, 0)]
    if kind == "dealer":
        hole = card(None, float(rng.normal(0, 12)), float(rng.normal(8, 6)), float(rng.choice([0, 90], p=[0.75, 0.25])))
        cards = [hole, card(codes[0], 0, 0)]
        return (
            cards
            if rng.random() < 0.7
            else [card(c, k * float(rng.uniform(30, 66)), 0) for k, c in enumerate(codes[:3])]
        )
    if kind == "hand":
        n = int(rng.choice([2, 3, 4, 5], p=[0.5, 0.28, 0.15, 0.07]))
        dx, dy = (
            float(rng.normal(14, 3)) * float(rng.choice([1, -1], p=[0.85, 0.15])),
            float(rng.normal(18, 3)) * float(rng.choice([1, -1], p=[0.8, 0.2])),
        )
        cards = [card(c, k * dx, k * dy) for k, c in enumerate(codes[:n])]
        if rng.random() < 0.12:
            cards.append(card(codes[n], n * dx, n * dy, 90))
        return cards
    if kind == "fan":
        n, step, pivot = int(rng.integers(4, 12)), float(rng.uniform(6, 14)), float(rng.uniform(60, 160))
        out = []
        for k, c in enumerate(codes[:n]):
            t = math.radians((k - n / 2) * step)
            out.append(card(c, pivot * math.sin(t), -pivot * math.cos(t) + pivot, math.degrees(t)))
        return out
    if kind == "row":
        step, n = float(rng.uniform(14, 80)), int(rng.integers(3, 8))
        return [card(None if rng.random() < 0.06 else c, (k - n / 2) * step, 0) for k, c in enumerate(codes[:n])]
    return [
        card(
            None if rng.random() < 0.12 else c,
            float(rng.normal(0, 35)),
            float(rng.normal(0, 35)),
            float(rng.uniform(0, 360)),
        )
        for c in codes[: int(rng.integers(3, 8))]
    ]


def _joker(rng: np.random.Generator) -> Deck:
    blank, color = blank_card(rng, FACE_PX)
    return joker_deck(rng, FACE_PX, blank, color, scraps)


def _visible(owner: Image, number: int, polygon: Quad) -> float:
    """The part of a polygon (px) that shows: inside the picture and covered by nothing."""
    x0, y0 = np.floor(polygon.min(axis=0)).astype(int)
    x1, y1 = np.ceil(polygon.max(axis=0)).astype(int) + 1
    mask = np.zeros((max(1, y1 - y0), max(1, x1 - x0)), np.uint8)
    cv2.fillConvexPoly(mask, np.round((polygon - [x0, y0]) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    all_of_it = int(mask.sum())
    a0, b0, a1, b1 = max(0, int(x0)), max(0, int(y0)), min(owner.shape[1], int(x1)), min(owner.shape[0], int(y1))
    if a1 <= a0 or b1 <= b0 or not all_of_it:
        return 0.0
    seen = (owner[b0:b1, a0:a1] == number) & (mask[b0 - y0 : b1 - y0, a0 - x0 : a1 - x0] > 0)
    return float(seen.sum()) / all_of_it


def _from_first(quad: Quad) -> Quad:
    """The corners of a card whose two ways up look alike, from the one nearest the picture's upper left."""
    return np.roll(quad, -int(np.argmin(quad.sum(axis=1))), axis=0)


def _box(points: Quad, size: int) -> tuple[float, float, float, float]:
    (x0, y0), (x1, y1) = np.clip(points.min(axis=0), 0, size), np.clip(points.max(axis=0), 0, size)
    return float(x0), float(y0), float(x1), float(y1)


def labels_of(cards: Sequence[Lying], owner: Image) -> list[Label]:
    """Labels of the indices, backs and faces that show."""
    size = owner.shape[0]
    nothing = np.full((2, 2), np.nan)
    out = []
    for number, card in enumerate(cards, 1):
        shown = _visible(owner, number, card.quad)
        box, whole = _box(card.quad, size), np.vstack([nothing, _from_first(card.quad)])
        if card.code is None:
            if shown > 0.12:
                out.append(Label(BACK, box, whole, None, shown))
            continue
        if shown > 0.15:
            out.append(Label(FACE, box, whole, card.code, shown))
        for mark in card.deck.marks(card.code):
            x0, y0, x1, y1 = mark.box
            px, py = 0.008, 0.006
            area = apply(
                card.matrix, np.array([[x0 - px, y0 - py], [x1 + px, y0 - py], [x1 + px, y1 + py], [x0 - px, y1 + py]])
            )
            if _visible(owner, number, area) > 0.72:
                corners = card.quad if mark.up > 0 else np.roll(card.quad, -2, axis=0)
                spots = apply(card.matrix, np.array([mark.rank, mark.suit]))
                out.append(Label(INDEX, _box(area, size), np.vstack([spots, corners]), card.code))
    return out


def compose(
    rng: np.random.Generator,
    size: int,
    supplies: Supplies,
    px: tuple[float, float] = (80, 260),
    tilted: float = 0.3,
    own_share: float = 0.5,
    usual: float = 0.5,
    night: float = 0.1,
    shrink: bool = True,
) -> tuple[Image, list[Label]]:
    """One training picture, `size` px square, and its labels.

    A card's long side is drawn from the range `px`, or, in the share `usual`, is what a camera over a table gives;
    `tilted`, `own_share` and `night` are the shares of slanted pictures, of decks of our own and of all-black ones;
    `shrink`: some have less detail than their size says.
    """
    image = background(rng, size, supplies.textures)
    owner = np.zeros((size, size), np.uint8)
    view = _view(rng, size, tilted)
    long = (
        float(rng.uniform(100, 165))
        if rng.random() < usual
        else float(math.exp(rng.uniform(math.log(px[0]), math.log(px[1]))))
    )
    decks = [pick_deck(rng, supplies, own_share, night) for _ in range(1 if rng.random() < 0.6 else 2)]
    groups = max(1, round((size / long) ** 2 * float(rng.uniform(0.12, 0.4)))) if rng.random() > 0.04 else 0
    cards: list[Lying] = []
    for _ in range(min(groups, 9)):
        at = (float(rng.uniform(0.08, 0.92)) * size, float(rng.uniform(0.08, 0.92)) * size)
        cards += _group(rng, decks, at, long * float(rng.uniform(0.96, 1.04)), view)
    stacks = _stacks(rng, size, long, owner)
    for number, card in enumerate(cards, 1):
        lay(image, owner, number, card, rng)
    chips = _lay_chips(image, owner, stacks, rng)
    if rng.random() < 0.2:
        draw_hand(
            image,
            owner,
            (float(rng.uniform(0, size)), float(rng.uniform(0, size))),
            long * float(rng.uniform(0.5, 0.9)),
            float(rng.uniform(0, 360)),
            rng,
        )
    labels = labels_of(cards, owner) + chips
    return spoil(image, rng, shrink), labels


def _stacks(rng: np.random.Generator, size: int, long: float, owner: Image) -> list[tuple[float, float, float]]:
    if rng.random() < 0.45:
        return []
    r = long / 88.9 * 19.5 * float(rng.uniform(0.9, 1.1))
    return [(float(rng.uniform(0, size)), float(rng.uniform(0, size)), r) for _ in range(int(rng.integers(1, 6)))]


def _lay_chips(
    image: Image, owner: Image, stacks: Sequence[tuple[float, float, float]], rng: np.random.Generator
) -> list[Label]:
    out = []
    way = float(rng.uniform(0, 2 * math.pi))
    names = list(CHIP_COLORS)
    for x, y, r in stacks:
        reach = owner[max(0, int(y - r)) : int(y + r), max(0, int(x - r)) : int(x + r)]
        if reach.size and float((reach > 0).mean()) > 0.05:
            continue
        color = tuple(
            int(np.clip(v + rng.normal(0, 14), 0, 255)) for v in CHIP_COLORS[names[int(rng.integers(len(names)))]]
        )
        count = int(rng.choice([1, 2, 3, 4, 5, 8], p=[0.4, 0.2, 0.15, 0.1, 0.1, 0.05]))
        step = r / 19.5 * 3.3 * float(rng.uniform(0, 0.5))
        top = draw_stack(image, (x, y), r, (step * math.cos(way), step * math.sin(way)), count, color, rng)  # type: ignore[arg-type]
        ends = np.array([[x, y], top])
        box = _box(np.vstack([ends - r, ends + r]), owner.shape[0])
        cv2.circle(owner, (int(x), int(y)), max(1, int(r)), 254, -1)
        cv2.circle(owner, (int(top[0]), int(top[1])), max(1, int(r)), 254, -1)
        if box[2] - box[0] > r and box[3] - box[1] > r:
            out.append(Label(CHIP, box, np.vstack([ends, np.full((4, 2), np.nan)])))
    return out
