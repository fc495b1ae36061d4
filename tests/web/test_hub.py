"""What each audience is sent, and that nobody is waited for."""

import asyncio
import dataclasses
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import httpx
import pytest

from hardware.web import hub as hub_module
from hardware.web.errors import PortInUseError, WebError
from hardware.web.hub import Hub
from hardware.web.sample import sample_alert, sample_layout, sample_view, sample_words
from hardware.web.server import WebDisplay
from table_state.observation import Observation, SeenCard, SeenChips
from table_state.output import Alert, Resolved, Result, Say
from table_state.rules import preset
from table_state.table import Table
from table_state.view import HandView, SeatView
from tests.web.parts import CODE, Running, calibrated, run_display


def states(response: httpx.Response) -> Iterator[dict[str, Any]]:
    event = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            event = line[7:]
        elif line.startswith("data: ") and event == "state":
            yield json.loads(line[6:])


def payload(hub: Hub, audience: str | int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(hub.payload(audience))
    return found


def test_the_table_gets_everything_shown_and_words_with_numbers() -> None:
    hub = Hub(sample_layout())
    hub.publish(sample_view(), [*sample_words(), sample_alert(), Resolved(22.0, "late-bet", 2)])
    found = payload(hub, "table")
    assert [(words["n"], words["kind"]) for words in found["said"]] == [(1, "say"), (2, "alert"), (3, "resolved")]
    assert found["turn"] == {"seat": 1, "hand": 0}
    assert found["dealer"]["cards"] == ["Kd", "??"]
    assert "events" not in found
    assert [entry["event"] for entry in payload(hub, "dealer")["events"]] == ["round-started", "bet", "card"]


def test_the_same_words_twice_have_two_numbers() -> None:
    hub = Hub(sample_layout())
    hub.publish(sample_view(), [Say(1.0, "20", 1, 0, 20)])
    hub.publish(sample_view(), [Say(2.0, "20", 1, 0, 20)])
    assert [words["n"] for words in payload(hub, 1)["said"]] == [1, 2]


def test_a_seat_gets_its_own_data_and_the_dealers_only() -> None:
    hub = Hub(sample_layout())
    words = [Say(1.0, "16, seat 3?", 3, 0, 16), Say(2.0, "Insurance is open"), Say(3.0, "The dealer has 10", 0, 0, 10)]
    hub.publish(dataclasses.replace(sample_view(), alerts=(sample_alert(),)), words)
    body = hub.payload(2).decode()
    found = json.loads(body)
    assert found["seat"]["number"] == 2
    assert [entry["text"] for entry in found["said"]] == ["Insurance is open", "The dealer has 10"]
    assert not found["alerts"]
    others = {"Ah", "2c", "9d", "7c", "Ks", "As", "Qd", "6h", "5s", "9c"}
    assert not [code for code in others if f'"{code}"' in body]
    assert not [name for name in ("Jim", "Walter", "Edith", "Sam") if name in body]


def test_a_check_is_told_from_a_total() -> None:
    hub = Hub(sample_layout())
    hub.publish(sample_view(), [Say(1.0, "check seat 6", 6, 0, None)])
    assert payload(hub, "table")["said"][-1]["check"] is True


def test_alerts_that_say_the_same_are_listed_once_with_their_number() -> None:
    hub = Hub(sample_layout())
    first = Alert(1.0, "unreadable-card", 3, None, "A card cannot be read.")
    other = dataclasses.replace(first, seat=2)
    alerts = (first, sample_alert(), other, dataclasses.replace(first, t=2.0), dataclasses.replace(first, t=3.0))
    hub.publish(dataclasses.replace(sample_view(), alerts=alerts), [])
    listed = [(a["code"], a["seat"], a["count"]) for a in payload(hub, "table")["alerts"]]
    assert listed == [("unreadable-card", 3, 3), ("skipped-seat", 6, 1), ("unreadable-card", 2, 1)]
    assert payload(hub, 3)["alerts"] == [{"code": "unreadable-card", "text": "A card cannot be read.", "count": 3}]


def test_a_bet_whose_amount_is_unknown_is_a_bet() -> None:
    hub = Hub(sample_layout())
    seats = (SeatView(1, "", None, (), True), SeatView(2, "", "5"), SeatView(3, ""))
    hub.publish(dataclasses.replace(sample_view(), seats=seats), [])
    assert [seat["placed"] for seat in payload(hub, "table")["seats"]] == [True, True, False]
    table = Table(sample_layout(), preset("charity"))
    for t in range(20):
        table.step(Observation(t / 5, (), (SeenChips(-700, 369, "red", None), SeenChips(-542, 610, "red", 2)), ()))
    assert [(s.bet, s.placed) for s in table.view().seats[:3]] == [(None, True), ("10", True), (None, False)]


def test_results_are_not_words() -> None:
    hub = Hub(sample_layout())
    hub.publish(sample_view(), [Result(1.0, 1, 0, "win", None, None, 20, 21)])
    assert not payload(hub, "table")["said"]


def test_a_glimpsed_hole_card_is_in_nothing_that_is_sent() -> None:
    """Whatever a page asks for while the dealer peeks, its code is in no answer, the console's included."""
    running = run_display(layout=calibrated())
    running.display.observe(Observation(21.0, (SeenCard(0, 150, 0, "Kd"), SeenCard(70, 150, 0, "5h"))))
    client = httpx.Client(headers={"origin": running.url})
    client.post(f"{running.url}/dealer/enter", json={"code": CODE})
    pages = [running.url, *running.display.seat_urls.values(), f"{running.url}/dealer"]
    sent = [client.get(url).text for url in pages]
    sent += [client.get(f"{running.url}/{path}").text for path in ("table.json", "openapi.json", "dealer/marks")]
    for url in pages:
        with client.stream("GET", f"{url}/events") as response:
            sent.append(json.dumps(next(states(response))))
    client.close()
    running.display.stop()
    assert "??" in sent[-1]
    assert "Kd" in sent[-1]
    assert not [text for text in sent if "5h" in text]


def test_each_state_arrives_in_order_and_the_last_always(running: Running) -> None:
    with httpx.stream("GET", f"{running.url}/events") as response:
        found = states(response)
        next(found)
        for count in range(200):
            running.display.publish(sample_view(), [Say(float(count), str(count), 1, 0, 5)])
        numbers: list[int] = []
        while not numbers or numbers[-1] < 201:
            numbers = [words["n"] for words in next(found)["said"]]
        assert numbers == sorted(numbers)


def test_a_browser_that_never_reads_holds_nobody(running: Running) -> None:
    host, port = "127.0.0.1", running.display.url.rsplit(":", 1)[1]
    with closing(socket.create_connection((host, int(port)))) as dead:
        dead.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        dead.sendall(f"GET /events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        long = dataclasses.replace(sample_view(), seats=sample_view().seats * 40)
        took = []
        for count in range(300):
            begun = time.perf_counter()
            running.display.publish(long, [Say(float(count), str(count), 1, 0, 5)])
            took.append(time.perf_counter() - begun)
            time.sleep(0.001)
        with httpx.stream("GET", f"{running.url}/events") as response:
            assert next(states(response))["said"][-1]["text"] == "299"
        # Whoever waited for that browser would wait each time; another program only now and then takes the processor.
        assert sorted(took)[len(took) * 9 // 10] < 0.1


def test_a_thousand_connections_leave_the_display_its_place(running: Running) -> None:
    """The display's stream goes on; those past the limit are told so, and a new page is still served."""
    host, port = "127.0.0.1", int(running.url.rsplit(":", 1)[1])
    with ExitStack() as stack:
        found = states(stack.enter_context(httpx.stream("GET", f"{running.url}/events", timeout=60)))
        next(found)
        flood = []
        for i in range(1000):
            one = stack.enter_context(closing(socket.create_connection((host, port), timeout=30)))
            if i % 2:
                one.sendall(f"GET /events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
                flood.append(one)
        answers = [one.recv(12) for one in flood]
        assert answers.count(b"HTTP/1.1 503") >= 100
        assert answers.count(b"HTTP/1.1 200") >= 100
        running.display.publish(sample_view(), [Say(9.0, "after the flood", 1, 0, 5)])
        assert next(found)["said"][-1]["text"] == "after the flood"
        assert httpx.get(running.url, timeout=60).status_code == 200


def test_an_idle_table_wakes_nobody() -> None:
    hub = Hub(sample_layout())
    hub.publish(sample_view(), [])
    before = hub.payload("table")
    hub.publish(dataclasses.replace(sample_view(), t=22.0), [])
    assert hub.payload("table") is before
    assert hub.view().t == 22.0


def test_many_threads_may_publish(running: Running) -> None:
    def publish() -> None:
        for _ in range(50):
            running.display.publish(sample_view(), [Say(0.0, "20", 1, 0, 20)])

    threads = [threading.Thread(target=publish) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with httpx.stream("GET", f"{running.url}/events") as response:
        assert next(states(response))["said"][-1]["n"] == 201


def test_the_number_of_streams_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most so many for one address, so many for all, and a few more for the machine itself."""
    for name, limit in {"MAX_STREAMS_PER_ADDRESS": 2, "MAX_STREAMS": 3, "LOCAL_STREAMS": 1}.items():
        monkeypatch.setattr(hub_module, name, limit)

    async def opened() -> list[bool]:
        hub = Hub(sample_layout())
        places = ["192.168.1.9"] * 3 + ["192.168.1.8"] * 2 + ["127.0.0.1"] * 2
        return [hub.stream("table", place) is not None for place in places]

    assert asyncio.run(opened()) == [True, True, False, True, False, True, False]


def test_a_port_in_use_is_one_line(running: Running) -> None:
    port = int(running.url.rsplit(":", 1)[1])
    with pytest.raises(PortInUseError, match=rf"^display: port {port} is in use; .*--port$"):
        WebDisplay(sample_layout(), port=port).start()


@pytest.mark.parametrize(("host", "port"), [("no such host", 0), ("203.0.113.7", 0), ("127.0.0.1", 99999)])
def test_an_address_that_is_not_ours_is_one_line(host: str, port: int) -> None:
    with pytest.raises(WebError) as caught:
        WebDisplay(sample_layout(), host=host, port=port).start()
    assert "\n" not in str(caught.value)


def test_links_are_unguessable_and_outlive_a_restart() -> None:
    one = WebDisplay(sample_layout(), link_secret=b"k" * 32).seat_urls
    again = WebDisplay(sample_layout(), link_secret=b"k" * 32).seat_urls
    other = WebDisplay(sample_layout()).seat_urls
    assert one == again
    assert not set(one.values()) & set(other.values())
    assert all(len(url.rsplit("/", 1)[1]) == 22 for url in one.values())


def test_stop_ends_streams_and_frees_the_port() -> None:
    made = run_display()
    port = int(made.url.rsplit(":", 1)[1])
    with httpx.stream("GET", f"{made.url}/events") as response:
        next(states(response))
        begun = time.perf_counter()
        made.display.stop()
        assert time.perf_counter() - begun < 3
    made.display.stop()
    again = run_display(port=port)
    again.display.stop()


def test_a_view_without_hands_is_shown() -> None:
    hub = Hub(sample_layout())
    hub.publish(dataclasses.replace(sample_view(), seats=(), dealer=HandView(), turn=None), [])
    assert payload(hub, 3)["seat"] == {"number": 3, "name": "", "bet": None, "hands": []}
    assert payload(hub, "table")["turn"] is None


def test_before_the_first_view_there_is_an_empty_table() -> None:
    assert payload(Hub(sample_layout()), "table")["seats"] == []
