"""Backs of our own decks, and the shape that all cards share."""

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Color = tuple[int, int, int]


def card_shape(width: int, height: int, radius: float) -> Image:
    """An alpha mask with rounded corners; `radius` in fractions of the height."""
    r = max(1, round(radius * height))
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (r, 0), (width - 1 - r, height - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (width - 1, height - 1 - r), 255, -1)
    for x, y in ((r, r), (width - 1 - r, r), (r, height - 1 - r), (width - 1 - r, height - 1 - r)):
        cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return mask


def own_back(
    rng: np.random.Generator, height: int, size: tuple[float, float] = (63.5, 88.9), radius: float = 0.04
) -> Image:
    """A card back: a pattern of lines, dots, diamonds or a plain field within a border, the same both ways up."""
    width = round(height * size[0] / size[1])
    back = np.empty((height, width, 4), np.uint8)
    base: Color = tuple(int(v) for v in rng.integers(10, 215, 3))  # type: ignore[assignment]  # three of them
    if rng.random() < 0.6:
        base = [(40, 30, 170), (150, 60, 25), (30, 30, 30), (60, 110, 30)][int(rng.integers(4))]
    second: Color = (245, 245, 245) if rng.random() < 0.7 else tuple(int(v) for v in rng.integers(0, 255, 3))  # type: ignore[assignment]
    field = np.empty((height, width, 3), np.uint8)
    field[:] = base
    kind, step, line = (
        rng.choice(["net", "dots", "waves", "plain", "scraps"]),
        float(rng.uniform(0.025, 0.08)) * height,
        int(rng.integers(1, 4)),
    )
    if kind == "net":
        for k in np.arange(-height, width + height, step):
            cv2.line(field, (int(k), 0), (int(k + height), height), second, line, cv2.LINE_AA)
            cv2.line(field, (int(k), height), (int(k + height), 0), second, line, cv2.LINE_AA)
    elif kind == "dots":
        for j, y in enumerate(np.arange(0, height, step)):
            for x in np.arange(0 if j % 2 else step / 2, width, step):
                cv2.circle(field, (int(x), int(y)), max(1, int(step * 0.28)), second, -1, cv2.LINE_AA)
    elif kind == "waves":
        ys, xs = np.mgrid[0:height, 0:width]
        wave = np.sin(xs / step * 3) * np.cos(ys / step * 3) + np.sin((xs + ys) / step)
        field[wave > float(rng.uniform(0.1, 0.8))] = second
    elif kind == "scraps":
        for _ in range(40):
            p = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
            cv2.ellipse(
                field,
                p,
                (int(step), int(step * rng.uniform(0.3, 1))),
                float(rng.uniform(0, 180)),
                0,
                360,
                second,
                line,
                cv2.LINE_AA,
            )
        field[height - height // 2 :] = field[: height // 2][::-1, ::-1]
    border = round(float(rng.choice([0, 0.02, 0.035, 0.05])) * height)
    back[:, :, :3] = second if border else field
    back[border : height - border, border : width - border, :3] = field[
        border : height - border, border : width - border
    ]
    back[:, :, 3] = card_shape(width, height, radius)
    return back
