"""A round goes on after the program was killed in its middle: by its journal and by what still lies on the table."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import lru_cache
from pathlib import Path

import pytest

from hardware.journal import Journal, journal_file, read_journal
from hardware.resume import resumed
from table_state.layout import parse_layout
from table_state.observation import Observation, read_lines
from table_state.output import Output
from table_state.rules import parse_rules, preset
from table_state.table import Table
from tests.hardware.helpers import layout
from tests.simulated.golden import FOLDER, unpack

GAME = unpack(FOLDER / "last-stand-unsignalled.json.gz")
LAYOUT, RULES = parse_layout(GAME["layout"]), parse_rules(GAME["rules"])
LINES = list(read_lines(GAME["lines"].splitlines()))


def until(path: Path, end: int) -> Table:
    """Play so many lines with a journal, then stop as a kill does: nothing is closed in good order."""
    table, journal = Table(LAYOUT, RULES), Journal(path, LAYOUT, RULES)
    for line in LINES[:end]:
        journal.line(line)
        journal.told(table.step(line))
    journal.close()
    return table


def plain(outputs: list[Output]) -> list[dict[str, object]]:
    """Without times, and without what is only said again."""
    rows = [o.to_json() for o in outputs]
    return [{k: v for k, v in row.items() if k != "t"} for row in rows if row["type"] in ("result", "alert", "event")]


@lru_cache
def rounds() -> list[tuple[int, int]]:
    """First and last line of every round."""
    table, found, began = Table(LAYOUT, RULES), list[tuple[int, int]](), 0
    for n, line in enumerate(LINES):
        for output in table.step(line):
            row = output.to_json()
            began = n if row.get("event") == "round-started" else began
            if row.get("event") == "round-ended":
                found.append((began, n))
    return found


@pytest.mark.parametrize("share", [0.25, 0.5, 0.8])
def test_a_round_that_was_cut_off_ends_as_it_would_have(tmp_path: Path, share: float) -> None:
    began, ended = rounds()[0]
    cut = began + int(share * (ended - began))
    path = tmp_path / "round"
    until(path, cut)
    whole = Table(LAYOUT, RULES)
    for line in LINES[:cut]:
        whole.step(line)
    table = Table(LAYOUT, RULES)
    left = resumed(read_journal(path, LAYOUT, RULES), table)
    assert left is not None
    assert left.untold == []
    wanted, got, on = list[Output](), list[Output](), False
    for line in LINES[cut : ended + 1]:
        wanted += whole.step(line)
        if line.t < left.start or not isinstance(line, Observation):
            continue  # the program was away
        if not on and (known := left.take(line)) is not None:
            on, lines = known
            assert on
            got += [x for due in lines for x in table.step(due)]
        elif on:
            got += table.step(line)
    results = [row for row in plain(got) if row["type"] == "result"]
    assert results == [row for row in plain(wanted) if row["type"] == "result"] != []


def test_the_end_of_a_round_empties_it_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    _, ended = rounds()[0]
    path = tmp_path / "round"
    until(path, ended - 2)
    assert path.stat().st_size > 1000
    assert path.stat().st_mode & 0o777 == 0o600
    until(path, ended + 1)
    assert path.stat().st_size == 0
    assert read_journal(path, LAYOUT, RULES) == []


@pytest.mark.parametrize("lost", [1, 3, 60, 500])
def test_a_torn_end_loses_no_more_than_itself(tmp_path: Path, lost: int) -> None:
    path = tmp_path / "round"
    until(path, sum(rounds()[0]) // 2)
    whole = read_journal(path, LAYOUT, RULES)
    data = path.read_bytes()
    path.write_bytes(data[:-lost])
    torn = read_journal(path, LAYOUT, RULES)
    assert torn == whole[: len(torn)]
    assert len(torn) >= len(whole) - data[-lost:].count(b"\n") - 1
    path.write_bytes(data[: len(data) // 2] + b"\0" * 4096)
    assert read_journal(path, LAYOUT, RULES) == whole[: len(read_journal(path, LAYOUT, RULES))] != []


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"0 {}\n", b"00000000 \n", b"deadbeef {}\n" * 3])
def test_a_broken_journal_is_none(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "round").write_bytes(data)
    assert read_journal(tmp_path / "round", LAYOUT, RULES) == []
    assert read_journal(tmp_path / "nothing", LAYOUT, RULES) == []


def test_another_table_or_other_rules_do_not_go_on(tmp_path: Path) -> None:
    path = tmp_path / "round"
    until(path, sum(rounds()[0]) // 2)
    assert read_journal(path, LAYOUT, RULES) != []
    assert read_journal(path, layout(), RULES) == []
    assert read_journal(path, LAYOUT, preset("casino")) == []
    assert journal_file(layout()) != journal_file(LAYOUT)


def test_an_empty_table_shows_another_round(tmp_path: Path) -> None:
    path = tmp_path / "round"
    until(path, sum(rounds()[0]) // 2)
    left = resumed(read_journal(path, LAYOUT, RULES), Table(LAYOUT, RULES))
    assert left is not None
    answers = [left.take(Observation(left.start + n, (), (), ())) for n in range(8)]
    assert answers[:7] == [None] * 7
    assert answers[7] is not None
    same, lines = answers[7]
    assert (same, len(lines)) == (False, 8)


CHILD = """
import sys, time
from functools import lru_cache
from pathlib import Path
from dataclasses import replace
from hardware.app import compose
from hardware.listeners import JsonFile
from tests.hardware.helpers import frame, layout
from tests.hardware.test_journal import LINES, LAYOUT, RULES
from table_state.layout import CameraPoints
folder, first, stop = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
class Camera:
    def frames(self):
        for n in range(first, stop or len(LINES)):
            yield replace(frame(LINES[n].t - LINES[first].t), image=frame(0, 0).image)
        if stop:
            print("there", flush=True)
            time.sleep(60)
    def close(self):
        pass
