"""The settings of speech and of keys: readers of `config.toml`, each error naming the key."""

import re
from datetime import time
from typing import Any

from hardware.catalogue import LANGUAGES
from hardware.keys import ACTIONS, is_key
from table_state.toml import Section

VERBOSITY = ("all", "turns", "alerts")
HOURS = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)")
LONGEST_NAME = 100

Hours = tuple[time, time]


def language(top: Section, key: str) -> str:
    """A language of the catalogue."""
    return _one_of(top, key, tuple(LANGUAGES))


def factor(top: Section, key: str) -> float:
    """Speed or pitch, 1 = as the engine speaks."""
    value = top.as_number(key, top.get(key))
    if not 0.5 <= value <= 2:
        raise top.error(key, "not from 0.5 to 2 (1 = as the engine speaks)")
    return value


def verbosity(top: Section, key: str) -> str:
    """How much is said."""
    return _one_of(top, key, VERBOSITY)


def quiet_hours(top: Section, key: str) -> Hours:
    """From when to when nothing is said."""
    found = HOURS.fullmatch(top.text(key))
    if found is None:
        raise top.error(key, 'not hours such as "22:30-07:00"')
    start, end = time(int(found[1]), int(found[2])), time(int(found[3]), int(found[4]))
    if start == end:
        raise top.error(key, "begins when it ends; leave it out, or set volume = 0 to silence everything")
    return start, end


def seat(top: Section, key: str) -> int:
    """A seat's number."""
    value: Any = top.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 1000:
        raise top.error(key, "not a seat's number, a whole number from 1")
    return value


def seat_verbosity(top: Section, key: str) -> dict[int, str]:
    """How much is said about single seats."""
    table = top.table(key)
    for number in table.values:
        if not number.isascii() or not number.isdecimal() or not 1 <= int(number) <= 1000:
            raise table.error(number, 'not a seat\'s number; write 3 = "all"')
    return {int(number): verbosity(table, number) for number in table.values}


def names(top: Section, key: str) -> dict[str, str]:
    """How names are spelled for the voice."""
    table = top.table(key)
    found = {name: table.text(name).strip() for name in table.values}
    for name, spelled in found.items():
        if not spelled or len(spelled) > LONGEST_NAME or not spelled.isprintable():
            raise table.error(name, f"not a name as it is spoken, 1 to {LONGEST_NAME} characters")
    return found


def keys(top: Section, key: str) -> dict[str, str]:
    """What keys and buttons do."""
    table = top.table(key)
    for name in table.values:
        if not is_key(name):
            raise table.error(name, "no key's name; such names are pagedown, kp-enter, volume-up, f5, b, gpio17")
    return {name: _one_of(table, name, (*ACTIONS, "nothing")) for name in table.values}


def _one_of(section: Section, key: str, allowed: tuple[str, ...]) -> str:
    value = section.text(key)
    if value not in allowed:
        raise section.error(key, f"{value[:40]!r} is not one of {', '.join(allowed)}")
    return value
