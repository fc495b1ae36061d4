"""Settings of this installation: a small TOML file, and what the command line says instead."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from table_state.errors import InputError
from table_state.toml import Section, parse

DEFAULT_PORT = 8021


@dataclass(frozen=True, slots=True)
class Settings:
    """How the program speaks and shows. `volume`: 1 = as the engine speaks; `voice`: None = the best installed."""

    voice: str | None = None
    volume: float = 1.0
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT


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


READERS: dict[str, Callable[[Section, str], Any]] = {"voice": _text, "volume": _volume, "host": _text, "port": _port}


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
