"""A tap on the console becomes a correction at the right place."""

import time
from concurrent.futures import Future
from fractions import Fraction
from typing import Any

import pytest
from starlette.testclient import TestClient

from hardware.web import console as console_module
from hardware.web.auth import DealerDoor
from hardware.web.console import Console, Seen
from hardware.web.hub import Hub
from hardware.web.marks import marks
from hardware.web.places import MEANT, card_point, free_point, owner, usual_point
from hardware.web.sample import sample_layout, sample_view
from hardware.web.site import SeatLinks, create_app
from table_state.observation import Correction, Observation, SeenCard
from tests.web.parts import CODE, calibrated, enter

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


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"seat": 1, "index": 1, "code": "3c", "was": "2d"}, "now read as two of clubs"),
        ({"seat": 6, "index": 1, "code": "Td", "was": "??"}, "now read as ten, suit unread"),
        ({"seat": 0, "index": 1, "code": "Td", "was": "5h"}, "now read as face-down card"),
        ({"seat": 1, "index": 2, "was": "9d"}, "not lie there any more"),
        ({"seat": 5, "index": 0, "code": "3c", "was": "9d"}, "not lie there any more"),
    ],
)
def test_a_card_that_is_another_by_now_is_not_corrected(
    client: TestClient, corrections: list[Correction], body: Any, reason: str
) -> None:
    answer = client.post("/dealer/card", json=body)
    assert answer.status_code == 409
    assert reason in answer.json()["detail"]
    assert not corrections
    assert client.post("/dealer/card", json={"seat": 1, "index": 1, "code": "3c", "was": "2c"}).status_code == 204


def told(outcome: bool | None, seen: Seen | None = None) -> tuple[TestClient, Hub, "list[Future[bool]]"]:
    """A console whose program says what became of a correction, at once or (None) not in time."""
    asked: list[Future[bool]] = []

    def take(correction: Correction) -> "Future[bool]":
        asked.append(Future())
        if outcome is not None:
            asked[-1].set_result(outcome)
        return asked[-1]

    hub = Hub(LAYOUT)
    hub.publish(sample_view(), [])
    app = create_app(hub, SeatLinks(b"s" * 32, "http://127.0.0.1"), Console(hub, DealerDoor(CODE), take, seen=seen))
    client = TestClient(app, base_url="http://127.0.0.1", headers={"origin": "http://127.0.0.1"})
    enter(client)
    return client, hub, asked


@pytest.mark.parametrize(
    ("path", "body", "reason"),
    [
        ("table", {"kind": "undo"}, "no correction to take back"),
        ("card", {"seat": 1, "index": 0, "code": "3c", "was": "Ah"}, "no card there"),
        ("point", {"x": 0.0, "y": 0.0}, "no card there any more"),
        ("bet", {"seat": 1, "amount": "5"}, "nothing to change"),
    ],
)
def test_what_changed_nothing_is_not_called_corrected(path: str, body: Any, reason: str) -> None:
    client, hub, _ = told(False)
    answer = client.post(f"/dealer/{path}", json=body)
    assert answer.status_code == 409
    assert reason in answer.json()["detail"]
    assert b"correction" not in hub.payload("dealer")
    client, hub, _ = told(True)
    assert client.post(f"/dealer/{path}", json=body).status_code == 204
    assert b"correction" in hub.payload("dealer")


def test_a_correction_that_waits_for_the_camera_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console_module, "ANSWER_SECONDS", 0.05)
    client, hub, asked = told(None)
    answer = client.post("/dealer/table", json={"kind": "new-shoe"})
    assert answer.status_code == 202
    assert "when the camera" in answer.json()["detail"]
    assert b"correction" not in hub.payload("dealer")
    asked[0].set_result(True)
    time.sleep(0.05)
    assert b"new-shoe" in hub.payload("dealer")


def test_a_missed_card_is_not_taken_for_its_neighbour() -> None:
    seen = (SeenCard(-512, 328, 0, "Ah"), SeenCard(-498, 310, 0, "2c"))
    x, y = free_point(LAYOUT, seen, 1, 0, 2)
    assert all((x - c.x) ** 2 + (y - c.y) ** 2 > MEANT**2 for c in seen)
    assert owner(LAYOUT, x, y) == 1
    newest = Seen()
    newest.newest = Observation(21.0, seen, (), ())
    assert told(False, newest)[0].post("/dealer/card", json={"seat": 1, "code": "2h"}).status_code == 409


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
