"""Small secrets of this installation that outlive a restart: the dealer's code, the key of the seat pages' links."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from hardware.files import remove


def state_folder() -> Path:
    """Where this user's state is kept."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path("~/.local/state").expanduser()) / "railbird"


def kept(name: str, make: Callable[[], str]) -> str:
    """The text kept under `name`, made and kept the first time; made anew each time where nothing can be kept."""
    path = state_folder() / name
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        text = ""
    if text:
        return text
    text = make()
    part = path.with_name(f".{name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part.touch(mode=0o600)
        part.write_text(text + "\n", encoding="utf-8")
        part.replace(path)
    except OSError:
        remove(part)
    return text


def link_secret() -> bytes:
    """The key from which the seat pages' links are made."""
    return bytes.fromhex(kept("link-secret", lambda: secrets.token_hex(32)))
