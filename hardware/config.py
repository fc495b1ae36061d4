"""Settings of this installation: a small TOML file, and what the command line says instead."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hardware import speech_settings as speech
from hardware.catalogue import ENGLISH
from hardware.mqtt.address import TABLE, Broker, parse_broker
from table_state.errors import InputError
from table_state.toml import Section, parse

DEFAULT_PORT = 8021


@dataclass(frozen=True, slots=True)
class Settings:
    """How the program speaks and shows, and whom it tells. `volume`: 1 = as the engine speaks; `voice`: None = the best
    installed; `keep_days`: how long evenings are kept, 0 = not at all; `mqtt`: None = no broker; `mqtt_table`: None =
    this machine's name; `speed`, `pitch`: factors; `verbosity`, `seat_verbosity`: all, turns or alerts; `my_seat`:
    whose hand a key tells, None = whose turn it is; `names`: how they are spelled for the voice;
    `mains_hz`: 50 or 60, with which the lamps flicker.
    """

    voice: str | None = None
    volume: float = 1.0
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    keep_days: int = 30
    mqtt: Broker | None = None
    mqtt_table: str | None = None
    mqtt_user: str | None = None
    mqtt_password_file: str | None = None
    mqtt_tls: bool = False
    mqtt_ca: str | None = None
    mqtt_discovery: str = "homeassistant"
    language: str = ENGLISH
    speed: float = 1.0
    pitch: float = 1.0
    verbosity: str = "all"
    seat_verbosity: dict[int, str] = field(default_factory=dict)
    quiet_hours: speech.Hours | None = None
    names: dict[str, str] = field(default_factory=dict)
    my_seat: int | None = None
    keys: dict[str, str] = field(default_factory=dict)
    mains_hz: int = 50


def config_file() -> Path:
    """Where the settings of this user lie, if there are any."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser()) / "railbird" / "config.toml"


def _text(top: Section, key: str) -> str:
    return top.text(key)


def _volume(top: Section, key: str) -> float:
    value = top.as_number(key, top.get(key))
    if not 0 <= value <= 4:
        raise top.error(key, "not from 0 to 4 (1 = as the engine speaks)")
    return value


def _port(top: Section, key: str) -> int:
    value = top.as_number(key, top.get(key))
    if not 0 <= value <= 65535 or value != int(value):
        raise top.error(key, "not a whole number from 0 to 65535")
    return int(value)


def _days(top: Section, key: str) -> int:
    value = top.as_number(key, top.get(key))
    if not 0 <= value <= 3650 or value != int(value):
        raise top.error(key, "not a whole number of days from 0 to 3650 (0 = nothing is kept)")
    return int(value)


def _broker(top: Section, key: str) -> Broker:
    text = top.text(key)
    try:
        return parse_broker(text)
    except ValueError:
        raise top.error(key, "no broker's address; write it as HOST or HOST:PORT") from None


def _table(top: Section, key: str) -> str:
    value = top.text(key)
    if not TABLE.fullmatch(value):
        raise top.error(key, "not a name of small letters, digits, - and _, 40 at most")
    return value


def _prefix(top: Section, key: str) -> str:
    value = top.text(key)
    if any(sign in value for sign in "+#") or value.startswith("/") or value.endswith("/"):
        raise top.error(key, 'not a topic such as "homeassistant" ("" = Home Assistant is not told)')
    return value


def _flag(top: Section, key: str) -> bool:
    value = top.get(key)
    if not isinstance(value, bool):
        raise top.error(key, "neither true nor false")
    return value


def _mains(top: Section, key: str) -> int:
    value = top.as_number(key, top.get(key))
    if value not in (50, 60):
        raise top.error(key, "neither 50 nor 60 (times a second that the mains alternates)")
    return int(value)


READERS: dict[str, Callable[[Section, str], Any]] = {
    "voice": _text,
    "volume": _volume,
    "language": speech.language,
    "speed": speech.factor,
    "pitch": speech.factor,
    "verbosity": speech.verbosity,
    "seat_verbosity": speech.seat_verbosity,
    "quiet_hours": speech.quiet_hours,
    "names": speech.names,
    "my_seat": speech.seat,
    "keys": speech.keys,
    "host": _text,
    "port": _port,
    "keep_days": _days,
    "mqtt": _broker,
    "mqtt_table": _table,
    "mqtt_user": _text,
    "mqtt_password_file": _text,
    "mqtt_tls": _flag,
    "mqtt_ca": _text,
    "mqtt_discovery": _prefix,
    "mains_hz": _mains,
}


def parse_settings(text: str, file: str) -> Settings:
    """Settings from TOML text. Raises InputError with file and key."""
    top = parse(text, file)
    for key in top.values:
        if key not in READERS:
            raise top.error(key, f"unknown key; the keys are {', '.join(READERS)}")
    found: dict[str, Any] = {key: READERS[key](top, key) for key in top.values}
    return replace(Settings(), **found)


def settings() -> Settings:
    """This user's settings; the defaults where there is no file. Raises InputError."""
    file = config_file()
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError):
        raise InputError("cannot be read; mend it or delete it", str(file)) from None
    return parse_settings(text, str(file))
