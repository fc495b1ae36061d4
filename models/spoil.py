"""What light, lens and file do to a picture of a table: shade, glare, colour cast, blur, noise, small size, JPEG."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


def spoil(image: Image, rng: np.random.Generator, shrink: bool = True) -> Image:
    """Return the picture as a camera would have it; the places of things stay.

    `shrink` lets some of the pictures have less detail than their size in px says, as after a digital zoom.
    """
    h, w = image.shape[:2]
    x = image.astype(np.float32)
    x *= _light(rng, h, w)[:, :, None]
    x = _cast(x, rng)
    if rng.random() < 0.22:
        _glare(x, rng)
    x = _blur(x, rng)
    if shrink:
        x = _small(x, rng)
    if rng.random() < 0.8:
        x += _noise(rng, h, w)
    if rng.random() < 0.06:
        _specks(x, rng)
    out = np.clip(x, 0, 255).astype(np.uint8)
    if rng.random() < 0.75:
        ok, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(28, 96))])
        if ok:
            out = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return out


def _light(rng: np.random.Generator, h: int, w: int) -> NDArray[np.float32]:
    slow = cv2.resize(rng.uniform(0.72, 1.18, (3, 3)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    slow = np.asarray(slow * np.float32(rng.uniform(0.55, 1.15)), np.float32)
    if rng.random() < 0.3:  # the edge of a shadow across the cards
        mask = np.ones((h, w), np.float32)
        a, d = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(-0.4, 0.4)) * w
        ux, uy = math.cos(a), math.sin(a)
        far = 2.0 * w
        c = np.array([w / 2 + ux * d, h / 2 + uy * d])
        side, out = np.array([-uy, ux]) * far, np.array([ux, uy]) * far
        cv2.fillConvexPoly(
            mask,
            np.round(np.array([c - side, c + side, c + side + out, c - side + out])).astype(np.int32),
            float(rng.uniform(0.35, 0.8)),
        )
        slow = np.asarray(slow * cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.6, 12))), np.float32)
    return np.asarray(slow, np.float32)


def _cast(x: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    if rng.random() < 0.12:
        grey = x @ np.array([0.114, 0.587, 0.299], np.float32)
        return np.repeat(grey[:, :, None], 3, axis=2)
    gain = np.exp(rng.normal(0, 0.1, 3)).astype(np.float32)
    if rng.random() < 0.2:  # a warm lamp
        gain *= np.array([0.62, 0.92, 1.12], np.float32)
    x = x * gain
    if rng.random() < 0.3:  # a curve: contrast up or down, blown whites
        k, mid = float(rng.uniform(0.7, 1.5)), float(rng.uniform(100, 150))
        x = (x - mid) * k + mid
    if rng.random() < 0.25:  # less or more colour
        grey = x @ np.array([0.114, 0.587, 0.299], np.float32)
        x = grey[:, :, None] + (x - grey[:, :, None]) * float(rng.uniform(0.2, 1.4))
    return np.asarray(x, np.float32)


def _glare(x: NDArray[np.float32], rng: np.random.Generator) -> None:
    h, w = x.shape[:2]
    spot = np.zeros((h, w), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        r = float(rng.uniform(0.03, 0.22)) * w
        cv2.ellipse(
            spot,
            (int(rng.uniform(0, w)), int(rng.uniform(0, h))),
            (int(r), int(r * rng.uniform(0.3, 1))),
            float(rng.uniform(0, 180)),
            0,
            360,
            float(rng.uniform(30, 150)),
            -1,
        )
    x += cv2.GaussianBlur(spot, (0, 0), float(rng.uniform(4, 25)))[:, :, None]


def _blur(x: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    p = rng.random()
    if p < 0.55:
        return np.asarray(cv2.GaussianBlur(x, (0, 0), float(rng.uniform(0.3, 1.3))), np.float32)
    if p < 0.65:
        n, a = int(rng.integers(2, 6)), float(rng.uniform(0, math.pi))
        kernel = np.zeros((2 * n + 1, 2 * n + 1), np.float32)
        d = np.array([math.cos(a), math.sin(a)]) * n / 2
        p0, p1 = np.round(n - d).astype(int), np.round(n + d).astype(int)
        cv2.line(kernel, (int(p0[0]), int(p0[1])), (int(p1[0]), int(p1[1])), 1.0, 1, cv2.LINE_AA)
        return np.asarray(cv2.filter2D(x, -1, kernel / kernel.sum()), np.float32)
    if p < 0.75:  # sharpened by the camera
        return np.asarray(x * 1.6 - cv2.GaussianBlur(x, (0, 0), 1.2) * 0.6, np.float32)
    return x


def _small(x: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    if rng.random() > 0.3:
        return x
    h, w = x.shape[:2]
    k = float(rng.uniform(0.55, 0.95))
    less = cv2.resize(x, (int(w * k), int(h * k)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(less, (w, h), interpolation=cv2.INTER_CUBIC), np.float32)


def _noise(rng: np.random.Generator, h: int, w: int) -> NDArray[np.float32]:
    noise = rng.standard_normal((h, w, 1), np.float32) * np.float32(rng.uniform(0.5, 9))
    color: NDArray[np.float32] | float = 0.0
    if rng.random() < 0.5:
        color = rng.standard_normal((h, w, 3), np.float32) * np.float32(rng.uniform(1, 5))
    if rng.random() < 0.4:
        noise = cv2.GaussianBlur(noise, (0, 0), 0.7)[:, :, None] * 1.6
    return np.asarray(noise + color, np.float32)


def _specks(x: NDArray[np.float32], rng: np.random.Generator) -> None:
    """Single white and black pixels: dead cells of a sensor, a glittering print, dust."""
    h, w = x.shape[:2]
    n = int(h * w * rng.uniform(0.0005, 0.008))
    x[rng.integers(0, h, n), rng.integers(0, w, n)] = rng.choice(np.array([0, 255], np.float32), (n, 1))
