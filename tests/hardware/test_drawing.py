"""The drawing of a moment: everything that was seen is in it, and a hidden card is not."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.cli import main
from hardware.drawing import draw
from table_state.observation import Observation, SeenCard, SeenChips, SeenHand, to_json
from table_state.output import Alert
from table_state.view import HandView, SeatView, TableView
from tests.hardware.helpers import LAYOUT, layout

SEEN = Observation(
    2.0,
    (SeenCard(0, 450, 5, "8s"), SeenCard(14, 432, 5, "T?"), SeenCard(0, 140, 0, "6h"), SeenCard(4, 120, 90, "Kd")),
    (SeenChips(0, 600, "red", 3), SeenChips(50, 600, "unheard-of", None)),
    (SeenHand(100, 200, 80, "dealer"),),
)
VIEW = TableView(
    2.0,
    "players",
    (1, 0),
    (SeatView(1, "Jim", "15", (HandView(("8s", "T?"), 18, False, "18", "playing"),)),),
    HandView(("6h", "??"), None, False, "6", "waiting"),
    (Alert(2.0, "late-bet", 1, None, "A bet <came> late & counts not."),),
)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter() if element.tag.endswith("text")]


def test_everything_seen_and_shown_is_drawn() -> None:
    found = texts(draw(layout(), SEEN, VIEW))
    assert {"Jim", "8♠", "T?", "6♥", "3", "?", "18", "! A bet <came> late & counts not."} <= set(found)


def test_a_hole_card_that_the_camera_caught_stays_hidden() -> None:
    assert not [t for t in texts(draw(layout(), SEEN, VIEW)) if "K" in t]
    turned = replace(VIEW, dealer=replace(VIEW.dealer, cards=("6h", "Kd")))
    assert "K♦" in texts(draw(layout(), SEEN, turned))


def test_the_command_draws_a_moment(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "layout.toml").write_text(LAYOUT)
    rows = [Observation(t, SEEN.cards[:n], (), ()) for n, t in enumerate((0.0, 1.0, 2.0))]
    (tmp_path / "obs.jsonl").write_text("".join(to_json(row) + "\n" for row in rows))
    arguments = ["replay", str(tmp_path / "obs.jsonl"), "--layout", str(tmp_path / "layout.toml")]
    assert main([*arguments, "--draw", str(tmp_path / "a.svg"), "--at", "1.5"]) == 0
    found = texts((tmp_path / "a.svg").read_text())
    assert "8♠" in found
    assert "T?" not in found
    assert main([*arguments, "--draw", "-"]) == 0
    assert "T?" in texts(capfd.readouterr().out)
    assert main([*arguments, "--draw", str(tmp_path / "no" / "a.svg")]) == 2
    assert "cannot write here" in capfd.readouterr().err
