"""`railbird run`: watch a table and say what happens."""

import argparse
import sys
from pathlib import Path

from hardware.app import compose
from hardware.camera import CameraOptions, is_live
from hardware.commands.inputs import read_layout, read_rules
from hardware.listeners import listeners


def work(arguments: argparse.Namespace) -> int:
    """Watch until the source ends or the user stops it."""
    layout, rules = read_layout(arguments.layout), read_rules(arguments.rules)
    options = CameraOptions(
        fps=arguments.fps,
        hold=arguments.hold,
        realtime=arguments.realtime,
        seed=arguments.seed,
        minutes=arguments.minutes,
        mistakes=arguments.mistakes,
    )
    record = Path(arguments.record) if arguments.record else None
    whole = not is_live(arguments.camera)
    app = compose(arguments.camera, layout, rules, options, record, listeners=listeners(arguments, whole))
    app.run()
    return 0


def notice(text: str) -> None:
    """A line for whoever started the program; standard output belongs to what is said."""
    print(f"railbird: {text}", file=sys.stderr)
