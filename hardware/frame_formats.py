"""Camera buffers as pictures. A row of a buffer may be longer (its stride) than the picture is wide."""

import cv2
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]


def to_bgr(buffer: Bytes, pixel_format: str, size: tuple[int, int], stride: int) -> Bytes:
    """The picture in a camera's buffer as a new H x W x 3 array, BGR.

    `buffer`: the bytes of all planes, one after the other, any shape; `size`: width and height in pixels, both even
    for the formats with fewer colours than pixels; `stride`: bytes from one row of the first plane to the next.
    `pixel_format` is libcamera's name. Raises ValueError.
    """
    width, height = size
    flat = buffer.reshape(-1)
    if pixel_format in ("NV12", "YUV420"):
        planes = _planar(flat, pixel_format, width, height, stride)
        code = cv2.COLOR_YUV2BGR_NV12 if pixel_format == "NV12" else cv2.COLOR_YUV2BGR_I420
        return np.asarray(cv2.cvtColor(planes, code), np.uint8)
    if pixel_format in ("RGB888", "BGR888"):
        pixels = _rows(flat, 0, height, stride, 3 * width).reshape(height, width, 3)
        # libcamera names the bytes from the highest: RGB888 lies in memory as B, G, R.
        return pixels.copy() if pixel_format == "RGB888" else np.ascontiguousarray(pixels[:, :, ::-1])
    if pixel_format in ("XBGR8888", "XRGB8888"):
        pixels = _rows(flat, 0, height, stride, 4 * width).reshape(height, width, 4)
        return np.ascontiguousarray(pixels[:, :, 2::-1] if pixel_format == "XBGR8888" else pixels[:, :, :3])
    raise ValueError(f"pixel format {pixel_format} is not known")


def luma(buffer: Bytes, pixel_format: str, size: tuple[int, int], stride: int) -> Bytes:
    """The brightness of a small stream's picture, H x W, without a copy where the format has a plane for it."""
    if pixel_format in ("NV12", "YUV420"):
        return _rows(buffer.reshape(-1), 0, size[1], stride, size[0])
    return np.asarray(cv2.cvtColor(to_bgr(buffer, pixel_format, size, stride), cv2.COLOR_BGR2GRAY), np.uint8)


def _rows(flat: Bytes, begin: int, rows: int, stride: int, used: int) -> Bytes:
    """`rows` x `used` bytes out of a plane whose rows are `stride` bytes apart; its last row may be cut short."""
    if stride < used or len(flat) < begin + stride * (rows - 1) + used:
        raise ValueError(f"a buffer of {len(flat)} bytes is too short for {rows} rows of {used}, {stride} apart")
    return np.lib.stride_tricks.as_strided(flat[begin:], (rows, used), (stride, 1), writeable=False)


def _planar(flat: Bytes, pixel_format: str, width: int, height: int, stride: int) -> Bytes:
    """The planes packed as OpenCV wants them: (3/2 H) x W, no gaps."""
    if width % 2 or height % 2:
        raise ValueError(f"{pixel_format} pictures have even sides, not {width} x {height}")
    bright = _rows(flat, 0, height, stride, width)
    begin = stride * height
    if pixel_format == "NV12":
        return np.concatenate([bright, _rows(flat, begin, height // 2, stride, width)])
    half = stride // 2
    blue = _rows(flat, begin, height // 2, half, width // 2)
    red = _rows(flat, begin + half * (height // 2), height // 2, half, width // 2)
    colours = np.concatenate([blue.reshape(-1), red.reshape(-1)]).reshape(height // 2, width)
    return np.concatenate([bright, colours])
