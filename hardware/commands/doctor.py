"""`railbird doctor`: what is wrong with this installation, and what to do."""

import argparse

from hardware.camera import check_spec
from hardware.commands.demo import demo_layout
from hardware.commands.inputs import read_layout
from hardware.doctor import checks
from hardware.files import Lines
from hardware.lenses import table

SIGNS = {"ok": "ok   ", "note": "note ", "fault": "FAULT"}


def work(arguments: argparse.Namespace) -> int:
    """Print every check; the status is 1 where one of them is a fault."""
    if arguments.lens is not None:
        return _lenses(*arguments.lens)
    if arguments.camera is not None:
        check_spec(arguments.camera)
    own = read_layout(arguments.layout) if arguments.layout else None
    faults = 0
    with Lines("-") as out:
        for check in checks(arguments.camera, own or demo_layout(), arguments.sound, own is not None):
            faults += check.state == "fault"
            if arguments.json:
                out.write(check.to_json())
            else:
                out.write_text(f"{SIGNS[check.state]}  {check.name}: {check.text}")
    return 1 if faults else 0


def _lenses(width: float, depth: float) -> int:
    with Lines("-") as out:
        for line in table(width, depth):
            out.write_text(line)
    return 0
