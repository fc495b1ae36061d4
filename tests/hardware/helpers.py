"""What several tests of the shell use."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from table_state.layout import Layout, parse_layout
from table_state.observation import Correction, Observation, SeenCard
from table_state.output import Output, Say
from table_state.view import HandView, TableView
from vision.frame import Frame

LAYOUT = """
name = "test"
card = [63.5, 88.9]
chip = 39.0
dealer = [0.0, 140.0]
shoe = [-510.0, 60.0]
discard = [510.0, 60.0]
[chip_values]
red = 5
[[seat]]
number = 1
name = "Jim"
circle = [0.0, 600.0, 60.0]
cards = [0.0, 450.0]
"""
CAMERA = """
[camera]
size = [64, 48]
points = [[0.0, 48.0, -600.0, 0.0], [64.0, 48.0, 600.0, 0.0], [0.0, 0.0, -600.0, 900.0], [64.0, 0.0, 600.0, 900.0]]
"""


def layout(camera: bool = True) -> Layout:
    """A table with one seat."""
    return parse_layout(LAYOUT + (CAMERA if camera else ""))


def frame(t: float, grey: int = 0) -> Frame:
    """A small frame of one grey."""
    return Frame(t, np.full((48, 64, 3), grey, np.uint8))


def pictures(folder: Path, times: Sequence[float] = (), count: int = 3) -> Path:
    """A folder of small pictures, with frames.jsonl where times are given."""
    folder.mkdir(parents=True, exist_ok=True)
    for n in range(len(times) or count):
        Image.new("RGB", (64, 48), (40 * n, 90, 10)).save(folder / f"{n:02d}.jpg")
    if times:
        rows = [json.dumps({"image": f"{n:02d}.jpg", "t": t}) for n, t in enumerate(times)]
        (folder / "frames.jsonl").write_text("\n".join(rows) + "\n")
    return folder


class Played:
    """A camera that gives the frames it was given, then perhaps an error."""

    def __init__(self, frames: Iterable[Frame], error: BaseException | None = None) -> None:
        self._frames, self._error, self.closed = frames, error, 0

    def frames(self) -> Iterator[Frame]:
        """The frames, then the error."""
        yield from self._frames
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Count the closing."""
        self.closed += 1


class Looks:
    """Sees an eight of spades whose angle is the frame's brightness."""

    def look(self, frame: Frame) -> Observation:
        """One card."""
        return Observation(frame.t, (SeenCard(0.0, 450.0, float(frame.image[0, 0, 0]), "8s"),), (), ())


class Referee:
    """Says every line it is told."""

    def __init__(self) -> None:
        self.lines: list[Observation | Correction] = []

    def step(self, line: Observation | Correction) -> list[Output]:
        """One phrase a line."""
        self.lines.append(line)
        return [Say(line.t, type(line).__name__)]

    def view(self) -> TableView:
        """An empty table."""
        return TableView(0.0, "idle", None, (), HandView(), ())
