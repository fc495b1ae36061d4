"""Decks of cards as pictures, with the place of every index known: drawn ones from packages, and our own."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table_state.cards import RANKS, SUITS

CODES = tuple(r + s for r in RANKS for s in SUITS)
JOKER = "JOKER"  # the code of a joker's face


@dataclass(frozen=True, slots=True)
class IndexMark:
    """One corner index, in fractions of the card's width and height from its top left; `up` -1 when upside down."""

    rank: tuple[float, float]
    suit: tuple[float, float]
    box: tuple[float, float, float, float]
    up: int = 1

    def turned(self) -> "IndexMark":
        """The same index in the opposite corner."""
        (a, b), (c, d), (x0, y0, x1, y1) = self.rank, self.suit, self.box
        return IndexMark((1 - a, 1 - b), (1 - c, 1 - d), (1 - x1, 1 - y1, 1 - x0, 1 - y0), -self.up)

    def mirrored(self) -> "IndexMark":
        """The same index in the other upper corner."""
        (a, b), (c, d), (x0, y0, x1, y1) = self.rank, self.suit, self.box
        return IndexMark((1 - a, b), (1 - c, d), (1 - x1, y0, 1 - x0, y1), self.up)


@dataclass(slots=True)
class Deck:
    """52 faces and a back as BGRA pictures, made when first asked for; sizes in mm."""

    name: str
    size: tuple[float, float]
    make_face: Callable[[str], tuple[NDArray[np.uint8], tuple[IndexMark, ...]]]
    make_back: Callable[[], NDArray[np.uint8]]
    _faces: dict[str, tuple[NDArray[np.uint8], tuple[IndexMark, ...]]] = field(default_factory=dict)
    _back: NDArray[np.uint8] | None = None

    def face(self, code: str) -> NDArray[np.uint8]:
        return self._made(code)[0]

    def marks(self, code: str) -> tuple[IndexMark, ...]:
        return self._made(code)[1]

    def back(self) -> NDArray[np.uint8]:
        if self._back is None:
            self._back = self.make_back()
        return self._back

    def _made(self, code: str) -> tuple[NDArray[np.uint8], tuple[IndexMark, ...]]:
        if code not in self._faces:
            self._faces[code] = self.make_face(code)
        return self._faces[code]


