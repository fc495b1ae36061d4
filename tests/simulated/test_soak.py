"""The soak's own parts, and a short one through the whole program."""

import itertools
import json
from pathlib import Path

from hardware.simulator.soak import main
from hardware.simulator.soaking.faults import KINDS, SIGHT, timetable
from hardware.simulator.soaking.judge import spans
from hardware.simulator.soaking.plot import svg


def test_the_timetable_is_the_same_for_the_same_seed_and_has_every_fault() -> None:
    faults = timetable(1, 7200.0)
    assert faults == timetable(1, 7200.0)
    assert faults != timetable(2, 7200.0)
    assert {f.kind for f in faults} == set(KINDS)
    assert all(20.0 <= f.start < f.end <= 7200.0 for f in faults)
    sight = [f for f in faults if f.kind in SIGHT]
    assert all(a.end < b.start for a, b in itertools.pairwise(sight))


def test_a_fault_of_sight_touches_the_whole_round_it_falls_into() -> None:
    faults = [f for f in timetable(1, 7200.0) if f.kind == "camera-gone"][:1]
    start, end = faults[0].start, faults[0].end
    rounds = [{"t_from": start - 30.0, "t_until": end + 40.0}, {"t_from": end + 40.0, "t_until": end + 100.0}]
    assert spans({"rounds": rounds}, faults) == [(start - 40.0, end + 40.0)]


def test_memory_is_drawn_with_the_faults_below() -> None:
    text = svg([(0.0, 90.0), (100.0, 95.0)], timetable(1, 600.0), 600.0)
    assert text.startswith("<svg")
    assert all(kind in text for kind in KINDS)


def test_a_minute_with_faults_says_nothing_wrong(tmp_path: Path) -> None:
    main(["--hours", "0.02", "--seed", "3", "--speed", "60", "--report", str(tmp_path)])
    found = json.loads((tmp_path / "soak.json").read_text())
    assert found["wrong totals"] == 0
    assert found["invented in clear rounds"] == 0
    assert found["mistakes in clear rounds"] == found["mistakes in clear rounds found"]
    assert [status for _, status in found["ends of the program (time, status)"]] == [0]
    assert len(found["memory by twentieths, MB"]) > 10
    assert (tmp_path / "memory.svg").exists()
