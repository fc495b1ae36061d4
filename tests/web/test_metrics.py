"""Who may read the metrics: this machine itself, or the dealer's code."""

from collections.abc import Iterator

import httpx
import pytest
from starlette.testclient import TestClient

from hardware.counts import Counts
from hardware.metrics import Metrics
from hardware.web.auth import FREE_TRIES, DealerDoor
from hardware.web.console import Console
from hardware.web.hub import Hub
from hardware.web.sample import sample_layout
from hardware.web.site import SeatLinks, create_app
from tests.web.parts import CODE, Clock, run_display


@pytest.fixture
def far(clock: Clock) -> Iterator[TestClient]:
    """A client on another machine."""
    hub = Hub(sample_layout())
    console = Console(hub, DealerDoor(CODE, clock))
    app = create_app(hub, SeatLinks(b"s" * 32, "http://railbird.local"), console, Metrics(Counts()).text)
    with TestClient(app, base_url="http://railbird.local", client=("192.168.1.9", 4000)) as made:
        yield made


def bearer(code: str) -> dict[str, str]:
    return {"authorization": f"Bearer {code}"}


def test_this_machine_reads_them_without_a_code() -> None:
    running = run_display(metrics=Metrics(Counts()).text)
    try:
        answer = httpx.get(f"{running.url}/metrics")
    finally:
        running.display.stop()
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert "railbird_frames_total 0.0" in answer.text


def test_another_machine_needs_the_dealers_code(far: TestClient) -> None:
    assert far.get("/metrics").status_code == 401
    assert far.get("/metrics", headers={"authorization": "Basic eDp4"}).status_code == 401
    assert far.get("/metrics", headers=bearer("wrong")).status_code == 401
    assert far.get("/metrics", headers=bearer("x" * 101)).status_code == 401
    answer = far.get("/metrics", headers=bearer(CODE))
    assert answer.status_code == 200
    assert "railbird_frames_total" in answer.text


def test_guessing_here_is_slowed_as_at_the_door(far: TestClient, clock: Clock) -> None:
    for _ in range(FREE_TRIES):
        assert far.get("/metrics", headers=bearer("wrong")).status_code == 401
    assert far.get("/metrics", headers=bearer(CODE)).status_code == 429
    headers = {"origin": "http://railbird.local"}
    assert far.post("/dealer/enter", json={"code": CODE}, headers=headers).status_code == 429
    clock.now += 2.1
    assert far.get("/metrics", headers=bearer(CODE)).status_code == 200


def test_without_a_source_there_is_no_page(client: TestClient) -> None:
    assert client.get("/metrics").status_code == 404
