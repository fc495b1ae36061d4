"""Pictures from files: whatever a phone, a scanner or an editor makes of one, as B, G, R bytes the right way up."""

import struct
import sys
import zlib
from dataclasses import dataclass
from io import BytesIO
from math import ceil, sqrt
from pathlib import Path
from typing import BinaryIO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from hardware.errors import BadInputError, reason

MOST_PIXELS = 250_000_000  # what is refused beyond: three bytes a pixel are 750 MB
BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    IndexError,
    EOFError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
)
HEIF_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}
BEHIND = (128, 128, 128)  # what shows through a transparent picture: neither card nor table


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture the right way up. `image`: H x W x 3 uint8, BGR; the file's own width and height, pixels."""

    image: NDArray[np.uint8]
    width: int
    height: int

    @property
    def scale(self) -> tuple[float, float]:
        """Pixels of the file per pixel of `image`, along x and y."""
        return self.width / self.image.shape[1], self.height / self.image.shape[0]


def load_picture(name: str, most_pixels: int = MOST_PIXELS) -> Picture:
    """The picture in file `name` (`-`: standard input), shrunk by a whole factor to `most_pixels` or fewer.

    Raises BadInputError: one line that says what is wrong with the file and what to do.
    """
    shown = "standard input" if name == "-" else name
    try:
        with BytesIO(sys.stdin.buffer.read()) if name == "-" else Path(name).open("rb") as file:
            return _decode(file, shown, most_pixels)
    except FileNotFoundError:
        raise BadInputError(f"{shown}: no such picture; check the path") from None
    except IsADirectoryError:
        raise BadInputError(f"{shown}: is a folder; name the pictures in it") from None
    except PermissionError:
        raise BadInputError(f"{shown}: may not be read by this user; change its permissions") from None
    except MemoryError:
        raise BadInputError(f"{shown}: needs more memory than there is; shrink the picture") from None
    except BROKEN as error:
        raise BadInputError(f"{shown}: {_what(error)}; save or copy the picture again") from None


def picture_of(data: bytes, shown: str, most_pixels: int = MOST_PIXELS) -> Picture:
    """The picture that a file's bytes are; `shown` names it in errors. As load_picture otherwise."""
    try:
        return _decode(BytesIO(data), shown, most_pixels)
    except MemoryError:
        raise BadInputError(f"{shown}: needs more memory than there is; shrink the picture") from None
    except BROKEN as error:
        raise BadInputError(f"{shown}: {_what(error)}; save or copy the picture again") from None


def _what(error: Exception) -> str:
    if isinstance(error, UnidentifiedImageError):
        return "is no picture of a kind that can be read (JPEG, PNG, WebP, TIFF, BMP, GIF, AVIF)"
    text = reason(error) if isinstance(error, OSError) else str(error)
    return f"is broken ({' '.join(text.split()) or type(error).__name__})"


def _decode(file: BinaryIO, shown: str, most_pixels: int) -> Picture:
    head = file.read(12)
    file.seek(0)
    if not head:
        raise BadInputError(f"{shown}: is empty; copy the picture again")
    if head[4:8] == b"ftyp" and head[8:12] in HEIF_BRANDS:
        raise BadInputError(
            f"{shown}: HEIC pictures cannot be read; convert it to JPEG, or set the phone to JPEG "
            "(iPhone: Settings, Camera, Formats, Most Compatible)"
        )
    Image.MAX_IMAGE_PIXELS = None  # this module has its own limit
    with Image.open(file) as image:
        width, height = image.size
        if width * height > MOST_PIXELS:
            raise BadInputError(f"{shown}: {width} x {height} pixels are too many; shrink the picture")
        factor = ceil(sqrt(width * height / most_pixels) - 1e-9) if width * height > most_pixels else 1
        orientation = image.getexif().get(0x0112, 1)
        upright = ImageOps.exif_transpose(_three_bytes(_shrunk(image, factor)))
        if orientation in (5, 6, 7, 8):
            width, height = height, width
        pixels = np.asarray(upright)
    return Picture(np.ascontiguousarray(pixels[:, :, ::-1]), width, height)


def _shrunk(image: Image.Image, factor: int) -> Image.Image:
    """A JPEG is shrunk while it is decoded, so that the whole never lies in memory; others afterwards."""
    if factor == 1:
        return image
    wanted = ceil(image.width / factor), ceil(image.height / factor)
    exif = image.getexif()
    image.draft("RGB", wanted)
    left = round(image.width / wanted[0])
    small = _reduced(image, left) if left > 1 else image
    small.getexif().update(exif)
    return small


def _reduced(image: Image.Image, factor: int) -> Image.Image:
    """Averages over squares; colours that are numbers in a palette, and 16 bits, need another way than the usual."""
    if image.mode.startswith("I;16"):
        size = (ceil(image.width / factor), ceil(image.height / factor))
        return Image.fromarray(cv2.resize(np.asarray(image), size, interpolation=cv2.INTER_AREA))
    if image.mode in ("P", "PA", "1"):
        image = image.convert("L" if image.mode == "1" else "RGBA" if "transparency" in image.info else "RGB")
    return image.reduce(factor)


def _three_bytes(image: Image.Image) -> Image.Image:
    """The same picture in R, G, B, eight bits each."""
    if image.mode.startswith("I;16") or image.mode in ("I", "F"):
        return _deep_grey(image)
    if image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info:
        clear = image.convert("RGBA")
        whole = Image.new("RGB", clear.size, BEHIND)
        whole.paste(clear, mask=clear.getchannel("A"))
        whole.getexif().update(image.getexif())
        return whole
    return image if image.mode == "RGB" else image.convert("RGB")


def _deep_grey(image: Image.Image) -> Image.Image:
    values = np.asarray(image)
    top = float(values.max(initial=0))
    if values.dtype != np.uint16 and not 255 < top <= 65535:
        values = values.astype(np.float32) * (255.0 / top if top > 255 or (image.mode == "F" and top > 0) else 1.0)
    else:
        values = values / 257.0 if image.mode == "F" else values // 256
    grey = Image.fromarray(np.clip(values, 0, 255).astype(np.uint8)).convert("RGB")
    grey.getexif().update(image.getexif())
    return grey
