"""Draws tables for tests: felt, prints, chip stacks with height, cards, hands and things that are no chips.

A plain pinhole camera straight above, drawn at three times the size and averaged down. Nothing here is the
renderer's: what vision is measured with must not share its idea of a chip.
"""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from table_state.layout import CameraPoints, Layout, Seat

Image = NDArray[np.uint8]
RGB = tuple[int, int, int]
FINE = 2  # drawn this many times larger


@dataclass(frozen=True)
class Camera:
    """Straight above (x, y) at height mm; px_per_mm on the felt; the picture's size."""

    x: float = 0.0
    y: float = 330.0
    height: float = 1150.0
    px_per_mm: float = 1.44
    size: tuple[int, int] = (1900, 1240)

    def pixels(self, mm: NDArray[np.float64], up: float = 0.0) -> NDArray[np.float64]:
        """Pixels of points (N, 2) of the felt, `up` mm over it."""
        scale = self.px_per_mm * self.height / (self.height - up)
        middle = (np.array(self.size) - 1) / 2
        return np.column_stack([(mm[:, 0] - self.x) * scale, (self.y - mm[:, 1]) * scale]) + middle

    def points(self) -> CameraPoints:
        """This camera as a layout has it."""
        mm = np.array([[-500, 0], [500, 0], [500, 700], [-500, 700], [0, 350.0]])
        pairs = zip(self.pixels(mm), mm, strict=True)
        rows = tuple((float(p[0]), float(p[1]), float(m[0]), float(m[1])) for p, m in pairs)
        f = self.px_per_mm * self.height
        return CameraPoints(self.size, rows, (f, f, (self.size[0] - 1) / 2, (self.size[1] - 1) / 2))


def table(camera: Camera, seats: int = 4, radius: float = 60.0, **changes: object) -> Layout:
    """A layout of up to four seats as a kitchen table has them, seen by `camera`."""
    places = [(-520, 345, -350, 295), (-205, 660, -160, 500), (205, 660, 160, 500), (520, 345, 350, 295)]
    rows = tuple(
        Seat(i + 1, "", (float(x), float(y), radius), (float(cx), float(cy)), (cx * 0.7, cy * 0.82))
        for i, (x, y, cx, cy) in enumerate(places[:seats])
    )
    fields: dict[str, object] = {
        "name": "drawn",
        "card": (63.5, 88.9),
        "chip": 39.0,
        "dealer": (0.0, 130.0),
        "shoe": (-500.0, 60.0),
        "discard": (500.0, 60.0),
        "chip_values": {},
        "seats": rows,
        "chip_colors": {},
        "camera": camera.points(),
    }
    return Layout(**(fields | changes))  # type: ignore[arg-type]


CHIPS: dict[str, tuple[RGB, RGB]] = {  # colour name -> rim, spots
    "white": ((232, 228, 218), (40, 70, 160)),
    "yellow": ((232, 190, 40), (240, 235, 225)),
    "orange": ((226, 112, 30), (240, 235, 225)),
    "red": ((178, 30, 36), (240, 235, 225)),
    "pink": ((232, 140, 170), (250, 245, 240)),
    "purple": ((95, 45, 130), (225, 215, 235)),
    "blue": ((30, 62, 160), (240, 235, 225)),
    "green": ((24, 120, 70), (240, 235, 225)),
    "black": ((28, 28, 30), (235, 230, 220)),
    "brown": ((98, 60, 36), (235, 225, 210)),
    "grey": ((128, 130, 132), (240, 240, 240)),
}


