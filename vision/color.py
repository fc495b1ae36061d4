"""Names of colours under a lamp that is not white, and what is white under that lamp."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8] | Floats | Singles
Samples = dict[str, tuple[tuple[int, int, int], ...]]

NEUTRAL_WHITE = (225.0, 225.0, 225.0)
"""Blue, green and red of white paper where nothing is known of the light."""

_SAMPLES: Samples = {  # red, green, blue under white light; light and dark sorts
    "white": ((238, 236, 230), (215, 212, 204), (192, 188, 180)),
    "yellow": ((235, 200, 50), (245, 222, 90), (205, 170, 30), (250, 230, 150)),
    "orange": ((230, 115, 30), (240, 140, 60), (205, 90, 25)),
    "red": ((185, 30, 36), (215, 50, 50), (140, 20, 28), (205, 75, 70), (210, 60, 40)),
    "pink": ((235, 140, 170), (240, 170, 185), (225, 95, 150)),
    "purple": ((95, 45, 130), (130, 75, 165), (70, 30, 90), (160, 110, 190)),
    "blue": ((30, 62, 160), (55, 100, 200), (20, 40, 100), (90, 150, 215), (35, 90, 140)),
    "green": ((24, 120, 70), (50, 150, 80), (15, 75, 45), (95, 175, 90), (20, 110, 95)),
    "black": ((28, 28, 30), (48, 48, 50), (16, 16, 18)),
    "brown": ((98, 60, 36), (125, 80, 50), (70, 42, 28)),
    "grey": ((128, 130, 132), (155, 156, 158), (98, 100, 102)),
}
_LEAST_WHITE = 165.0  # level under which a camera's automatic exposure leaves no white paper
_LIGHTNESS = 0.55  # how much a difference of lightness counts: shadows change it, hues they leave
_DEEPEST = 0.68  # lightness of the felt in the deepest shadow, as part of its own
_SCALE = np.array([_LIGHTNESS, 1.0, 1.0], np.float32)
_HOUSE = 0.65  # a colour that the house names is nearer by this factor


_LEVELS = np.arange(256) / 255.0
_LINEAR = np.where(_LEVELS <= 0.04045, _LEVELS / 12.92, ((_LEVELS + 0.055) / 1.055) ** 2.4).astype(np.float32)
_TO_CONES = np.array(  # Ottosson's two matrices, the first for blue, green, red
    [
        [0.0514459929, 0.5363325363, 0.4122214708],
        [0.1073969566, 0.6806995451, 0.2119034982],
        [0.6299787005, 0.2817188376, 0.0883024619],
    ],
    np.float32,
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ],
    np.float32,
)


def oklab(bgr: Pixels) -> Singles:
    """Perceptual lightness and two colour axes (N, 3), each about 0 to 1, of sRGB values (N, 3) of 0 to 255.

    Fractions of a level are rounded, values beyond 0 and 255 are cut.
    """
    levels = bgr if bgr.dtype == np.uint8 else np.clip(np.rint(bgr), 0, 255).astype(np.uint8)
    if not len(levels):
        return np.zeros((0, 3), np.float32)
    # OpenCV's own power is five times as fast as numpy's: half a million pixels must not take longer than the network.
    cones = cv2.transform(cv2.LUT(levels.reshape(-1, 1, 3), _LINEAR), _TO_CONES)
    return np.asarray(cv2.transform(cv2.pow(cones, 1 / 3), _TO_LAB)[:, 0], np.float32)


def white_of(bgr: Floats) -> tuple[float, float, float]:
    """What white looks like, judged by the whitest places of the felt among `bgr` (N, 3), a few mm each.

    Lamps run from orange to blue: what no lamp makes of white (green, purple, deeply coloured) is left out. Where
    the whitest is too dark to be white, only its tint is used.
    """
    least = bgr.min(1)
    whitest = bgr[np.argsort(-least, kind="stable")[: max(12, len(bgr) // 1000)]]
    blue, green, red = (whitest[:, k] / np.maximum(1, whitest.mean(1)) for k in range(3))
    like_a_lamp = (red > 0.75 * blue) & (red < 2.1 * blue) & (np.abs(green / ((red + blue) / 2) - 1) < 0.08)
    if like_a_lamp.sum() < 6:
        return NEUTRAL_WHITE
    found = np.median(whitest[like_a_lamp], axis=0)
    # A mug or a sleeve may be the whitest thing and have a tint of its own: not all of it is believed.
    found = (0.7 * found + 0.3 * found.mean()) * max(1.0, _LEAST_WHITE / float(found.mean()))
    return float(found[0]), float(found[1]), float(found[2])


def names_of(
    bgr: Pixels, white: tuple[float, float, float], house: frozenset[str], weights: Floats | None = None
) -> dict[str, float]:
    """The share of pixels (N, 3), weighted (N,) or all alike, that each colour name of the contract has.

    Names of `house` are preferred; `white` is what white looks like now, blue green red.
    """
    even = bgr * (235.0 / np.maximum(np.array(white, np.float32), 40.0))
    return _shares(even, _named(house), weights)


def taught_names_of(bgr: Pixels, taught: Samples, weights: Floats | None = None) -> dict[str, float]:
    """The share of pixels that each taught colour's first sample (its rim) has, as this camera saw it."""
    return _shares(bgr, _palette({name: rows[:1] for name, rows in taught.items() if rows}, frozenset()), weights)


@dataclass(frozen=True, slots=True, eq=False)
class _Palette:
    """Samples of named colours: scaled places (N, 3), how much nearer each counts (N,), where each name's begin."""

    names: tuple[str, ...]
    places: Singles
    factors: Singles
    starts: NDArray[np.intp]


@lru_cache(maxsize=8)
def _named(house: frozenset[str]) -> _Palette:
    return _palette(_SAMPLES, house)


def _palette(samples: Samples, preferred: frozenset[str]) -> _Palette:
    rows = np.array([row[::-1] for rows in samples.values() for row in rows], np.float64)
    factors = [_HOUSE if name in preferred else 1.0 for name, rows in samples.items() for _ in rows]
    starts = np.cumsum([0, *(len(rows) for rows in samples.values())])[:-1]
    return _Palette(tuple(samples), oklab(rows) * _SCALE, np.array(factors, np.float32) ** 2, starts)


def _shares(bgr: Pixels, palette: _Palette, weights: Floats | None) -> dict[str, float]:
    own, seen = palette.places, oklab(bgr) * _SCALE
    # Squared distance by its parts: one product of matrices and no large array between.
    far = (seen * seen).sum(1)[:, None] + (own * own).sum(1)[None] - 2 * seen @ own.T
    counts = np.bincount((far * palette.factors).argmin(1), weights, len(own))
    shares = np.add.reduceat(counts, palette.starts) / counts.sum()
    return dict(zip(palette.names, shares.tolist(), strict=True))


def distances(bgr: Pixels, other: Floats) -> Singles:
    """How different BGR colours (N, 3) look from another (3,), shadows counting less: 0.1 = plainly different."""
    change = (oklab(bgr) - oklab(other.reshape(1, 3))) * _SCALE
    return _lengths(change)


def distances_from_felt(bgr: Pixels, felt: Floats) -> Singles:
    """The same, but the felt in a shadow is still the felt: darker with its hue kept is no difference."""
    seen, own = oklab(bgr), oklab(felt.reshape(1, 3))
    shaded = np.clip(seen[:, :1] * (1 / max(1e-6, float(own[0, 0]))), _DEEPEST, 1.0) * own
    return _lengths((seen - shaded) * _SCALE)


def _lengths(vectors: Singles) -> Singles:
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)), np.float32)
