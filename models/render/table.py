"""Renders a whole table as a camera above it sees it, for the simulated table; incremental, a few ms a card."""

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.deck import Deck
from models.render.lay import Lying, apply, lay
from models.render.own_deck import own_deck
from models.render.scene import PlacedCard, PlacedChips, Scene
from models.render.style import Style, random_style
from models.render.things import CHIP_COLORS, draw_hand, draw_stack, felt
from table_state.layout import CameraPoints, Layout

Image = NDArray[np.uint8]

CAMERA_HEIGHT = 1150.0  # mm above the felt
CHIP_THICK = 3.3  # mm
MARGIN = 70.0  # mm of table around what the layout names


def extent(layout: Layout) -> tuple[float, float, float, float]:
    """The felt that a layout needs: x0, y0, x1, y1 in mm."""
    xs = [s.circle[0] for s in layout.seats] + [layout.shoe[0], layout.discard[0]]
    ys = [s.circle[1] for s in layout.seats]
    reach = max(abs(x) for x in xs) + 60 + MARGIN
    return -reach, -40.0, reach, max(ys) + 60 + MARGIN


class TableRenderer:
    """A table with a deck of our own and a camera above it, all from one seed.

    `layout` is the given one with `[camera]` filled in. Raises nothing; a code that no deck holds is a KeyError.
    """

    def __init__(self, layout: Layout, seed: int, size: tuple[int, int] = (2304, 1296)) -> None:
        self._rng = np.random.default_rng([seed, 77])
        self._seed, self._size = seed, size
        self._view = self._look(layout)
        self.layout = replace(layout, camera=self._camera(layout))
        self._deck = own_deck(seed, 200, style=self._deck_style())
        self._card = layout.card
        self._base = self._table(layout)
        self._noise = [self._grain() for _ in range(3)]
        self._frame = 0
        self._drawn = Scene()
        self._layer: Image = self._base.copy()

    @property
    def deck(self) -> Deck:
        """The deck that this table plays with."""
        return self._deck

    def frame(self, scene: Scene) -> Image:
        """The camera's picture of a scene: BGR uint8, a new array each time."""
        out: Image = np.array(self._settle(scene), np.uint8)
        for hand in scene.hands:
            at, radius = self._pixel(hand.x, hand.y), hand.r * self._scale(hand.x, hand.y)
            rng = np.random.default_rng([self._seed, 3 if hand.source == "dealer" else 4])
            draw_hand(out, None, at, radius, -hand.deg, rng)
        self._frame += 1
        more, less = self._noise[self._frame % len(self._noise)]
        return np.asarray(cv2.subtract(cv2.add(out, more), less), np.uint8)

    def _grain(self) -> tuple[Image, Image]:
        """Sensor noise as what to add and what to take away: 8 bit sums are fast."""
        grain = np.round(self._rng.standard_normal((self._size[1], self._size[0], 1), np.float32) * np.float32(1.8))
        full = np.repeat(grain, 3, axis=2)
        return np.clip(full, 0, 255).astype(np.uint8), np.clip(-full, 0, 255).astype(np.uint8)

    def _settle(self, scene: Scene) -> Image:
        """The picture without hands; what lies as before is not drawn again."""
        same = 0
        while same < min(len(scene.cards), len(self._drawn.cards)) and scene.cards[same] == self._drawn.cards[same]:
            same += 1
        if scene.chips != self._drawn.chips or same < len(self._drawn.cards):
            self._layer = self._base.copy()
            for stack in scene.chips:
                self._draw_chips(self._layer, stack)
            same = 0
        owner = np.zeros(self._layer.shape[:2], np.uint8)
        for number, card in enumerate(scene.cards[same:], same):
            lay(self._layer, owner, 1, self._lying(card), np.random.default_rng([self._seed, number]))
        self._drawn = Scene(scene.cards, scene.chips)
        return self._layer

    def _deck_style(self) -> Style:
        """Any deck of ours, of the cards' size that the layout has."""
        style = random_style(self._rng)
        return replace(style, size=(63.5, 88.9), language="english")

    def _look(self, layout: Layout) -> NDArray[np.float64]:
        """Felt mm -> pixels: a camera nearly straight above, its picture just holding the table."""
        x0, y0, x1, y1 = extent(layout)
        w, h = self._size
        scale = min(w / (x1 - x0), h / (y1 - y0)) * 0.97
        lean = self._rng.normal(0, 0.000028, 2)
        turn = math.radians(float(self._rng.normal(0, 0.8)))
        flip = np.array([[scale, 0, -scale * (x0 + x1) / 2], [0, -scale, scale * (y0 + y1) / 2], [0, 0, 1]])
        spin = np.array(
            [[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [lean[0], lean[1], 1]]
        )
        return np.asarray(np.array([[1, 0, w / 2], [0, 1, h / 2], [0, 0, 1.0]]) @ spin @ flip)

    def _camera(self, layout: Layout) -> CameraPoints:
        x0, y0, x1, y1 = extent(layout)
        marks = np.array(
            [
                [x0 + 50, y0 + 50],
                [x1 - 50, y0 + 50],
                [x0 + 50, y1 - 50],
                [x1 - 50, y1 - 50],
                [0, 0],
                [0, (y0 + y1) / 2],
            ],
            float,
        )
        pixels = apply(self._view, marks)
        points = tuple(
            (round(float(px), 2), round(float(py), 2), float(x), float(y))
            for (px, py), (x, y) in zip(pixels, marks, strict=True)
        )
        return CameraPoints(size=self._size, points=points, matrix=None, distortion=None)

    def _pixel(self, x: float, y: float) -> tuple[float, float]:
        px, py = apply(self._view, np.array([[x, y]], float))[0]
        return float(px), float(py)

    def _scale(self, x: float, y: float) -> float:
        a, b = apply(self._view, np.array([[x - 5, y], [x + 5, y]], float))
        return float(np.hypot(*(a - b))) / 10

    def _lying(self, card: PlacedCard) -> Lying:
        w, h = self._card
        a = math.radians(card.deg)
        # Face fractions (x right, y down) to felt mm: at 0 degrees the card's top points away from the dealer.
        place = np.array([[math.cos(a), -math.sin(a), card.x], [math.sin(a), math.cos(a), card.y], [0, 0, 1]])
        unit = np.array([[w, 0, -w / 2], [0, -h, h / 2], [0, 0, 1.0]])
        m = self._view @ place @ unit
        return Lying(card.code, self._deck, apply(m, np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)), m)

    def _draw_chips(self, image: Image, stack: PlacedChips) -> None:
        base = np.array(self._pixel(stack.x, stack.y))
        middle = np.array(self._pixel(0.0, 380.0))
        # A point CHIP_THICK above the felt appears farther from the point below the camera.
        lean = (base - middle) * (CHIP_THICK / (CAMERA_HEIGHT - CHIP_THICK))
        rng = np.random.default_rng([self._seed, 11, sorted(CHIP_COLORS).index(stack.color)])
        color = CHIP_COLORS[stack.color]
        draw_stack(
            image,
            (float(base[0]), float(base[1])),
            19.5 * self._scale(stack.x, stack.y),
            (float(lean[0]), float(lean[1])),
            stack.count,
            color,
            rng,
        )

    def _table(self, layout: Layout) -> Image:
        """The empty table: floor, rim, felt, prints, light falling off to the sides."""
        w, h = self._size
        rng = self._rng
        cloth: tuple[int, int, int] = [(62, 112, 22), (120, 62, 28), (45, 42, 140), (86, 92, 96), (50, 80, 40)][
            int(rng.integers(5))
        ]
        floor = felt(h, w, (70, 92, 112), rng)
        x0, y0, x1, y1 = extent(layout)
        for grow, color in ((45.0, (50, 85, 130)), (0.0, None)):
            corners = apply(
                self._view,
                np.array(
                    [[x0 - grow, y0 - grow], [x1 + grow, y0 - grow], [x1 + grow, y1 + grow], [x0 - grow, y1 + grow]]
                ),
            )
            mask = np.zeros((h, w), np.uint8)
            cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 255)
            surface = felt(h, w, color or cloth, rng)
            floor[mask > 0] = surface[mask > 0]
        self._print(floor, layout)
        light = cv2.resize(rng.uniform(0.86, 1.06, (3, 4)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
        return np.asarray(np.clip(floor * light[:, :, None], 0, 255), np.uint8)

    def _print(self, image: Image, layout: Layout) -> None:
        ink = (150, 205, 215)
        for seat in layout.seats:
            x, y, r = seat.circle
            ring = np.array([[x + r * math.cos(t), y + r * math.sin(t)] for t in np.linspace(0, 2 * math.pi, 80)])
            cv2.polylines(image, [np.round(apply(self._view, ring)).astype(np.int32)], True, ink, 3, cv2.LINE_AA)
        spots = np.array([s.insurance for s in layout.seats if s.insurance], float)
        if len(spots) > 1:
            cv2.polylines(image, [np.round(apply(self._view, spots)).astype(np.int32)], False, ink, 2, cv2.LINE_AA)
        for place, color in ((layout.shoe, (40, 36, 34)), (layout.discard, (35, 45, 70))):
            box = np.array([[place[0] + dx, place[1] + dy] for dx, dy in ((-50, -75), (50, -75), (50, 75), (-50, 75))])
            cv2.fillConvexPoly(image, np.round(apply(self._view, box)).astype(np.int32), color, cv2.LINE_AA)
