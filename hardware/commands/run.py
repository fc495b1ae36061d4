"""`railbird run`: watch a table and say what happens."""

import argparse
from dataclasses import replace
from pathlib import Path

from hardware.app import compose
from hardware.camera import CameraOptions, is_file
from hardware.commands.inputs import read_layout, read_rules
from hardware.config import Settings, settings
from hardware.counts import Counts
from hardware.files import check_apart
from hardware.listeners import Wanted
from hardware.notices import Notices


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
    )
    notices, counts = Notices(), Counts()
    # A file that is played again is no table: a broker hears of it only when that is asked for.
    live = not is_file(arguments.camera)
    builder = wanted(arguments, whole=not live, mqtt=live or arguments.mqtt is not None).builder(
        chosen(arguments), notices, counts
    )
    compose(
        arguments.camera, layout, rules, options, record_folder(arguments), notices, counts, listeners=builder
    ).run()
    return 0


def wanted(arguments: argparse.Namespace, whole: bool, mqtt: bool = True) -> Wanted:
    """Who listens, as the arguments say."""
    return Wanted(
        json=arguments.json,
        whole=whole,
        display=not arguments.headless,
        mqtt=mqtt,
        speech=not (arguments.headless or arguments.silent),
    )


def chosen(arguments: argparse.Namespace) -> Settings:
    """This user's settings, and what the arguments say instead."""
    given = {key: getattr(arguments, key) for key in ("voice", "language", "host", "port", "mqtt", "mqtt_table")}
    return replace(settings(), **{key: value for key, value in given.items() if value is not None})


def record_folder(arguments: argparse.Namespace) -> Path | None:
    """Where to record, if at all."""
    return Path(arguments.record) if arguments.record else None
