"""What the pit makes of messages, good and bad."""

import json
import math
from typing import Any

import pytest

from hardware.mqtt.told import public
from hardware.pit.cleaning import LONGEST, clean_event, clean_health, clean_state, parsed
from hardware.pit.tables import MOST, SILENT, Tables
from hardware.web.sample import sample_alert, sample_view
from table_state.view import TableView


def alerting() -> TableView:
    view = sample_view()
    return TableView(view.t, view.phase, view.turn, view.seats, view.dealer, (sample_alert(),))


def message(body: Any) -> bytes:
    return json.dumps(body).encode()


def rows(tables: Tables, now: float = 0.0) -> dict[str, Any]:
    return {row["table"]: row for row in tables.after(-1, now)[1]["tables"]}


def test_a_table_is_shown_with_its_seats_alerts_and_health() -> None:
    tables = Tables()
    tables.take("railbird/seven/status", b"online", 0.0)
    tables.take("railbird/seven/state", message(public(alerting())), 1.0)
    tables.take("railbird/seven/health", message({"fault": None, "milliseconds": {"look": 41.2}, "dropped": 3}), 1.0)
    tables.take("railbird/seven/events", message({"type": "say", "text": "17, Jim?"}), 1.0)
    tables.take("railbird/seven/events", message(sample_alert().to_json()), 1.0)
    row = rows(tables, 61.0)["seven"]
    assert (row["status"], row["said"], row["mistakes"]) == ("online", "17, Jim?", 1)
    assert [seat["name"] for seat in row["state"]["seats"]][:2] == ["Jim", "Rosa"]
    assert row["state"]["alerts"][0]["age"] == 60
    assert row["health"]["look_ms"] == 41.2
    assert "Ah" not in json.dumps(row)


def test_only_what_changed_is_sent_again() -> None:
    tables = Tables()
    for name in ("a", "b"):
        tables.take(f"railbird/{name}/status", b"online", 0.0)
    version, everything = tables.after(-1, 0.0)
    tables.take("railbird/b/state", message(public(sample_view())), 1.0)
    newest, change = tables.after(version, 1.0)
    assert (everything["full"], change["full"]) == (True, False)
    assert [row["table"] for row in change["tables"]] == ["b"]
    assert tables.after(newest, 1.0)[1]["tables"] == []


def test_a_table_that_falls_silent_is_told_apart_from_one_that_is_off() -> None:
    tables = Tables()
    tables.take("railbird/a/status", b"online", 0.0)
    tables.take("railbird/b/status", b"offline", 0.0)
    tables.look(SILENT + 1)
    assert [row["status"] for row in rows(tables).values()] == ["silent", "offline"]
    tables.take("railbird/a/health", message({}), SILENT + 2)
    tables.look(SILENT + 3)
    assert rows(tables)["a"]["status"] == "online"


@pytest.mark.parametrize(
    ("topic", "payload"),
    [
        ("railbird/a/state", b"\xff\xfe"),
        ("railbird/a/state", b"[]"),
        ("railbird/a/state", b"[" * 100_000),
        ("railbird/a/state", b'{"seats": "' + b"x" * LONGEST + b'"}'),
        ("railbird/a/status", b"maybe"),
        ("railbird/" + "a" * 41 + "/status", b"online"),
        ("other/a/status", b"online"),
        ("railbird/a/more/status", b"online"),
    ],
)
def test_what_is_no_message_of_a_table_is_refused(topic: str, payload: bytes) -> None:
    tables = Tables()
    tables.take(topic, payload, 0.0)
    assert rows(tables) == {}
    assert tables.refused == 1


def test_a_broker_full_of_names_does_not_fill_the_memory() -> None:
    tables = Tables()
    for n in range(MOST + 50):
        tables.take(f"railbird/t{n}/status", b"online", 0.0)
    assert len(rows(tables)) == MOST


@pytest.mark.parametrize(
    "body",
    [
        {"seats": [{"number": "1", "name": 7, "hands": [{"total": -3, "text": ["x"], "cards": 5}]}, 4, None]},
        {"seats": {"a": 1}, "alerts": [{"text": {"x": 1}, "seat": 10**30}], "turn": {"seat": True}},
        {"phase": 5, "dealer": [], "turn": [1, 2]},
        {"alerts": [{"text": "y" * 5000}] * 500, "seats": [{}] * 500},
    ],
)
def test_a_state_of_another_form_is_shown_as_far_as_it_has_one(body: Any) -> None:
    state = clean_state(body)
    json.dumps(state, allow_nan=False)
    assert len(state["seats"]) <= 12
    assert len(state["alerts"]) <= 20
    assert all(len(alert["text"] or "") <= 300 for alert in state["alerts"])
    assert state["turn"] is None


def test_odd_numbers_are_none() -> None:
    odd = parsed(b'{"dropped": NaN, "frames_per_second": 1e999, "milliseconds": {"look": true}, "fault": 3}')
    assert odd is not None
    assert math.isnan(odd["dropped"])
    found = clean_health(odd)
    assert found == {"layout": None, "fault": None, "fps": None, "dropped": None, "look_ms": None}
    assert clean_event({"type": "result"}) is None
