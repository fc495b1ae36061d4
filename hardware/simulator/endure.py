"""Replay hours of a full table of seven and report how fast that goes and whether memory stays flat.

    python -m hardware.simulator.endure --hours 10 [--json]

Simulated play at five lines a second, always, is written into `railbird replay - --json`; its CPU time and its
resident memory are the system's figures for that process. Exit status 0 = at least 500 times real time and flat
memory, 1 = not, 2 = bad arguments.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from hardware.simulator.dealer import Dealer
from hardware.simulator.files import layout_toml
from hardware.simulator.observe import Observer
from hardware.simulator.tables import half_moon
from table_state.observation import to_json
from table_state.rules import PRESETS

Json = dict[str, Any]
FAST = 500.0
"""Times real time that a replay must reach."""
FLAT = 8.0
"""Megabytes by which memory may grow after the first tenth."""
RATE = 5.0


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    p = argparse.ArgumentParser(prog="python -m hardware.simulator.endure", description=__doc__)
    p.add_argument("--hours", type=float, default=10.0)
    p.add_argument("--seed", default="1")
    p.add_argument("--level", choices=("clean", "noisy", "hard"), default="noisy")
    p.add_argument("--json", action="store_true")
    args = p.parse_args(argv)
    figures = measure(args.hours, args.seed, args.level)
    if args.json:
        print(json.dumps(figures))
    else:
        for key, value in figures.items():
            print(f"{key}: {value}")
    fine = figures["times real time"] >= FAST and figures["memory growth, MB"] <= FLAT
    return 0 if fine else 1


def measure(hours: float, seed: str, level: str) -> Json:
    """Every figure of one run."""
    layout = half_moon(7)
    with tempfile.TemporaryDirectory(prefix="railbird-endure-") as name:
        file = Path(name) / "layout.toml"
        file.write_text(layout_toml(layout), encoding="utf-8")
        played = Path(name) / "played.jsonl"  # all of it first, so that playing takes no time from replaying
        with played.open("w", encoding="utf-8") as out:
            out.writelines(text + "\n" for text in _play(hours * 3600.0, seed, level))
        command = [sys.executable, "-m", "hardware.cli", "replay", "-", "--layout", str(file), "--rules", "casino"]
        with (Path(name) / "said.jsonl").open("wb") as said:
            process = subprocess.Popen([*command, "--json"], stdin=subprocess.PIPE, stdout=said, text=True)
            assert process.stdin is not None
            with played.open(encoding="utf-8") as source:
                memory, lines = _feed(process.pid, process.stdin, source)
            process.stdin.close()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        words = sum(1 for _ in (Path(name) / "said.jsonl").open("rb"))
    if process.returncode != 0:
        raise SystemExit(1)
    spent = usage.ru_utime + usage.ru_stime
    settled = memory[len(memory) // 10 :] or memory
    return {
        "hours": hours,
        "lines": lines,
        "lines out": words,
        "CPU seconds": round(spent, 1),
        "times real time": round(hours * 3600.0 / spent),
        "lines a second": round(lines / spent),
        "memory by tenths, MB": [round(m, 1) for m in memory[:: max(1, len(memory) // 10)]],
        "memory growth, MB": round(max(settled) - settled[0], 1),
        "peak memory, MB": round(usage.ru_maxrss / 1024, 1),
    }


def _play(seconds: float, seed: str, level: str) -> Iterator[str]:
    """Lines of endless play."""
    dealer = Dealer(half_moon(7), PRESETS["casino"], seed, full=True)
    watch = Observer(dealer.stage, level, seed, RATE, steady=True)
    while watch.t < seconds:
        end = dealer.round(0).end
        for line in watch.lines(min(end, seconds)):
            yield to_json(line)
        dealer.stage.prune(watch.t - 3.0)


def _feed(pid: int, into: IO[str], lines: Iterable[str]) -> tuple[list[float], int]:
    """Write all lines; resident memory in MB after every six minutes of play, and how many lines there were."""
    memory: list[float] = []
    count = 0
    for text in lines:
        if count % round(360.0 * RATE) == 0:
            into.flush()
            memory.append(_resident(pid))
        into.write(text)
        count += 1
    return memory, count


def _resident(pid: int) -> float:
    """A process's resident memory, MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    sys.exit(main())
