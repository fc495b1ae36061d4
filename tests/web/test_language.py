"""The pages in the second language."""

import json
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from hardware.web import words
from hardware.web.hub import Hub
from hardware.web.sample import sample_layout, sample_view
from hardware.web.site import SeatLinks, create_app
from table_state.output import Alert, Say


@pytest.fixture
def german() -> Iterator[None]:
    """Everything in German, until the test is over."""
    words.choose("de")
    yield
    words.choose("en")


def test_pages_and_their_words_are_german(german: None) -> None:
    client = TestClient(create_app(Hub(sample_layout()), SeatLinks(b"x" * 32, "http://127.0.0.1")), "http://127.0.0.1")
    page = client.get("/").text
    assert '<html lang="de">' in page
    assert '<h1 class="hidden">Blackjack-Tisch</h1>' in page
    assert '"seat.your-turn": "Du bist dran"' in client.get("/static/words.js").text


def test_what_is_said_is_german_on_the_pages(german: None) -> None:
    hub = Hub(sample_layout())
    alert = Alert(1.0, "not-paid", 2, 0, "Seat 2 won and was not paid. Pay 7.5.")
    hub.publish(sample_view(), [Say(1.0, "3 or 13, seat 2?", 2, 0, 13, True), Say(1.0, "check seat 4", 4), alert])
    said = json.loads(hub.payload("table"))["said"]
    assert [row["text"] for row in said] == [
        "3 oder 13, Platz 2?",
        "Platz 4 prüfen",
        "Platz 2 hat gewonnen und wurde nicht ausgezahlt. 7,5 auszahlen.",
    ]
    assert [row.get("check") for row in said] == [False, True, None]
