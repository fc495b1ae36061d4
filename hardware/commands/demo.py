"""`railbird demo`: the whole system on a simulated table, seen through its camera and not told the truth."""

import argparse
from importlib import resources

from hardware.app import compose
from hardware.camera import CameraOptions
from hardware.commands.inputs import read_layout, read_rules
from hardware.commands.run import chosen, record_folder, wanted
from hardware.counts import Counts
from hardware.files import check_apart
from hardware.notices import Notices
from table_state.layout import Layout, parse_layout


def work(arguments: argparse.Namespace) -> int:
    """Play until the minutes are over or the user stops it; headless as fast as it can be seen."""
    layout = read_layout(arguments.layout) if arguments.layout else demo_layout()
    written = {"--json": arguments.json, "--truth": arguments.truth}
    check_apart(written, [arguments.layout, arguments.rules])
    options = CameraOptions(
        realtime=not (arguments.headless or arguments.fast),
        seed=arguments.seed,
        minutes=arguments.minutes,
        mistakes=arguments.mistakes,
        truth=arguments.truth,
    )
    notices, counts = Notices(), Counts()
    ears = wanted(arguments, whole=False)
    builder = ears.builder(chosen(arguments), notices, counts)
    rules = read_rules(arguments.rules)
    folder = record_folder(arguments)
    compose("sim", layout, rules, options, folder, notices, counts, ears.control, listeners=builder).run()
    return 0


def demo_layout() -> Layout:
    """The table that is played on when no layout is named."""
    text = resources.files("hardware").joinpath("demo.toml").read_text(encoding="utf-8")
    return parse_layout(text, "demo.toml")
