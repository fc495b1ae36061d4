"""A tap on the console becomes a correction at the right place."""

from fractions import Fraction
from typing import Any

import pytest
from starlette.testclient import TestClient

from hardware.web.marks import marks
from hardware.web.places import card_point, owner, usual_point
from hardware.web.sample import sample_layout, sample_view
from table_state.observation import Correction, SeenCard
from tests.web.parts import calibrated, enter

LAYOUT = sample_layout()


@pytest.fixture(autouse=True)
def _entered(client: TestClient) -> None:
    enter(client)


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("card", {"seat": 1, "hand": 0, "index": 1, "code": "3c"}, ("card", -498.0, 310.0, "3c", 1, None, None)),
        ("card", {"seat": 1, "hand": 0, "index": 0}, ("no-card", -512.0, 328.0, None, 1, None, None)),
        ("card", {"seat": 3, "code": "2h"}, ("card", -188.0, 591.0, "2h", 3, None, None)),
        ("card", {"seat": 0, "index": 0, "code": "Qd"}, ("card", 0.0, 150.0, "Qd", 0, None, None)),
        ("point", {"x": 12.5, "y": 99.0, "code": "As"}, ("card", 12.5, 99.0, "As", None, None, None)),
        ("point", {"x": 12.5, "y": 99.0}, ("no-card", 12.5, 99.0, None, None, None, None)),
        ("bet", {"seat": 4, "amount": "12.50"}, ("bet", None, None, None, 4, Fraction(25, 2), None)),
        ("not-a-mistake", {"code": "late-bet"}, ("not-a-mistake", None, None, None, None, None, "late-bet")),
        ("table", {"kind": "new-shoe"}, ("new-shoe", None, None, None, None, None, None)),
        ("table", {"kind": "undo"}, ("undo", None, None, None, None, None, None)),
    ],
)
def test_a_tap_becomes_a_correction(
    client: TestClient, corrections: list[Correction], path: str, body: Any, expected: Any
) -> None:
    assert client.post(f"/dealer/{path}", json=body).status_code == 204
    assert corrections == [Correction(21.0, *expected)]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("card", {"seat": 9, "index": 0, "code": "3c"}, 404),
        ("card", {"seat": 1, "index": 7, "code": "3c"}, 404),
        ("card", {"seat": 1, "index": 0, "code": "1x"}, 422),
        ("card", {"seat": 1}, 422),
        ("card", {"seat": "1", "index": 0}, 422),
        ("card", {"seat": 1, "index": 0, "more": 1}, 422),
        ("point", {"x": 1e9, "y": 0.0}, 422),
        ("bet", {"seat": 1, "amount": "-5"}, 422),
        ("bet", {"seat": 1, "amount": "1e9"}, 422),
        ("bet", {"seat": 77, "amount": "5"}, 404),
        ("not-a-mistake", {"code": "<b>"}, 422),
        ("table", {"kind": "burn"}, 422),
        ("table", {}, 422),
    ],
)
def test_a_bad_form_is_named_and_changes_nothing(
    client: TestClient, corrections: list[Correction], path: str, body: Any, status: int
) -> None:
    answer = client.post(f"/dealer/{path}", json=body)
    assert answer.status_code == status
    assert answer.json()["detail"]
    assert not corrections


def test_a_card_lies_where_its_code_is_seen() -> None:
    seen = (SeenCard(-500, 300, 0, "Ah"), SeenCard(-489, 280, 0, "2c"), SeenCard(2, 140, 0, "2c"))
    assert card_point(LAYOUT, seen, 1, 0, 1, "2c") == (-489, 280)
    assert card_point(LAYOUT, seen, 1, 0, 1, "9c") == usual_point(LAYOUT, 1, 0, 1)


@pytest.mark.parametrize(
    ("x", "y", "place"), [(-520, 300, 1), (5, 140, 0), (-610, 40, None), (0, 670, 4), (0, 2000, None)]
)
def test_cards_belong_to_the_nearest_place(x: float, y: float, place: int | None) -> None:
    assert owner(LAYOUT, x, y) == place


def test_marks_lie_on_the_picture_and_a_glimpsed_hole_card_stays_hidden() -> None:
    seen = (
        SeenCard(0, 150, 0, "Kd"),
        SeenCard(70, 150, 0, "5h"),  # the hole card while the dealer peeks
        SeenCard(-512, 328, 0, "Ah"),
        SeenCard(-610, 50, 0, "9s"),  # at the shoe: nobody's
    )
    found = marks(calibrated(), sample_view(), seen)
    assert [mark["code"] for mark in found] == ["Kd", "??", "Ah", "??"]
    assert found[0]["u"] == pytest.approx(0.5, abs=0.01)
    assert found[0]["v"] == pytest.approx(1 - 150 / 900, abs=0.01)


def test_a_hole_card_equal_to_the_upcard_is_marked_once() -> None:
    seen = (SeenCard(0, 150, 0, "Kd"), SeenCard(70, 150, 0, "Kd"))
    assert [mark["code"] for mark in marks(calibrated(), sample_view(), seen)] == ["Kd", "??"]


def test_without_calibration_or_view_there_are_no_marks() -> None:
    assert marks(LAYOUT, sample_view(), (SeenCard(0, 150, 0, "Kd"),)) == []
    assert marks(calibrated(), None, (SeenCard(0, 150, 0, "Kd"),)) == []
