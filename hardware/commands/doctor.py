"""`railbird doctor`: what is wrong with this installation, and what to do."""

import argparse

from hardware.camera import check_spec
from hardware.commands.demo import demo_layout
from hardware.doctor import checks
from hardware.files import Lines

SIGNS = {"ok": "ok   ", "note": "note ", "fault": "FAULT"}


def work(arguments: argparse.Namespace) -> int:
    """Print every check; the status is 1 where one of them is a fault."""
    if arguments.camera is not None:
        check_spec(arguments.camera)
    faults = 0
    with Lines("-") as out:
        for check in checks(arguments.camera, demo_layout()):
            faults += check.state == "fault"
            if arguments.json:
                out.write(check.to_json())
            else:
                out.write_text(f"{SIGNS[check.state]}  {check.name}: {check.text}")
    return 1 if faults else 0