def night_deck(deck: Deck, rng: np.random.Generator) -> Deck:
    """The same deck as all-black novelty cards have it: dark paper, its print in one metal that shines unevenly."""
    metals = [(80, 165, 215), (90, 140, 190), (190, 195, 200), (60, 120, 175)]
    metal = np.array(metals[int(rng.integers(len(metals)))], np.float32) * float(rng.uniform(0.55, 1.1))
    paper = np.array([rng.uniform(10, 45)] * 3, np.float32) + rng.normal(0, 5, 3).astype(np.float32)
    grain = int(rng.integers(1 << 30))

    def face(code: str) -> tuple[NDArray[np.uint8], tuple[IndexMark, ...]]:
        image = deck.face(code)
        if np.median(image[:, :, :3]) < 100:
            return image, deck.marks(code)  # dark as it is
        ink = 1 - image[:, :, :3].min(axis=2).astype(np.float32) / 255
        h, w = ink.shape
        part = np.random.default_rng([grain, CODES.index(code)])
        shine = cv2.resize(part.uniform(0.6, 1.25, (4, 3)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
        out = image.copy()
        out[:, :, :3] = np.clip(paper + ink[:, :, None] * (metal * shine[:, :, None] - paper), 0, 255)
        return out, deck.marks(code)

    return Deck(f"{deck.name}-night", deck.size, face, deck.back)


FOUR_CORNERED = ("gnome-bonded", "gnome-dondorf")


def drawn_deck(folder: Path, height: int, back: Callable[[], NDArray[np.uint8]]) -> Deck:
    """A deck rendered by `models.art`; its index places are measured on its plain number cards."""
    usual = _usual_mark(folder)
    four = folder.name in FOUR_CORNERED

    def face(code: str) -> tuple[NDArray[np.uint8], tuple[IndexMark, ...]]:
        image = _read(folder / f"{code}.png")
        mark = _find_mark(image, usual) or usual
        marks: tuple[IndexMark, ...] = (mark, mark.turned())
        if four:
            marks = (*marks, mark.mirrored(), mark.mirrored().turned())
        width = round(height * image.shape[1] / image.shape[0])
        return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8), marks

    own = folder / "back.png"

    def make_back() -> NDArray[np.uint8]:
        if not own.is_file():
            return back()
        image = _read(own)
        return np.asarray(
            cv2.resize(image, (round(height * image.shape[1] / image.shape[0]), height), interpolation=cv2.INTER_AREA),
            np.uint8,
        )

    return Deck(folder.name, (63.5, 88.9), face, make_back)


def _read(path: Path) -> NDArray[np.uint8]:
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if image is None:
        raise FileNotFoundError(f"{path}: no such card picture; run python -m models.art")
    return np.asarray(image, np.uint8)


def _blobs(image: NDArray[np.uint8]) -> list[tuple[int, int, int, int]]:
    """Boxes of the printed marks in the card's upper left corner, x0 y0 x1 y1 in pixels."""
    h, w = image.shape[:2]
    part = image[: int(h * 0.45), : int(w * 0.34), :3].astype(np.int16)
    paper = np.median(image[int(h * 0.02) : int(h * 0.05), int(w * 0.3) : int(w * 0.7), :3].reshape(-1, 3), axis=0)
    ink = (np.abs(part - paper).max(axis=2) > 60) & (image[: part.shape[0], : part.shape[1], 3] > 200)
    edge = int(w * 0.015)
    ink[:edge], ink[:, :edge] = False, False
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    return [
        (int(x), int(y), int(x + bw), int(y + bh))
        for x, y, bw, bh, area in stats[1:]
        if area > h * w * 0.0002 and bh > h * 0.035 and bw > w * 0.02 and x + bw < w * 0.33 and y + bh < h * 0.44
    ]


def _find_mark(image: NDArray[np.uint8], usual: IndexMark | None) -> IndexMark | None:
    """The rank and the suit below it in the upper left corner, or None where the picture is not clear."""
    h, w = image.shape[:2]
    blobs = [b for b in _blobs(image) if b[0] < w * 0.2]
    if not blobs:
        return None
    rank = min(blobs, key=lambda b: b[0] / w + b[1] / h)
    for other in blobs:  # the two figures of a ten
        if (
            other != rank
            and abs(other[1] - rank[1]) < 0.03 * h
            and abs(other[3] - rank[3]) < 0.03 * h
            and other[0] - rank[2] < 0.05 * w
        ):
            rank = (min(rank[0], other[0]), min(rank[1], other[1]), max(rank[2], other[2]), max(rank[3], other[3]))
    below = [b for b in blobs if b[1] >= rank[3] - 0.01 * h and b[0] < rank[2] and b[2] > rank[0]]
    if not below:
        return None
    suit = min(below, key=lambda b: b[1])
    box = (min(rank[0], suit[0]), rank[1], max(rank[2], suit[2]), suit[3])
    mark = IndexMark(
        ((rank[0] + rank[2]) / 2 / w, (rank[1] + rank[3]) / 2 / h),
        ((suit[0] + suit[2]) / 2 / w, (suit[1] + suit[3]) / 2 / h),
        (box[0] / w, box[1] / h, box[2] / w, box[3] / h),
    )
    if (
        usual is not None
        and max(
            abs(mark.rank[0] - usual.rank[0]),
            abs(mark.rank[1] - usual.rank[1]),
            abs(mark.suit[1] - usual.suit[1]),
            abs(mark.suit[0] - usual.suit[0]),
        )
        > 0.03
    ):
        return None
    return mark


def _usual_mark(folder: Path) -> IndexMark:
    found = [m for c in CODES if c[0] in "23456789" and (m := _find_mark(_read(folder / f"{c}.png"), None))]
    if not found:
        raise ValueError(f"{folder}: no index found on its number cards")

    def mid(get: Callable[[IndexMark], float]) -> float:
        return float(np.median([get(m) for m in found]))

    return IndexMark(
        (mid(lambda m: m.rank[0]), mid(lambda m: m.rank[1])),
        (mid(lambda m: m.suit[0]), mid(lambda m: m.suit[1])),
        (mid(lambda m: m.box[0]), mid(lambda m: m.box[1]), mid(lambda m: m.box[2]), mid(lambda m: m.box[3])),
    )
