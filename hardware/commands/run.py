"""`railbird run`: watch a table and say what happens."""

import argparse
from dataclasses import replace
from pathlib import Path

from hardware.app import compose
from hardware.camera import CameraOptions, is_file, is_live
from hardware.commands.inputs import read_layout, read_rules
from hardware.config import Settings, settings
from hardware.control import Control
from hardware.counts import Counts
from hardware.files import check_apart
from hardware.journal import journal_file
from hardware.listeners import Wanted
from hardware.names import Names
from hardware.notices import Notices
from hardware.state import state_folder


def work(arguments: argparse.Namespace) -> int:
    """Watch until the source ends or the user stops it."""
    layout, rules = read_layout(arguments.layout), read_rules(arguments.rules)
    source = arguments.camera.partition(":")[2] if is_file(arguments.camera) else None
    check_apart({"--json": arguments.json}, [arguments.layout, arguments.rules, source])
    options = CameraOptions(
        fps=arguments.fps,
        hold=arguments.hold,
        realtime=arguments.realtime,
        seed=arguments.seed,
        minutes=arguments.minutes,
        mistakes=arguments.mistakes,
        mains_hz=chosen(arguments).mains_hz,
    )
    notices, counts = Notices(), Counts()
    # A file that is played again is no table: a broker hears of it only when that is asked for.
    live = not is_file(arguments.camera)
    ears = wanted(arguments, whole=not live, mqtt=live or arguments.mqtt is not None, keep=is_live(arguments.camera))
    builder = ears.builder(chosen(arguments), notices, counts)
    folder = record_folder(arguments)
    journal = journal_file(layout) if is_live(arguments.camera) else None
    compose(
        arguments.camera,
        layout,
        rules,
        options,
        folder,
        notices,
        counts,
        ears.control,
        journal=journal,
        listeners=builder,
    ).run()
    return 0


def wanted(arguments: argparse.Namespace, whole: bool, mqtt: bool = True, keep: bool = False) -> Wanted:
    """Who listens, as the arguments say; with `keep` the evening is a real one, to be kept for the dealer."""
    return Wanted(
        json=arguments.json,
        whole=whole,
        display=not arguments.headless,
        mqtt=mqtt,
        speech=not (arguments.headless or arguments.silent),
        keep=keep,
        control=Control(Names(state_folder() / "names.json")),
    )


def chosen(arguments: argparse.Namespace) -> Settings:
    """This user's settings, and what the arguments say instead."""
    given = {key: getattr(arguments, key) for key in ("voice", "language", "host", "port", "mqtt", "mqtt_table")}
    return replace(settings(), **{key: value for key, value in given.items() if value is not None})


def record_folder(arguments: argparse.Namespace) -> Path | None:
    """Where to record, if at all."""
    return Path(arguments.record) if arguments.record else None
