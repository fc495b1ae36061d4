"""`railbird replay`: observations in, what is said out."""

import argparse
from collections.abc import Iterator

from hardware.commands.inputs import read_layout, read_rules
from hardware.files import Lines, read_lines, shown
from hardware.said import plain_line
from table_state import observation
from table_state.table import Output, Table


def work(arguments: argparse.Namespace) -> int:
    """Replay a file: nothing is printed where a line of it is bad. Standard input is played as it comes."""
    table = Table(read_layout(arguments.layout), read_rules(arguments.rules))
    said = _said(table, arguments.observations)
    with Lines("-") as out:
        for output in said if arguments.observations == "-" else list(said):
            if arguments.json:
                out.write(output.to_json())
            elif (text := plain_line(output)) is not None:
                out.write_text(text)
    return 0


def _said(table: Table, name: str) -> Iterator[Output]:
    lines = read_lines(name, "file of observations", observation.MAX_LINE)
    for line in observation.read_lines(lines, shown(name)):
        yield from table.step(line)
