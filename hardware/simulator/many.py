"""Many simulated tables tell one broker, and what that costs.

    python -m hardware.simulator.many --tables 20 --minutes 2 [--speed 1] [--mqtt HOST:PORT] [--json]

Each table plays rounds of its own with a dealer who errs in half of them, through a referee of its own, at the table's
pace. Without --mqtt a Mosquitto is started for the run. The pit is run beside it and followed by one page. Reported
are CPU and bytes a second for each table: for telling (serialising and sending, not the referee), for the broker, for
the pit. Exit status 0 = every table was shown with its last state, 1 = not.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from hardware.counts import Counts
from hardware.mqtt.access import Access
from hardware.mqtt.address import Broker, parse_broker
from hardware.mqtt.told import Told
from hardware.notices import say
from hardware.simulator.play import House, simulate
from hardware.simulator.soaking.broker import OwnBroker
from hardware.simulator.tables import half_moon
from table_state.rules import preset
from table_state.table import Output, Table, TableView

Json = dict[str, Any]
RATE = 5.0
READY = "the tables are shown at "


@dataclass(frozen=True, slots=True)
class Step:
    """What one table publishes at one moment of its play."""

    t: float
    table: int
    view: TableView
    outputs: Sequence[Output]


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m hardware.simulator.many", description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--speed", type=float, default=1.0, help="times the tables' own pace")
    parser.add_argument("--mqtt", type=parse_broker, metavar="HOST:PORT")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="railbird-many-") as folder:
        figures = measure(given.tables, given.minutes * 60.0, given.speed, given.mqtt, Path(folder))
    print(json.dumps(figures) if given.json else "\n".join(f"{key}: {value}" for key, value in figures.items()))
    return 0 if figures["tables shown right"] == given.tables else 1


def measure(count: int, seconds: float, speed: float, broker: Broker | None, folder: Path) -> Json:
    """Every figure of one run."""
    steps = sorted((s for n in range(count) for s in played(n, seconds)), key=lambda s: s.t)
    own = OwnBroker.here(folder) if broker is None else None
    if own is not None:
        own.start()
        broker = Broker("127.0.0.1", own.port)
    if broker is None:
        raise SystemExit("many: no mosquitto is installed; install it or name a broker with --mqtt")
    try:
        return _run(count, steps, speed, broker, own)
    finally:
        if own is not None:
            own.stop()


def played(number: int, seconds: float) -> Iterator[Step]:
    """One table's play in advance: what it publishes when."""
    house = House(f"table {number}", half_moon(7), preset("casino"))
    rounds = int(seconds / 30.0) + 1
    session = simulate(house, f"many {number}", rounds, lambda i: i % 2, "noisy", RATE, steady=True)
    table = Table(house.layout, house.rules)
    for line in session.lines:
        if line.t > seconds:
            return
        outputs = table.step(line)
        yield Step(line.t, number, table.view(), outputs)


def _run(count: int, steps: Sequence[Step], speed: float, broker: Broker, own: OwnBroker | None) -> Json:
    address = f"{broker.host}:{broker.port or 1883}"
    command = [sys.executable, "-m", "hardware.cli", "pit", "--mqtt", address, "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as pit:
        try:
            assert pit.stderr is not None
            url = next(line for line in pit.stderr if READY in line).split(READY)[1].strip()
            page = Page(url)
            page.start()
            return _tell(count, steps, speed, broker, {"broker": own.pid if own else 0, "pit": pit.pid}, page)
        finally:
            pit.terminate()


def _tell(count: int, steps: Sequence[Step], speed: float, broker: Broker, pids: dict[str, int], page: "Page") -> Json:
    layout = half_moon(7)
    tables = [Told(Access(broker), f"table-{n + 1}", layout, Counts(), say) for n in range(count)]
    until = time.monotonic() + 15.0
    while not all(t.sender.connected for t in tables) and time.monotonic() < until:
        time.sleep(0.05)
    before = {name: cpu(pid) for name, pid in pids.items()} | {"telling": time.process_time()}
    began = time.monotonic()
    for step in steps:
        time.sleep(max(0.0, began + step.t / speed - time.monotonic()))
        tables[step.table].publish(step.view, step.outputs)
    time.sleep(1.5)  # the last states are on their way
    spent = time.monotonic() - began
    used = {name: cpu(pid) - before[name] for name, pid in pids.items()}
    used["telling"] = time.process_time() - before["telling"]
    right = sum(_phase(page.state, n) == _last(steps, n) for n in range(count))
    sent = sum(t.sender.sent_bytes for t in tables)
    dropped = sum(t.sender.dropped for t in tables)
    for table in tables:
        table.close(False)
    return {
        "tables": count,
        "seconds": round(spent, 1),
        "times the tables' pace": speed,
        "tables shown right": right,
        "events dropped": dropped,
        "bytes a second and table": round(sent / spent / count),
        "bytes a second to the page": round(page.bytes / spent),
        **{f"CPU ms a second and table, {name}": round(1000.0 * s / spent / count, 2) for name, s in used.items()},
    }


def _phase(state: dict[str, Json], number: int) -> tuple[Any, Any]:
    row = state.get(f"table-{number + 1}", {}).get("state") or {}
    return row.get("phase"), len(row.get("alerts", []))


def _last(steps: Sequence[Step], number: int) -> tuple[Any, Any]:
    view = next(s.view for s in reversed(steps) if s.table == number)
    return view.phase, len(view.alerts)


class Page:
    """Follows the pit as a browser does, and keeps the newest of each table."""

    def __init__(self, url: str) -> None:
        self.state: dict[str, Json] = {}
        self.bytes = 0
        self._url = url
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def start(self) -> None:
        """Begin to follow; it ends with the pit."""
        self._thread.start()

    def _follow(self) -> None:
        with suppress(OSError), urlopen(f"{self._url}/events", timeout=30.0) as answer:
            for line in answer:
                self.bytes += len(line)
                if line.startswith(b"data: {") and b'"tables"' in line:
                    self.state |= {row["table"]: row for row in json.loads(line[6:])["tables"]}


def cpu(pid: int) -> float:
    """Seconds that a process has computed; 0 for none."""
    if not pid:
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
