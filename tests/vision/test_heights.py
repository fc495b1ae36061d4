"""Counts of chips: told where a camera sees enough of a stack's wall, else nothing."""

import math
from dataclasses import replace

import numpy as np
import pytest

from table_state.layout import Layout
from tests.vision import drawn
from tests.vision.drawn import CHIPS, Camera, Drawing
from vision.bets import Bet
from vision.chips import ChipFinder, ChipSighting, Spot
from vision.color import NEUTRAL_WHITE
from vision.felt_map import Patch
from vision.heights import uncertainty

SPOT = Spot(0.0, 0.0, 115.0)
SIDE = 400  # px of the felt about the circle
SCALE = 1.44


def beside(away: float, height: float) -> Camera:
    """A camera `height` mm over a place `away` mm to the left of the circle; on the felt its pictures are as others."""
    return Camera(-away, 0.0, height, SCALE, (int(2 * away * SCALE) + SIDE, SIDE))


def seen(camera: Camera, count: int, color: str = "red", seed: int = 0, lens: bool = True) -> list[ChipSighting]:
    """What is found of a stack, the empty circle being known."""
    empty, full = (Drawing(camera, np.random.default_rng(seed)) for _ in range(2))
    for d in (empty, full):
        d.circle_print(0, 0, 60)
    full.rng = np.random.default_rng(seed + 100)
    if count:
        full.stack(3, -2, count, *CHIPS[color])
    layout: Layout = drawn.table(camera)
    assert layout.camera is not None
    layout = layout if lens else replace(layout, camera=replace(layout.camera, matrix=None))
    middle = (camera.size[0] - 1) / 2 - camera.x * SCALE
    left = int(middle - SIDE / 2)
    now, was = (np.ascontiguousarray(d.picture()[:, left : left + SIDE]) for d in (empty, full)[::-1])
    patch = Patch(now, (left - middle) / SCALE, (SIDE - 1) / 2 / SCALE, SCALE)
    return ChipFinder(layout).find(patch, SPOT, NEUTRAL_WHITE, was)


@pytest.mark.parametrize(("color", "count"), [("red", 1), ("blue", 2), ("white", 3)])
def test_stacks_seen_aslant_are_counted(color: str, count: int) -> None:
    found = seen(beside(900, 500), count, color)
    assert [(c.color, c.count) for c in found] == [(color, count)]


def test_from_above_nothing_is_said() -> None:
    assert [c.count for c in seen(beside(300, 1150), 3)] == [None]


def test_tall_stacks_are_one_stack_and_not_guessed() -> None:
    for count in (6, 8):
        assert [c.count for c in seen(beside(900, 500), count)] in ([None], [count])


def test_a_camera_whose_place_is_not_known_counts_nothing() -> None:
    assert [c.count for c in seen(beside(900, 500), 2, lens=False)] == [None]


def test_the_uncertainty_falls_as_the_camera_sees_more_of_the_wall() -> None:
    steps = [uncertainty(step, SCALE, 2) for step in (0.0, 0.9, 2.0, 5.0, 9.0)]
    assert steps[0] == math.inf
    assert steps == sorted(steps, reverse=True)
    assert uncertainty(0.9, SCALE) > 1 / 3  # 1 m over the table, 300 mm aside


def test_a_look_that_cannot_count_does_not_unsay_a_count() -> None:
    bet = Bet(SPOT, np.zeros((1, 1), np.bool_))
    face = np.random.default_rng(1).uniform(0, 255, (72, 12, 3)).astype(np.float32)
    counted = ChipSighting(0.0, 0.0, 19.5, "red", 2, 0.9, face)
    for t, stack in enumerate((counted, replace(counted, count=None), counted)):
        bet.take(float(t), [stack])
    assert [c.count for c in bet.seen()] == [2]
    assert bet.changed_at == 0.0
    bet.take(3.0, [replace(counted, count=3)])
    assert (bet.changed_at, bet.agreed) == (3.0, 1)


def test_another_face_is_a_change_though_no_height_is_known() -> None:
    bet = Bet(SPOT, np.zeros((1, 1), np.bool_))
    rng = np.random.default_rng(2)
    faces = [rng.uniform(0, 255, (72, 12, 3)).astype(np.float32) for _ in range(2)]
    for t, face in enumerate((faces[0], faces[0], faces[1])):
        bet.take(float(t), [ChipSighting(0.0, 0.0, 19.5, "red", None, 0.9, face)])
    assert bet.changed_at == 2.0
