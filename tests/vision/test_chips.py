"""Chips and what is not one, on drawn tables and on rendered ones."""

import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_state.layout import Layout, parse_layout
from tests.vision import drawn
from tests.vision.drawn import CHIPS, Camera, Drawing
from vision.camera_view import CameraView
from vision.chips import ChipFinder, ChipSighting, Spot, same_stack, spots_of
from vision.color import NEUTRAL_WHITE, oklab, white_of
from vision.felt_map import FeltMap, Patch, Rect

RENDERS = Path(__file__).parents[3] / "shared" / "renders"
CAMERA = Camera(0.0, 0.0, 1150.0, 1.44, (420, 420))
SPOT = Spot(0.0, 0.0, 80.0)


def table(seed: int, felt: drawn.RGB = (20, 100, 55)) -> Drawing:
    """One betting circle, seen from straight above a place 300 mm to the left."""
    d = Drawing(CAMERA, np.random.default_rng(seed), felt=felt)
    d.circle_print(0, 0, 60)
    d.circle_print(0, 0, 54, width=1.5)
    return d


def patch(d: Drawing) -> Patch:
    """The circle's part of the felt."""
    return Patch(d.picture(), -CAMERA.size[0] / 2 / 1.44, CAMERA.size[1] / 2 / 1.44, 1.44)


def find(d: Drawing, empty: Patch | None = None, names: tuple[str, ...] = ()) -> list[ChipSighting]:
    """What the finder makes of it."""
    layout = drawn.table(CAMERA, chip_values=dict.fromkeys(names, 1))
    return ChipFinder(layout).find(patch(d), SPOT, NEUTRAL_WHITE, None if empty is None else empty.image)


@pytest.mark.parametrize("color", ["white", "yellow", "orange", "red", "pink", "purple", "blue", "black"])
def test_a_stack_and_its_colour(color: str) -> None:
    for seed, count in enumerate((1, 3, 5)):
        d = table(seed)
        d.stack(6, -4, count, *CHIPS[color], inlay=(226, 220, 210), spot_count=6)
        found = find(d)
        assert [c.color for c in found] == [color]
        assert math.hypot(found[0].x - 6, found[0].y + 4) < 3
        assert found[0].count in (None, count)


@pytest.mark.parametrize("color", ["green", "brown", "grey", "red"])
def test_on_another_felt(color: str) -> None:
    d = table(4, felt=(30, 60, 140))
    d.stack(-8, 10, 2, *CHIPS[color])
    assert [c.color for c in find(d)] == [color]


def test_a_payout_beside_the_bet() -> None:
    d = table(1)
    d.stack(-10, 0, 2, *CHIPS["red"])
    d.stack(32, 3, 3, *CHIPS["white"])
    assert [c.color for c in find(d)] == ["red", "white"]


def test_prints_alone_are_no_chips() -> None:
    d = table(2)
    d.circle_print(0, 0, 19.5, width=2)
    d.circle_print(40, 20, 18, (230, 230, 220), 3)
    for k in range(9):
        d.fill(drawn.box(-60 + 15 * k, -45, 3, 20, 20 * k), (190, 180, 110))
    assert find(d) == []


@pytest.mark.parametrize("thing", ["coin", "ring", "mug", "phone", "card", "bottle cap"])
def test_other_things_are_no_bets(thing: str) -> None:
    d = table(3)
    if thing == "coin":
        d.fill(drawn.ring(0, 0, 13), (180, 170, 120))
        d.fill(drawn.ring(0, 0, 9), (200, 195, 190))
    elif thing == "ring":
        d.line(drawn.ring(0, 0, 10), (220, 190, 80), 2.5, closed=True)
    elif thing == "mug":
        for radius, color in ((40, (225, 225, 225)), (36, (170, 170, 170)), (34, (70, 40, 25))):
            d.fill(drawn.ring(0, 0, radius), color)
    elif thing == "phone":
        d.fill(drawn.box(0, 0, 74, 150, 15), (22, 22, 25))
        d.fill(drawn.box(0, 0, 68, 140, 15), (40, 46, 60))
    elif thing == "card":
        d.card(0, 0, 30, red=True)
    else:
        d.fill(drawn.ring(0, 0, 14.5), (190, 30, 30))
    assert find(d) == []


def test_a_chip_of_the_felts_own_colour_is_seen_against_the_empty_felt() -> None:
    empty = patch(table(5, (24, 118, 70)))
    d = table(5, (24, 118, 70))
    d.stack(0, 5, 2, (20, 102, 60), (240, 235, 225), spot_count=6)
    assert [c.color for c in find(d, empty)] == ["green"]


