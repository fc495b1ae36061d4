"""Rounds that the referee once got wrong, each kept as a recording; they stay right."""

import pytest

from hardware.simulator.compare import compare
from table_state.layout import parse_layout
from table_state.observation import read_lines
from table_state.rules import parse_rules
from table_state.table import Table

from .golden import FOLDER, unpack

NAMES = sorted(p.name.removesuffix(".json.gz") for p in FOLDER.glob("*.json.gz"))


@pytest.mark.parametrize("name", NAMES)
def test_recording_stays_right(name):
    recording = unpack(FOLDER / f"{name}.json.gz")
    table = Table(parse_layout(recording["layout"]), parse_rules(recording["rules"]))
    said = [x.to_json() for line in read_lines(recording["lines"].splitlines()) for x in table.step(line)]
    assert compare(recording["expected"], said).problems == []


def test_there_are_recordings():
    assert len(NAMES) > 10