class Looks:
    n = first - 1
    def look(self, one):
        self.n += 1
        return replace(LINES[self.n], t=one.t)
seen = replace(LAYOUT, camera=layout().camera)
compose("images:none", seen, RULES, journal=folder / "round", camera=Camera(), looker=lambda s: Looks(),
        listeners=lambda s, c: [JsonFile(str(folder / f"said-{first}.jsonl"), False)]).run()
"""


def test_a_program_killed_in_mid_round_goes_on(tmp_path: Path) -> None:
    if not all(isinstance(line, Observation) for line in LINES):
        pytest.skip("this recording holds corrections")
    began, ended = rounds()[0]
    cut = began + (ended - began) * 2 // 3
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", CHILD, str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(root)}
    first = subprocess.Popen([*command, "0", str(cut)], cwd=root, env=environment, stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    assert first.stdout.readline() == "there\n"
    time.sleep(0.3)  # the writer's thread is at most this far behind
    first.send_signal(signal.SIGKILL)
    first.wait()
    first.stdout.close()
    later = next(n for n, line in enumerate(LINES) if line.t > LINES[cut].t + 1.0)
    done = subprocess.run([*command, str(later), "0"], cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "the round goes on where it was interrupted" in done.stderr

    def results(*names: str) -> list[object]:
        rows = [json.loads(line) for name in names for line in (tmp_path / name).read_text().splitlines()]
        found = [row for row in rows if row["type"] == "result"]
        return [(row["seat"], row["hand"], row["outcome"], row["pays"], row["total"]) for row in found]

    table = Table(LAYOUT, RULES)
    whole = [output.to_json() for line in LINES for output in table.step(line)]
    wanted = [(r["seat"], r["hand"], r["outcome"], r["pays"], r["total"]) for r in whole if r["type"] == "result"]
    assert results("said-0.jsonl", f"said-{later}.jsonl") == wanted != []
