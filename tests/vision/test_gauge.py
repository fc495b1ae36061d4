"""At a known scale: whose end an index is, and where its card lies, though its corners are told badly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from table_state.cards import RANKS
from tests.vision.test_locate import MM, quad_of, reading_of
from vision.assemble import cards
from vision.detector import BACK, FACE, INDEX, Detection
from vision.gauge import Gauge, Prints
from vision.reader import Reading

CARD = (63.5, 88.9)
NEXT = np.array([14.0, 18.0])  # mm to the next card of a hand, right and down

angles = st.floats(0, 360)
astray = st.floats(-4.0, 4.0)  # mm by which the network guesses a deck's print wrong, the same at all its cards


def place(deg: float, step: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    a = np.radians(deg)
    right, down = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    x, y = np.array([200.0, 200.0]) + (0 if step is None else (right * step[0] + down * step[1]) * MM)
    return quad_of(float(x), float(y), deg)


def index(quad: NDArray[np.float64], off: float = 0.0, score: float = 0.9) -> Detection:
    """An index of a card with these corners, which it tells shifted by `off` mm towards its middle."""
    right, down = (quad[1] - quad[0]) / CARD[0], (quad[3] - quad[0]) / CARD[1]
    spots = np.vstack([quad[0] + right * 6 + down * 9, quad[0] + right * 6 + down * 18])
    box = (*(spots.min(axis=0) - 6), *(spots.max(axis=0) + 6))
    told = quad + (right + down) * off
    return Detection(INDEX, score, tuple(float(v) for v in box), np.vstack([spots, told]))  # type: ignore[arg-type]


def ends(quad: NDArray[np.float64], off: float = 0.0) -> list[Detection]:
    return [index(quad, off), index(np.roll(quad, -2, axis=0), off)]


@given(angles, astray)
@settings(max_examples=60)
def test_two_equal_cards_of_a_hand_are_two_though_the_upper_shows_both_ends(deg: float, off: float) -> None:
    found = cards(
        [index(place(deg), off), *ends(place(deg, NEXT), off)], [reading_of("7h")] * 3, Gauge(CARD, MM)
    )  # fmt: skip
    assert [c.code for c in found] == ["7h", "7h"]


@given(angles, astray)
@settings(max_examples=60)
def test_both_ends_tell_the_place_within_a_millimetre(deg: float, off: float) -> None:
    found = cards(ends(place(deg), off), [reading_of("Ks")] * 2, Gauge(CARD, MM))
    assert [c.code for c in found] == ["Ks"]
    assert np.abs(found[0].polygon - place(deg)).max() < 1.0 * MM


@given(angles, astray)
@settings(max_examples=60)
def test_the_print_learned_from_other_cards_tells_where_one_end_belongs(deg: float, off: float) -> None:
    prints = Prints()
    for turn in (0.0, 40.0, 200.0):
        cards(ends(place(turn), off), [reading_of("2c")] * 2, Gauge(CARD, MM, prints))
    found = cards([index(place(deg), off)], [reading_of("9d")], Gauge(CARD, MM, prints))
    assert np.hypot(*(found[0].polygon.mean(axis=0) - [200, 200])) < 1.0 * MM


def test_an_end_misread_is_no_second_card_and_its_suit_is_not_named() -> None:
    found = cards(ends(place(30)), [reading_of("7c", 0.9), reading_of("7s", 0.9)], Gauge(CARD, MM))
    assert [c.code for c in found] == ["7?"]


def test_two_decks_teach_nothing() -> None:
    prints = Prints()
    prints.learn([np.array([4.0, 7.0]), np.array([12.0, 18.0])] * 4)
    assert prints.inset is None
    prints.learn([np.array([5.0, 8.0])] * 60)
    assert prints.inset == pytest.approx([5.0, 8.0])


def test_a_back_of_no_cards_size_is_none() -> None:
    def back(size: float) -> Detection:
        quad = (place(10) - 200) * size + 200
        return Detection(BACK, 0.8, (0, 0, 1, 1), np.vstack([quad[:2], quad]))

    assert [c.code for c in cards([back(1.05)], [], Gauge(CARD, MM))] == [None]
    assert cards([back(0.6)], [], Gauge(CARD, MM)) == []
    assert cards([back(1.4)], [], Gauge(CARD, MM)) == []


def four(quad: NDArray[np.float64]) -> dict[str, Detection]:
    """The indices of a four-cornered card; the network tells the place of each as if it were a left-hand one."""
    right, down = (quad[1] - quad[0]) / CARD[0], (quad[3] - quad[0]) / CARD[1]
    beside = index(quad + right * (CARD[0] - 12))
    below = index(np.roll(quad, -2, axis=0) - right * (CARD[0] - 12))
    assert np.allclose(beside.points[0], quad[0] + right * (CARD[0] - 6) + down * 9)
    return {"left": index(quad), "beside": beside, "below": below, "across": index(np.roll(quad, -2, axis=0))}


@given(angles, st.sets(st.sampled_from(["beside", "below", "across"])))
@settings(max_examples=80)
def test_all_indices_of_a_four_cornered_card_tell_one_card(deg: float, others: set[str]) -> None:
    corners = four(place(deg))
    face = Detection(FACE, 0.8, (0, 0, 1, 1), np.vstack([place(deg)[:2], place(deg)]))
    shown = [corners[name] for name in ("left", *sorted(others))]
    found = cards([*shown, face], [reading_of("4s")] * len(shown), Gauge(CARD, MM))
    assert [c.code for c in found] == ["4s"]
    assert np.hypot(*(found[0].polygon.mean(axis=0) - [200, 200])) < 3 * MM


@given(angles, st.floats(-10.0, 10.0), st.sampled_from(["beside", "below"]))
@settings(max_examples=60)
def test_two_indices_of_one_edge_tell_how_a_half_hidden_card_is_turned(deg: float, askew: float, other: str) -> None:
    corners = four(place(deg))
    left = corners["left"]
    a = np.radians(askew)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    points = np.vstack([left.points[:2], (left.points[2:] - left.points[0]) @ turn.T + left.points[0]])
    guessed = Detection(INDEX, left.score, left.box, points)
    face = Detection(FACE, 0.8, (0, 0, 1, 1), np.vstack([place(deg)[:2], place(deg)]))
    found = cards([guessed, corners[other], face], [reading_of("4s")] * 2, Gauge(CARD, MM))
    assert [c.code for c in found] == ["4s"]
    assert np.abs(found[0].polygon - place(deg)).max() < 1.0 * MM


def test_a_half_hidden_further_index_that_is_hardly_read_is_no_other_card() -> None:
    corners = four(place(20.0))
    ranks = np.zeros(14)
    ranks[[RANKS.index("3"), RANKS.index("8")]] = 0.45, 0.4
    ranks[13] = 0.15
    doubtful = Reading(ranks, reading_of("8d").suits)
    found = cards([corners["left"], corners["below"]], [reading_of("8d"), doubtful], Gauge(CARD, MM))
    assert [c.code for c in found] == ["8d"]
