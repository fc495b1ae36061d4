"""Jokers of our own: the word in two corners, stacked, turned or lying, and some picture between."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.deck import JOKER, Deck, IndexMark

Image = NDArray[np.uint8]
Color = tuple[int, int, int]
Picture = Callable[[np.random.Generator, int, int], Image]  # rng, width, height -> BGR


def joker_deck(rng: np.random.Generator, height: int, blank: Image, color: Color, picture: Picture) -> Deck:
    """A deck whose only face is a joker's; `blank` = a card's plain BGRA paper, `color` = its print."""
    seed = int(rng.integers(1 << 30))
    return Deck(
        "joker",
        (63.5, 88.9),
        lambda _: _face(np.random.default_rng(seed), height, blank, color, picture),
        lambda: blank,
    )


def _face(
    rng: np.random.Generator, height: int, blank: Image, color: Color, picture: Picture
) -> tuple[Image, tuple[IndexMark, ...]]:
    face = np.asarray(cv2.resize(blank, (round(height * blank.shape[1] / blank.shape[0]), height)), np.uint8)
    h, w = face.shape[:2]
    x0, y0 = round(w * float(rng.uniform(0.2, 0.3))), round(h * float(rng.uniform(0.1, 0.3)))
    face[y0 : h - y0, x0 : w - x0, :3] = picture(rng, w - 2 * x0, h - 2 * y0)
    word = _word(rng, h)
    x, y = round(w * float(rng.uniform(0.03, 0.06))), round(h * float(rng.uniform(0.03, 0.06)))
    mh, mw = (min(a, b) for a, b in zip(word.shape, (h - y, w - x), strict=True))
    a = word[:mh, :mw, None].astype(np.float32) / 255
    part = face[y : y + mh, x : x + mw, :3]
    part[:] = (part * (1 - a) + np.array(color, np.float32) * a).astype(np.uint8)
    face[h - y - mh : h - y, w - x - mw : w - x, :3] = part[::-1, ::-1].copy()
    third = mh / 3 if mh > mw else mh / 4
    mark = IndexMark(
        ((x + mw / 2) / w, (y + mh / 2 - third / 2) / h),
        ((x + mw / 2) / w, (y + mh / 2 + third / 2) / h),
        (x / w, y / h, (x + mw) / w, (y + mh) / h),
    )
    return face, (mark, mark.turned())


def _word(rng: np.random.Generator, height: int) -> Image:
    """A mask of the word as printed from the card's upper left corner downwards."""
    font, thick = int(rng.choice([0, 2, 3, 4, 6, 7])), int(rng.integers(1, 4))
    letters = [_line(c, font, thick) for c in JOKER]
    tall = int(height * rng.uniform(0.035, 0.06))
    kind = rng.choice(["stacked", "down", "lying", "letter"], p=[0.5, 0.2, 0.15, 0.15])
    if kind == "stacked":
        rows = [_fit(c, tall) for c in letters]
        wide = max(r.shape[1] for r in rows)
        return np.vstack([np.pad(r, ((1, 1), ((wide - r.shape[1]) // 2, (wide - r.shape[1] + 1) // 2))) for r in rows])
    line = _line(JOKER, font, thick)
    if kind == "down":
        return np.ascontiguousarray(np.rot90(_fit(line, tall), int(rng.choice([1, 3]))))
    if kind == "lying":
        return _fit(line, round(tall * 0.8))
    star = np.zeros((tall * 2, tall * 2), np.uint8)
    turns = np.arange(10) * np.pi / 5 - np.pi / 2
    reach = np.where(np.arange(10) % 2, 0.4, 1.0)[:, None] * tall * 0.9
    points = np.column_stack([np.cos(turns), np.sin(turns)]) * reach + tall
    cv2.fillPoly(star, [points.astype(np.int32)], 255, cv2.LINE_AA)
    return star


def _line(text: str, font: int, thick: int) -> Image:
    canvas = np.zeros((60, 40 + 34 * len(text)), np.uint8)
    cv2.putText(canvas, text, (8, 44), font, 1.2, 255, thick, cv2.LINE_AA)
    ys, xs = np.nonzero(canvas)
    return canvas[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


def _fit(mask: Image, height: int) -> Image:
    wide = max(2, round(mask.shape[1] * height / mask.shape[0]))
    return np.asarray(cv2.resize(mask, (wide, height), interpolation=cv2.INTER_AREA), np.uint8)
