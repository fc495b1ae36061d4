"""Rank letterforms and suit shapes of our own, drawn as masks without any font.

Strokes live in a unit box (x to the right, y down); real indices are one-stroke forms, which is why a pen is enough.
"""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]


def _arc(cx: float, cy: float, rx: float, ry: float, a0: float, a1: float, n: int = 24) -> list[Point]:
    return [
        (
            cx + rx * math.cos(math.radians(a0 + (a1 - a0) * i / n)),
            cy + ry * math.sin(math.radians(a0 + (a1 - a0) * i / n)),
        )
        for i in range(n + 1)
    ]


STROKES: dict[str, list[list[Point]]] = {
    "A": [[(0.03, 1), (0.5, 0), (0.97, 1)], [(0.2, 0.66), (0.8, 0.66)]],
    "2": [[*_arc(0.5, 0.28, 0.44, 0.28, 190, 370), *_arc(0.3, 0.35, 0.62, 0.5, 15, 45, 6), (0.04, 1), (0.96, 1)]],
    "3": [
        [*_arc(0.46, 0.25, 0.40, 0.25, 200, 450), (0.36, 0.5)],
        [(0.4, 0.48), *_arc(0.46, 0.73, 0.46, 0.27, 270, 525)],
    ],
    "4": [[(0.74, 1), (0.74, 0), (0.03, 0.7), (0.98, 0.7)]],
    "5": [[(0.88, 0), (0.16, 0), (0.12, 0.46), *_arc(0.48, 0.68, 0.44, 0.32, 235, 520)]],
    "6": [[*_arc(0.62, 0.55, 0.55, 0.55, 290, 190, 12), *_arc(0.5, 0.69, 0.43, 0.31, 180, 540)]],
    "7": [[(0.04, 0), (0.96, 0), (0.55, 0.45), (0.36, 1)]],
    "8": [_arc(0.5, 0.24, 0.36, 0.24, 0, 360), _arc(0.5, 0.73, 0.44, 0.27, 0, 360)],
    "9": [[*_arc(0.38, 0.45, 0.55, 0.55, 110, 10, 12), *_arc(0.5, 0.31, 0.43, 0.31, 0, 360)]],
    "1": [[(0.2, 0.2), (0.55, 0), (0.55, 1)]],
    "0": [_arc(0.5, 0.5, 0.46, 0.5, 0, 360)],
    "J": [[(0.3, 0), (0.95, 0)], [(0.68, 0), (0.68, 0.72), *_arc(0.36, 0.72, 0.32, 0.28, 0, 180)]],
    "Q": [_arc(0.48, 0.5, 0.45, 0.5, 0, 360), [(0.52, 0.7), (0.98, 1.02)]],
    "K": [[(0.12, 0), (0.12, 1)], [(0.92, 0), (0.14, 0.62)], [(0.42, 0.42), (0.95, 1)]],
    "B": [
        [
            (0.1, 0.5),
            (0.1, 0),
            *_arc(0.5, 0.24, 0.36, 0.24, 270, 450),
            (0.1, 0.48),
            *_arc(0.5, 0.74, 0.42, 0.26, 270, 450),
            (0.1, 1),
            (0.1, 0),
        ]
    ],
    "D": [[(0.1, 0), (0.1, 1), *_arc(0.4, 0.5, 0.52, 0.5, 90, -90), (0.1, 0)]],
    "V": [[(0.03, 0), (0.5, 1), (0.97, 0)]],
    "R": [[(0.1, 1), (0.1, 0), *_arc(0.5, 0.26, 0.4, 0.26, 270, 450), (0.1, 0.52)], [(0.45, 0.52), (0.95, 1)]],
}
# Other forms that printers use: a flat-topped 3, an open 4, a straight-backed 9 and 6, a bent 7, an A with a flat top.
OTHERS: dict[str, list[list[list[Point]]]] = {
    "3": [[[(0.06, 0.0), (0.9, 0.0), (0.42, 0.4), *_arc(0.45, 0.7, 0.47, 0.3, 280, 520)]]],
    "4": [
        [[(0.3, 0.02), (0.05, 0.6), (0.95, 0.6)], [(0.68, 0.28), (0.68, 1.0)]],
        [[(0.7, 1), (0.7, 0), (0.03, 0.74), (0.98, 0.74)]],
    ],
    "6": [[[(0.72, 0.0), *_arc(0.5, 0.66, 0.45, 0.34, 200, 560)]]],
    "9": [[[*_arc(0.5, 0.34, 0.45, 0.34, 20, 380), (0.28, 1.0)]], [[*_arc(0.5, 0.3, 0.42, 0.3, 0, 360), (0.92, 1.0)]]],
    "7": [[[(0.04, 0.12), (0.04, 0), (0.96, 0), *_arc(1.1, 1.0, 0.75, 0.85, 235, 185, 8)]]],
    "2": [[[*_arc(0.5, 0.27, 0.42, 0.27, 180, 380), (0.06, 1), (0.96, 1)]]],
    "5": [[[(0.9, 0), (0.2, 0), (0.2, 0.4), *_arc(0.42, 0.68, 0.5, 0.3, 250, 500)]]],
    "J": [[[(0.8, 0), (0.8, 0.72), *_arc(0.45, 0.72, 0.35, 0.28, 0, 180)]]],
    "A": [[[(0.03, 1), (0.42, 0), (0.58, 0), (0.97, 1)], [(0.2, 0.7), (0.8, 0.7)]]],
    "K": [[[(0.1, 0), (0.1, 1)], [(0.92, 0), (0.12, 0.5)], [(0.12, 0.5), (0.95, 1)]]],
    "Q": [[_arc(0.5, 0.5, 0.46, 0.5, 0, 360), [(0.35, 0.68), (0.95, 1.0)]]],
}
SERIFS = {
    "A": [(0.03, 1), (0.97, 1)],
    "K": [(0.12, 0), (0.12, 1), (0.92, 0), (0.95, 1)],
    "J": [],
    "4": [(0.74, 1)],
    "7": [],
    "1": [(0.55, 1)],
    "V": [(0.03, 0), (0.97, 0)],
    "R": [(0.1, 1), (0.95, 1)],
}


