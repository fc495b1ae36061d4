"""The `sim` camera: a simulated table, drawn frame by frame; a frame's time is the table's own."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hardware.simulator.book import rounded
from hardware.simulator.dealer import Dealer
from hardware.simulator.stage import scene_at
from models.render.scene import Scene
from table_state.layout import Layout
from table_state.rules import HouseRules
from vision.frame import Frame

Json = dict[str, Any]
LEAD_IN = 1.0
"""Seconds of empty felt before the first hand appears, for whoever learns the empty table."""


class Renderer(Protocol):
    """What draws a scene; `layout` is the table with this view's camera points filled in."""

    @property
    def layout(self) -> Layout: ...

    def frame(self, scene: Scene) -> NDArray[np.uint8]:
        """The picture of a scene, H x W x 3, BGR."""


@dataclass(frozen=True, slots=True)
class Script:
    """What is to be played: seed, whether mistakes are made, for how many simulated minutes (None = for ever)."""

    seed: int = 0
    mistakes: bool = False
    minutes: float | None = None


class SimTable:
    """A simulated table in time: the scene at any moment, asked for in order, and what is true."""

    def __init__(self, layout: Layout, rules: HouseRules, script: Script) -> None:
        self.script = script
        self.dealer = Dealer(layout, rules, script.seed)
        self.dealer.stage.t = LEAD_IN
        self._rng = Random(f"sim {script.seed}")
        self._names = layout.name, rules

    def scene(self, t: float) -> Scene:
        """What lies on the table at a time; times must not go backwards by more than a few seconds."""
        while self.dealer.stage.t <= t + 1.0:
            wrong = self.script.mistakes and self._rng.random() < 0.5
            self.dealer.round(1 if wrong else 0)
            self.dealer.stage.prune(t - 5.0)
        return scene_at(self.dealer.stage, t)

    def truth(self, until: float, layout: str = "sim", rules: str = "custom") -> Json:
        """What was true and due up to a time, in the form of the recorded rounds' expectations."""
        out: Json = rounded(up_to(self.dealer.book.to_json("sim", layout, rules, "camera"), until))
        return out


def up_to(expected: Json, until: float) -> Json:
    """Expectations without what lies after a time; a round cut off in the middle counts as unfinished."""
    begun = [r for r in expected["rounds"] if r["t_from"] <= until]
    over = {r["round"] for r in begun if r["t_cleared"] is not None and r["t_cleared"] + 5.0 <= until}
    rounds = [r if r["round"] in over else r | {"t_cleared": None, "loose": True} for r in begun]
    cut = {k: [x for x in expected[k] if x["t_until"] <= until] for k in ("alerts", "resolved", "totals", "phrases")}
    return (
        expected
        | cut
        | {k: [x for x in expected[k] if x["t_from"] <= until] for k in ("allowed_alerts", "blackjacks")}
        | {k: [x for x in expected[k] if x["round"] in over] for k in ("results", "insurance")}
        | {"rounds": rounds, "unfinished_rounds": len(begun) - len(over)}
        | {"truth": {k: [row for row in rows if row[0] <= until] for k, rows in expected["truth"].items()}}
    )


class SimCamera:
    """A camera over a simulated table. At real pace frames are dropped, not queued, where drawing is slower."""

    def __init__(
        self,
        layout: Layout,
        rules: HouseRules,
        script: Script,
        renderer: Renderer,
        fps: float = 10.0,
        realtime: bool = True,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        truth: Path | None = None,
    ) -> None:
        self.table = SimTable(layout, rules, script)
        self.renderer, self.fps, self.realtime = renderer, fps, realtime
        self._clock, self._sleep = clock, sleep
        self._open = True
        self._truth = truth
        self.t = 0.0

    @property
    def layout(self) -> Layout:
        """The table as this camera sees it, camera points included."""
        return self.renderer.layout

    def frames(self) -> Iterator[Frame]:
        """Pictures of the table in time order, from an empty felt on, until closed or the minutes are over.

        The truth is written when the stream ends, however it ends; OSError where its file cannot be written.
        """
        end = None if self.table.script.minutes is None else self.table.script.minutes * 60.0
        started = self._clock()
        try:
            while self._open and (end is None or self.t <= end):
                yield Frame(self.t, self.renderer.frame(self.table.scene(self.t)))
                self.t = round(self._next(self._clock() - started), 4)
        finally:
            if self._truth is not None:
                self.write_truth(self._truth)

    def _next(self, elapsed: float) -> float:
        due = self.t + 1.0 / self.fps
        if not self.realtime:
            return due
        if elapsed < due:
            self._sleep(due - elapsed)
            return due
        return elapsed

    def close(self) -> None:
        """End the stream after the frame in hand."""
        self._open = False

    def write_truth(self, path: Path) -> None:
        """Write what was true so far as a JSON file."""
        path.write_text(json.dumps(self.table.truth(self.t), indent=1) + "\n", encoding="utf-8")


def sim_camera(
    layout: Layout, rules: HouseRules, script: Script, truth: Path | None = None, realtime: bool = True
) -> SimCamera:
    """The `sim` camera over the project's own renderer."""
    from models.render.table import TableRenderer

    return SimCamera(layout, rules, script, TableRenderer(layout, script.seed), realtime=realtime, truth=truth)
