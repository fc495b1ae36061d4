"""Where to look, whether the empty table is known or not; what is kept of what was seen; what is drawn."""

import numpy as np
from numpy.typing import NDArray

from table_state.observation import Observation, SeenCard, SeenChips, SeenHand
from tests.vision import drawn
from tests.vision.drawn import Camera, Drawing
from vision.camera_view import CameraView
from vision.change import ChangeWatch
from vision.felt_map import Rect
from vision.memory import CardMemory
from vision.overlay import draw
from vision.places import Grid, card_area, card_rects, joined, not_felt, table_bounds
from vision.sighting import CardSighting

CAMERA = Camera(0.0, 330.0, 1150.0, 1.0, (1400, 880))
LAYOUT = drawn.table(CAMERA)
ALL = Rect(-1000, -1000, 1000, 1000)


def rects(d: Drawing) -> list[Rect]:
    """Where a first frame would be looked at."""
    watch = ChangeWatch(CAMERA.size)
    watch.update(0.0, d.picture())
    view = CameraView(CAMERA.points(), CAMERA.size)
    grid = Grid(view, watch.shape, watch.cell)
    felt = grid.inside(table_bounds(LAYOUT, view))
    return card_rects(not_felt(watch.now, felt, grid) & card_area(LAYOUT, grid), grid, 14.0)


def table() -> Drawing:
    """Felt with circles and a line of letters."""
    d = Drawing(CAMERA, np.random.default_rng(1))
    for seat in LAYOUT.seats:
        d.circle_print(*seat.circle)
    for k in range(14):
        d.fill(drawn.box(-100 + 15 * k, 330, 4, 18, 25 * k), (190, 180, 110))
    return d


def test_prints_are_not_worth_a_look() -> None:
    assert sum(r.area for r in rects(table())) < 20000


def test_cards_that_lie_at_the_start_are_seen_whole() -> None:
    d = table()
    places = [(-350, 295, 20), (-160, 500, 0), (0, 130, 45), (160, 500, 88)]
    for k, (x, y, deg) in enumerate(places):
        d.card(x, y, deg, back=(24, 104, 58) if k == 1 else None)
    found = rects(d)
    for x, y, deg in places:
        corners = drawn.box(x, y, 63.5, 88.9, deg)
        assert any(all(r.holds(float(px), float(py)) for px, py in corners) for r in found), (x, y)
    assert sum(r.area for r in found) < 6 * 130 * 130


def test_rectangles_join_where_it_costs_little() -> None:
    assert len(joined([Rect(0, 0, 10, 10), Rect(8, 0, 18, 10), Rect(100, 100, 110, 110)])) == 2


def sighting(x: float, y: float, code: str | None, p: float = 0.98) -> tuple[NDArray[np.float64], CardSighting]:
    """A card as a look finds it."""
    corners = drawn.box(x, y, 63.5, 88.9, 10)
    return corners, CardSighting(corners, code, p)


def test_two_looks_settle_a_card() -> None:
    memory = CardMemory()
    memory.vote(ALL, [sighting(0, 0, "8s")], 1)
    assert memory.cards[0].reading == ("8s", 0.8)
    assert memory.unsettled(ALL)
    memory.vote(ALL, [sighting(0.5, 0, "8s")], 2)
    assert memory.cards[0].reading == ("8s", 0.98)
    assert not memory.unsettled(ALL)


def test_looks_that_disagree_are_doubtful() -> None:
    memory = CardMemory()
    for look, code in enumerate(("8s", "3s", "8s"), 1):
        memory.vote(ALL, [sighting(0, 0, code)], look)
    code, p = memory.cards[0].reading
    assert code == "8s"
    assert p < 0.7
    assert memory.unsettled(ALL)


def test_two_equal_cards_of_a_hand_are_two() -> None:
    memory = CardMemory()
    for look in (1, 2):
        memory.vote(ALL, [sighting(0, 0, "8s"), sighting(14, -18, "8s")], look)
    assert len(memory.shown()) == 2


def test_a_pushed_card_is_not_two() -> None:
    memory = CardMemory()
    for look in (1, 2):
        memory.vote(ALL, [sighting(0, 0, "8s")], look)
    memory.disturb(ALL)
    memory.vote(ALL, [sighting(30, 0, "8s")], 1)
    assert [(round(c.x), c.reading[0]) for c in memory.shown()] == [(30, "8s")]


def test_a_card_seen_once_in_many_looks_is_forgotten() -> None:
    memory = CardMemory()
    memory.vote(ALL, [sighting(0, 0, "8s")], 1)
    for look in (2, 3):
        memory.vote(ALL, [], look)
    assert memory.cards == []


def test_what_was_seen_is_drawn_but_not_a_hidden_card() -> None:
    image = np.zeros((CAMERA.size[1], CAMERA.size[0], 3), np.uint8)
    chips, hands = (SeenChips(-520, 345, "red", 2),), (SeenHand(100, 300, 90, "dealer"),)
    seen = Observation(0.0, (SeenCard(0, 130, 0, "6d"),), chips, hands)
    assert draw(image, seen, LAYOUT).any()
    assert not image.any()
    bare = draw(image, Observation(0.0), LAYOUT)
    assert np.array_equal(draw(image, Observation(0.0, (SeenCard(0, 130, 0, None),)), LAYOUT), bare)
