"""Indices become physical cards: one entry a card, two equal cards stay two."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from table_state.cards import RANKS, SUITS
from vision.assemble import cards
from vision.detector import BACK, FACE, INDEX, Detection, distinct
from vision.outline import Outline
from vision.patch import PATCH_H, PATCH_W, index_patch
from vision.reader import Reading, fuse

MM = 1.44


def quad_of(x: float, y: float, deg: float) -> NDArray[np.float64]:
    a = np.radians(deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    half = np.array([[-31.75, -44.45], [31.75, -44.45], [31.75, 44.45], [-31.75, 44.45]]) * MM
    return np.asarray(half @ turn.T + [x, y])


def index_of(quad: NDArray[np.float64], score: float = 0.9) -> Detection:
    down, right = (quad[3] - quad[0]) / 88.9, (quad[1] - quad[0]) / 63.5
    rank, suit = quad[0] + right * 5 + down * 8, quad[0] + right * 5 + down * 16
    spots = np.vstack([rank, suit])
    box = (*(spots.min(axis=0) - 6), *(spots.max(axis=0) + 6))
    return Detection(INDEX, score, tuple(float(v) for v in box), np.vstack([spots, quad]))  # type: ignore[arg-type]


def reading_of(code: str, p: float = 0.98) -> Reading:
    ranks, suits = np.full(14, (1 - p) / 13), np.full(5, (1 - p) / 4)
    ranks[RANKS.index(code[0])], suits[SUITS.index(code[1])] = p, p
    return Reading(ranks, suits)


@given(st.floats(0, 360), st.floats(-3, 3), st.floats(-3, 3))
def test_both_corners_of_a_card_are_one_card(deg: float, dx: float, dy: float) -> None:
    one, other = quad_of(200, 200, deg), quad_of(200 + dx, 200 + dy, deg + 180)
    found = cards([index_of(one), index_of(other)], [reading_of("7h"), reading_of("7h")])
    assert [c.code for c in found] == ["7h"]
    assert np.allclose(found[0].polygon.mean(axis=0), [200 + dx / 2, 200 + dy / 2], atol=1.6)
    assert Outline(found[0].polygon).sensible()


@given(st.floats(0, 360))
def test_two_equal_cards_of_a_hand_are_two(deg: float) -> None:
    a = np.radians(deg)
    step = np.array([14 * np.cos(a) - 18 * np.sin(a), 14 * np.sin(a) + 18 * np.cos(a)]) * MM
    one, other = quad_of(200, 200, deg), quad_of(200 + step[0], 200 + step[1], deg)
    found = cards([index_of(one), index_of(other)], [reading_of("7h")] * 2)
    assert [c.code for c in found] == ["7h", "7h"]


def test_a_doubled_card_lies_crosswise_and_is_its_own() -> None:
    found = cards(
        [index_of(quad_of(200, 200, 0)), index_of(quad_of(204, 203, 90))], [reading_of("5c"), reading_of("6d")]
    )
    assert sorted(str(c.code) for c in found) == ["5c", "6d"]


def test_corners_that_disagree_are_one_card_whose_rank_is_not_said() -> None:
    quads = [quad_of(200, 200, 0), quad_of(200, 200, 180)]
    found = cards([index_of(q) for q in quads], [reading_of("3h", 0.8), reading_of("8h", 0.79)])
    assert [c.code for c in found] == ["?h"]


def test_what_is_no_index_is_no_card() -> None:
    none = Reading(np.eye(14)[13], np.eye(5)[4])
    assert cards([index_of(quad_of(200, 200, 0))], [none]) == []


def test_a_back_is_a_card_without_a_code_and_a_face_without_an_index_is_unread() -> None:
    back = Detection(BACK, 0.9, (0, 0, 1, 1), np.vstack([np.full((2, 2), np.nan), quad_of(100, 100, 10)]))
    face = Detection(FACE, 0.9, (0, 0, 1, 1), np.vstack([np.full((2, 2), np.nan), quad_of(400, 100, 10)]))
    assert [c.code for c in cards([back, face], [])] == [None, "??"]


def test_a_face_whose_index_was_read_is_not_said_twice() -> None:
    quad = quad_of(100, 100, 10)
    face = Detection(FACE, 0.9, (0, 0, 1, 1), np.vstack([np.full((2, 2), np.nan), quad]))
    assert [c.code for c in cards([face, index_of(quad)], [reading_of("Ks")])] == ["Ks"]


@given(st.lists(st.sampled_from(["3h", "8h"]), min_size=1, max_size=4))
def test_fusing_is_a_probability_and_favours_the_majority(codes: list[str]) -> None:
    fused = fuse([reading_of(c, 0.9) for c in codes])
    assert fused.ranks.sum() == pytest.approx(1)
    most = max(("3h", "8h"), key=codes.count)
    if codes.count("3h") != codes.count("8h"):
        assert fused.best()[0] == most


def test_boxes_that_overlap_are_one() -> None:
    boxes = np.array([[0, 0, 10, 10], [1, 1, 11, 11], [20, 0, 30, 10]], float)
    assert distinct(boxes, 0.5) == [0, 2]


@given(st.floats(0, 360), st.floats(6, 60))
def test_a_patch_stands_upright(deg: float, far: float) -> None:
    """A white disc at the rank and a black one at the suit come out one above the other, wherever they pointed."""
    import cv2

    a = np.radians(deg)
    rank, suit = np.array([200.0, 200.0]), np.array([200 + far * np.cos(a), 200 + far * np.sin(a)])
    image = np.full((400, 400, 3), 128, np.uint8)
    cv2.circle(image, (200, 200), max(2, int(far * 0.3)), (255, 255, 255), -1)
    cv2.circle(image, (round(float(suit[0])), round(float(suit[1]))), max(2, int(far * 0.3)), (0, 0, 0), -1)
    patch = index_patch(image, rank, suit)
    assert patch.shape == (PATCH_H, PATCH_W, 3)
    step = PATCH_H / 3.2 / 2
    assert patch[round(PATCH_H / 2 - step), PATCH_W // 2, 0] > 200
    assert patch[round(PATCH_H / 2 + step), PATCH_W // 2, 0] < 60


def test_a_card_is_the_same_either_way_up() -> None:
    one, other = quad_of(100, 100, 5), quad_of(101, 99, 185)
    assert Outline(one).same(Outline(other))
    assert not Outline(one).same(Outline(quad_of(101, 99, 95)))
    assert Outline(one).long == pytest.approx(88.9 * MM)
