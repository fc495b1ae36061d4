"""Hours of simulated play through the whole program at the table's own pace, with faults at random times.

    python -m hardware.simulator.soak --hours 2 --seed 1 [--speed 1] [--render] [--report FOLDER]

A table of seven with a dealer who errs in half of the rounds is played in advance; what is seen of it then goes
through the real composition in a process of its own: loop, referee, pages, speaker, recording, MQTT where a broker is
installed. Cameras vanish and freeze, frames are dropped, the disk is full, the speaker hangs, a browser does not read,
the broker is gone, the program is killed. `--render` draws every picture and looks at it with the real recogniser;
without it the simulator's own noisy readings are used. FOLDER gets soak.json and memory.svg.
Exit status 0 = no wrong total, nothing invented, all mistakes found in rounds that were seen, memory flat; 1 = not.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from dataclasses import astuple
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hardware.simulator.camera import Script, SimTable
from hardware.simulator.files import layout_toml
from hardware.simulator.observe import LEVELS, Observer
from hardware.simulator.play import House, referee
from hardware.simulator.soaking.broker import OwnBroker
from hardware.simulator.soaking.faults import Fault, timetable
from hardware.simulator.soaking.judge import judge, lines
from hardware.simulator.soaking.plot import svg
from hardware.simulator.tables import half_moon
from table_state.observation import Observation, parse_line, to_json
from table_state.rules import preset

Json = dict[str, Any]
RULES, RATE = "casino", 5.0
FLAT = 8.0
"""Megabytes by which memory may grow in the second half of a process's life; in the first the replay's pictures fill,
24 MB at most."""
RESTART = 3.0
"""Seconds of play until a program that died is started again, as the service is."""


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m hardware.simulator.soak", description=__doc__)
    parser.add_argument("--hours", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", type=float, default=1.0, help="times the table's own pace")
    parser.add_argument("--level", choices=sorted(LEVELS), default="noisy")
    parser.add_argument("--render", action="store_true", help="draw and recognise every picture")
    parser.add_argument("--report", type=Path, help="a folder for soak.json and memory.svg")
    given = parser.parse_args(argv)
    if given.hours <= 0 or given.speed <= 0:
        parser.error("--hours and --speed are more than 0")
    with tempfile.TemporaryDirectory(prefix="railbird-soak-") as name:
        soak = Soak(Path(name), given)
        soak.run()
        figures = soak.figures()
        if given.report is not None:
            given.report.mkdir(parents=True, exist_ok=True)
            (given.report / "soak.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
            picture = svg(soak.memory, soak.faults, soak.seconds)
            (given.report / "memory.svg").write_text(picture, encoding="utf-8")
    print(json.dumps(figures, indent=1))
    return 0 if figures["passed"] else 1


class Soak:
    """One run: the table played in advance, the program, what it said, its memory."""

    def __init__(self, folder: Path, given: argparse.Namespace) -> None:
        self.folder, self.given = folder, given
        self.seconds: float = given.hours * 3600.0
        self.faults = timetable(given.seed, self.seconds)
        self.memory: list[tuple[float, float]] = []
        self.ends: list[tuple[float, int]] = []
        self.t, self.pid, self.url = 0.0, 0, ""
        self._said = folder / "said.jsonl"
        self._killed: set[float] = set()
        self._broker: OwnBroker | None = OwnBroker.here(folder)
        self._house = House("soak", half_moon(7), preset(RULES))
        self._expected = self._play()

    def _play(self) -> Json:
        """Play the whole table in advance; what is seen of it goes into a file."""
        layout = self._house.layout
        table = SimTable(layout, self._house.rules, Script(self.given.seed, True, self.seconds / 60.0))
        watch = Observer(table.dealer.stage, self.given.level, self.given.seed, RATE, steady=True)
        with (self.folder / "lines.jsonl").open("w", encoding="utf-8") as out:
            while watch.t < self.seconds:
                table.scene(watch.t)
                seen = watch.lines(min(table.dealer.stage.t - 0.5, self.seconds))
                out.writelines(to_json(line) + "\n" for line in seen)
        (self.folder / "layout.toml").write_text(layout_toml(layout), encoding="utf-8")
        plan = {
            "seed": self.given.seed,
            "seconds": self.seconds,
            "rules": RULES,
            "render": self.given.render,
            "broker": self._broker.port if self._broker else None,
            "faults": [astuple(fault) for fault in self.faults],
        }
        (self.folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
        return table.truth(self.seconds)

    def run(self) -> None:
        """Run the program to the end of the table's time, starting it again whenever it dies."""
        with ExitStack() as stack:
            if self._broker is not None:
                stack.callback(self._broker.stop)
                self._broker.start()
            while self.t < self.seconds - 10.0 and len(self.ends) < 200:
                self._once()

    def _once(self) -> None:
        start = self.t + (RESTART if self.ends else 0.0)
        command = [sys.executable, "-m", "hardware.simulator.soaking.program", str(self.folder)]
        command += ["--start", str(start), "--speed", str(self.given.speed)]
        with (
            (self.folder / "errors.txt").open("a") as errors,
            self._said.open("a") as said,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=self._home()) as process,
        ):
            self.pid, over = process.pid, threading.Event()
            outside = threading.Thread(target=self._outside, args=(process, over), daemon=True)
            outside.start()
            assert process.stdout is not None
            for line in process.stdout:
                self._hear(line)
                if self.t >= self.seconds and process.poll() is None:
                    process.terminate()
                said.write(line)
            status = process.wait()
            over.set()
            outside.join()
        self.t = max(self.t, start)
        self.ends.append((round(self.t, 1), status))

    def _home(self) -> dict[str, str]:
        """The environment of a user of this run's own, whose settings and evenings are nobody else's."""
        kinds = ("CONFIG", "STATE", "CACHE")
        return os.environ | {f"XDG_{kind}_HOME": str(self.folder / kind.lower()) for kind in kinds}

    def _hear(self, line: str) -> None:
        row = json.loads(line) if line.startswith("{") and line.endswith("}\n") else {}
        if "progress" in row:
            self.t = row["progress"]
            if (megabytes := _resident(self.pid)) > 0:
                self.memory.append((self.t, megabytes))
        self.url = row.get("url", self.url)

    def _outside(self, process: "subprocess.Popen[str]", over: threading.Event) -> None:
        """Faults that come from outside of the program: it is killed, the broker goes, browsers do not read."""
        stuck: list[socket.socket] = []
        while not over.wait(0.05):
            now = {fault.kind: fault for fault in self.faults if fault.at(self.t)}
            if self._broker is not None:
                self._broker.hold("broker-gone" not in now)
            if "stuck-browser" in now and self.url and not stuck:
                stuck = _stuck(self.url)
            elif "stuck-browser" not in now:
                _close(stuck)
            kill = next((f.start for f in self.faults if f.kind == "killed" and f.start not in self._killed), None)
            if kill is not None and self.t >= kill:
                self._killed.add(kill)
                process.kill()
        _close(stuck)

    def figures(self) -> Json:
        """Everything that is reported."""
        said = lines(self._said.read_text(encoding="utf-8"))
        # A program that died saw nothing until it ran again, whatever it died of.
        blind = [Fault("killed", t, t + RESTART) for t, _ in self.ends[:-1]]
        found = judge(self._expected, said, [*self.faults, *blind])
        growth = self._growth()
        bare = judge(self._expected, self._unharmed(), []) if not self.given.render else None
        whole = found["wrong totals"] == 0 and found["invented"] == 0
        seen = found["mistakes in clear rounds"] == found["mistakes in clear rounds found"]
        return {
            "hours": self.given.hours,
            "speed": self.given.speed,
            "seed": self.given.seed,
            "rendered": self.given.render,
            "passed": whole and seen and growth <= FLAT,
            **found,
            "the same play without faults": bare and {k: bare[k] for k in _BARE},
            "faults": {
                kind: sum(f.kind == kind for f in self.faults) for kind in sorted({f.kind for f in self.faults})
            },
            "ends of the program (time, status)": self.ends,
            "memory growth, MB": growth,
            "memory by twentieths, MB": [round(mb, 1) for _, mb in self.memory[:: max(1, len(self.memory) // 20)]],
        }

    def _unharmed(self) -> list[Json]:
        """What the referee alone says of the same lines with nothing lost."""
        with (self.folder / "lines.jsonl").open(encoding="utf-8") as file:
            read = (parse_line(text, "lines", n) for n, text in enumerate(file, 1))
            return referee(self._house, [line for line in read if isinstance(line, Observation)])

    def _growth(self) -> float:
        """Megabytes that the last process grew by in the second half of its life."""
        born = self.ends[-2][0] if len(self.ends) > 1 else 0.0
        own = [mb for t, mb in self.memory if t > born + RESTART and mb > 0]
        settled = own[len(own) // 2 :]
        return round(max(settled) - settled[0], 1) if settled else 0.0


_BARE = ("wrong totals", "invented", "mistakes made", "mistakes found", "problems in clear rounds")


def _stuck(url: str, count: int = 5) -> list[socket.socket]:
    """Browsers that ask for the table's stream and never read."""
    found: list[socket.socket] = []
    host = urlsplit(url).netloc
    for _ in range(count):
        try:
            opened = socket.create_connection((urlsplit(url).hostname or "", urlsplit(url).port or 80), timeout=5.0)
        except OSError:
            return found  # the program is just being started again
        opened.sendall(f"GET /events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        found.append(opened)
    return found


def _close(opened: list[socket.socket]) -> None:
    while opened:
        opened.pop().close()


def _resident(pid: int) -> float:
    """A process's resident memory, MB; 0 where it is gone."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    sys.exit(main())
