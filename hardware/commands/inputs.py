"""Layouts and house rules from files, for every command that takes them."""

from hardware.errors import BadInputError
from hardware.files import read_text, shown
from table_state.layout import Layout, parse_layout
from table_state.rules import PRESETS, HouseRules, parse_rules, preset


def read_layout(name: str) -> Layout:
    """The layout in file `name`. Raises BadInputError or InputError."""
    return parse_layout(read_text(name, "layout file"), shown(name))


def read_rules(name: str) -> HouseRules:
    """A preset's rules, or those in file `name`. Raises BadInputError or InputError."""
    if name in PRESETS:
        return preset(name)
    if "." not in name and "/" not in name and name != "-":
        raise BadInputError(f"--rules {name}: no such rules; {', '.join(PRESETS)} or a file (TOML)")
    return parse_rules(read_text(name, "house rules file"), shown(name))
