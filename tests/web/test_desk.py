"""The console's switches, the replay and the evenings, as routes and as pages."""

import csv
import dataclasses
import io
import json
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from hardware.control import Control
from hardware.history import History
from hardware.names import Names
from hardware.replay import Replay
from hardware.web.auth import DealerDoor
from hardware.web.console import Console
from hardware.web.desk import Desk
from hardware.web.hub import Hub
from hardware.web.sample import sample_alert, sample_view
from hardware.web.site import SeatLinks, create_app
from table_state.observation import Correction, Observation, SeenCard
from table_state.output import Event, Output, Result, Say
from table_state.view import TableView
from tests.web.parts import CODE, calibrated, enter
from vision.frame import Frame

LAYOUT = calibrated()
OVER = dataclasses.replace(sample_view(), phase="over", seats=(), turn=None)


@dataclasses.dataclass
class Evening:
    """A desk with a table that plays."""

    control: Control
    history: History
    replay: Replay
    hub: Hub

    def step(self, t: float, *outputs: Output, view: TableView | None = None) -> None:
        shown, count = view or sample_view(), self.replay._count
        self.history.publish(shown, outputs)
        self.replay.observe(Frame(t, np.full((90, 160, 3), 30, np.uint8)), Observation(t, (SeenCard(0, 150, 0, "Kd"),)))
        self.replay.publish(shown, outputs)
        self.hub.publish(shown, outputs)
        until(lambda: self.replay._count > count)

    def play(self) -> None:
        """A round with an alert, then the beginning of another."""
        self.step(0.0, Event(0.0, "round-started"))
        for n in range(1, 20):
            self.step(float(n), *([sample_alert(), Say(5.0, "16, Jim?")] if n == 5 else []))
        won = Result(20.0, 1, 0, "win", Fraction(10), Fraction(10), 17, 20)
        lost = Result(20.0, 2, 0, "lose", Fraction(20), Fraction(-20), 17, 11)
        self.step(20.0, Event(20.0, "round-ended"), won, lost, view=OVER)
        self.step(40.0, Event(40.0, "round-started"))
        self.history.answer(Correction(41.0, "card", seat=1, x=1.0, y=2.0, code="As"), True)
        until(lambda: len(self.history.rows("corrections", self.history.evening)) == 1)
        until(lambda: bool(self.history.rows("alerts", self.history.evening)[0]["pictures"]))


def until(truth: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not truth():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    control = Control(Names(tmp_path / "names.json"))
    named = control.named(LAYOUT)
    history = History(tmp_path / "history.sqlite3", 30)
    made = Evening(control, history, Replay(named, history.pictures), Hub(named))
    control.listen(lambda: made.hub.switched(control.paused, control.camera_on, control.layout))
    yield made
    made.replay.close(False)
    made.history.close(False)


@pytest.fixture
def client(evening: Evening) -> Iterator[TestClient]:
    desk = Desk(evening.control, evening.replay, evening.history, 30)
    console = Console(evening.hub, DealerDoor(CODE), lambda correction: None, desk=desk)
    app = create_app(evening.hub, SeatLinks(b"s" * 32, "http://railbird.local:8021"), console)
    with TestClient(app, base_url="http://railbird.local", headers={"origin": "http://railbird.local"}) as made:
        yield made


def state(evening: Evening, audience: str | int = "table") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(evening.hub.payload(audience))
    return found


GETS = ["replay", "replay/1.jpg", "alerts/1/0.jpg", "history.json", "export/rounds.csv?evening=2026-12-01"]
POSTS = {"pause": {"on": True}, "camera": {"on": False}, "names": {"names": {"1": "Bo"}}}


def test_nothing_is_open_without_the_dealers_code(client: TestClient, evening: Evening) -> None:
    assert {client.get(f"/dealer/{path}").status_code for path in GETS} == {401}
    assert {client.post(f"/dealer/{path}", json=body).status_code for path, body in POSTS.items()} == {401}
    assert client.post("/dealer/delete-evening", json={"evening": "2026-12-01"}).status_code == 401
    answer = client.get("/dealer/history", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/dealer")
    assert not evening.control.paused


def test_every_page_is_told_of_a_pause_and_of_the_camera(client: TestClient, evening: Evening) -> None:
    enter(client)
    assert client.get("/camera.json").json() == {"camera": "on"}
    assert client.post("/dealer/pause", json={"on": True}).status_code == 204
    assert client.post("/dealer/camera", json={"on": False}).status_code == 204
    assert client.get("/camera.json").json() == {"camera": "off"}
    for audience in ("table", "dealer", 3):
        found = state(evening, audience)
        assert (found["paused"], found["camera"]) == (True, "off")
    client.post("/dealer/camera", json={"on": True})
    evening.hub.notice("camera-lost")
    assert client.get("/camera.json").json() == {"camera": "lost"}


def test_names_are_shown_at_once_and_kept(client: TestClient, evening: Evening, tmp_path: Path) -> None:
    enter(client)
    assert client.post("/dealer/names", json={"names": {"1": " Bo ", "3": "Ann", "99": "x"}}).status_code == 204
    seats = {seat["number"]: seat["name"] for seat in client.get("/table.json").json()["seats"]}
    assert (seats[1], seats[2], seats[3]) == ("Bo", "Rosa", "Ann")
    again = Control(Names(tmp_path / "names.json")).named(LAYOUT)
    assert [seat.name for seat in again.seats[:3]] == ["Bo", "Rosa", "Ann"]
    # A name that the layout file gives since then counts more.
    newer = dataclasses.replace(LAYOUT, seats=tuple(dataclasses.replace(s, name="New") for s in LAYOUT.seats))
    assert Names(tmp_path / "names.json").applied(newer).seats[0].name == "New"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("pause", {"on": 1}),
        ("camera", {}),
        ("names", {"names": {"1": "x" * 25}}),
        ("names", {"names": {"1": "a\nb"}}),
        ("names", {"names": {"one": "a"}}),
        ("delete-evening", {"evening": "today"}),
    ],
)
def test_a_bad_form_changes_nothing(client: TestClient, evening: Evening, path: str, body: Any) -> None:
    enter(client)
    assert client.post(f"/dealer/{path}", json=body).status_code == 422
    assert (evening.control.paused, evening.control.camera_on) == (False, True)


