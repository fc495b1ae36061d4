"""`railbird replay`: observations in, what is said out; or a drawing of one moment."""

import argparse
from collections.abc import Iterator

from hardware.commands.inputs import read_layout, read_rules
from hardware.drawing import draw
from hardware.errors import BadInputError
from hardware.files import Lines, check_apart, check_writable, read_lines, shown
from hardware.said import plain_line
from table_state import observation
from table_state.observation import Correction, Observation
from table_state.table import Output, Table


def work(arguments: argparse.Namespace) -> int:
    """Replay a file: nothing is printed where a line of it is bad. Standard input is played as it comes."""
    table = Table(read_layout(arguments.layout), read_rules(arguments.rules))
    if arguments.draw is not None:
        return draw_moment(table, arguments)
    said = _said(table, arguments.observations)
    with Lines("-") as out:
        for output in said if arguments.observations == "-" else list(said):
            if arguments.json:
                out.write(output.to_json())
            elif (text := plain_line(output)) is not None:
                out.write_text(text)
    return 0


def draw_moment(table: Table, arguments: argparse.Namespace) -> int:
    """Draw the table as it was seen last at the moment that is asked for, at the end where none is."""
    if arguments.draw != "-":
        check_writable(arguments.draw)
        check_apart({"--draw": arguments.draw}, [arguments.observations, arguments.layout, arguments.rules])
    last: Observation | None = None
    for line in _lines(arguments.observations):
        if arguments.at is not None and line.t > arguments.at:
            break
        table.step(line)
        last = line if isinstance(line, Observation) else last
    if last is None:
        raise BadInputError(f"--at {arguments.at}: nothing was seen up to then; choose a later moment")
    with Lines(arguments.draw, whole=True) as out:
        out.write_text(draw(table.layout, last, table.view()).rstrip("\n"))
    return 0


def _said(table: Table, name: str) -> Iterator[Output]:
    for line in _lines(name):
        yield from table.step(line)


def _lines(name: str) -> Iterator[Observation | Correction]:
    return observation.read_lines(read_lines(name, "file of observations", observation.MAX_LINE), shown(name))
