"""Our own decks: parametric faces and backs from one seed, in every style that people own."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.deck import Deck, IndexMark
from models.render.glyphs import STROKES, stroke_glyph, suit_shape
from models.render.own_back import card_shape, own_back
from models.render.style import Color, Style, random_style

Image = NDArray[np.uint8]
GlyphMaker = Callable[[str, int], Image]  # text, height in px -> mask
CourtMaker = Callable[[str, np.random.Generator, int, int], Image | None]  # code, rng, width, height -> BGR or None

PIPS: dict[str, list[tuple[float, float]]] = {
    "A": [(0.5, 0.5)],
    "2": [(0.5, 0.0), (0.5, 1.0)],
    "3": [(0.5, 0.0), (0.5, 0.5), (0.5, 1.0)],
    "4": [(0, 0), (1, 0), (0, 1), (1, 1)],
    "5": [(0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0.5)],
    "6": [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)],
    "7": [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1), (0.5, 0.25)],
    "8": [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1), (0.5, 0.25), (0.5, 0.75)],
    "9": [(0, 0), (1, 0), (0, 1 / 3), (1, 1 / 3), (0, 2 / 3), (1, 2 / 3), (0, 1), (1, 1), (0.5, 0.5)],
    "T": [(0, 0), (1, 0), (0, 1 / 3), (1, 1 / 3), (0, 2 / 3), (1, 2 / 3), (0, 1), (1, 1), (0.5, 1 / 6), (0.5, 5 / 6)],
}
LANGUAGES = {"english": {}, "german": {"J": "B", "Q": "D"}, "french": {"J": "V", "Q": "D", "K": "R"}}


def own_glyphs(rng: np.random.Generator) -> GlyphMaker:
    """Rank glyphs from our own strokes, weight and serifs drawn once for the deck."""
    weight, serif, kern = float(rng.uniform(0.09, 0.19)), bool(rng.random() < 0.4), float(rng.uniform(0.02, 0.1))
    forms = {c: int(rng.integers(3)) for c in STROKES}

    def make(text: str, height: int) -> Image:
        parts = [stroke_glyph(c, height, weight, serif, forms[c]) for c in text]
        if len(parts) == 1:
            return parts[0]
        gap = np.zeros((height, max(1, round(kern * height))), np.uint8)
        one = parts[0][:, np.nonzero(parts[0].any(axis=0))[0]]  # a ten's 1 is narrow
        return np.hstack([one, gap, parts[1]])

    return make


def _ink(face: Image, mask: Image, x: float, y: float, color: Color) -> None:
    """Print a mask centred at pixel x, y; parts over the edge are cut."""
    h, w = mask.shape
    x0, y0 = round(x - w / 2), round(y - h / 2)
    cx0, cy0, cx1, cy1 = max(0, x0), max(0, y0), min(face.shape[1], x0 + w), min(face.shape[0], y0 + h)
    if cx1 <= cx0 or cy1 <= cy0:
        return
    a = mask[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0, None].astype(np.float32) / 255
    part = face[cy0:cy1, cx0:cx1, :3]
    part[:] = (part * (1 - a) + np.array(color, np.float32) * a).astype(np.uint8)


def own_deck(
    seed: int,
    height: int,
    style: Style | None = None,
    glyphs: GlyphMaker | None = None,
    court: CourtMaker | None = None,
) -> Deck:
    """A deck of ours from a seed; `height` = pixels of a face; `glyphs` and `court` replace our letters and courts."""
    rng = np.random.default_rng(seed)
    style = style or random_style(rng)
    glyphs = glyphs or own_glyphs(rng)
    return Deck(
        f"own-{seed}",
        style.size,
        lambda code: _face(code, style, glyphs, court, seed, height),
        lambda: own_back(np.random.default_rng(seed + 7), height, style.size, style.radius),
    )


def blank_card(rng: np.random.Generator, height: int) -> tuple[Image, Color]:
    """A card's plain paper as BGRA, and the colour that is printed on it."""
    style = random_style(rng)
    width = round(height * style.size[0] / style.size[1])
    blank = np.empty((height, width, 4), np.uint8)
    blank[:, :, :3], blank[:, :, 3] = style.paper, card_shape(width, height, style.radius)
    return blank, style.colors[str(rng.choice(list("cdhs")))]


def _face(
    code: str,
    style: Style,
    glyphs: GlyphMaker,
    court: CourtMaker | None,
    seed: int,
    height: int,
) -> tuple[Image, tuple[IndexMark, ...]]:
    width = round(height * style.size[0] / style.size[1])
    face = np.empty((height, width, 4), np.uint8)
    face[:, :, :3], face[:, :, 3] = style.paper, card_shape(width, height, style.radius)
    rng = np.random.default_rng([seed, "A23456789TJQK".index(code[0]), "cdhs".index(code[1])])
    mark = _print_index(face, code, style, glyphs)
    if code[0] in "JQK":
        _print_court(face, code, style, glyphs, court, rng, mark)
    else:
        _print_pips(face, code, style)
    marks = [mark]
    if style.four_corners:  # the other upper corner: the index printed once more, not mirrored
        shift = 1 - mark.box[0] - mark.box[2]
        dx = round(shift * width)
        x0, y0, x1, y1 = (round(v * s) for v, s in zip(mark.box, (width, height, width, height), strict=True))
        face[y0:y1, x0 + dx : x1 + dx, :3] = face[y0:y1, x0:x1, :3]
        marks.append(
            IndexMark(
                (mark.rank[0] + shift, mark.rank[1]),
                (mark.suit[0] + shift, mark.suit[1]),
                (mark.box[0] + shift, mark.box[1], mark.box[2] + shift, mark.box[3]),
            )
        )
    for m in list(marks):
        x0, y0, x1, y1 = (round(v * s) for v, s in zip(m.box, (width, height, width, height), strict=True))
        face[height - y1 : height - y0, width - x1 : width - x0, :3] = face[y0:y1, x0:x1, :3][::-1, ::-1]
        marks.append(m.turned())
    return face, tuple(marks)