@dataclass
class Drawing:
    """A picture being drawn. `light` is the lamp's colour as gains on red, green, blue."""

    camera: Camera
    rng: np.random.Generator
    felt: RGB = (20, 100, 55)
    texture: float = 5.0
    light: tuple[float, float, float] = (1.0, 1.0, 1.0)
    shade: float = 0.45  # how dark a shadow is
    canvas: NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        width, height = self.camera.size
        grain = self.rng.normal(0, self.texture, (height, width, 1)).astype(np.float32)
        grain = cv2.GaussianBlur(grain, (0, 0), 0.9)[..., None] * 2
        small = np.clip(np.array(self.felt[::-1], np.float32) + grain, 0, 255)
        self.canvas = cv2.resize(small, (width * FINE, height * FINE), interpolation=cv2.INTER_LINEAR)

    def _px(self, mm: NDArray[np.float64], up: float = 0.0) -> NDArray[np.int32]:
        fine = (self.camera.pixels(mm, up) + 0.5) * FINE - 0.5
        return np.round(fine * 16).astype(np.int32)

    def fill(self, mm: NDArray[np.float64], color: RGB, up: float = 0.0, light: float = 1.0) -> None:
        """A filled polygon (N, 2) in mm."""
        bgr = tuple(min(255.0, c * light) for c in color[::-1])
        cv2.fillPoly(self.canvas, [self._px(mm, up)], bgr, cv2.LINE_AA, shift=4)

    def line(self, mm: NDArray[np.float64], color: RGB, width: float, closed: bool = False) -> None:
        """A printed line, `width` mm."""
        thick = max(1, round(width * self.camera.px_per_mm * FINE))
        bgr = tuple(float(c) for c in color[::-1])
        cv2.polylines(self.canvas, [self._px(mm)], closed, bgr, thick, cv2.LINE_AA, shift=4)

    def circle_print(self, x: float, y: float, radius: float, color: RGB = (190, 180, 110), width: float = 2.5) -> None:
        """A printed circle."""
        self.line(ring(x, y, radius), color, width, closed=True)

    def shadow(self, mm: NDArray[np.float64], soft: float) -> None:
        """Darkens what lies in a polygon, with an edge `soft` mm wide."""
        reach = soft * 2
        low = self._px(np.array([[mm[:, 0].min() - reach, mm[:, 1].max() + reach]]))[0] // 16
        high = self._px(np.array([[mm[:, 0].max() + reach, mm[:, 1].min() - reach]]))[0] // 16
        x0, y0 = np.maximum(low, 0)
        x1, y1 = high
        part = self.canvas[y0:y1, x0:x1]
        if part.size == 0:
            return
        mask = np.zeros(part.shape[:2], np.float32)
        cv2.fillPoly(mask, [self._px(mm) - np.array([x0, y0], np.int32) * 16], 1.0, cv2.LINE_AA, shift=4)
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.5, soft * self.camera.px_per_mm * FINE / 2))
        part *= (1 - self.shade * mask)[..., None]

    def stack(
        self,
        x: float,
        y: float,
        count: int,
        rim: RGB,
        spots: RGB,
        thick: float = 3.3,
        radius: float = 19.5,
        loose: float = 0.3,
        inlay: RGB | None = None,
        spot_count: int = 8,
        lit: tuple[float, float] = (0.3, 0.5),
    ) -> None:
        """A stack of chips from the felt up; `loose` mm of disorder; `lit` = the shadow's way per mm of height."""
        tall = count * thick
        steps = [ring(x + lit[0] * h, y + lit[1] * h, radius + 0.5) for h in np.linspace(0, tall, 4)]
        hull = cv2.convexHull(np.vstack(steps).astype(np.float32))[:, 0].astype(np.float64)
        self.shadow(hull, 1.5 + tall * 0.25)
        for level in range(count):
            dx, dy = self.rng.normal(0, loose, 2) if level else (0.0, 0.0)
            self._chip(x + dx, y + dy, level * thick, thick, rim, spots, radius, inlay, spot_count)

    def _chip(
        self,
        x: float,
        y: float,
        up: float,
        thick: float,
        rim: RGB,
        spots: RGB,
        radius: float,
        inlay: RGB | None,
        spot_count: int,
    ) -> None:
        turn = self.rng.uniform(0, 2 * math.pi)
        edge = ring(x, y, radius)
        for rise in np.linspace(0, thick, 12):  # the wall, slice by slice from below
            self.fill(edge, rim, up + rise, 0.62)
            for k in range(spot_count):
                at = turn + k * 2 * math.pi / spot_count
                self.fill(sector(x, y, radius * 0.9, radius, at, 0.17), spots, up + rise, 0.62)
        top = up + thick
        self.fill(edge, rim, top)
        for k in range(spot_count):
            self.fill(sector(x, y, radius * 0.68, radius, turn + k * 2 * math.pi / spot_count, 0.17), spots, top)
        if inlay is not None:
            self.fill(ring(x, y, radius * 0.55), inlay, top)
            self.fill(ring(x, y, radius * 0.2), spots, top)

    def card(self, x: float, y: float, deg: float, red: bool = False, back: RGB | None = None, marks: int = 5) -> None:
        """A card with some marks on it: enough to look like one to what does not read it."""
        self.fill(box(x, y, 63.5, 88.9, deg), (240, 238, 232))
        if back is not None:
            self.fill(box(x, y, 55, 80, deg), back)
            return
        ink = (190, 20, 30) if red else (20, 20, 22)
        pips = [((k % 2) * 24 - 12.0, (k // 2) * 22 - 22.0, 9, 11) for k in range(marks)]
        turn = math.radians(deg)
        for u, v, width, height in [*pips, (-26, 34, 6, 13), (26, -34, 6, 13)]:
            at = u * math.cos(turn) - v * math.sin(turn), u * math.sin(turn) + v * math.cos(turn)
            self.fill(box(x + at[0], y + at[1], width, height, deg), ink)

    def arm(self, x: float, y: float, source: str, skin: RGB = (205, 150, 120), sleeve: RGB = (225, 225, 220)) -> None:
        """A hand at (x, y) with its forearm to the dealer's or the players' edge."""
        way = -1.0 if source == "dealer" else 1.0
        self.shadow(box(x + 40, y + way * 200, 90, 520, 0), 25)
        self.fill(box(x, y + way * 700, 80, 1100, 0), sleeve, 60)
        self.fill(box(x, y + way * 110, 55, 180, 0), skin, 60)
        self.fill(ring(x, y, 45), skin, 60)
        for k in range(-2, 3):
            self.fill(box(x + k * 19, y - way * 55, 15, 80, k * 4 * way), skin, 60)

    def picture(self, noise: float = 2.5, blur: float = 0.6, gain: float = 1.0) -> Image:
        """What the camera gives."""
        seen = cv2.resize(self.canvas, self.camera.size, interpolation=cv2.INTER_AREA)
        seen = cv2.GaussianBlur(seen, (0, 0), blur) * np.array(self.light[::-1], np.float32) * gain
        seen = seen + self.rng.normal(0, noise, seen.shape).astype(np.float32)
        return np.clip(np.round(seen), 0, 255).astype(np.uint8)


def ring(x: float, y: float, radius: float, corners: int = 96) -> NDArray[np.float64]:
    """A circle as a polygon (N, 2)."""
    a = np.linspace(0, 2 * math.pi, corners, endpoint=False)
    return np.column_stack([x + radius * np.cos(a), y + radius * np.sin(a)])


def sector(x: float, y: float, inner: float, outer: float, middle: float, half: float) -> NDArray[np.float64]:
    """A piece of a ring as a polygon."""
    a = np.linspace(middle - half, middle + half, 8)
    rim = np.column_stack([np.cos(a), np.sin(a)])
    return np.vstack([rim * outer, rim[::-1] * inner]) + np.array([x, y])


def box(x: float, y: float, width: float, height: float, deg: float) -> NDArray[np.float64]:
    """A turned rectangle, clockwise from its own top left as the dealer sees it."""
    corner = np.array([[-width, height], [width, height], [width, -height], [-width, -height]]) / 2
    a = math.radians(deg)
    turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    return np.asarray(corner @ turn.T + np.array([x, y]), np.float64)
