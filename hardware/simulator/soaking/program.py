"""The program under soak, in a process of its own: the real composition, with faults let in at its edges.

    python -m hardware.simulator.soaking.program FOLDER --start T --speed N

What the referee says goes to standard output, with the time reached from time to time; it is started by
`hardware.simulator.soak`, which keeps the faults' timetable and the table's lines in FOLDER.
"""

import argparse
import json
import resource
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.app import App, Corrections, Listener, compose
from hardware.camera import Camera, CameraOptions
from hardware.counts import Counts
from hardware.listeners import Spoken
from hardware.mqtt.access import Access
from hardware.mqtt.address import Broker
from hardware.mqtt.told import Told
from hardware.notices import Notices, say
from hardware.shown import Shown
from hardware.simulator.soaking.faults import Fault, on
from hardware.speaker import Speaker
from table_state.layout import CameraPoints, Layout, parse_layout
from table_state.observation import Observation, parse_line
from table_state.rules import preset
from table_state.table import Output, TableView
from vision.frame import Frame

Json = dict[str, Any]
SIZE = (64, 36)
PROGRESS = 5.0
"""Seconds of play between two lines that say how far it is."""


@dataclass(frozen=True, slots=True, eq=False)
class LineFrame(Frame):
    """A small picture that carries what the simulator sees in it."""

    line: Observation


class LinesCamera:
    """Gives the simulator's lines as frames, from a time on."""

    def __init__(self, file: Path, start: float) -> None:
        self._file, self._start = file, start

    def frames(self) -> Iterator[Frame]:
        """A frame for each line; live pictures differ from one another."""
        with self._file.open(encoding="utf-8") as lines:
            for number, text in enumerate(lines):
                line = parse_line(text, self._file.name, number + 1)
                if isinstance(line, Observation) and line.t >= self._start:
                    yield LineFrame(line.t, _noise(number), line)

    def close(self) -> None:
        """Nothing is held open between frames."""


def _noise(number: int) -> NDArray[np.uint8]:
    return np.random.default_rng(number).integers(100, 110, (SIZE[1], SIZE[0], 3), np.uint8)


class Sees:
    """Reads the simulator's line off a frame."""

    def look(self, frame: Frame) -> Observation:
        """What the simulator would see in this picture."""
        assert isinstance(frame, LineFrame)
        return replace(frame.line, t=frame.t)


class Faulty:
    """A camera at the table's own pace whose cable, sensor and bus fail by the timetable."""

    def __init__(self, camera: Camera, faults: Sequence[Fault], notices: Notices, speed: float, start: float) -> None:
        self._camera, self._faults, self._notices = camera, faults, notices
        self._speed, self._start = speed, start
        self._gone, self._told, self._dropped = False, -PROGRESS, 0
        self._frozen: Frame | None = None

    def frames(self) -> Iterator[Frame]:
        """The camera's frames as far as they come through."""
        began = time.monotonic()
        for frame in self._camera.frames():
            self._wait(began, frame.t)
            if frame.t - self._told >= PROGRESS:
                self._told = frame.t
                write({"progress": frame.t})
            disk(on(self._faults, "disk-full", frame.t))
            if (seen := self._through(frame)) is not None:
                yield seen

    def _wait(self, began: float, t: float) -> None:
        ahead = began + (t - self._start) / self._speed - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)

    def _through(self, frame: Frame) -> Frame | None:
        gone = on(self._faults, "camera-gone", frame.t)
        if gone != self._gone:
            self._gone = gone
            change = self._notices.tell if gone else self._notices.end
            change("camera-lost", "the camera is gone" if gone else "the camera is back")
        if gone:
            return None
        if not on(self._faults, "camera-frozen", frame.t):
            self._frozen = frame
        elif self._frozen is not None:
            return replace(self._frozen, t=frame.t)
        self._dropped += 1
        if on(self._faults, "frames-dropped", frame.t) and self._dropped % 8:
            return None
        return frame

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()


