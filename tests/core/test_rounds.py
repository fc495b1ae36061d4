"""Whole rounds: the recorded scenarios, clean and degraded; secrecy, corrections, order in time, memory."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from table_state.draw import draw
from table_state.layout import parse_layout
from table_state.notation import read, write
from table_state.observation import Correction, Observation, read_lines
from table_state.report import report
from table_state.rules import PRESETS
from table_state.table import Alert, Output, Say, Table
from tests.core.degrade import degrade

SHARED = Path(__file__).parents[3] / "shared"
SCENARIOS = SHARED / "scenarios"
NAMES = sorted(p.name[: -len(".expect.json")] for p in SCENARIOS.glob("*.expect.json"))
pytestmark = pytest.mark.skipif(not NAMES, reason="the recorded scenarios are not there")


def _score() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", SCENARIOS / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _load(name: str) -> tuple[dict[str, Any], list[Observation | Correction], Table]:
    expect = json.loads((SCENARIOS / f"{name}.expect.json").read_text())
    layout = parse_layout((SHARED / "layouts" / expect["layout"]).read_text(), expect["layout"])
    lines = list(read_lines((SCENARIOS / f"{name}.obs.jsonl").read_text().splitlines(), name))
    return expect, lines, Table(layout, PRESETS[expect["rules"]])


def _play(table: Table, lines: list[Observation | Correction]) -> list[Output]:
    return [output for line in lines for output in table.step(line)]


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_scenario_passes_its_own_score(name: str) -> None:
    expect, lines, table = _load(name)
    rows = [json.loads(json.dumps(o.to_json())) for o in _play(table, lines)]
    assert _score().Score(expect, rows).problems == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_hard_noise_speaks_no_wrong_total(seed: int) -> None:
    score = _score()
    for name in ("charity-ordinary", "home-ordinary", "charity-insurance-lost"):
        expect, lines, table = _load(name)
        bad = degrade([x for x in lines if isinstance(x, Observation)], table.layout, seed)
        rows = [json.loads(json.dumps(o.to_json())) for o in _play(table, list(bad.lines))]
        kinds = [k for k, _ in score.Score(expect, rows).problems]
        assert "wrong total" not in kinds
        assert "wrong words" not in kinds


def test_a_hole_card_is_hidden_until_it_is_turned() -> None:
    _, lines, table = _load("charity-ordinary")
    for line in lines:
        outputs = table.step(line)
        if line.t < 58:
            shown = json.dumps([o.to_json() for o in outputs] + [table.view().to_json()]) + draw(table)
            assert "Jh" not in shown
    assert table.note is not None
    assert "Jh" in table.note


def test_the_same_recording_gives_the_same_bytes() -> None:
    runs = []
    for _ in range(2):
        _, lines, table = _load("two-cards-stuck")
        runs.append(json.dumps([o.to_json() for o in _play(table, lines)]))
    assert runs[0] == runs[1]


def test_a_round_is_noted_reported_and_drawn() -> None:
    _, lines, table = _load("charity-split")
    outputs = _play(table, lines)
    assert table.note == "2=10s:8h3d9h 2=10s:8c7s 5=5:Ts9c D:6sTdKc"
    assert write(read(table.note)) == table.note
    assert "Dealer breaks" in report(outputs, [table.note])
    assert draw(table).startswith("<svg")
    assert table.ledger == {2: 20, 5: 5}


def test_a_persons_word_for_a_card_sticks_and_is_taken_back() -> None:
    _, lines, table = _load("charity-ordinary")
    said: list[Output] = []
    for line in lines:
        if 28.0 < line.t < 29.0 and not any(isinstance(o, Say) and o.t == 28.0 for o in said):
            said += table.step(Correction(28.0, "card", x=-492, y=318, code="3d"))
            assert table.view().seats[0].hands[0].total == 13
            table.step(Correction(28.1, "undo"))
            assert table.view().seats[0].hands[0].total == 18
            break
        said += table.step(line)
    assert any(isinstance(o, Say) and o.text == "13" for o in said)


def test_that_was_no_mistake_withdraws_the_alert() -> None:
    _, lines, table = _load("insurance-too-large")
    for line in lines:
        if any(isinstance(o, Alert) for o in table.step(line)):
            break
    table.step(Correction(line.t, "not-a-mistake", alert="insurance-too-large"))
    later = table.step(Correction(line.t + 1, "new-shoe"))
    assert [o.to_json()["type"] for o in later] == ["resolved"]
    assert table.view().alerts == ()


def test_a_line_that_goes_back_in_time_is_ignored() -> None:
    _, lines, table = _load("charity-split")
    for line in lines[:50]:
        table.step(line)
    assert table.step(lines[3]) == []


def test_a_round_leaves_nothing_behind() -> None:
    _, lines, table = _load("casino-two-rounds-push-stays")
    _play(table, lines)
    assert len(table.tracker.by_id) < 30
    assert table.rounds == 3