def stroke_glyph(char: str, height: int, weight: float, serif: bool = False, form: int = 0) -> NDArray[np.uint8]:
    """Draw one character with a round pen; returns a mask `height` px high, `weight` = pen width / height, `form` > 0
    picks another of the character's forms, where it has one."""
    scale, pen = 4, weight * height * 4
    inner, pad = height * scale - pen, pen / 2
    aspect = 0.62
    mask = np.zeros((height * scale, int(inner * aspect + pen) + 2), np.uint8)

    def place(points: list[Point]) -> NDArray[np.int32]:
        return np.array([[(pad + x * inner * aspect) * 16, (pad + y * inner) * 16] for x, y in points], np.int32)

    others = OTHERS.get(char, [])
    for line in others[form - 1] if 0 < form <= len(others) else STROKES[char]:
        cv2.polylines(mask, [place(line)], False, 255, max(1, round(pen)), cv2.LINE_AA, 4)
    if serif:
        for x, y in SERIFS.get(char, []):
            cv2.polylines(
                mask, [place([(x - 0.16, y), (x + 0.16, y)])], False, 255, max(1, round(pen * 0.7)), cv2.LINE_AA, 4
            )
    return np.asarray(
        cv2.resize(mask, (max(1, mask.shape[1] // scale), height), interpolation=cv2.INTER_AREA), np.uint8
    )


def _bezier(p0: Point, p1: Point, p2: Point, p3: Point, n: int = 16) -> list[Point]:
    out = []
    for i in range(n):
        t = i / n
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        out.append((a * p0[0] + b * p1[0] + c * p2[0] + d * p3[0], a * p0[1] + b * p1[1] + c * p2[1] + d * p3[1]))
    return out


def _mirror(half: list[Point]) -> list[Point]:
    return half + [(1 - x, y) for x, y in reversed(half)]


def _heart(bulge: float) -> list[list[Point]]:
    half = _bezier((0.5, 0.2), (0.5, -0.08), (0.0 - bulge, -0.06), (0.0, 0.32)) + _bezier(
        (0.0, 0.32), (0.0, 0.55), (0.35, 0.72), (0.5, 1.0)
    )
    return [_mirror([*half, (0.5, 1.0)])]


def _stem(top: float, foot: float) -> list[Point]:
    return _mirror([*_bezier((0.5, top), (0.49, 0.85), (0.42, 0.96), (0.5 - foot, 1.0)), (0.5 - foot, 1.0)])


def _spade(bulge: float) -> list[list[Point]]:
    half = _bezier((0.5, 0.0), (0.35, 0.28), (0.0, 0.4), (0.0, 0.64)) + _bezier(
        (0.0, 0.64), (0.0 - bulge, 0.95), (0.44, 0.95), (0.48, 0.68)
    )
    return [_mirror([*half, (0.48, 0.68)]), _stem(0.55, 0.2 + bulge)]


def _club(bulge: float) -> list[list[Point]]:
    r = 0.235 + bulge * 0.15
    blobs = [_arc(0.5, 0.235, r, r, 0, 360), _arc(0.235, 0.6, r, r, 0, 360), _arc(0.765, 0.6, r, r, 0, 360)]
    return [*blobs, [(0.4, 0.35), (0.6, 0.35), (0.6, 0.65), (0.4, 0.65)], _stem(0.45, 0.2 + bulge)]


def _diamond(bulge: float) -> list[list[Point]]:
    pull = 0.5 - 0.1 - bulge * 0.6
    quarter = _bezier(
        (0.5, 0.0), (0.5 - (0.5 - pull) * 0.5, 0.2), (0.2 - bulge * 0.3, 0.5 - (0.5 - pull) * 0.8), (0.06, 0.5)
    )
    left = quarter + [(x, 1 - y) for x, y in reversed(quarter)]
    return [_mirror(left)]


_SUITS = {"h": _heart, "s": _spade, "c": _club, "d": _diamond}


def suit_shape(suit: str, height: int, bulge: float = 0.06, squeeze: float = 0.9) -> NDArray[np.uint8]:
    """Draw a suit's shape; returns a mask `height` px high and `squeeze * height` px wide."""
    scale = 4
    h, w = height * scale, max(4, int(height * squeeze) * scale)
    mask = np.zeros((h, w), np.uint8)
    for part in _SUITS[suit](bulge):
        pts = np.array([[x * (w - 1) * 16, y * (h - 1) * 16] for x, y in part], np.int32)
        cv2.fillPoly(mask, [pts], 255, cv2.LINE_AA, 4)
    return np.asarray(cv2.resize(mask, (w // scale, height), interpolation=cv2.INTER_AREA), np.uint8)
