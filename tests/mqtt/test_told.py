"""What a table tells a real broker, and what becomes of it when the broker goes and comes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware.counts import Counts
from hardware.errors import BadInputError
from hardware.mqtt.access import Access, read_password
from hardware.mqtt.address import Broker, own_name, parse_broker
from hardware.mqtt.outbox import EVENTS_KEPT, SPACING, Outbox
from hardware.mqtt.told import Told
from hardware.mqtt.topics import Topics, split_topic
from hardware.web.sample import sample_alert, sample_layout, sample_view, sample_words
from table_state.output import Say
from table_state.view import TableView
from tests.mqtt.broker import Ears, Mosquitto, free_port, needs_broker, until


class House:
    """A table that tells a broker, and the notices that it gave."""

    def __init__(self, port: int, table: str = "one", every: float = 10.0, **access: Any) -> None:
        self.notices: list[str] = []
        self.counts = Counts()
        reached = Access(Broker("127.0.0.1", port), **access)
        self.told = Told(reached, table, sample_layout(), self.counts, self.notices.append, every=every)

    def connected(self) -> bool:
        return self.told.sender.connected


@pytest.fixture
def house(mosquitto: Mosquitto) -> Iterator[House]:
    made = House(mosquitto.port, every=0.2)
    until(made.connected)
    yield made
    made.told.close(False)


def moved(n: int) -> TableView:
    """A view that differs from all others."""
    return TableView(float(n), f"phase-{n}", None, sample_view().seats, sample_view().dealer, ())


@needs_broker
def test_words_state_health_and_presence_are_told(house: House, ears: Ears) -> None:
    house.counts.noticed("camera-lost", "gone")
    house.told.publish(sample_view(), [*sample_words(), sample_alert()])
    until(lambda: len([t for t, *_ in ears.heard if t == "railbird/one/events"]) == 5)
    events = [json.loads(p) for t, p, _ in ears.heard if t == "railbird/one/events"]
    assert events == [output.to_json() for output in [*sample_words(), sample_alert()]]
    state = json.loads(until(lambda: ears.newest.get("railbird/one/state")))
    assert state["seats"] == [seat.to_json() for seat in sample_view().seats]
    assert state["dealer"]["cards"] == ["Kd", "??"]
    assert ears.newest["railbird/one/status"] == b"online"
    until(lambda: json.loads(ears.newest["railbird/one/health"])["fault"] == "camera-lost")
    assert house.told.sender.sent_bytes > 500


@needs_broker
def test_who_comes_later_finds_the_newest_state_and_the_farewell(house: House, mosquitto: Mosquitto) -> None:
    for n in range(50):
        house.told.publish(moved(n), [])
    time.sleep(0.5)
    house.told.close(False)
    late = Ears(mosquitto.port)
    until(lambda: "railbird/one/status" in late.newest)
    late.close()
    assert late.newest["railbird/one/status"] == b"offline"
    assert json.loads(late.newest["railbird/one/state"])["phase"] == "phase-49"
    assert all(retain for _, _, retain in late.heard)


@needs_broker
def test_states_are_spaced_and_the_last_one_counts(house: House, ears: Ears) -> None:
    for n in range(100):
        house.told.publish(moved(n), [])
        time.sleep(0.005)
    until(lambda: b"phase-99" in ears.newest.get("railbird/one/state", b""))
    states = [p for t, p, _ in ears.heard if t == "railbird/one/state"]
    assert len(states) <= 60


@needs_broker
def test_an_unchanged_view_is_not_told_again(house: House, ears: Ears) -> None:
    for n in range(30):
        house.told.publish(TableView(float(n), "idle", None, (), sample_view().dealer, ()), [])
    until(lambda: "railbird/one/state" in ears.newest)
    time.sleep(2 * SPACING)
    assert len([t for t, *_ in ears.heard if t == "railbird/one/state"]) == 1


@needs_broker
def test_the_broker_goes_and_comes_back(house: House, mosquitto: Mosquitto) -> None:
    house.told.publish(moved(1), [])
    mosquitto.stop()
    until(lambda: not house.connected())
    began = time.perf_counter()
    for n in range(400):
        house.told.publish(moved(n), [Say(float(n), f"word {n}")])
    assert time.perf_counter() - began < 5.0
    assert house.told.sender.dropped == 400 - EVENTS_KEPT
    mosquitto.start()
    until(house.connected, 15)
    ears = Ears(mosquitto.port)
    until(lambda: b"phase-399" in ears.newest.get("railbird/one/state", b""))
    until(lambda: ears.newest.get("railbird/one/status") == b"online")
    ears.close()
    until(lambda: len(house.notices) == 2)
    assert "the connection is lost; trying again" in house.notices[0]
    assert "reached again" in house.notices[1]


@needs_broker
def test_a_broker_that_hangs_makes_nobody_wait_and_memory_stays_bounded(house: House, mosquitto: Mosquitto) -> None:
    assert mosquitto.process is not None
    os.kill(mosquitto.process.pid, signal.SIGSTOP)
    try:
        began = time.perf_counter()
        for n in range(2000):
            house.told.publish(moved(n), [Say(float(n), "x" * 1000)])
        assert time.perf_counter() - began < 10.0  # a loop that waited would wait for the 20 s of a keepalive
        assert house.told.sender.dropped >= 2000 - EVENTS_KEPT - 100
    finally:
        os.kill(mosquitto.process.pid, signal.SIGCONT)


@needs_broker
def test_a_table_that_dies_is_told_offline_by_the_broker(mosquitto: Mosquitto, ears: Ears) -> None:
    script = (
        "import sys, time\nfrom tests.mqtt.test_told import House\n"
        f"house = House({mosquitto.port}, 'dies')\ntime.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parents[2])
    try:
        until(lambda: ears.newest.get("railbird/dies/status") == b"online", 20)
    finally:
        process.kill()
        process.wait(timeout=10)
    until(lambda: ears.newest["railbird/dies/status"] == b"offline")


@needs_broker
def test_user_and_password_are_used_and_a_wrong_one_is_said_once(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path, {"railbird": "secret"})
    broker.start()
    right = House(broker.port, user="railbird", password="secret")
    wrong = House(broker.port, "two", user="railbird", password="guess")
    try:
        until(right.connected)
        until(lambda: wrong.notices)
        assert not wrong.connected()
        assert "not authorized" in wrong.notices[0]
    finally:
        right.told.close(False)
        wrong.told.close(False)
        broker.stop()
    assert len(wrong.notices) == 1


def test_nobody_there_is_said_once_and_the_end_does_not_wait_long() -> None:
    house = House(free_port())
    house.told.publish(sample_view(), sample_words())
    until(lambda: house.notices)
    began = time.monotonic()
    house.told.close(False)
    assert time.monotonic() - began < 10
    assert house.notices == [f"mqtt: 127.0.0.1:{house.told.sender._access.port}: nobody answers there; trying again"]


@needs_broker
def test_home_assistant_finds_each_thing_with_a_place_to_read_it(house: House, ears: Ears) -> None:
    house.told.publish(sample_view(), [])
    until(lambda: len([t for t in ears.newest if t.startswith("homeassistant/")]) == 8)
    until(lambda: "railbird/one/state" in ears.newest and "railbird/one/health" in ears.newest)
    seen = set()
    for topic, payload in ears.newest.items():
        if not topic.startswith("homeassistant/"):
            continue
        prefix, component, node, thing, last = topic.split("/")
        body = json.loads(payload)
        assert (prefix, node, last) == ("homeassistant", "railbird_one", "config")
        assert component in ("sensor", "binary_sensor")
        assert body["unique_id"] == f"railbird_one_{thing}"
        assert body["state_topic"] in ears.newest
        assert body["availability_topic"] == "railbird/one/status"
        assert body["device"]["identifiers"] == ["railbird_one"]
        seen.add(body["unique_id"])
    assert len(seen) == 8


def test_home_assistants_templates_read_the_state() -> None:
    jinja2 = pytest.importorskip("jinja2", reason="jinja2 is not installed")
    from hardware.mqtt.discovery import discovery
    from hardware.mqtt.told import public

    environment = jinja2.Environment()
    environment.filters["tojson"] = json.dumps
    found = dict(discovery("homeassistant", "one", sample_layout()))
    view = sample_view()
    told = public(TableView(view.t, view.phase, view.turn, view.seats, view.dealer, (sample_alert(),)))

    def shown(thing: str, key: str = "value_template", body: Any = told) -> str:
        config = next(c for t, c in found.items() if f"/{thing}/" in t)
        return environment.from_string(config[key]).render(value_json=body)

    assert shown("mistake") == "ON"
    assert shown("mistake", body=public(view)) == "OFF"
    assert json.loads(shown("mistake", "json_attributes_template"))["mistakes"] == [sample_alert().text]
    assert shown("mistake_text").startswith("Edith was skipped")
    assert shown("turn") == "seat 1"
    assert shown("bets") == "6"
    health = {"fault": None, "milliseconds": {"look": 41.5}, "dropped": 3}
    assert [shown(t, body=health) for t in ("camera", "look", "dropped")] == ["OFF", "41.5", "3"]


@pytest.mark.parametrize(
    ("text", "broker"),
    [
        ("house:1884", Broker("house", 1884)),
        ("192.168.1.4", Broker("192.168.1.4")),
        ("[fd00::1]:1883", Broker("fd00::1", 1883)),
    ],
)
def test_an_address_is_read(text: str, broker: Broker) -> None:
    assert parse_broker(text) == broker
    assert Access(Broker("h")).port == 1883
    assert Access(Broker("h"), tls=True).port == 8883


@pytest.mark.parametrize(
    "text", ["", "house:", "house:x", "house:0", "house:99999", "mqtt://house", "a@b", "a/b", "a b"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_broker(text)


def test_a_topic_is_taken_apart() -> None:
    assert split_topic(Topics("seven").health) == ("seven", "health")
    assert [split_topic(t) for t in ("railbird/a/b", "railbird//state", "x/a/state", "railbird/a/state/x")] == [
        None
    ] * 4
    assert own_name()


def test_a_password_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "word").write_text("secret\n")
    assert read_password(str(tmp_path / "word")) == "secret"
    with pytest.raises(BadInputError, match="mqtt_password_file"):
        read_password(str(tmp_path / "none"))


def test_the_outbox_sends_states_first_and_no_topic_too_often() -> None:
    box = Outbox()
    box.event("e", lambda: b"1")
    box.keep("s", lambda: b"a")
    box.keep("s", lambda: b"b")
    first, second = box.take(0.0), box.take(0.0)
    assert first is not None
    assert second is not None
    assert (first.payload, second.payload) == (b"b", b"1")
    box.keep("s", lambda: b"c")
    assert box.take(0.1) is None
    assert box.wait(0.1) == pytest.approx(0.1)
    assert box.take(0.2) is not None
    assert box.wait(0.3) is None
    box.again()
    assert box.take(0.3) is not None
