"""Pictures from files: every odd kind becomes B, G, R the right way up, every broken one becomes one line."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hardware.errors import BadInputError
from hardware.pictures import load_picture


def picture(size: tuple[int, int] = (40, 30)) -> Image.Image:
    """A red picture with a blue top left corner."""
    image = Image.new("RGB", size, (200, 30, 20))
    image.paste((10, 20, 220), (0, 0, size[0] // 4, size[1] // 4))
    return image


def saved(folder: Path, name: str, image: Image.Image, **options: object) -> str:
    image.save(folder / name, **options)
    return str(folder / name)


def colour(image: np.ndarray, x: float, y: float) -> str:
    """The nearest of red, blue, grey at a place given as a part of the width and height."""
    b, g, r = (int(v) for v in image[int(y * (image.shape[0] - 1)), int(x * (image.shape[1] - 1))])
    if max(b, g, r) - min(b, g, r) < 30:
        return "grey"
    return "red" if r > b else "blue"


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "bmp", "tif", "gif"])
def test_usual_kinds(tmp_path: Path, suffix: str) -> None:
    read = load_picture(saved(tmp_path, f"a.{suffix}", picture()))
    assert (read.width, read.height) == (40, 30)
    assert read.image.shape == (30, 40, 3)
    assert read.image.dtype == np.uint8
    assert colour(read.image, 0.05, 0.05) == "blue"
    assert colour(read.image, 0.9, 0.9) == "red"


@pytest.mark.parametrize(
    ("orientation", "corner"),
    [(1, (0, 0)), (2, (1, 0)), (3, (1, 1)), (4, (0, 1)), (5, (0, 0)), (6, (1, 0)), (7, (1, 1)), (8, (0, 1))],
)
def test_exif_orientation_is_followed(tmp_path: Path, orientation: int, corner: tuple[int, int]) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    read = load_picture(saved(tmp_path, "a.jpg", picture(), exif=exif))
    turned = orientation >= 5
    assert (read.width, read.height) == ((30, 40) if turned else (40, 30))
    assert read.image.shape[:2] == (read.height, read.width)
    assert colour(read.image, 0.05 + 0.9 * corner[0], 0.05 + 0.9 * corner[1]) == "blue"


def test_orientation_holds_when_a_large_picture_is_shrunk(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    for name in ("a.jpg", "a.png", "a.webp"):
        read = load_picture(saved(tmp_path, name, picture((400, 300)), exif=exif), most_pixels=10_000)
        assert (read.width, read.height) == (300, 400)
        assert read.image.shape[0] * read.image.shape[1] <= 10_000
        assert read.scale == pytest.approx((read.width / read.image.shape[1], read.height / read.image.shape[0]))
        assert colour(read.image, 0.95, 0.05) == "blue"


@pytest.mark.parametrize("mode", ["L", "1", "P", "LA", "RGBA", "I;16", "CMYK", "transparent"])
def test_every_mode_can_be_shrunk(tmp_path: Path, mode: str) -> None:
    options = {}
    if mode == "I;16":
        image = Image.fromarray((np.asarray(picture((400, 300)).convert("L")).astype(np.uint16)) * 257)
    elif mode == "transparent":
        image, options = picture((400, 300)).convert("P"), {"transparency": 255}
    else:
        image = picture((400, 300)).convert(mode)
    read = load_picture(saved(tmp_path, "a.jpg" if mode == "CMYK" else "a.png", image, **options), most_pixels=10_000)
    assert read.image.shape == (75, 100, 3)
    assert (read.width, read.height) == (400, 300)
    if mode in ("P", "RGBA", "CMYK", "transparent"):
        assert colour(read.image, 0.05, 0.05) == "blue"
        assert colour(read.image, 0.9, 0.9) == "red"


@pytest.mark.parametrize("mode", ["L", "1", "P", "CMYK", "LA", "RGBA", "I;16"])
def test_every_mode_has_three_bytes_a_pixel(tmp_path: Path, mode: str) -> None:
    if mode == "I;16":
        image = Image.fromarray((np.asarray(picture().convert("L")).astype(np.uint16)) * 257)
    else:
        image = picture().convert(mode)
    name = saved(tmp_path, "a.jpg" if mode == "CMYK" else "a.png", image)
    read = load_picture(name)
    assert read.image.shape == (30, 40, 3)
    if mode in ("CMYK", "RGBA", "P"):
        assert colour(read.image, 0.05, 0.05) == "blue"
        assert colour(read.image, 0.9, 0.9) == "red"
    if mode in ("L", "I;16", "LA"):
        grey = picture().convert("L").getpixel((35, 25))
        assert abs(int(read.image[25, 35, 0]) - grey) <= 1


def test_sixteen_bits_of_colour(tmp_path: Path) -> None:
    import cv2

    deep = (np.asarray(picture())[:, :, ::-1].astype(np.uint16)) * 257
    cv2.imwrite(str(tmp_path / "a.png"), deep)
    read = load_picture(str(tmp_path / "a.png"))
    assert colour(read.image, 0.05, 0.05) == "blue"
    assert colour(read.image, 0.9, 0.9) == "red"


def test_what_is_transparent_is_neither_card_nor_table(tmp_path: Path) -> None:
    image = Image.new("RGBA", (20, 20), (255, 0, 0, 0))
    assert load_picture(saved(tmp_path, "a.png", image)).image[0, 0].tolist() == [128, 128, 128]


def test_a_hundred_megapixels_are_shrunk_as_they_are_decoded(tmp_path: Path) -> None:
    name = saved(tmp_path, "large.jpg", Image.new("RGB", (12_000, 8_400), (200, 30, 20)), quality=30)
    read = load_picture(name, most_pixels=26_000_000)
    assert (read.width, read.height) == (12_000, 8_400)
    assert read.image.shape[0] * read.image.shape[1] <= 26_000_000
    assert read.scale == (2.0, 2.0)


def test_too_many_pixels_are_refused_before_they_are_decoded(tmp_path: Path) -> None:
    name = saved(tmp_path, "huge.png", Image.new("1", (30_000, 20_000)))
    with pytest.raises(BadInputError, match="30000 x 20000 pixels are too many; shrink"):
        load_picture(name)


BROKEN: dict[str, tuple[bytes, str]] = {
    "empty.jpg": (b"", "is empty"),
    "text.jpg": (b"this is no picture at all, only words", "no picture of a kind that can be read"),
    "phone.heic": (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(64), "HEIC.*convert it to JPEG"),
    "head.jpg": (b"\xff\xd8\xff\xe0\0\x10JFIF", "broken|no picture"),
    "head.png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "broken|no picture"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_one_line(tmp_path: Path, name: str) -> None:
    data, expected = BROKEN[name]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadInputError) as caught:
        load_picture(str(tmp_path / name))
    line = str(caught.value)
    assert line.startswith(str(tmp_path / name))
    assert "\n" not in line
    assert re.search(expected, line)
    assert ";" in line  # what to do


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "tif", "gif", "bmp"])
def test_a_picture_cut_anywhere_is_one_line_or_a_picture(tmp_path: Path, suffix: str) -> None:
    stream = io.BytesIO()
    picture((200, 150)).save(stream, {"jpg": "JPEG", "tif": "TIFF"}.get(suffix, suffix.upper()))
    whole = stream.getvalue()
    lines: list[str] = []
    for part in range(1, 20):
        name = tmp_path / f"{part}.{suffix}"
        name.write_bytes(whole[: len(whole) * part // 20])
        try:
            load_picture(str(name))
        except BadInputError as error:
            lines.append(str(error))
    assert not [line for line in lines if "\n" in line]


def test_a_picture_that_is_not_there_or_is_a_folder(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no such picture"):
        load_picture(str(tmp_path / "no.jpg"))
    with pytest.raises(BadInputError, match="is a folder"):
        load_picture(str(tmp_path))
