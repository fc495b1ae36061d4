"""The wizard's words: the catalogue's own and those of the set-up, in the language of the pages."""

from functools import cache
from importlib import resources

from hardware.catalogue import ENGLISH, parse_po
from hardware.web.words import chosen
from hardware.web.words import words as common


@cache
def _own(language: str) -> dict[str, str]:
    file = f"setup.{language}.po"
    found = parse_po(resources.files("hardware.locale").joinpath(file).read_text(encoding="utf-8"), file)
    return found if language == ENGLISH else _own(ENGLISH) | found


def words() -> dict[str, str]:
    """Every word of the wizard by its key, with `{name}` where a value goes."""
    return common() | _own(chosen())


def word(key: str, **values: object) -> str:
    """One text with its values filled in; raises KeyError for an unknown key."""
    return words()[key].format(**values)
