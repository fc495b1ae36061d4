"""Who listens to the referee: the file of `--json`, the terminal, the speaker and the display."""

import argparse
import queue
from collections.abc import Callable, Sequence

from hardware.app import Listener
from hardware.files import Lines
from hardware.said import plain_line
from table_state.layout import Layout
from table_state.observation import Correction
from table_state.table import Output, TableView

Build = Callable[[Layout, "queue.SimpleQueue[Correction]"], Sequence[Listener]]


class JsonFile:
    """Writes everything that is said to a file."""

    def __init__(self, name: str, whole: bool) -> None:
        self._lines = Lines(name, whole)

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Write each output as a line."""
        for output in outputs:
            self._lines.write(output.to_json())

    def close(self, failed: bool) -> None:
        """Put the file in its place, or leave none."""
        if failed:
            self._lines.discard()
        else:
            self._lines.close()


class Terminal:
    """Prints words and alerts for whoever reads along."""

    def __init__(self) -> None:
        self._lines = Lines("-")

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Print what is spoken."""
        for output in outputs:
            if (text := plain_line(output)) is not None:
                self._lines.write_text(text)

    def close(self, failed: bool) -> None:
        """Nothing to put away."""


def listeners(arguments: argparse.Namespace, whole: bool) -> Build:
    """What the arguments ask for; built last, when everything else is known to be good."""

    def build(layout: Layout, corrections: "queue.SimpleQueue[Correction]") -> Sequence[Listener]:
        found: list[Listener] = [JsonFile(arguments.json, whole)] if arguments.json else []
        if arguments.json != "-":
            found.append(Terminal())
        return found

    return build
