"""Every fixed word that a page shows or speaks, from the catalogue, in the language of this process."""

from hardware.catalogue import ENGLISH, catalogue

_CHOSEN = [ENGLISH]


def choose(language: str) -> None:
    """Let the pages be in this language from now on; to be called before they are served."""
    catalogue(language)
    _CHOSEN[0] = language


def chosen() -> str:
    """Return the language that the pages are in."""
    return _CHOSEN[0]


def words() -> dict[str, str]:
    """Return the catalogue: key -> text, with `{name}` where a value goes."""
    return catalogue(_CHOSEN[0])


def word(key: str, **values: object) -> str:
    """Return one text of the catalogue with its values filled in; raises KeyError for an unknown key."""
    return words()[key].format(**values)


def card_name(code: str) -> str:
    """Return a card's name in words, as the pages say it."""
    rank, suit = code[0], code[1]
    if rank == "?":
        return word("card.back" if code == "??" else "card.unread")
    if suit == "?":
        return word("card.part", rank=word(f"rank.{rank}"))
    return word("card.name", rank=word(f"rank.{rank}"), suit=word(f"suit.{suit}"))
