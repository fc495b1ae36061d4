"""What lies under and around the cards of a training picture: cloth, wood, photographs, prints, pages, keyboards."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.things import felt

Image = NDArray[np.uint8]

CLOTHS = (
    (60, 110, 20),
    (120, 60, 25),
    (40, 40, 150),
    (60, 60, 60),
    (110, 130, 140),
    (200, 205, 205),
    (70, 95, 35),
    (30, 25, 25),
)


def background(rng: np.random.Generator, size: int, textures: Sequence[Path]) -> Image:
    """Cloth, wood, a picture or a printed page."""
    kind = rng.random()
    if kind < 0.45 or not textures:
        cloth = CLOTHS[int(rng.integers(len(CLOTHS)))]
        b, g, r = (int(np.clip(v * rng.uniform(0.7, 1.3) + rng.normal(0, 12), 0, 255)) for v in cloth)
        image = felt(size, size, (b, g, r), rng)
    else:
        source = cv2.imread(str(textures[int(rng.integers(len(textures)))]))
        assert source is not None
        side = int(min(source.shape[:2]) * rng.uniform(0.25, 0.95))
        y, x = int(rng.integers(source.shape[0] - side + 1)), int(rng.integers(source.shape[1] - side + 1))
        image = np.asarray(
            cv2.resize(source[y : y + side, x : x + side], (size, size), interpolation=cv2.INTER_AREA), np.uint8
        )
        image = np.rot90(image, int(rng.integers(4))).copy()
    if rng.random() < 0.07:
        _keyboard(image, rng)
    if rng.random() < 0.35:
        _print_lines(image, rng)
    if rng.random() < 0.35:
        _print_text(image, rng, page=bool(rng.random() < 0.4))
    return image


def _color(rng: np.random.Generator) -> tuple[int, int, int]:
    b, g, r = (int(v) for v in rng.integers(0, 256, 3))
    return b, g, r


def _print_lines(image: Image, rng: np.random.Generator) -> None:
    for _ in range(int(rng.integers(1, 4))):
        c = (int(rng.uniform(0, image.shape[1])), int(rng.uniform(0, image.shape[0])))
        r = int(rng.uniform(20, 250))
        cv2.circle(image, c, r, _color(rng), int(rng.integers(1, 5)), cv2.LINE_AA)
        if rng.random() < 0.5:
            cv2.circle(image, c, int(r * 0.92) + 1, _color(rng), 1, cv2.LINE_AA)


def _print_text(image: Image, rng: np.random.Generator, page: bool) -> None:
    """Words and numbers that are no index: felt prints, a page of a book, labels."""
    size = image.shape[0]
    layer = np.zeros((size, size), np.uint8)
    letters = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    if page:
        x0, y0, w, h = (
            int(v)
            for v in (rng.uniform(0, size / 2), rng.uniform(0, size / 2), rng.uniform(80, 300), rng.uniform(80, 300))
        )
        cv2.rectangle(
            image,
            (x0, y0),
            (x0 + w, y0 + h),
            [(235, 240, 242), (255, 255, 255), (180, 210, 220)][int(rng.integers(3))],
            -1,
        )
        step = int(rng.uniform(8, 22))
        for y in range(y0 + step, y0 + h, step):
            text = "".join(rng.choice([*letters, " ", " "], int(w / step * 1.2)))
            cv2.putText(layer, text, (x0 + 4, y), int(rng.choice([0, 2, 3, 4])), step / 32, 255, 1, cv2.LINE_AA)
    else:
        for _ in range(int(rng.integers(1, 6))):
            text = (
                "".join(rng.choice(letters, int(rng.integers(1, 9))))
                if rng.random() < 0.6
                else str(
                    rng.choice(
                        [
                            "BLACKJACK PAYS 3 TO 2",
                            "INSURANCE PAYS 2 TO 1",
                            "DEALER MUST DRAW TO 16",
                            "PLACE BETS",
                            "7",
                            "21",
                            "K",
                            "A",
                            "10",
                            "8",
                        ]
                    )
                )
            )
            cv2.putText(
                layer,
                text,
                (int(rng.uniform(-20, size)), int(rng.uniform(0, size))),
                int(rng.choice([0, 2, 3, 4])),
                float(rng.uniform(0.4, 1.6)),
                255,
                int(rng.integers(1, 4)),
                cv2.LINE_AA,
            )
    turn = cv2.getRotationMatrix2D(
        (size / 2, size / 2), float(rng.uniform(0, 360)) if not page else float(rng.normal(0, 20)), 1
    )
    layer = np.asarray(cv2.warpAffine(layer, turn, (size, size)), np.uint8)
    a = layer[:, :, None].astype(np.float32) / 255 * float(rng.uniform(0.5, 1))
    ink = np.array(_color(rng) if not page else (30, 30, 30), np.float32)
    image[:] = (image * (1 - a) + ink * a).astype(np.uint8)


def _keyboard(image: Image, rng: np.random.Generator) -> None:
    """Lay a keyboard or a keypad into the picture: rows of keys with one letter or figure each, which are no cards."""
    size = image.shape[0]
    key, gap = float(rng.uniform(14, 46)), float(rng.uniform(1, 5))
    rows, columns = int(rng.integers(3, 7)), int(rng.integers(4, 16))
    h, w = int(rows * (key + gap) + gap), int(columns * (key + gap) + gap)
    dark = rng.random() < 0.7
    base = [int(v) for v in rng.integers(10, 50, 3)] if dark else [int(v) for v in rng.integers(150, 235, 3)]
    board = np.full((h, w, 3), base, np.uint8)
    cap = [int(np.clip(v + rng.integers(-8, 26), 0, 255)) for v in base]
    ink = [int(v) for v in (rng.integers(120, 256, 3) if dark else rng.integers(10, 70, 3))]
    letters = list("QWERTYUIOPASDFGHJKLZXCVBNM1234567890AKQJ")
    corner = rng.random() < 0.5
    for r in range(rows):
        for c in range(columns):
            x, y = gap + c * (key + gap), gap + r * (key + gap)
            cv2.rectangle(board, (int(x), int(y)), (int(x + key), int(y + key)), cap, -1)
            at = (int(x + key * (0.12 if corner else 0.3)), int(y + key * (0.5 if corner else 0.7)))
            text = str(rng.choice(letters))
            cv2.putText(board, text, at, int(rng.choice([0, 2])), key / 46, ink, 1 + (key > 30), cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), float(rng.uniform(0, 360)), 1.0)
    turn[:, 2] += rng.uniform(0.1, 0.9, 2) * size - np.array([w / 2, h / 2])
    laid = cv2.warpAffine(board, turn, (size, size), flags=cv2.INTER_LINEAR)
    mask = cv2.warpAffine(np.full((h, w), 255, np.uint8), turn, (size, size))
    image[mask > 0] = laid[mask > 0]
