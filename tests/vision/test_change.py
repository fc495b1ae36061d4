"""What counts as a change, and what lamps and clouds do that is none."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change import ChangeWatch

Image = NDArray[np.uint8]
SIZE = (1152, 648)


def felt(rng: np.random.Generator) -> NDArray[np.float32]:
    """A green felt with a printed ring."""
    image = np.full((SIZE[1], SIZE[0], 3), (55, 100, 20), np.float32)
    cv2.circle(image, (600, 300), 80, (110, 180, 190), 3)
    return image + cv2.GaussianBlur(rng.normal(0, 8, image.shape).astype(np.float32), (0, 0), 1.5)


def shot(scene: NDArray[np.float32], rng: np.random.Generator, gain: float | NDArray[np.float64] = 1.0) -> Image:
    """What the camera gives of it."""
    return np.clip(scene * gain + rng.normal(0, 4, scene.shape), 0, 255).astype(np.uint8)


def test_flicker_noise_and_exposure_are_no_change() -> None:
    rng = np.random.default_rng(0)
    scene, watch = felt(rng), ChangeWatch(SIZE)
    rows = np.arange(SIZE[1])[:, None, None]
    for k in range(20):
        bands = 1 + 0.06 * np.sin(rows / 70 + k)  # a lamp on mains, a rolling shutter
        assert watch.update(k / 10, shot(scene, rng, bands * (1 + 0.012 * k))).idle


def test_a_shadow_is_no_change() -> None:
    rng = np.random.default_rng(1)
    scene, watch = felt(rng), ChangeWatch(SIZE)
    watch.update(0.0, shot(scene, rng))
    for k in range(1, 12):
        shade = np.ones(scene.shape[:2], np.float32)
        cv2.circle(shade, (200 + 60 * k, 300), 150, 0.72, -1)
        shade = cv2.GaussianBlur(shade, (0, 0), 25)[..., None]
        change = watch.update(k / 10, shot(scene, rng, shade))
        assert change.changed.sum() <= 4


def test_a_card_is_a_change_and_then_settles() -> None:
    rng = np.random.default_rng(2)
    scene, watch = felt(rng), ChangeWatch(SIZE)
    watch.update(0.0, shot(scene, rng))
    cv2.rectangle(scene, (300, 200), (345, 264), (235, 238, 240), -1)
    change = watch.update(0.1, shot(scene, rng))
    assert change.moving.sum() > 20
    assert not change.idle
    change = watch.update(0.2, shot(scene, rng))
    assert not change.moving.any()
    assert change.changed.sum() > 20
    where = np.argwhere(change.changed) * watch.cell
    assert (where.min(0) >= (170, 270)).all()
    assert (where.max(0) <= (290, 370)).all()
    watch.accept(change.changed)
    assert watch.update(0.3, shot(scene, rng)).idle


def test_a_chip_of_the_felts_lightness_is_a_change() -> None:
    rng = np.random.default_rng(3)
    scene, watch = felt(rng), ChangeWatch(SIZE)
    watch.update(0.0, shot(scene, rng))
    cv2.circle(scene, (600, 300), 14, (30, 40, 190), -1)
    assert watch.update(0.1, shot(scene, rng)).moving.sum() >= 8


def test_a_slow_dusk_is_followed() -> None:
    rng = np.random.default_rng(4)
    scene, watch = felt(rng), ChangeWatch(SIZE)
    tint = np.array([1.0, 0.995, 0.985])
    for k in range(160):
        assert watch.update(k / 4, shot(scene, rng, tint ** (k / 10) * 0.995 ** (k / 10))).changed.sum() <= 4
