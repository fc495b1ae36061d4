"""One page to print for the dealer and the players: what is said, what the signals and the keys do."""

from collections.abc import Mapping

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from hardware.keys import ACTIONS, KEYS
from hardware.web.asked import Asked
from hardware.web.files import load_page
from hardware.web.words import word, words

Rows = list[tuple[str, str]]
SEAT, NAME = 4, "Jim"
SAID: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("bets", {}),
    ("turn", {"total": 17, "who": NAME}),
    ("total", {"total": 20}),
    ("blackjack", {}),
    ("bust", {}),
    ("check-seat", {"seat": SEAT}),
    ("dealer-first", {"total": 12}),
    ("dealer-bust", {}),
    ("insurance-open", {}),
    ("insurance-closed", {}),
)
"""What is spoken, as the catalogue has it, with examples; what each means is `card.said-...`."""
SIGNALS = ("tap", "wave", "one-finger", "v", "line")


def card_router(asked: Asked | None) -> APIRouter:
    """Return the page /card and its data: the words of the catalogue, the keys as they are set now."""
    router = APIRouter()
    page = load_page("card.html")

    @router.get("/card", response_class=HTMLResponse)
    async def card() -> HTMLResponse:
        return HTMLResponse(page)

    @router.get("/card.json")
    async def data() -> dict[str, Rows]:
        return {"said": said(), "signals": signals(), "keys": keys(asked.printed() if asked else {})}

    return router


def said() -> Rows:
    """What is spoken, and what it means."""
    rows = [(word(f"spoken.{key}", **values), word(f"card.said-{key}")) for key, values in SAID]
    soft = word("spoken.turn", total=f"3 {word('total.or')} 13", who=NAME)
    return [*rows[:2], (soft, word("card.said-soft")), *rows[2:]]


def signals() -> Rows:
    """What a player's hand does over the felt, and what it asks for."""
    return [(word(f"card.signal-{name}"), word(f"card.asks-{name}")) for name in SIGNALS]


def keys(by_browser: Mapping[str, str]) -> Rows:
    """What the keys do, by their `KeyboardEvent.code` -> action; each action with all of its keys."""
    names = {key.browser: name for name, key in KEYS.items()}
    rows: Rows = []
    for action in ACTIONS:
        labels = [key_label(names.get(code, code)) for code, does in by_browser.items() if does == action]
        if labels:
            rows.append((", ".join(labels), word(f"card.key-{action}")))
    return rows


def key_label(name: str) -> str:
    """What stands on a key, or what the key is called."""
    known = words().get(f"key.{name}")
    if known is not None:
        return known
    if name.startswith("kp-"):
        return word("key.kp", label=name[3:])
    return name.upper() if len(name) < 4 else name
