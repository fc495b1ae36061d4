"""What a page may see of the camera's picture while a hole card is not turned."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import cv2
import httpx
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.app import Corrections
from hardware.shown import Shown
from hardware.simulator.camera import Script, SimTable
from hardware.simulator.tables import half_moon
from hardware.web.places import owner
from hardware.web.veil import FILL, veiled
from models.render.scene import PlacedCard, Scene
from models.render.table import TableRenderer
from table_state.layout import CameraPoints, Layout
from table_state.observation import Observation, SeenCard, SeenHand
from table_state.rules import preset
from table_state.view import HandView, TableView
from tests.web.parts import CODE, calibrated
from vision.camera_view import CameraView
from vision.frame import Frame

Image = NDArray[np.uint8]
VIEW = TableView(9.0, "play", (1, 0), (), HandView(("Kd", "??"), 10, False, "10", "waiting"), ())
UP, BACK = SeenCard(0, 150, 0, "Kd"), SeenCard(5, 120, 90, None)
HAND = SeenHand(-25, 140, 85, "dealer")


def seen(*cards: SeenCard, hands: tuple[SeenHand, ...] = ()) -> Observation:
    return Observation(9.0, cards, (), hands)


def turned(view: TableView) -> TableView:
    return dataclasses.replace(view, phase="dealer", dealer=HandView(("Kd", "5h"), 15, False, "15", "turn"))


def shows(view: TableView | None, what: Observation, x: float, y: float, layout: Layout | None = None) -> bool:
    """Whether the picture (all of one colour) is to be seen at a point of the felt."""
    layout = layout or calibrated()
    assert layout.camera is not None
    picture = veiled(np.full((900, 1600, 3), 7, np.uint8), layout, view, what)
    assert picture is not None
    column, row = CameraView(layout.camera, (1600, 900)).to_pixels(np.array([[x, y]]))[0]
    pixel = picture[round(float(row)), round(float(column))].tolist()
    assert pixel in ([7] * 3, [FILL] * 3)
    return pixel == [7] * 3


def test_the_hole_cards_place_is_filled_and_the_rest_is_seen() -> None:
    for x, y in ((5, 120), (40, 120), (60, 60), (-150, 250)):
        assert not shows(VIEW, seen(UP, BACK), x, y)
    assert shows(VIEW, seen(dataclasses.replace(UP, y=230), BACK), 0, 250)  # the upcard, clear of the hidden one
    for x, y in ((-512, 328), (0, 600), (-600, 50)):
        assert shows(VIEW, seen(UP, BACK), x, y)


def test_what_the_view_shows_is_seen_again() -> None:
    both = seen(UP, SeenCard(70, 150, 0, "5h"))
    assert not shows(VIEW, both, 70, 150)
    assert shows(turned(VIEW), both, 70, 150)
    assert shows(turned(VIEW), seen(UP, SeenCard(70, 150, 0, "6h")), 70, 150)  # corrected by a person
    assert not shows(turned(VIEW), seen(UP, BACK), 5, 120)  # the next round's


@pytest.mark.parametrize(
    ("view", "what"),
    [
        (VIEW, seen(UP, BACK, hands=(HAND,))),
        (VIEW, seen(UP)),  # the hole card is missing in this look
        (VIEW, seen()),
        (None, seen(UP, BACK)),
        (dataclasses.replace(VIEW, phase="deal", dealer=HandView(("Kd",))), seen(UP, hands=(HAND,))),
        (dataclasses.replace(VIEW, phase="bets", dealer=HandView()), seen(hands=(HAND,))),
        (dataclasses.replace(VIEW, phase="deal", dealer=HandView()), seen()),
    ],
    ids=["a peek", "not seen", "nothing seen", "no view yet", "the deal", "a hand between rounds", "before its card"],
)
def test_where_the_hole_card_may_be_anywhere_all_of_the_dealers_place_is_filled(
    view: TableView | None, what: Observation
) -> None:
    assert not any(shows(view, what, x, y) for x in range(-180, 190, 20) for y in range(10, 310, 20))


def test_between_rounds_all_is_seen() -> None:
    assert shows(dataclasses.replace(VIEW, phase="bets", dealer=HandView()), seen(), 0, 150)


def test_a_wide_lens_does_not_bend_the_veil_away() -> None:
    layout = calibrated()
    assert layout.camera is not None
    bent = CameraPoints((1600, 900), layout.camera.points, (900.0, 900.0, 800.0, 450.0), (-0.3, 0.09, 0.0, 0.0, 0.0))
    lens = dataclasses.replace(layout, camera=bent)
    assert not shows(VIEW, seen(UP, BACK), 5, 120, lens)
    assert shows(VIEW, seen(UP, BACK), -512, 328, lens)


def test_an_uncalibrated_camera_sends_no_picture() -> None:
    layout = dataclasses.replace(calibrated(), camera=None)
    assert veiled(np.zeros((90, 160, 3), np.uint8), layout, VIEW, seen(UP)) is None


# The simulator's peeks, the hole card's face held up to the camera all the while


@pytest.fixture(scope="module")
def peeks() -> list[tuple[Scene, int]]:
    """Moments of the first looks at a hole card, and which card of the scene it is."""
    table = SimTable(half_moon(5), preset("charity"), Script(7))
    found: list[tuple[Scene, int]] = []
    for n in range(9000):
        scene = table.scene(n / 10)
        hands = [hand for hand in scene.hands if hand.source == "dealer" and hand.r == 85.0]
        backs = [i for i, card in enumerate(scene.cards) if card.code is None]
        if len(hands) == 2 and len(backs) == 1 and n % 5 == 0:
            found.append((scene, backs[0]))
        if len(found) >= 6:
            break
    return found


@pytest.fixture(scope="module")
def renderer() -> TableRenderer:
    return TableRenderer(half_moon(5), 7, (1152, 648))


@pytest.fixture
def console(renderer: TableRenderer) -> Iterator[tuple[Shown, httpx.Client]]:
    listener = Shown(renderer.layout, Corrections(), "127.0.0.1", 0, CODE)
    with httpx.Client(base_url=listener.display.url, headers={"origin": listener.display.url}) as client:
        assert client.post("/dealer/enter", json={"code": CODE}).status_code == 204
        yield listener, client
    listener.close(False)


def held_up(scene: Scene, hole: int, code: str) -> Scene:
    """The hole card face up, above everything and clear of the hands, as a camera may glimpse it."""
    cards = list(scene.cards)
    card = cards.pop(hole)
    return Scene((*cards, PlacedCard(code, card.x, card.y, card.deg)), scene.chips, ())


def as_seen(layout: Layout, scene: Scene, glimpsed: bool) -> Observation:
    """What a look at it may say; the hands were not drawn, but they are seen."""
    cards = [SeenCard(c.x, c.y, c.deg, c.code) for c in (scene.cards if glimpsed else scene.cards[:-1])]
    hands = [SeenHand(x, layout.dealer[1] - 10, 85.0, "dealer") for x in (-25, 35)]
    return Observation(9.0, tuple(cards), (), () if glimpsed else tuple(hands))


@pytest.mark.parametrize("glimpsed", [True, False], ids=["read, no hand seen", "hidden by hands"])
def test_nothing_of_a_peek_is_sent(
    console: tuple[Shown, httpx.Client], renderer: TableRenderer, peeks: list[Any], glimpsed: bool
) -> None:
    """Two tables that differ in the hole card alone send the same picture."""
    listener, client = console
    assert len(peeks) == 6
    for scene, hole in peeks[:: 2 if glimpsed else 3]:
        upcard = next(c.code for c in scene.cards if c.code and owner(renderer.layout, c.x, c.y) == 0)
        view = dataclasses.replace(VIEW, dealer=HandView((upcard, "??")))
        sent, drawn = [], []
        for code in ("4c", "Qh"):
            told = held_up(scene, hole, code)
            drawn.append(renderer.frame(told))
            listener.observe(Frame(9.0, drawn[-1]), as_seen(renderer.layout, told, glimpsed))
            listener.publish(view, [])
            answer = client.get("/dealer/picture.jpg")
            assert answer.status_code == 200
            sent.append(cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR))
            assert code not in client.get("/dealer/marks").text
        differ = np.abs(drawn[0].astype(int) - drawn[1]).max(axis=2) > 40
        assert differ.any()
        assert np.abs(sent[0][differ].astype(int) - FILL).max() < 12  # JPEG's own grain
        around = cv2.dilate(differ.astype(np.uint8), np.ones((9, 9))) > 0
        assert np.abs(sent[0].astype(int) - sent[1])[around].max() < 12
