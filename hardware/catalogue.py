"""The one catalogue of all words, spoken and shown: a gettext file (.po) for each language, keys as `msgid`."""

import json
from collections.abc import Iterator
from functools import cache
from importlib import resources

from table_state.errors import InputError

ENGLISH = "en"
LANGUAGES = {"en": "English", "de": "Deutsch"}


@cache
def catalogue(language: str = ENGLISH) -> dict[str, str]:
    """Every word of a language by its key, with `{name}` where a value goes; what a language lacks is English."""
    file = f"{language}.po"
    text = resources.files("hardware.locale").joinpath(file).read_text(encoding="utf-8")
    own = parse_po(text, file)
    return own if language == ENGLISH else catalogue() | own


def parse_po(text: str, file: str) -> dict[str, str]:
    """The `msgid` and `msgstr` of a .po file; the header is left out. Raises InputError with file and line."""
    found: dict[str, str] = {}
    for line, key, words in _entries(text, file):
        if key in found:
            raise InputError(f"{key}: stands there twice", file, line)
        if key and words:
            found[key] = words
    return found


def _entries(text: str, file: str) -> Iterator[tuple[int, str, str]]:
    parts: dict[str, str] = {}
    field, began = "", 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        word, _, rest = line.partition(" ") if not line.startswith('"') else (field, "", line)
        if word not in ("msgid", "msgstr") or (word == "msgstr" and "msgid" not in parts):
            raise InputError(f"{line[:40]!r} is neither msgid nor msgstr", file, number)
        if word == "msgid" and field == "msgstr":
            yield began, parts["msgid"], parts["msgstr"]
            parts.clear()
        began = number if word == "msgid" and word != field else began
        parts[word] = parts.get(word, "") + _quoted(rest, file, number)
        field = word
    if "msgstr" in parts:
        yield began, parts["msgid"], parts["msgstr"]


def _quoted(text: str, file: str, line: int) -> str:
    try:
        words = json.loads(text)
    except ValueError:
        words = None
    if not isinstance(words, str):
        raise InputError(f"{text[:40]!r} is not a text in quotes", file, line)
    return words