def test_a_broken_file_of_names_is_none(tmp_path: Path) -> None:
    (tmp_path / "names.json").write_text('{"half-moon": {"1": 3}}')
    assert Names(tmp_path / "names.json").applied(LAYOUT) == LAYOUT


def test_the_last_round_is_replayed_and_exported_and_deleted(client: TestClient, evening: Evening) -> None:
    enter(client)
    evening.play()
    found = client.get("/dealer/replay?last=true").json()
    assert [one["text"] for one in found["told"]] == [sample_alert().text, "16, Jim?"]
    picture = client.get(f"/dealer/replay/{found['stills'][3]['n']}.jpg")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
    kept = client.get("/dealer/history.json").json()
    assert (kept["today"], len(kept["rounds"]), len(kept["alerts"]), len(kept["corrections"])) == (
        evening.history.evening,
        3,
        1,
        1,
    )
    assert client.get("/dealer/alerts/1/0.jpg").content.startswith(b"\xff\xd8")
    query = f"?evening={evening.history.evening}"
    rows = list(csv.DictReader(io.StringIO(client.get(f"/dealer/export/rounds.csv{query}").text)))
    assert [(row["seat"], row["cards"], row["pays"]) for row in rows[:2]] == [
        ("1", "Ah 2c", "10"),
        ("2", "8s 3d", "-20"),
    ]
    alerts = client.get(f"/dealer/export/alerts.json{query}")
    assert alerts.json()[0]["moves"][0] == {"card": "6h", "from": "seat:7", "to": "seat:6"}
    assert alerts.json()[0]["at"][:2] == "20"
    assert "attachment" in alerts.headers["content-disposition"]
    assert client.post("/dealer/delete-evening", json={"evening": evening.history.evening}).status_code == 204
    assert client.get("/dealer/history.json").json()["evenings"] == []
    assert client.get("/dealer/alerts/1/0.jpg").status_code == 404
    assert client.get("/dealer/replay?last=true").json()["stills"] == []


def test_a_name_is_no_formula_in_a_spreadsheet(client: TestClient, evening: Evening) -> None:
    enter(client)
    evening.history.publish(sample_view(), [dataclasses.replace(sample_alert(), text="=HYPERLINK(1) was skipped")])
    until(lambda: bool(evening.history.rows("alerts", evening.history.evening)))
    text = client.get(f"/dealer/export/alerts.csv?evening={evening.history.evening}").text
    assert "'=HYPERLINK" in text
    assert "6h seat:7>seat:6; Kd dealer>seat:7" in text


def test_a_run_that_keeps_nothing_says_so(evening: Evening) -> None:
    console = Console(evening.hub, DealerDoor(CODE), None, desk=Desk(evening.control))
    app = create_app(evening.hub, SeatLinks(b"s" * 32, "http://railbird.local"), console)
    with TestClient(app, base_url="http://railbird.local", headers={"origin": "http://railbird.local"}) as client:
        enter(client)
        assert client.get("/dealer/history.json").json()["keep_days"] == 0
        assert client.get("/dealer/replay").json() == {"stills": [], "told": []}
        assert client.post("/dealer/delete-evening", json={"evening": "2026-12-01"}).status_code == 503
