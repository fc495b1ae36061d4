"""Camera buffers, made by hand with rows longer than the picture, become the picture they were made of."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.frame_formats import luma, to_bgr

Bytes = NDArray[np.uint8]
WIDTH, HEIGHT, STRIDE = 64, 48, 96
GARBAGE = 171


def scene() -> Bytes:
    """Smooth colours: halving their resolution loses little."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    image = np.stack([60 + 2 * x, 200 - 2 * y, 40 + x + y], axis=2)
    return image.astype(np.uint8)


def padded(rows: Bytes, stride: int) -> Bytes:
    whole = np.full((rows.shape[0], stride), GARBAGE, np.uint8)
    whole[:, : rows.shape[1]] = rows
    return whole.reshape(-1)


def buffer_of(image: Bytes, pixel_format: str, stride: int) -> Bytes:
    """What a camera with this format and stride would put in memory."""
    if pixel_format in ("NV12", "YUV420"):
        planes = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)
        bright = planes[:HEIGHT]
        blue, red = planes[HEIGHT:].reshape(2, HEIGHT // 2, WIDTH // 2)
        if pixel_format == "YUV420":
            return np.concatenate([padded(bright, stride), padded(blue, stride // 2), padded(red, stride // 2)])
        both = np.stack([blue, red], axis=2).reshape(HEIGHT // 2, WIDTH)
        return np.concatenate([padded(bright, stride), padded(both, stride)])
    order = {"RGB888": [0, 1, 2], "BGR888": [2, 1, 0], "XBGR8888": [2, 1, 0], "XRGB8888": [0, 1, 2]}[pixel_format]
    pixels = image[:, :, order]
    if pixel_format.startswith("X"):
        pixels = np.dstack([pixels, np.full((HEIGHT, WIDTH), 255, np.uint8)])
    return padded(pixels.reshape(HEIGHT, -1), stride)


def stride_of(pixel_format: str, spare: int) -> int:
    per_pixel = {"RGB888": 3, "BGR888": 3, "XBGR8888": 4, "XRGB8888": 4}.get(pixel_format, 1)
    return WIDTH * per_pixel + spare


FORMATS = ["NV12", "YUV420", "RGB888", "BGR888", "XBGR8888", "XRGB8888"]


@pytest.mark.parametrize("spare", [0, 32])
@pytest.mark.parametrize("pixel_format", FORMATS)
def test_a_buffer_becomes_its_picture(pixel_format: str, spare: int) -> None:
    image, stride = scene(), stride_of(pixel_format, spare)
    read = to_bgr(buffer_of(image, pixel_format, stride), pixel_format, (WIDTH, HEIGHT), stride)
    assert read.shape == image.shape
    difference = np.abs(read.astype(int) - image.astype(int))
    assert difference.max() <= (8 if pixel_format in ("NV12", "YUV420") else 0)


@pytest.mark.parametrize("pixel_format", FORMATS)
def test_the_picture_is_a_copy(pixel_format: str) -> None:
    stride = stride_of(pixel_format, 32)
    buffer = buffer_of(scene(), pixel_format, stride)
    read = to_bgr(buffer, pixel_format, (WIDTH, HEIGHT), stride)
    before = read.copy()
    buffer[:] = 0
    assert np.array_equal(read, before)
    assert read.flags.c_contiguous


def test_a_buffer_may_have_any_shape_and_a_tail() -> None:
    image = scene()
    buffer = np.concatenate([buffer_of(image, "RGB888", 3 * WIDTH + 32), np.zeros(4096, np.uint8)])
    read = to_bgr(buffer.reshape(1, -1), "RGB888", (WIDTH, HEIGHT), 3 * WIDTH + 32)
    assert np.array_equal(read, image)


@pytest.mark.parametrize("pixel_format", FORMATS)
def test_brightness_of_the_small_stream(pixel_format: str) -> None:
    stride = stride_of(pixel_format, 32)
    read = luma(buffer_of(scene(), pixel_format, stride), pixel_format, (WIDTH, HEIGHT), stride)
    assert read.shape == (HEIGHT, WIDTH)
    brightness = cv2.cvtColor(scene(), cv2.COLOR_BGR2GRAY).astype(int)
    assert np.abs(read.astype(int) - brightness).max() <= 20  # video range against full range


@pytest.mark.parametrize("pixel_format", FORMATS)
def test_a_short_buffer_is_refused(pixel_format: str) -> None:
    stride = stride_of(pixel_format, 0)
    buffer = buffer_of(scene(), pixel_format, stride)
    with pytest.raises(ValueError, match="too short"):
        to_bgr(buffer[: len(buffer) - 2 * stride], pixel_format, (WIDTH, HEIGHT), stride)


def test_odd_sides_and_unknown_formats_are_refused() -> None:
    with pytest.raises(ValueError, match="even"):
        to_bgr(np.zeros(10_000, np.uint8), "NV12", (63, 48), 64)
    with pytest.raises(ValueError, match="not known"):
        to_bgr(np.zeros(10_000, np.uint8), "SRGGB10", (64, 48), 64)
