"""Fixtures: a running display, a client without a network, and a real browser where there is one."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from hardware.web.auth import DealerDoor
from hardware.web.console import Console
from hardware.web.hub import Hub
from hardware.web.sample import sample_layout, sample_view
from hardware.web.site import SeatLinks, create_app
from table_state.observation import Correction
from tests.web.parts import CODE, Clock, Running, run_display

CHROMIUM = Path(os.environ.get("RAILBIRD_CHROMIUM", "/usr/bin/chromium"))
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture
def running() -> Iterator[Running]:
    made = run_display()
    yield made
    made.display.stop()


@pytest.fixture
def corrections() -> list[Correction]:
    return []


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(corrections: list[Correction], clock: Clock) -> Iterator[TestClient]:
    hub = Hub(sample_layout())
    hub.publish(sample_view(), [])
    console = Console(hub, DealerDoor(CODE, clock), corrections.append, lambda: b"\xff\xd8picture")
    app = create_app(hub, SeatLinks(b"s" * 32, "http://railbird.local:8021"), console)
    headers = {"origin": "http://railbird.local"}
    with TestClient(app, base_url="http://railbird.local", headers=headers, client=("127.0.0.1", 50000)) as made:
        yield made


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM} (set RAILBIRD_CHROMIUM)")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGS)
        yield opened
        opened.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Any]:
    contexts = []

    def opened(url: str, size: tuple[int, int] = (800, 480), **options: Any) -> Any:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("console", lambda line: page.faults.append(line.text) if line.type == "error" else None)
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
