"""A running display with a made-up table, and what the tests of the pages share."""

from dataclasses import dataclass, field
from typing import Any

from starlette.testclient import TestClient

from hardware.web.sample import sample_layout, sample_view, sample_words
from hardware.web.server import WebDisplay
from table_state.observation import Correction

CODE = "7K4M-Q2XP"


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Running:
    """A display that runs, and what its console handed on."""

    display: WebDisplay
    corrections: list[Correction] = field(default_factory=list)

    @property
    def url(self) -> str:
        return self.display.url


def run_display(**options: Any) -> Running:
    corrections: list[Correction] = []
    options = {"port": 0, "dealer_code": CODE, "on_correction": corrections.append} | options
    running = Running(WebDisplay(sample_layout(), **options), corrections)
    running.display.start()
    running.display.publish(sample_view(), sample_words())
    return running


def enter(client: TestClient) -> None:
    assert client.post("/dealer/enter", json={"code": CODE}).status_code == 204
