"""The pit against a real broker: twenty simulated tables, and the page in a real browser."""

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from hardware.counts import Counts
from hardware.mqtt.access import Access
from hardware.mqtt.address import Broker
from hardware.mqtt.told import Told
from hardware.pit.server import Pit
from hardware.simulator.many import measure
from hardware.web.sample import sample_layout, sample_view
from tests.mqtt.broker import Mosquitto, needs_broker, until
from tests.pit.test_tables import alerting
from tests.web.test_pages import axe

pytestmark = needs_broker


class Room:
    """A pit and some tables at one broker."""

    def __init__(self, port: int) -> None:
        self.access = Access(Broker("127.0.0.1", port))
        self.notices: list[str] = []
        self.pit = Pit(self.access, "127.0.0.1", 0, self.notices.append)
        self.pit.start()
        self.tables: dict[str, Told] = {}

    def table(self, name: str, fault: str | None = None) -> Told:
        counts = Counts()
        counts.noticed(fault, "text")
        made = Told(self.access, name, sample_layout(), counts, self.notices.append)
        self.tables[name] = made
        return made

    def rows(self) -> dict[str, Any]:
        body = httpx.get(f"{self.pit.url}/tables.json").json()
        return {row["table"]: row for row in body["tables"]}

    def close(self) -> None:
        for table in self.tables.values():
            table.close(False)
        self.pit.stop()


@pytest.fixture
def room(mosquitto: Mosquitto) -> Iterator[Room]:
    made = Room(mosquitto.port)
    yield made
    made.close()


def test_twenty_simulated_tables_are_all_shown_right(tmp_path: Any) -> None:
    found = measure(20, 16.0, 8.0, None, tmp_path)
    assert found["tables shown right"] == 20
    assert found["events dropped"] == 0
    assert found["bytes a second and table"] / found["times the tables' pace"] < 2000


def test_a_table_comes_errs_and_goes(room: Room) -> None:
    room.table("1").publish(alerting(), [])
    until(lambda: room.rows().get("1", {}).get("state"))
    assert room.rows()["1"]["state"]["alerts"][0]["code"] == "skipped-seat"
    room.tables.pop("1").close(False)
    until(lambda: room.rows()["1"]["status"] == "offline")


def test_the_broker_goes_and_comes_back(room: Room, mosquitto: Mosquitto) -> None:
    room.table("1").publish(sample_view(), [])
    until(lambda: "1" in room.rows())
    mosquitto.stop()
    until(lambda: not httpx.get(f"{room.pit.url}/tables.json").json()["broker"])
    mosquitto.start()
    until(lambda: httpx.get(f"{room.pit.url}/tables.json").json()["broker"], 15)
    room.tables["1"].publish(alerting(), [])
    until(lambda: room.rows()["1"]["state"]["alerts"], 15)


def test_the_page_is_guarded_and_takes_nothing(room: Room) -> None:
    answer = httpx.get(room.pit.url)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-frame-options"] == "DENY"
    assert httpx.get(room.pit.url, headers={"host": "evil.example"}).status_code == 421
    assert httpx.get(f"{room.pit.url}/static/..%2f..%2fserver.py").status_code == 404
    for method in ("POST", "PUT", "DELETE"):
        assert httpx.request(method, room.pit.url).status_code in (403, 405)
    schema = httpx.get(f"{room.pit.url}/openapi.json").json()
    assert {verb for path in schema["paths"].values() for verb in path} == {"get"}


def test_the_page_shows_tables_seats_health_and_what_needs_somebody(room: Room, browser: Any) -> None:
    room.table("2").publish(alerting(), [])
    room.table("10", fault="camera-lost").publish(sample_view(), [])
    for n in range(3, 10):
        room.table(str(n)).publish(sample_view(), [])
    until(lambda: len([row for row in room.rows().values() if row["state"] and row["health"]]) == 9)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    foreign: list[str] = []
    page.on("request", lambda sent: None if sent.url.startswith(room.pit.url) else foreign.append(sent.url))
    try:
        page.goto(room.pit.url)
        page.wait_for_selector("#tables .tile:nth-child(9) .seats")
        names = page.locator("#tables h3 span:first-child").all_inner_texts()
        assert names == [f"Table {n}" for n in range(2, 11)]
        assert page.locator("#alerts li").count() == 2
        assert "Edith was skipped" in page.locator("#alerts").inner_text()
        assert "cannot see the table" in page.locator("#alerts").inner_text()
        assert page.locator("#count").inner_text() == "9 of 9 tables are on"
        assert "3 or 13" in page.locator("#table-2").inner_text()
        assert axe(page) == []
        room.tables.pop("5").close(False)
        deadline = time.monotonic() + 8
        while page.locator("#table-5.offline").count() == 0:
            assert time.monotonic() < deadline
            page.wait_for_timeout(50)
        page.set_viewport_size({"width": 320, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert axe(page) == []
        assert not faults
        assert not foreign
    finally:
        context.close()


def test_markup_from_a_broker_is_only_text(room: Room, browser: Any) -> None:
    evil = "<img src=x onerror=alert(1)>"
    state = {"phase": "play", "seats": [{"number": 1, "name": evil, "bet": "5", "hands": []}], "alerts": []}
    room.pit.tables.take("railbird/<b>x/status", b"online", time.monotonic())
    room.pit.tables.take("railbird/<b>x/state", json.dumps(state).encode(), time.monotonic())
    context = browser.new_context()
    page = context.new_page()
    try:
        page.goto(room.pit.url)
        page.wait_for_selector("#tables .tile .seats")
        assert evil in page.locator("#tables").inner_text()
        assert page.locator("#tables img, #tables b").count() == 0
    finally:
        context.close()
