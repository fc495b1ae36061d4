"""Reads still photographs of any scale and angle, no layout needed."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.color import NEUTRAL_WHITE, names_of
from vision.detector import CHIP, INDEX, OVERLAP, Detection, distinct
from vision.recognise import Networks
from vision.sighting import CardSighting

LARGEST = 2_300_000  # px: a larger picture is shrunk first, and looked at closely only where its cards turn out small
SMALLEST = 130  # px of the longer side: no coarser look is taken, and a card that fills the picture is found
SURE = 0.7  # the least probability at which a rank or a suit is named: there is no second look at a photograph
LARGE_CARD = 215.0  # px
SMALL_CARD = 115.0  # px of a card's long side
LARGER = 0.55  # of a card's long side: less is another size of card, as no table has it
TILE, LAP = 1024, 192  # px


@dataclass(frozen=True, slots=True, eq=False)
class ChipSighting:
    """A stack of chips in a photograph; `polygon` (4, 2) px; `count` None where its height cannot be told."""

    color: str
    count: int | None
    p: float
    polygon: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """What a photograph shows: face-up cards, the number of backs, stacks of chips."""

    cards: tuple[CardSighting, ...]
    backs: int
    chips: tuple[ChipSighting, ...]


class PhotoReader:
    """Reads photographs; raises FileNotFoundError where the weights are missing."""

    def __init__(self, weights: Path) -> None:
        self._networks = Networks(weights)

    def read(self, image: NDArray[np.uint8]) -> PhotoReading:
        """Everything in a BGR picture of any size; polygons in its pixels."""
        levels = _pyramid(image)
        found = _surest(
            [_scaled(d, 1 / scale, _doubted(d)) for scale, level in levels for d in self._networks.find(level)]
        )
        if levels[0][0] < 0.75 and _median_card(found) * levels[0][0] < SMALL_CARD:
            found = _surest(found + self._closely(image))
        found = _plausible(found)
        cards = self._networks.cards(image, found, lambda d: _level(image, levels, d), sure=SURE)
        faces = tuple(c for c in cards if c.code is not None)
        chips = tuple(_chip(image, d) for d in found if d.cls == CHIP and d.score > 0.5)
        return PhotoReading(faces, sum(c.code is None for c in cards), chips)

    def _closely(self, image: NDArray[np.uint8]) -> list[Detection]:
        """Look at a large picture tile by tile at its full size."""
        out = []
        h, w = image.shape[:2]
        for y in range(0, max(1, h - LAP), TILE - LAP):
            for x in range(0, max(1, w - LAP), TILE - LAP):
                tile = np.ascontiguousarray(image[y : y + TILE, x : x + TILE])
                out += [_moved(d, x, y) for d in self._networks.find(tile)]
        return out


def _pyramid(image: NDArray[np.uint8]) -> list[tuple[float, NDArray[np.uint8]]]:
    """The picture at halving sizes, from at most LARGEST pixels down: (scale, picture)."""
    h, w = image.shape[:2]
    scale = min(1.0, (LARGEST / (h * w)) ** 0.5)
    levels: list[tuple[float, NDArray[np.uint8]]] = []
    while not levels or max(h, w) * scale >= SMALLEST:
        size = (max(32, round(w * scale)), max(32, round(h * scale)))
        level = image if scale == 1.0 else np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        levels.append((scale, level))
        scale /= 2
    return levels


def _doubted(d: Detection) -> float:
    """Its score; an index of a card larger than the detector learned is trusted less: a coarser look knows better."""
    return d.score * (0.6 if d.cls == INDEX and d.outline.long > LARGE_CARD else 1.0)


def _scaled(d: Detection, k: float, score: float) -> Detection:
    x0, y0, x1, y1 = d.box
    return Detection(d.cls, score, (x0 * k, y0 * k, x1 * k, y1 * k), d.points * k)


def _moved(d: Detection, x: float, y: float) -> Detection:
    x0, y0, x1, y1 = d.box
    return Detection(d.cls, d.score, (x0 + x, y0 + y, x1 + x, y1 + y), d.points + np.array([x, y]))


def _surest(found: list[Detection]) -> list[Detection]:
    """One detection for each thing that several looks found, the surest kept."""
    out = []
    for cls, overlap in enumerate(OVERLAP):
        mine = sorted((d for d in found if d.cls == cls), key=lambda d: -d.score)
        if mine:
            out += [mine[k] for k in distinct(np.array([d.box for d in mine]), overlap)]
    return sorted(out, key=lambda d: -d.score)


def _plausible(found: list[Detection]) -> list[Detection]:
    """Without indices of a card that would lie on a card much larger: of the two the surer is kept."""
    indices = [d for d in found if d.cls == INDEX]
    kept: list[Detection] = []
    for d in indices:  # the surest first
        if not any(_on_a_larger(d, k) or _on_a_larger(k, d) for k in kept):
            kept.append(d)
    return kept + [d for d in found if d.cls != INDEX]


def _on_a_larger(small: Detection, large: Detection) -> bool:
    if small.outline.long > LARGER * large.outline.long:
        return False
    middle = (small.points[0] + small.points[1]) / 2
    inside = cv2.pointPolygonTest(large.points[2:].astype(np.float32), (float(middle[0]), float(middle[1])), False)
    return inside >= 0


def _median_card(found: list[Detection]) -> float:
    """The usual long side of the cards found, px; infinite when there is none."""
    sides = [d.outline.long for d in found if d.cls == INDEX]
    return float(np.median(sides)) if sides else 0.0


def _level(
    image: NDArray[np.uint8], levels: list[tuple[float, NDArray[np.uint8]]], d: Detection
) -> tuple[NDArray[np.uint8], float]:
    """The picture in which an index is not shrunk by more than two when it is cut out, so that nothing is skipped."""
    height = d.box[3] - d.box[1]
    source, scale = image, 1.0
    for s, level in levels:
        if height * scale > 75 and s < scale:
            source, scale = level, s
    return source, scale


def _chip(image: NDArray[np.uint8], d: Detection) -> ChipSighting:
    x0, y0, x1, y1 = d.box
    polygon = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    r = (x1 - x0) / 3
    x, y = d.points[1]
    a0, b0 = max(0, int(x - r)), max(0, int(y - r))
    top = image[b0 : max(b0 + 1, int(y + r)), a0 : max(a0 + 1, int(x + r))]
    shares = names_of(top.reshape(-1, 3)[::3].astype(np.float64), NEUTRAL_WHITE, frozenset())
    return ChipSighting(max(sorted(shares), key=lambda name: shares[name]), None, round(d.score, 4), polygon)
