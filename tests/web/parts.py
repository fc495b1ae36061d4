"""A running display with a made-up table, and what the tests of the pages share."""

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from starlette.testclient import TestClient

from hardware.web.sample import sample_layout, sample_view, sample_words
from hardware.web.server import WebDisplay
from table_state.layout import CameraPoints, Layout
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


def calibrated() -> Layout:
    """The made-up table under a camera that looks straight down."""
    corners = ((-900.0, 0.0), (900.0, 0.0), (-900.0, 900.0), (900.0, 900.0))
    points = tuple(((x + 900) / 1800 * 1600, 900.0 - y, x, y) for x, y in corners)
    return dataclasses.replace(sample_layout(), camera=CameraPoints((1600, 900), points))


def run_display(layout: Layout | None = None, **options: Any) -> Running:
    corrections: list[Correction] = []
    options = {"port": 0, "dealer_code": CODE, "on_correction": corrections.append} | options
    running = Running(WebDisplay(layout or sample_layout(), **options), corrections)
    running.display.start()
    running.display.publish(sample_view(), sample_words())
    return running


def enter(client: TestClient) -> None:
    assert client.post("/dealer/enter", json={"code": CODE}).status_code == 204
