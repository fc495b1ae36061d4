"""The set-up wizard of `railbird setup`: pages of its own, served until Ctrl-C."""

import argparse
import os
import sys
import webbrowser
from pathlib import Path

from hardware.camera import KINDS
from hardware.errors import BadInputError
from hardware.files import Lines, check_replaceable, read_text, shown
from hardware.rules_file import rules_beside
from hardware.web.auth import DealerDoor, make_code
from hardware.web.links import is_loopback, reachable_url
from hardware.web.wizard.server import listen, serve
from hardware.web.wizard.session import Files, Session
from hardware.web.wizard.site import create_wizard
from hardware.web.wizard.sources import opener
from hardware.web.wizard.trial import Look, looker
from hardware.weights import weights
from table_state.layout import Layout, parse_layout
from table_state.rules import HouseRules, parse_rules, preset

LAYOUT = "table.toml"
SHORTEST = 6  # letters and digits of a code


def work(arguments: argparse.Namespace) -> int:
    """Serve the wizard; the layout and the rules are opened where there are files of their names."""
    layout_file = Path(arguments.layout or LAYOUT)
    rules_file = Path(arguments.rules) if arguments.rules else rules_beside(layout_file)
    before = _before(layout_file)
    layout = parse_layout(before, str(layout_file)) if before else None
    for file in (layout_file, rules_file):
        check_replaceable(str(file))
    if layout_file.resolve() == rules_file.resolve():
        raise BadInputError(f"--rules {rules_file}: is the layout's file; choose another")
    host = arguments.host or "127.0.0.1"
    code = None if is_loopback(host) else _code(arguments.code_file)
    session = Session(Files(layout_file, rules_file), layout, _rules(rules_file), opener(lambda: _any(layout)), _look)
    app = create_wizard(session, door=DealerDoor(code) if code else None)
    opened = listen(host, arguments.port)
    url = reachable_url(host, opened.getsockname()[1])
    with Lines("-") as out:
        out.write_text(f"set the table up at {url} in a browser; Ctrl-C ends it")
        if code:
            out.write_text(f"the code that it asks for: {code}")
    if sys.stdout.isatty() and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(url)
    try:
        serve(app, opened)
    finally:
        session.live.stop()
    return 0


def _code(name: str | None) -> str:
    """The first line of the code's file, or a new code, kept there for this user alone if it has a file."""
    if name is None:
        return make_code()
    file = Path(name)
    if file.exists():
        code = read_text(name, "file with a code").partition("\n")[0].strip()
        if sum(sign.isalnum() for sign in code) < SHORTEST:
            raise BadInputError(
                f"--code-file {name}: its first line is no code; write {SHORTEST} or more letters and digits"
            )
        return code
    check_replaceable(name)
    code = make_code()
    file.touch(0o600)
    file.write_text(code + "\n", encoding="utf-8")
    return code


def _before(file: Path) -> str:
    return read_text(str(file), "layout file") if file.exists() else ""


def _rules(file: Path) -> HouseRules:
    return (
        parse_rules(read_text(str(file), "file of house rules"), shown(str(file))) if file.exists() else preset("home")
    )


def _any(layout: Layout | None) -> Layout:
    if layout is None:
        raise BadInputError(f"this camera needs a layout; it is one of {KINDS}")
    return layout


def _look() -> Look:
    return looker(weights())
