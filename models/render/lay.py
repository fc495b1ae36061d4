"""Lays cards into a picture: where a card's corners fall, its face, its shadow, and whose each pixel is."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.deck import Deck

Image = NDArray[np.uint8]
Quad = NDArray[np.float64]


@dataclass(slots=True)
class Lying:
    """A card in the picture while it is composed."""

    code: str | None
    deck: Deck
    quad: Quad
    matrix: NDArray[np.float64]  # face fractions -> pixels


def apply(h: NDArray[np.float64], points: Quad) -> Quad:
    p = np.c_[points, np.ones(len(points))] @ h.T
    return np.asarray(p[:, :2] / p[:, 2:])


def placed(code: str | None, deck: Deck, x: float, y: float, deg: float, px: float, view: NDArray[np.float64]) -> Lying:
    """A card at plane position x, y (px), turned clockwise on the picture by `deg`, `px` long before the view."""
    w, h = px * deck.size[0] / deck.size[1], px
    a = math.radians(deg)
    turn = np.array([[math.cos(a), -math.sin(a), x], [math.sin(a), math.cos(a), y], [0, 0, 1]])
    unit = np.array([[w, 0, -w / 2], [0, h, -h / 2], [0, 0, 1]])
    m = view @ turn @ unit
    return Lying(code, deck, apply(m, np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)), m)


def lay(image: Image, owner: Image, number: int, card: Lying, rng: np.random.Generator) -> None:
    """Print one card with its shadow onto the picture and note its pixels as its own."""
    quad = card.quad
    x0, y0 = np.floor(quad.min(axis=0)).astype(int) - 6
    x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 6
    x0, y0, x1, y1 = max(0, int(x0)), max(0, int(y0)), min(image.shape[1], int(x1)), min(image.shape[0], int(y1))
    if x1 - x0 < 4 or y1 - y0 < 4:
        return
    face = card.deck.back() if card.code is None else card.deck.face(card.code)
    long = float(max(np.linalg.norm(quad[0] - quad[3]), np.linalg.norm(quad[1] - quad[2])))
    if long < face.shape[0] * 0.75:
        k = max(long * 1.15, 24) / face.shape[0]
        face = np.asarray(cv2.resize(face, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), np.uint8)
    h, w = face.shape[:2]
    m = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]]) @ card.matrix @ np.diag([1 / w, 1 / h, 1.0])
    patch = cv2.warpPerspective(face, m, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    alpha = patch[:, :, 3:].astype(np.float32) / 255
    part = image[y0:y1, x0:x1]
    blur = cv2.GaussianBlur(patch[:, :, 3], (0, 0), max(0.8, long * 0.012))
    moved = np.roll(blur, (int(rng.integers(0, 3)), int(rng.integers(-2, 3))), axis=(0, 1))
    dimmed = part * (1 - moved[:, :, None].astype(np.float32) / 255 * float(rng.uniform(0.1, 0.45)))
    part[:] = (dimmed * (1 - alpha) + patch[:, :, :3] * alpha).astype(np.uint8)
    cv2.fillConvexPoly(owner, np.round(quad * 16).astype(np.int32), number, cv2.LINE_8, 4)
