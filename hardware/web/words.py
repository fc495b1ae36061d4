"""Every fixed word that a page shows or speaks, from one catalogue file."""

import json
from functools import cache
from importlib import resources

CATALOGUE = "words.en.json"


@cache
def words() -> dict[str, str]:
    """Return the catalogue: key -> text, with `{name}` where a value goes."""
    text = resources.files("hardware.web").joinpath("static", CATALOGUE).read_text(encoding="utf-8")
    entries: dict[str, str] = json.loads(text)
    return entries


def word(key: str, **values: object) -> str:
    """Return one text of the catalogue with its values filled in; raises KeyError for an unknown key."""
    return words()[key].format(**values)
