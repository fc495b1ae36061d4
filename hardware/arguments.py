"""The arguments of every command of `railbird`."""

import argparse
from collections.abc import Callable
from typing import NoReturn

from hardware import argument_kinds as kinds

BAD = 2
_VOICE = "flite, espeak-ng or piper, perhaps with :VOICE behind it"


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments and stop with status 2."""
        self.exit(BAD, f"{self.prog}: {message}; see {self.prog} --help\n")


def parser() -> argparse.ArgumentParser:
    """Every command and its arguments."""
    top = Parser(prog="railbird", description="A companion for a real blackjack table.", allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"railbird {_version()}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    _demo(commands)
    _run(commands)
    _read(commands)
    _replay(commands)
    _bench(commands)
    _setup(commands)
    _backup(commands)
    _pit(commands)
    _say_it(commands)
    _doctor(commands)
    return top


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("railbird")
    except PackageNotFoundError:
        return "(not installed)"


Commands = argparse._SubParsersAction  # argparse has no public name for it


def _add(commands: "Commands[Parser]", name: str, text: str) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
    command.set_defaults(work=_late(name))
    return command


def _late(name: str) -> Callable[[argparse.Namespace], int]:
    """The command's function, its module imported only when the command is given."""

    def work(arguments: argparse.Namespace) -> int:
        from importlib import import_module

        function: Callable[[argparse.Namespace], int] = import_module(f"hardware.commands.{name}").work
        return function(arguments)

    return work


def _layout(command: argparse.ArgumentParser, required: bool = True) -> None:
    command.add_argument("--layout", required=required, metavar="FILE", help="the table's layout (TOML)")
    command.add_argument(
        "--rules", default="charity", metavar="RULES", help="charity, home, casino or a file of house rules (TOML)"
    )


def _show(command: argparse.ArgumentParser) -> None:
    command.add_argument("--headless", action="store_true", help="no display and no speech")
    command.add_argument("--silent", action="store_true", help="no speech")
    command.add_argument("--voice", metavar="NAME", help=_VOICE)
    command.add_argument("--language", choices=("en", "de"), help="the language of all words (default en)")
    command.add_argument("--host", help="the address that the pages are served on (default 127.0.0.1)")
    command.add_argument("--port", type=kinds.port, help="the port that the pages are served on (default 8021)")
    _mqtt(command)
    command.add_argument("--mqtt-table", type=kinds.table, metavar="NAME", help="this table's name there")
    text = "write what is said as JSON Lines; - is standard output"
    command.add_argument("--json", type=kinds.file, metavar="FILE", help=text)
    text = "keep observations, frames and the layout in this new folder"
    command.add_argument("--record", type=kinds.file, metavar="DIR", help=text)


def _mqtt(command: argparse.ArgumentParser) -> None:
    command.add_argument("--mqtt", type=kinds.broker, metavar="HOST:PORT", help="the MQTT broker (default: none)")


def _demo(commands: "Commands[Parser]") -> None:
    demo = _add(commands, "demo", "Play the whole system on a simulated table, with display and speech.")
    _layout(demo, required=False)
    _show(demo)
    demo.add_argument("--minutes", type=kinds.positive, metavar="N", help="stop after N minutes (default: never)")
    demo.add_argument("--seed", type=kinds.seed, default=1, metavar="S", help="another number, other rounds")
    demo.add_argument("--mistakes", action="store_true", help="let the dealer make mistakes")
    demo.add_argument("--truth", type=kinds.file, metavar="FILE", help="write what was true, one JSON object")
    demo.add_argument("--fast", action="store_true", help="as fast as it can be seen, not at a table's own pace")


def _run(commands: "Commands[Parser]") -> None:
    run = _add(commands, "run", "Watch a table: a camera, a video, a folder of pictures or the simulated table.")
    run.add_argument("--camera", required=True, metavar="C", help="picamera2, usb:N, video:FILE, images:DIR or sim")
    _layout(run)
    _show(run)
    run.add_argument("--fps", type=kinds.positive, default=10.0, help="pictures a second without a frames.jsonl")
    run.add_argument("--hold", type=kinds.positive, default=6.0, metavar="S", help="how long the last picture stands")
    run.add_argument("--realtime", action="store_true", help="play a file at its own pace")
    run.add_argument("--seed", type=kinds.seed, default=1, metavar="S", help="the simulated table's number")
    run.add_argument("--minutes", type=kinds.positive, metavar="N", help="minutes that the simulated table plays")
    run.add_argument("--mistakes", action="store_true", help="let the simulated dealer make mistakes")


def _read(commands: "Commands[Parser]") -> None:
    read = _add(commands, "read", "Read the cards and chips in still photographs.")
    read.add_argument("images", nargs="+", metavar="IMAGE", help="a picture file; - is standard input")
    read.add_argument("--json", action="store_true", help="one JSON line for each picture")


def _replay(commands: "Commands[Parser]") -> None:
    replay = _add(commands, "replay", "Say what a recording's observations mean, as fast as it can.")
    replay.add_argument("observations", metavar="OBS.jsonl", help="observations (JSON Lines); - is standard input")
    _layout(replay)
    replay.add_argument("--json", action="store_true", help="everything said, one JSON line each")
    replay.add_argument("--draw", type=kinds.file, metavar="FILE.svg", help="draw the table at a moment instead")
    replay.add_argument(
        "--at", type=kinds.moment, metavar="T", help="that moment, in the recording's seconds (default: its end)"
    )


