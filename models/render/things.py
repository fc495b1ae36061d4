"""Chips, hands and cloth, drawn: what lies on a table beside the cards."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Color = tuple[int, int, int]

# Middle of each colour name's range, B G R; the name of a chip is that of its largest area (contract, section 2).
CHIP_COLORS: dict[str, Color] = {
    "white": (225, 230, 232),
    "yellow": (40, 205, 235),
    "orange": (30, 120, 235),
    "red": (40, 35, 190),
    "pink": (170, 130, 235),
    "purple": (140, 45, 110),
    "blue": (165, 75, 25),
    "green": (60, 120, 30),
    "black": (35, 32, 32),
    "brown": (45, 70, 115),
    "grey": (135, 135, 135),
}


def chip_face(color: Color, spot: Color, spots: int, px: int, rng: np.random.Generator) -> Image:
    """The top of a chip as a BGRA square of `px` pixels: rim spots, a ring, an inlay."""
    s, scale = px * 3, 3
    face = np.zeros((s, s, 4), np.uint8)
    c, r = s // 2, s // 2 - scale
    cv2.circle(face, (c, c), r, (*color, 255), -1, cv2.LINE_AA)
    turn, wide = float(rng.uniform(0, 360)), 360 / spots * float(rng.uniform(0.25, 0.5)) if spots else 0.0
    for k in range(spots):
        cv2.ellipse(face, (c, c), (r, r), turn + k * 360 / spots, 0, wide, (*spot, 255), -1, cv2.LINE_AA)
    inner = float(rng.uniform(0.62, 0.8))
    cv2.circle(face, (c, c), round(r * inner), (*color, 255), -1, cv2.LINE_AA)
    light: Color = tuple(int(v + (255 - v) * 0.45) for v in color)  # type: ignore[assignment]  # three of them
    if rng.random() < 0.6:
        cv2.circle(face, (c, c), round(r * inner * 0.95), (*spot, 255), max(1, scale // 2), cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.circle(face, (c, c), round(r * inner * float(rng.uniform(0.55, 0.8))), (*light, 255), -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        text = str(rng.choice(["1", "5", "25", "100", "$5", "*", "10", "A"]))
        size = r / 45
        (tw, th), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, size, 2)
        cv2.putText(face, text, (c - tw // 2, c + th // 2), cv2.FONT_HERSHEY_DUPLEX, size, (*spot, 255), 2, cv2.LINE_AA)
    turned = cv2.warpAffine(face, cv2.getRotationMatrix2D((c, c), float(rng.uniform(0, 360)), 1.0), (s, s))
    return np.asarray(cv2.resize(turned, (px, px), interpolation=cv2.INTER_AREA), np.uint8)


def paste(image: Image, sprite: Image, x: float, y: float) -> None:
    """Lay a BGRA sprite centred at pixel x, y; parts outside are cut."""
    h, w = sprite.shape[:2]
    x0, y0 = round(x - w / 2), round(y - h / 2)
    a0, b0, a1, b1 = max(0, x0), max(0, y0), min(image.shape[1], x0 + w), min(image.shape[0], y0 + h)
    if a1 <= a0 or b1 <= b0:
        return
    part = sprite[b0 - y0 : b1 - y0, a0 - x0 : a1 - x0]
    alpha = part[:, :, 3:].astype(np.float32) / 255
    under = image[b0:b1, a0:a1]
    under[:] = (under * (1 - alpha) + part[:, :, :3] * alpha).astype(np.uint8)


def draw_stack(
    image: Image,
    base: tuple[float, float],
    radius: float,
    lean: tuple[float, float],
    count: int,
    color: Color,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Draw `count` chips one on another; `lean` = px from one to the next above it; returns the top's centre."""
    spot: Color = (
        (230, 235, 238) if sum(color) < 520 else [(160, 70, 30), (40, 40, 180), (40, 40, 40)][int(rng.integers(3))]
    )
    spots = int(rng.choice([0, 4, 6, 8]))
    px = max(6, round(2 * radius))
    x, y = base
    _shade(image, (x + radius * 0.15, y + radius * 0.15), radius * 1.12)
    dark: Color = tuple(int(v * 0.62) for v in color)  # type: ignore[assignment]  # three of them
    for k in range(count):
        x, y = (
            base[0] + lean[0] * k + float(rng.normal(0, 0.02 * radius)),
            base[1] + lean[1] * k + float(rng.normal(0, 0.02 * radius)),
        )
        paste(image, chip_face(dark, tuple(int(v * 0.7) for v in spot), spots, px, rng), x, y)  # type: ignore[arg-type]
        x, y = x + lean[0], y + lean[1]
        paste(image, chip_face(color, spot, spots, px, rng), x, y)
    return x, y


def _shade(image: Image, at: tuple[float, float], radius: float) -> None:
    """Darken a soft disc: the shadow that a stack throws around its foot."""
    reach = radius * 2
    x0, y0 = max(0, int(at[0] - reach)), max(0, int(at[1] - reach))
    x1, y1 = min(image.shape[1], int(at[0] + reach)), min(image.shape[0], int(at[1] + reach))
    if x1 - x0 < 3 or y1 - y0 < 3:
        return
    disc = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.circle(disc, (round(at[0]) - x0, round(at[1]) - y0), round(radius), 110, -1)
    k = max(3, int(reach * 0.2) | 1)
    soft = cv2.GaussianBlur(disc, (k, k), 0).astype(np.float32)[:, :, None] / 255
    part = image[y0:y1, x0:x1]
    part[:] = (part * (1 - np.float32(0.8) * soft)).astype(np.uint8)


