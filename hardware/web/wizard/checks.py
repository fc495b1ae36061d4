"""What a picture is like: light, glare, focus, pixels a card; each in plain words with what to change."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.web.wizard.words import word
from table_state.layout import Layout
from vision.camera_view import CameraView, Floats

Image = NDArray[np.uint8]
DARK, BRIGHT = 55.0, 215.0  # brightness of the felt, of 255, beyond which there is too little or too much light
BURNT = 251  # of 255: what every channel has where glare has burnt the picture out
GLARE = 0.004  # of the felt that may be burnt out
SOFT, BLURRED = 1.45, 2.1  # pixels of an edge's blur: still usable, not usable
OWN_BLUR = 0.8  # pixels by which noise is smoothed away before edges are judged
AROUND = 15  # pixels of the square in which an edge's height is seen
GOOD_CARD, LEAST_CARD = 78.0, 60.0  # pixels across a card: good, least
SIZES = ((1280, 720), (1920, 1080), (2304, 1296), (2592, 1944), (3840, 2160), (4056, 3040), (4608, 2592))
SAME_SHAPE = 0.02
ROOM = 1.02  # by how much the picture must be larger than the table


@dataclass(frozen=True, slots=True)
class Check:
    """`state`: good, fair or bad."""

    name: str
    state: str
    text: str


def light_checks(image: Image, felt: Floats | None) -> tuple[Check, ...]:
    """Light and glare. `felt`: the felt's outline in pixels (N, 2); None = the middle of the picture."""
    scale = min(1.0, 960 / image.shape[1])
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    mask = _mask(small.shape, None if felt is None else felt * scale)
    return _light(small, mask), _glare(small, mask)


def _mask(shape: tuple[int, ...], felt: Floats | None) -> NDArray[np.bool_]:
    mask = np.zeros(shape[:2], np.uint8)
    if felt is None:
        mask[shape[0] // 5 : -(shape[0] // 5), shape[1] // 5 : -(shape[1] // 5)] = 1
    else:
        cv2.fillPoly(mask, [np.round(felt).astype(np.int32)], 1)
    return np.asarray(mask > 0) if mask.any() else np.ones(shape[:2], np.bool_)


def _light(small: Image, mask: NDArray[np.bool_]) -> Check:
    blue, green, red = cv2.split(small)
    level = float(np.median(cv2.max(cv2.max(blue, green), red)[mask]))
    state = "bad" if level < DARK * 0.7 or level > BRIGHT + 20 else "fair" if level < DARK or level > BRIGHT else "good"
    key = "good" if state == "good" else "dark" if level < DARK else "bright"
    return Check("light", state, word(f"check.light-{key}", level=round(level)))


def _glare(small: Image, mask: NDArray[np.bool_]) -> Check:
    """Where every channel is at its end: a card's paper in good light is not."""
    blue, green, red = cv2.split(small)
    burnt = (cv2.min(cv2.min(blue, green), red) >= BURNT) & mask
    part = float(burnt.sum() / mask.sum())
    if part <= GLARE:
        return Check("glare", "good", word("check.glare-good"))
    rows, columns = np.nonzero(burnt)
    where = _where(float(columns.mean()) / small.shape[1], float(rows.mean()) / small.shape[0])
    percent = f"{100 * part:.1f}"
    return Check("glare", "bad" if part > 5 * GLARE else "fair", word("check.glare", percent=percent, where=where))


def _where(u: float, v: float) -> str:
    """A part of the picture in words."""
    row = "top" if v < 1 / 3 else "bottom" if v > 2 / 3 else "middle"
    column = "left" if u < 1 / 3 else "right" if u > 2 / 3 else "centre"
    return word(f"where.{row}-{column}")


def focus_check(image: Image) -> Check:
    """Whether the picture is sharp."""
    blur = edge_blur(image)
    if blur is None:
        return Check("focus", "fair", word("check.focus-unknown"))
    state = "good" if blur < SOFT else "fair" if blur < BLURRED else "bad"
    return Check("focus", state, word(f"check.focus-{state}", blur=f"{blur:.1f}"))


def edge_blur(image: Image) -> float | None:
    """How blurred the sharpest edges are: the sigma of their blur in pixels; None where nothing has an edge.

    A step of a height blurred by a Gaussian is steepest in its middle: height / (sigma * sqrt(2 pi)).
    """
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), OWN_BLUR)
    slope = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8))
    around = np.ones((AROUND, AROUND))
    height = cv2.dilate(grey, around) - cv2.erode(grey, around)
    tops = (slope >= cv2.dilate(slope, np.ones((3, 3)))) & (slope > 3.0) & (height > 30.0)
    if tops.sum() < 50:
        return None
    sigma = float(np.percentile(height[tops] / (math.sqrt(2 * math.pi) * slope[tops]), 15))
    return math.sqrt(max(0.0, sigma**2 - OWN_BLUR**2))


def card_check(layout: Layout, view: CameraView, focus: float | None, table: Floats) -> Check:
    """Pixels across a card where it is smallest. `focus`: principal distance, pixels; `table`: the felt's outline."""
    places = [layout.dealer, *(seat.cards for seat in layout.seats)]
    smallest = min(view.px_per_mm(x, y) for x, y in places)
    pixels = smallest * min(layout.card)
    if pixels >= GOOD_CARD:
        return Check("card", "good", word("check.card-good", pixels=round(pixels)))
    state = "fair" if pixels >= LEAST_CARD else "bad"
    advice = _advice(pixels, view, focus / smallest if focus else None, table)
    return Check("card", state, word("check.card", pixels=round(pixels), advice=advice))


def _advice(pixels: float, view: CameraView, height: float | None, table: Floats) -> str:
    """Lower the camera where the table still fits then, or another size of picture."""
    wanted = GOOD_CARD / pixels
    ways = []
    width, tall = np.ptp(table[:, 0]), np.ptp(table[:, 1])
    if height is not None and width * wanted * ROOM < view.size[0] and tall * wanted * ROOM < view.size[1]:
        ways.append(word("advice.lower", cm=max(1, math.ceil(height * (1 - 1 / wanted) / 10))))
    shape = view.size[0] / view.size[1]
    larger = [s for s in SIZES if s[0] >= view.size[0] * wanted and abs(s[0] / s[1] / shape - 1) < SAME_SHAPE]
    if larger:
        ways.append(word("advice.size", width=larger[0][0], height=larger[0][1]))
    return word("advice.or").join(ways) if ways else word("advice.none")


def fits_check(layout: Layout, view: CameraView) -> Check:
    """Whether every place can be seen."""
    lost = [word("place.dealer")] if not _inside(view, *layout.dealer, 70.0) else []
    lost += [
        word("seat.label", number=seat.number)
        for seat in layout.seats
        if not (_inside(view, *seat.circle) and _inside(view, *seat.cards, 70.0))
    ]
    if lost:
        return Check("fits", "bad", word("check.fits-not", places=", ".join(lost)))
    return Check("fits", "good", word("check.fits"))


def _inside(view: CameraView, x: float, y: float, r: float) -> bool:
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    pixels = view.to_pixels(np.column_stack([x + r * np.cos(turn), y + r * np.sin(turn)]))
    return bool((pixels >= 0).all() and (pixels[:, 0] < view.size[0]).all() and (pixels[:, 1] < view.size[1]).all())
