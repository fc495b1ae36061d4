"""Our own decks, scenes and training pictures: what is drawn is where the labels say."""

import numpy as np
import pytest

from models.pictures import BACK, FACE, INDEX, Supplies, compose, labels_of
from models.render.deck import CODES
from models.render.lay import lay, placed
from models.render.own_deck import own_deck
from models.render.scene import PlacedCard, PlacedChips, PlacedHand, Scene
from models.render.table import TableRenderer
from table_state.layout import parse_layout
from vision.camera_view import CameraView

LAYOUT = """
name = "two seats"
card = [63.5, 88.9]
chip = 39.0
dealer = [0.0, 130.0]
shoe = [-400.0, 60.0]
discard = [400.0, 60.0]
[chip_values]
white = 1
red = 5
[[seat]]
number = 1
name = ""
circle = [-200.0, 500.0, 60.0]
cards = [-150.0, 380.0]
insurance = [-100.0, 300.0]
[[seat]]
number = 2
name = ""
circle = [200.0, 500.0, 60.0]
cards = [150.0, 380.0]
insurance = [100.0, 300.0]
"""


@pytest.mark.parametrize("seed", range(6))
def test_an_own_deck_has_52_different_faces_and_its_marks_on_them(seed: int) -> None:
    deck = own_deck(seed, 160)
    faces = {code: deck.face(code) for code in CODES}
    assert len({face.tobytes() for face in faces.values()}) == 52
    for code in ("As", "7h", "Td", "Kc"):
        face = faces[code]
        h, w = face.shape[:2]
        for mark in deck.marks(code):
            x0, y0, x1, y1 = mark.box
            assert 0 <= x0 < x1 <= 1.001
            assert 0 <= y0 < y1 <= 1.001
            inside = face[round(y0 * h) : round(y1 * h), round(x0 * w) : round(x1 * w), :3].astype(int)
            paper = np.median(face[h // 3 : 2 * h // 3, 2:6, :3].reshape(-1, 3), axis=0)
            assert (np.abs(inside - paper).max(axis=2) > 50).mean() > 0.08, "an index is printed in its box"
            # the rank lies above the suit as the index stands
            assert (mark.suit[1] - mark.rank[1]) * mark.up > 0


def test_the_same_seed_draws_the_same_picture() -> None:
    nothing = Supplies([], [], [])
    one, labels = compose(np.random.default_rng(3), 256, nothing)
    two, again = compose(np.random.default_rng(3), 256, nothing)
    assert np.array_equal(one, two)
    assert [x.box for x in labels] == [x.box for x in again]


def test_a_covered_index_has_no_label() -> None:
    deck = own_deck(1, 160)
    view = np.eye(3)
    cards = [placed("8s", deck, 120, 120, 0, 120, view), placed(None, deck, 120, 120, 0, 120, view)]
    image, owner = np.zeros((240, 240, 3), np.uint8), np.zeros((240, 240), np.uint8)
    for number, card in enumerate(cards, 1):
        lay(image, owner, number, card, np.random.default_rng(0))
    classes = [x.cls for x in labels_of(cards, owner)]
    assert classes == [BACK]


def test_an_uncovered_card_shows_its_face_and_both_indices() -> None:
    deck = own_deck(1, 160)
    card = placed("8s", deck, 120, 120, 30, 120, np.eye(3))
    image, owner = np.zeros((240, 240, 3), np.uint8), np.zeros((240, 240), np.uint8)
    lay(image, owner, 1, card, np.random.default_rng(0))
    labels = labels_of([card], owner)
    indices = [x for x in labels if x.cls == INDEX]
    assert [x.cls for x in labels].count(FACE) == 1
    assert len(indices) == len(deck.marks("8s"))
    up = {tuple(np.round(x.points[2]).astype(int)) for x in indices}
    assert len(up) == 2, "each end names its own top left"


def test_a_rendered_card_lies_where_the_camera_says() -> None:
    layout = parse_layout(LAYOUT, "two.toml")
    renderer = TableRenderer(layout, 4, (1152, 648))
    assert renderer.layout.camera is not None
    view = CameraView(renderer.layout.camera, (1152, 648))
    empty = renderer.frame(Scene()).astype(int)
    shown = renderer.frame(Scene((PlacedCard("As", -150, 380, 20),))).astype(int)
    changed = np.argwhere(np.abs(shown - empty).max(axis=2) > 40)[:, ::-1].astype(float)
    x, y = view.to_felt(changed).mean(axis=0)
    assert abs(x + 150) < 6
    assert abs(y - 380) < 6


def test_drawing_step_by_step_gives_the_same_picture_as_at_once() -> None:
    layout = parse_layout(LAYOUT, "two.toml")
    first = PlacedCard("As", -150, 380, 20)
    whole = Scene(
        (first, PlacedCard("7h", 150, 380, -5)),
        (PlacedChips(200, 500, "red", 3),),
        (PlacedHand(0, 300, 60, "dealer", -90),),
    )
    slow, fast = TableRenderer(layout, 4, (576, 324)), TableRenderer(layout, 4, (576, 324))
    slow.frame(Scene((first,), whole.chips))
    fast.frame(Scene())
    assert np.array_equal(slow.frame(whole), fast.frame(whole))
