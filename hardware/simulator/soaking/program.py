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
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from hardware.app import App, Corrections, Listener, compose
from hardware.camera import Camera, CameraOptions
from hardware.config import Settings
from hardware.counts import Counts
from hardware.errors import CameraAbsentError
from hardware.listeners import Spoken, Wanted
from hardware.mqtt.address import Broker
from hardware.notices import Notices, say
from hardware.patient import Patient
from hardware.simulator.soaking.camera import SIZE, Clock, Faulty, LinesCamera, Sees
from hardware.simulator.soaking.faults import Fault, on
from hardware.speaker import Speaker
from table_state.layout import CameraPoints, Layout, parse_layout
from table_state.observation import Observation
from table_state.rules import preset
from table_state.table import Output, TableView
from vision.frame import Frame

Json = dict[str, Any]


class Out(Listener):
    """Hands the referee's lines to whoever judges them, in the table's time."""

    def __init__(self, since: float) -> None:
        self._since = since

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Write each."""
        for output in outputs:
            row = output.to_json()
            write(row | {"t": round(row["t"] + self._since, 3)})

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
    """Tells the loudspeaker what time it is at the table, and lets the disk be full by the timetable."""

    def __init__(self, player: Player, faults: Sequence[Fault], since: float) -> None:
        self._player, self._faults, self._since = player, faults, since

    def observe(self, frame: Frame, observation: Observation) -> None:
        """Move its clock."""
        self._player.now = frame.t + self._since
        disk(on(self._faults, "disk-full", self._player.now))

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Nothing."""

    def close(self, failed: bool) -> None:
        """The disk is as it was."""
        disk(False)


def disk(full: bool) -> None:
    """Let every write to a file fail from now on, or let them work again."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0 if full else hard, hard))


def write(row: Json) -> None:
    """One line to the judge."""
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


def build(folder: Path, start: float, speed: float) -> App:
    """The program as `railbird run` composes it, the outermost parts replaced.

    At the table's own pace the camera is a live one, found again as one on USB is.
    """
    plan: Json = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    faults = [Fault(*row) for row in plan["faults"]]
    layout = _seen(parse_layout((folder / "layout.toml").read_text(encoding="utf-8"), "layout.toml"))
    live = speed == 1.0 and not plan["render"]  # a live camera's frames count from its first
    notices, counts, player = Notices(), Counts(), Player(faults, speed)
    broker = Broker("127.0.0.1", plan["broker"]) if plan["broker"] else None
    settings = Settings(port=0, mqtt=broker, mqtt_table="soak")
    build_all = Wanted(speech=False, keep=True).builder(settings, notices, counts)
    since = start if live else 0.0

    def listeners(seen: Layout, corrections: Corrections) -> list[Listener]:
        built = build_all(seen, corrections)
        write({"url": next(one.display.url for one in built if hasattr(one, "display"))})
        return [Out(since), Watch(player, faults, since), *built, Spoken(Speaker(Clips(), player, say))]

    clock = Clock(start, speed)
    camera: Camera = LinesCamera(folder / "lines.jsonl", start)
    if plan["render"]:
        camera, layout = _drawn(plan, layout, start)
    faulty = Faulty(camera, faults, clock, False, notices, write)
    return compose(
        "usb:0" if live else "soak",
        layout,
        preset(plan["rules"]),
        CameraOptions(),
        folder / f"recording-{start:.0f}",
        notices,
        counts,
        camera=_live(folder, plan["seconds"], faults, clock, notices) if live else faulty,
        looker=None if plan["render"] else lambda seen: Sees(),
        listeners=listeners,
    )


def _live(folder: Path, seconds: float, faults: Sequence[Fault], clock: Clock, notices: Notices) -> Camera:
    """A camera that is opened again and again, as one on USB is; after the play it is gone for good."""

    def opener() -> Camera:
        if (now := clock.now()) >= seconds:
            write({"progress": seconds})
        if now >= seconds or on(faults, "camera-gone", now):
            raise CameraAbsentError("usb:0: no camera answers; plug it in")
        return Faulty(LinesCamera(folder / "lines.jsonl", now), faults, clock, True, notices, write)

    return Patient(opener, notices)


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
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a service is stopped as a user stops it
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a full disk is an error to be handled, not the end
    with suppress(KeyboardInterrupt):  # as a user stops it
        build(given.folder, given.start, given.speed).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
