"""Layouts and house rules from files, for every command that takes them."""

from hardware.errors import BadInputError
from hardware.files import read_text, shown
from hardware.notices import say
from table_state.layout import Layout, parse_layout, unknown_keys
from table_state.rules import PRESETS, HouseRules, parse_rules, preset


def read_layout(name: str) -> Layout:
    """The layout in file `name`. Raises BadInputError or InputError."""
    text = read_text(name, "layout file")
    layout = parse_layout(text, shown(name))
    say_unknown_keys(text, shown(name))
    return layout


def say_unknown_keys(text: str, name: str) -> None:
    """Tell of the keys of a good layout's text that mean nothing here: they may be misspelled, or a later version's."""
    unknown = unknown_keys(text)
    if unknown:
        say(f"{name}: unknown and ignored: {', '.join(unknown)}; check how it is spelled")


def read_rules(name: str) -> HouseRules:
    """A preset's rules, or those in file `name`. Raises BadInputError or InputError."""
    if name in PRESETS:
        return preset(name)
    if "." not in name and "/" not in name and name != "-":
        raise BadInputError(f"--rules {name}: no such rules; {', '.join(PRESETS)} or a file (TOML)")
    return parse_rules(read_text(name, "house rules file"), shown(name))