def draw_hand(
    image: Image, owner: Image | None, at: tuple[float, float], radius: float, arm: float, rng: np.random.Generator
) -> None:
    """Draw a hand of `radius` px at pixel `at`; its forearm leaves towards `arm` (degrees, clockwise on the picture).

    `owner`, where given, gets 255 wherever the hand covers it.
    """
    skin = np.array(
        [[(175, 200, 235), (140, 170, 215), (90, 125, 180), (60, 85, 130), (40, 55, 85)][int(rng.integers(5))]],
        np.float32,
    )
    skin = skin[0] + rng.normal(0, 8, 3)
    sleeve = rng.uniform(15, 220, 3)
    ux, uy = math.cos(math.radians(arm)), math.sin(math.radians(arm))
    ends = np.array([at, (at[0] + ux * 12 * radius, at[1] + uy * 12 * radius)])
    x0, y0 = np.maximum(np.floor(ends.min(axis=0) - 2 * radius), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(ends.max(axis=0) + 2 * radius), [image.shape[1], image.shape[0]]).astype(int)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    part = image[int(y0) : int(y1), int(x0) : int(x1)]
    mask, cloth = _hand_shape(part.shape[:2], (at[0] - int(x0), at[1] - int(y0)), radius, arm, rng)
    soft = cv2.GaussianBlur(cv2.bitwise_or(mask, cloth), (0, 0), max(1.0, radius * 0.12))
    moved = cv2.warpAffine(
        soft, np.array([[1, 0, radius * 0.12], [0, 1, radius * 0.15]], np.float32), (part.shape[1], part.shape[0])
    )
    part[:] = (part * (1 - moved[:, :, None].astype(np.float32) / 255 * np.float32(0.35))).astype(np.uint8)
    relief = cv2.GaussianBlur(mask, (0, 0), max(1.0, radius * 0.09)).astype(np.float32)[:, :, None] / 255
    shaded = skin.astype(np.float32) * (0.55 + 0.45 * relief)
    a = cv2.GaussianBlur(mask, (3, 3), 0)[:, :, None].astype(np.float32) / 255
    part[:] = (part * (1 - a) + shaded * a).astype(np.uint8)
    b = cv2.GaussianBlur(cloth, (3, 3), 0)[:, :, None].astype(np.float32) / 255
    folds = 0.85 + 0.15 * np.sin(np.arange(int(x0), int(x1), dtype=np.float32)[None, :, None] / max(2.0, radius * 0.3))
    part[:] = (part * (1 - b) + sleeve.astype(np.float32) * folds * b).astype(np.uint8)
    if owner is not None:
        owner[int(y0) : int(y1), int(x0) : int(x1)][(mask > 127) | (cloth > 127)] = 255


def _hand_shape(
    shape: tuple[int, ...], at: tuple[float, float], radius: float, arm: float, rng: np.random.Generator
) -> tuple[Image, Image]:
    """Masks of the bare hand and of its sleeve."""
    mask, cloth = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    ux, uy = math.cos(math.radians(arm)), math.sin(math.radians(arm))

    def point(along: float, across: float) -> tuple[int, int]:
        return (round(at[0] + (ux * along - uy * across) * radius), round(at[1] + (uy * along + ux * across) * radius))

    cv2.line(mask, point(0, 0), point(1.6, 0), 255, max(1, round(radius * 0.62)))
    cv2.ellipse(mask, point(0, 0), (max(1, round(radius * 0.55)), max(1, round(radius * 0.45))), arm, 0, 360, 255, -1)
    for k in range(4):
        spread = (k - 1.5) * 0.24
        length = float(rng.uniform(0.75, 1.05)) - 0.1 * abs(k - 1.3)
        cv2.line(
            mask,
            point(-0.25, spread),
            point(-length, spread * float(rng.uniform(1.0, 1.6))),
            255,
            max(1, round(radius * 0.19)),
        )
    side = 1 if rng.random() < 0.5 else -1
    cv2.line(mask, point(0.15, 0.3 * side), point(-0.4, 0.72 * side), 255, max(1, round(radius * 0.22)))
    cv2.line(cloth, point(1.5, 0), point(12, 0), 255, max(1, round(radius * float(rng.uniform(0.75, 1.0)))))
    return mask, cloth


def felt(height: int, width: int, color: Color, rng: np.random.Generator) -> Image:
    """A cloth of one colour with fibres and slow unevenness."""
    fine = rng.standard_normal((height, width), np.float32)
    fine = np.asarray(cv2.GaussianBlur(fine, (0, 0), float(rng.uniform(0.4, 1.0))), np.float32)
    slow = cv2.resize(rng.normal(0, 1, (5, 7)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    grain = (fine * float(rng.uniform(3, 14)) + slow * float(rng.uniform(1, 6)))[:, :, None]
    return np.clip(np.array(color, np.float32) + grain * (0.4 + np.array(color, np.float32) / 255), 0, 255).astype(
        np.uint8
    )
