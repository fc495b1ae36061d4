"""Measures this machine: CPU time of a look, delay to speech, memory, start-up; on one thread."""

import json
import os
import pickle
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2

from hardware.app import Looks, real_looker
from hardware.bench_scene import SIZE, load, render
from hardware.bench_speech import rest_to_words, speech_figures
from hardware.errors import HardwareError
from hardware.weights import weights
from table_state.layout import Layout
from table_state.observation import Observation
from vision.frame import Frame

SETTLED = 1.0  # seconds of stream time after a change in which everything must have been read
STEP = 0.1  # seconds between two looks
Json = dict[str, Any]


def measure(minutes: float = 1.5, seed: int = 5) -> Json:
    """Every figure. The looking is done in processes of their own, which draw nothing and are held to one core."""
    weights()  # said here, in one line, not by each of the processes
    with tempfile.TemporaryDirectory(prefix="railbird-bench-") as name:
        folder = Path(name)
        layout = render(folder)
        (folder / "layout.pickle").write_bytes(pickle.dumps(layout))
        figures: Json = {"cpu": _cpu(), "picture": list(SIZE)}
        figures |= json.loads(_child(folder, "looks").stdout)
        figures |= _whole_command(folder)
    return figures | rest_to_words(minutes, seed) | speech_figures()


def _child(folder: Path, part: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "hardware.bench", str(folder), part]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        raise HardwareError(f"the measurement did not come to its end ({last}); run railbird doctor")
    return done


def _whole_command(folder: Path) -> Json:
    """Start-up to the first reading and the most memory of a process that looks at a full table."""
    command = [sys.executable, "-m", "hardware.bench", str(folder), "start"]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        start_up = time.perf_counter() - began
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if not first or process.returncode != 0:
        raise HardwareError("the measurement did not come to its end; run railbird doctor")
    return {"start_up_to_first_reading_s": round(start_up, 2), "peak_memory_mb": round(usage.ru_maxrss / 1024)}


def start(folder: Path) -> Iterator[str]:
    """What `railbird run` does to the first reading, a line when it has it; then a minute at the table."""
    stream = Stream(real_looker(_layout(folder)))
    stream.play(load(folder, "full", 1), STEP)
    yield f"{len(stream.last.cards)} cards"
    stream.play(load(folder, "more", 1), SETTLED)
    stream.play(load(folder, "empty", 1), SETTLED)
    stream.play(load(folder, "full", 1), SETTLED)


def _layout(folder: Path) -> Layout:
    layout: Layout = pickle.loads((folder / "layout.pickle").read_bytes())
    return layout


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def looks(folder: Path) -> Json:
    """CPU milliseconds of a look at a table that filled at once, at one changed seat, at nothing new."""
    stream = Stream(real_looker(_layout(folder)))
    stream.play(load(folder, "empty"), SETTLED)
    full = stream.play(load(folder, "full"), SETTLED)
    seen = stream.last
    idle = stream.play(load(folder, "full"), 3.0)
    changed = stream.play(load(folder, "more"), SETTLED)
    return {
        "cards_seen": len(seen.cards),
        "stacks_seen": len(seen.chips),
        "full_look_ms": round(max(full), 1),
        "changed_seat_ms": round(max(changed), 1),
        "idle_frame_ms": round(statistics.median(idle), 2),
    }


class Stream:
    """Shows pictures to a looker, ten a second of stream time, and takes the CPU time of each look."""

    def __init__(self, looker: Looks) -> None:
        self._looker, self._t = looker, 0.0
        self.last = Observation(0.0, (), (), ())

    def play(self, pictures: list[Any], seconds: float) -> list[float]:
        """CPU milliseconds of each look in that time."""
        return list(self._play(pictures, seconds))

    def _play(self, pictures: list[Any], seconds: float) -> Iterator[float]:
        for n in range(round(seconds / STEP)):
            frame = Frame(round(self._t, 6), pictures[n % len(pictures)])
            began = time.process_time()
            self.last = self._looker.look(frame)
            yield (time.process_time() - began) * 1000
            self._t += STEP


def one_core() -> None:
    """Hold this process, its libraries' threads included, to one core."""
    cv2.setNumThreads(1)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


if __name__ == "__main__":
    one_core()
    if sys.argv[2] == "looks":
        print(json.dumps(looks(Path(sys.argv[1]))))
    else:
        for line in start(Path(sys.argv[1])):
            print(line, flush=True)
