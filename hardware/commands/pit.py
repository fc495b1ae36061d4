"""`railbird pit`: one page over many tables."""

import argparse
from dataclasses import replace

from hardware.config import settings
from hardware.errors import HardwareError
from hardware.mqtt.build import access
from hardware.notices import say
from hardware.pit.server import DEFAULT_PORT, Pit
from hardware.web.errors import PortInUseError
from hardware.web.words import choose


def work(arguments: argparse.Namespace) -> int:
    """Show the tables of a broker until the user stops it."""
    found = settings()
    if arguments.mqtt is not None:
        found = replace(found, mqtt=arguments.mqtt)
    choose(found.language)
    port = DEFAULT_PORT if arguments.port is None else arguments.port
    try:
        pit = Pit(access(found), arguments.host or "127.0.0.1", port, say)
    except PortInUseError as error:
        raise HardwareError(str(error)) from None
    say(f"the tables are shown at {pit.url}")
    pit.start()
    try:
        pit.wait()
    finally:
        pit.stop()
    return 0