def _print_index(face: Image, code: str, style: Style, glyphs: GlyphMaker) -> IndexMark:
    h, w = face.shape[:2]
    text = LANGUAGES[style.language].get(code[0], "10" if code[0] == "T" else code[0])
    rh, sh = max(4, round(style.rank_height * h)), max(3, round(style.suit_height * h))
    glyph = glyphs(text, rh)
    squeeze = style.rank_squeeze * (0.8 if len(text) == 2 else 1.0)
    narrow = (max(2, round(glyph.shape[1] * squeeze)), rh)
    glyph = np.asarray(cv2.resize(glyph, narrow, interpolation=cv2.INTER_AREA), np.uint8)
    suit = suit_shape(code[1], sh, style.bulge, style.suit_squeeze)
    column = max(round(style.rank_height * h * 0.7 * style.rank_squeeze), suit.shape[1])
    x = style.inset[0] * h + column / 2
    x = max(x, glyph.shape[1] / 2 + 0.012 * h)
    y = style.inset[1] * h + rh / 2
    ys = style.inset[1] * h + rh + style.gap * h + sh / 2
    color = style.colors[code[1]]
    _ink(face, glyph, x, y, color)
    _ink(face, suit, x, ys, color)
    half = max(glyph.shape[1], suit.shape[1]) / 2
    return IndexMark(
        (x / w, y / h), (x / w, ys / h), ((x - half) / w, (y - rh / 2) / h, (x + half) / w, (ys + sh / 2) / h)
    )


def _print_pips(face: Image, code: str, style: Style) -> None:
    h, w = face.shape[:2]
    ph = max(4, round(style.pip_height * h * (1.8 if code[0] == "A" else 1.0)))
    pip = suit_shape(code[1], ph, style.bulge, style.suit_squeeze)
    left, top = 0.31, 0.17 if style.pip_height > 0.12 else 0.2
    for x, y in PIPS[code[0]]:
        _ink(
            face,
            pip if y <= 0.5 else pip[::-1],
            (left + x * (1 - 2 * left)) * w,
            (top + y * (1 - 2 * top)) * h,
            style.colors[code[1]],
        )


def _print_court(
    face: Image,
    code: str,
    style: Style,
    glyphs: GlyphMaker,
    court: CourtMaker | None,
    rng: np.random.Generator,
    mark: IndexMark,
) -> None:
    h, w = face.shape[:2]
    x0 = max(round(0.17 * w), min(round(mark.box[2] * w) + 2, round(0.3 * w)))
    y0 = round(float(rng.uniform(0.08, 0.13)) * h)
    art = court(code, rng, w - 2 * x0, h - 2 * y0) if court and style.court == "art" else None
    if art is None:
        art = scraps(rng, w - 2 * x0, h - 2 * y0, style.paper)
        if style.court in ("letter", "crown"):
            art[:] = style.paper
            glyph = glyphs(LANGUAGES[style.language].get(code[0], code[0]), round(h * 0.4))
            _ink(art, glyph, art.shape[1] / 2, art.shape[0] / 2, style.colors[code[1]])
    under = face[y0 : y0 + art.shape[0], x0 : x0 + art.shape[1], :3].copy()
    face[y0 : y0 + art.shape[0], x0 : x0 + art.shape[1], :3] = art
    keep_y, keep_x = round((mark.box[3] + 0.01) * h) - y0, round((mark.box[2] + 0.01) * w) - x0
    if keep_y > 0 and keep_x > 0:  # the index stays clear of the picture
        face[y0 : y0 + keep_y, x0 : x0 + keep_x, :3] = under[:keep_y, :keep_x]
    if style.frame:
        cv2.rectangle(face, (x0, y0), (w - x0, h - y0), (*style.colors[code[1]], 255), 1)
    pip = suit_shape(code[1], max(4, round(style.pip_height * h)), style.bulge, style.suit_squeeze)
    _ink(face, pip, x0 + pip.shape[1] * 0.7, y0 + pip.shape[0] * 0.7, style.colors[code[1]])


def scraps(rng: np.random.Generator, width: int, height: int, paper: Color = (245, 248, 250)) -> Image:
    """A picture of coloured scraps, the lower half the upper one turned: it looks as busy as court art."""
    art = np.empty((height, width, 3), np.uint8)
    art[:] = paper
    inks = [(30, 30, 200), (180, 80, 30), (30, 200, 240), (25, 25, 25), paper, (60, 140, 60)]
    for _ in range(int(rng.integers(18, 45))):
        color = inks[int(rng.integers(len(inks)))]
        cx, cy, r = rng.uniform(0, width), rng.uniform(0, height / 2), rng.uniform(0.04, 0.22) * width
        pts = np.array(
            [[cx + r * rng.uniform(-1, 1), cy + r * rng.uniform(-1, 1)] for _ in range(int(rng.integers(3, 7)))],
            np.int32,
        )
        if rng.random() < 0.6:
            cv2.fillPoly(art, [pts], color, cv2.LINE_AA)
        else:
            cv2.polylines(art, [pts], bool(rng.random() < 0.5), color, int(rng.integers(1, 3)), cv2.LINE_AA)
    half = height // 2
    art[height - half :] = art[:half][::-1, ::-1]
    return art