@pytest.mark.parametrize(("shade", "soft"), [(0.4, 3), (0.25, 1), (0.45, 1.5)])
def test_an_empty_circle_stays_empty_in_a_shadow(shade: float, soft: float) -> None:
    empty = patch(table(6))
    d = table(6)
    d.shade = shade
    d.shadow(drawn.ring(10, 10, 20), soft)
    assert find(d, empty) == []


def test_other_things_are_no_bets_where_the_empty_felt_is_known() -> None:
    empty = patch(table(3))
    glass, phone, coin, beside = (table(3) for _ in range(4))
    glass.shadow(drawn.ring(6, 4, 36), 4)
    for radius, color in ((33, (190, 215, 205)), (31, (60, 120, 85)), (22, (150, 190, 170)), (20, (50, 110, 75))):
        glass.fill(drawn.ring(0, 0, radius), color)
    phone.fill(drawn.box(0, 0, 74, 150, 15), (22, 22, 25))
    coin.fill(drawn.ring(0, 0, 13), (180, 170, 120))
    beside.stack(112, 0, 3, *CHIPS["red"])
    assert [find(d, empty) for d in (glass, phone, coin, beside)] == [[], [], [], []]


def test_taught_colours_overrule_names() -> None:
    taught = {"brown": ((178, 60, 40), (235, 225, 215)), "grey": ((60, 90, 170), (235, 225, 215))}
    layout = drawn.table(CAMERA, chip_colors=taught)
    d = table(7)
    d.stack(0, 0, 2, (180, 58, 44), (240, 235, 225))
    assert [c.color for c in ChipFinder(layout).find(patch(d), SPOT, NEUTRAL_WHITE)] == ["brown"]


def test_a_chip_more_on_a_stack_is_told() -> None:
    one, again, more = (table(8) for _ in range(3))
    for d in (one, again):
        d.rng = np.random.default_rng(3)
        d.stack(0, 0, 2, *CHIPS["red"])
    more.rng = np.random.default_rng(4)
    more.stack(0, 0, 3, *CHIPS["red"])
    before, same, after = (find(d)[0] for d in (one, again, more))
    assert same_stack(before, same)
    assert not same_stack(before, after)


def test_white_under_a_warm_lamp() -> None:
    felt = np.tile(np.array([40.0, 95, 30]), (3000, 1))
    paper = np.tile(np.array([150.0, 200, 225]), (40, 1))
    blue, green, red = white_of(np.vstack([felt, paper]))
    assert red > green > blue


def test_lightness_and_hue_of_colours() -> None:
    lab = oklab(np.array([[0, 0, 0], [255, 255, 255], [0, 0, 255.2], [300, 255, 255]], np.float64))
    assert np.allclose(lab, [[0, 0, 0], [1, 0, 0], [0.628, 0.225, 0.126], [1, 0, 0]], atol=2e-3)
    assert np.allclose(lab[1:2], oklab(np.full((1, 3), 255, np.uint8)), atol=1e-6)
    assert oklab(np.zeros((0, 3))).shape == (0, 3)


def rendered() -> list[tuple[Path, Layout]]:
    """The rendered rounds, where they are."""
    return [(f.parent, parse_layout(f.read_text())) for f in sorted(RENDERS.glob("*/layout.toml"))]


@pytest.mark.skipif(not RENDERS.is_dir(), reason="the rendered rounds are not here")
def test_rendered_rounds() -> None:
    for folder, layout in rendered():
        assert layout.camera is not None
        view = CameraView(layout.camera, (2304, 1296))
        chart, finder = FeltMap(view, Rect(-680, -60, 680, 800), 1.44), ChipFinder(layout)
        for line in (folder / "truth.jsonl").read_text().splitlines()[::4]:
            row = json.loads(line)
            image = np.asarray(cv2.imread(str(folder / row["image"])), np.uint8)
            seen = [c for s in spots_of(layout) for c in finder.find(chart.patch(image, s.rect), s, NEUTRAL_WHITE)]
            true = [c for c in row["chips"] if c["visible"] > 0.5]
            for chip in true:
                near = [s for s in seen if math.hypot(s.x - chip["x"], s.y - chip["y"]) < 30]
                assert near, (folder.name, row["image"], chip)
                assert all(s.count in (None, chip["count"]) for s in near)
            assert len(seen) <= len(row["chips"])