class Out(Listener):
    """Hands the referee's lines to whoever judges them."""

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Write each."""
        for output in outputs:
            write(output.to_json())

    def close(self, failed: bool) -> None:
        """Nothing to put away."""


class Clips:
    """Clips that need no voice."""

    def get(self, text: str, gentle: bool = False) -> Path:
        """A name that holds the text."""
        return Path(text.replace("/", " "))

    def has(self, text: str) -> bool:
        """All of them are ready."""
        return True


class Player:
    """A loudspeaker that takes its time, and hangs by the timetable; `now` is the table's time."""

    def __init__(self, faults: Sequence[Fault], speed: float) -> None:
        self._faults, self._speed, self.now, self._stopped = faults, speed, 0.0, False

    def play(self, clip: Path) -> bool:
        """Wait as long as the words take; False after it hung."""
        hung = False
        while on(self._faults, "speaker-hang", self.now) and not self._stopped:
            hung = True
            time.sleep(0.02)
        time.sleep(0.06 * len(clip.name) / self._speed)
        return not hung

    def works(self) -> bool:
        """It answers again as soon as it hangs no more."""
        return not on(self._faults, "speaker-hang", self.now)

    def stop(self) -> None:
        """Be silent."""
        self._stopped = True


class Watch(Listener):
    """Tells the loudspeaker what time it is at the table."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def observe(self, frame: Frame, observation: Observation) -> None:
        """Move its clock."""
        self._player.now = frame.t

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Nothing."""

    def close(self, failed: bool) -> None:
        """Nothing."""


def disk(full: bool) -> None:
    """Let every write to a file fail from now on, or let them work again."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0 if full else hard, hard))


def write(row: Json) -> None:
    """One line to the judge."""
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


def build(folder: Path, start: float, speed: float) -> App:
    """The program as `railbird run` composes it, its outermost parts replaced."""
    plan: Json = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    faults = [Fault(*row) for row in plan["faults"]]
    layout = _seen(parse_layout((folder / "layout.toml").read_text(encoding="utf-8"), "layout.toml"))
    rules, notices, counts = preset(plan["rules"]), Notices(), Counts()
    notices.listen(counts.noticed)
    notices.follow(lambda notice: counts.fault(notice.code, notice.stands))
    player = Player(faults, speed)

    def listeners(seen: Layout, corrections: Corrections) -> list[Listener]:
        shown = Shown(seen, corrections, "127.0.0.1", 0, "SOAK-CODE", counts)
        notices.listen(lambda code, text: shown.display.notice(code))
        write({"url": shown.display.url})
        heard: list[Listener] = [Out(), Watch(player), shown, Spoken(Speaker(Clips(), player, say))]
        if plan["broker"]:
            heard.append(Told(Access(Broker("127.0.0.1", plan["broker"])), "soak", seen, counts, say))
        return heard

    camera: Camera = LinesCamera(folder / "lines.jsonl", start)
    if plan["render"]:
        camera, layout = _drawn(plan, layout, start)
    return compose(
        "soak",
        layout,
        rules,
        CameraOptions(),
        folder / f"recording-{start:.0f}",
        notices,
        counts,
        camera=Faulty(camera, faults, notices, speed, start),
        looker=None if plan["render"] else lambda seen: Sees(),
        listeners=listeners,
    )


def _seen(layout: Layout) -> Layout:
    """The table under a camera that looks straight down on it."""
    points = tuple(
        ((x + 900) / 1800 * SIZE[0], (900.0 - y) / 900 * SIZE[1], x, y) for x in (-900.0, 900.0) for y in (0.0, 900.0)
    )
    return replace(layout, camera=CameraPoints(SIZE, points))


def _drawn(plan: Json, layout: Layout, start: float) -> tuple[Camera, Layout]:
    """The same play drawn picture by picture, for the real recogniser."""
    from hardware.simulator.camera import Script, SimCamera
    from models.render.table import TableRenderer

    script = Script(plan["seed"], True, plan["seconds"] / 60.0)
    camera = SimCamera(layout, preset(plan["rules"]), script, TableRenderer(layout, plan["seed"]), realtime=False)
    camera.t = start
    return camera, camera.layout


def main() -> int:
    """Run to the end of the lines."""
    parser = argparse.ArgumentParser(description="the program under soak")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--start", type=float, default=0.0)
    parser.add_argument("--speed", type=float, default=1.0)
    given = parser.parse_args()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a full disk is an error to be handled, not the end
    build(given.folder, given.start, given.speed).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