def _bench(commands: "Commands[Parser]") -> None:
    bench = _add(commands, "bench", "Measure how fast this machine sees, and with how much memory.")
    bench.add_argument("--json", action="store_true", help="one JSON object")
    bench.add_argument("--speech", action="store_true", help="only how soon words sound, for each small engine")


def _setup(commands: "Commands[Parser]") -> None:
    setup = _add(commands, "setup", "Set a table up in the browser, or calibrate a camera for a layout from points.")
    setup.add_argument("--layout", metavar="FILE", help="the layout to make, change or calibrate (default table.toml)")
    setup.add_argument("--rules", metavar="FILE", help="the house rules to make or change (default NAME-rules.toml)")
    setup.add_argument("--host", help="the address that the wizard is served on (default 127.0.0.1)")
    setup.add_argument("--port", type=kinds.port, default=8022, help="the port that it is served on (default 8022)")
    text = "a file with the code that the wizard asks for on a network; made where it is not there"
    setup.add_argument("--code-file", metavar="FILE", help=text)
    sheet = "write the sheet of four markers to print (PDF), and nothing else"
    setup.add_argument("--markers", type=kinds.file, metavar="FILE.pdf", help=sheet)
    source = setup.add_mutually_exclusive_group()
    source.add_argument("--camera", metavar="C", help="the camera: picamera2, usb:N, video:FILE or images:DIR")
    source.add_argument("--picture", metavar="FILE", help="a picture that the camera took")
    text = "where its picture goes (default table.jpg)"
    setup.add_argument("--save", type=kinds.file, default="table.jpg", metavar="FILE", help=text)
    text = "a pixel of the picture and its place on the felt in mm; four or more"
    setup.add_argument("--point", type=kinds.point, action="append", metavar="PX,PY=X,Y", help=text)
    text = "a printed marker, 1 to 4, and the place of its middle on the felt in mm; all four"
    setup.add_argument("--marker", metavar="N=X,Y", type=kinds.marker, action="append", help=text)
    text = "another layout file to write (default: the same)"
    setup.add_argument("--output", type=kinds.file, metavar="FILE", help=text)


def _backup(commands: "Commands[Parser]") -> None:
    backup = _add(commands, "backup", "Keep a table as one file: layout, colours, house rules, files of its own.")
    backup.add_argument("file", type=kinds.file, metavar="FILE.zip", help="the file to write")
    backup.add_argument("--layout", required=True, metavar="FILE", help="the table's layout")
    text = "its house rules: charity, home, casino or a file (default NAME-rules.toml beside it)"
    backup.add_argument("--rules", metavar="RULES", help=text)
    text = "another file of this table, such as a taught deck; may be given more than once"
    backup.add_argument("--with", dest="beside", action="append", metavar="FILE", help=text)
    restore = _add(commands, "restore", "Write a table's files again out of a backup, all or none.")
    restore.add_argument("file", type=kinds.file, metavar="FILE.zip", help="the backup")
    restore.add_argument("--layout", required=True, metavar="FILE", help="where the layout goes; others go beside it")
    restore.add_argument("--rules", metavar="FILE", help="where the house rules go (default NAME-rules.toml)")


def _pit(commands: "Commands[Parser]") -> None:
    pit = _add(commands, "pit", "Show many tables on one page, as an MQTT broker tells of them.")
    _mqtt(pit)
    pit.add_argument("--host", help="the address that the page is served on (default 127.0.0.1)")
    pit.add_argument("--port", type=kinds.port, help="the port that the page is served on (default 8022)")


def _doctor(commands: "Commands[Parser]") -> None:
    doctor = _add(commands, "doctor", "Say what is wrong with this installation and what to do.")
    doctor.add_argument("--camera", metavar="C", help="a camera to try")
    doctor.add_argument("--layout", metavar="FILE", help="this table's layout, to measure cards and looks")
    doctor.add_argument("--sound", action="store_true", help="let the sound test be heard")
    text = "how high each camera has to hang above a felt of this size (mm), and nothing else"
    doctor.add_argument("--lens", type=kinds.felt, metavar="WIDTHxDEPTH", help=text)
    doctor.add_argument("--json", action="store_true", help="one JSON line for each check")


def _say_it(commands: "Commands[Parser]") -> None:
    say = _add(commands, "say", "Say a text as the table would, to try the voice.")
    say.add_argument("text", nargs="?", metavar="TEXT", help="the text, in quotes")
    say.add_argument("--voice", metavar="NAME", help=_VOICE)
    say.add_argument("--language", choices=("en", "de"), help="the language of the voice (default en)")
    say.add_argument("--speed", type=kinds.factor, metavar="X", help="0.5 to 2, 1 = as the engine speaks")
    say.add_argument("--pitch", type=kinds.factor, metavar="X", help="0.5 to 2, 1 = the voice's own")
    say.add_argument("--volume", type=kinds.loudness, metavar="X", help="0 to 4, 1 = as the engine speaks")
    say.add_argument("--output", type=kinds.file, metavar="FILE.wav", help="write it there instead of playing it")
    say.add_argument("--ahead", metavar="LAYOUT", help="instead, make all that is said at this table in advance")
