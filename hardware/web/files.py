"""The static files and page templates, read once into memory.

Requests are answered from this table alone, so a path can never leave it.
"""

import hashlib
import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from hardware.web.words import chosen, words

_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
_SLOT = re.compile(r"\{\{([a-z0-9.-]+)\}\}")


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file as it is sent: its bytes, media type and entity tag."""

    body: bytes
    media_type: str
    etag: str


def _static(name: str, body: bytes) -> StaticFile:
    return StaticFile(body, _TYPES[name.rsplit(".", 1)[1]], f'"{hashlib.sha256(body).hexdigest()[:20]}"')


def _words_module(texts: Mapping[str, str]) -> bytes:
    return f"export const WORDS = Object.freeze({json.dumps(texts, ensure_ascii=False)});\n".encode()


def load_static(package: str = "hardware.web", texts: Mapping[str, str] | None = None) -> dict[str, StaticFile]:
    """Return every file under a package's static/ by its path there, and `words.js` made from the catalogue."""
    root = resources.files(package).joinpath("static")
    found = {}
    for entry in root.iterdir():
        inner = [(f"{entry.name}/{file.name}", file) for file in entry.iterdir()] if entry.is_dir() else []
        for name, file in inner or [(entry.name, entry)]:
            if name.rsplit(".", 1)[-1] in _TYPES:
                found[name] = _static(name, file.read_bytes())
    found["words.js"] = _static("words.js", _words_module(words() if texts is None else texts))
    return found


def load_page(name: str, package: str = "hardware.web", texts: Mapping[str, str] | None = None) -> str:
    """Return a page with each `{{key}}` replaced by the catalogue's text, escaped; KeyError for an unknown key."""
    text = resources.files(package).joinpath("pages", name).read_text(encoding="utf-8")
    found = words() if texts is None else texts
    text = text.replace('<html lang="en">', f'<html lang="{chosen()}">', 1)
    return _SLOT.sub(lambda slot: html.escape(found[slot[1]]), text)
