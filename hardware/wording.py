"""The referee's sentences in another language, and as they are spoken; known by the catalogue's English patterns."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from hardware.catalogue import ENGLISH, catalogue
from table_state.table import Alert, Output, Say, TableView
from table_state.view import HandView, SeatView

KINDS = ("spoken", "mistake", "remedy", "reason")
AMOUNT = r"\d+(?:\.\d+)?"
CARD = r"[A23456789TJQK?][cdhs?]"
SHAPES = {
    "seat": r"\d+",
    "total": r"\d+(?: or \d+)?",
    "amount": AMOUNT,
    "due": AMOUNT,
    "limit": AMOUNT,
    "card": CARD,
    "card2": CARD,
    "decks": r"\d+",
    "hands": r"\d+",
    "who": r".+",
    "why": r"(?:[^.]|\.\d)+",
    "cards": r"[^.]+",
}
SLOT = re.compile(r"\{(\w+)\}")
SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-ZÄÖÜ0-9])")
SOFT = re.compile(r"(\d+) or (\d+)")


@dataclass(frozen=True, slots=True)
class Known:
    """A sentence of the catalogue: its key and the values in it, as the English text has them."""

    key: str
    values: Mapping[str, str]


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = [(key, text) for key, text in catalogue().items() if key.partition(".")[0] in KINDS]
    rows.sort(key=lambda row: len(SLOT.sub("", row[1])), reverse=True)  # the plainest words first: no slot may eat them
    return tuple((key, _pattern(text)) for key, text in rows)


def _pattern(text: str) -> re.Pattern[str]:
    parts = SLOT.split(text)
    return re.compile(
        "".join(f"(?P<{p}>{SHAPES[p]})" if n % 2 else re.escape(p) for n, p in enumerate(parts)), re.DOTALL
    )


@lru_cache(maxsize=2048)
def known(sentence: str) -> Known | None:
    """Which sentence of the catalogue an English one is, None where it is none of them."""
    for key, pattern in _patterns():
        if (match := pattern.fullmatch(sentence)) is not None:
            return Known(key, match.groupdict())
    return None


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return SENTENCE.split(text)


@dataclass(frozen=True, slots=True)
class Wording:
    """Words in one language. `names`: how a player's name is spelled for the voice, where it is spelled otherwise."""

    language: str = ENGLISH
    names: Mapping[str, str] = field(default_factory=dict)

    def word(self, key: str, **values: object) -> str:
        """One text of the catalogue with its values filled in. KeyError for an unknown key."""
        return catalogue(self.language)[key].format(**values)

    def shown(self, text: str) -> str:
        """An English text of the referee as it is read: card names in words."""
        return self._sentences(text, spoken=False)

    def spoken(self, text: str) -> str:
        """An English text of the referee as the voice is to say it: card names in words, names as they sound."""
        return self._sentences(text, spoken=True)

    def _sentences(self, text: str, spoken: bool) -> str:
        whole = known(text)
        if whole is not None:
            return self._filled(whole, spoken)
        found = [(part, known(part)) for part in sentences(text)]
        return " ".join(part if it is None else self._filled(it, spoken) for part, it in found)

    def _filled(self, it: Known, spoken: bool) -> str:
        return self.word(it.key, **{name: self._value(name, value, spoken) for name, value in it.values.items()})

    def _value(self, name: str, value: str, spoken: bool) -> str:
        if SHAPES[name] is AMOUNT:
            return value.replace(".", catalogue(self.language)["word.point"])
        if name == "total":
            return self.total(value)
        if SHAPES[name] is CARD and "?" not in value:
            return self.card(value)
        if name == "cards":
            return ", ".join(self._value("card", code, spoken) for code in value.split(", "))
        if name == "who":
            return self.who(value, spoken)
        return self._sentences(value, spoken) if name == "why" else value

    def total(self, text: str) -> str:
        """A total, `17` or `3 or 13`."""
        pair = SOFT.fullmatch(text)
        return self.word("word.soft", low=pair[1], high=pair[2]) if pair else text

    def card(self, code: str) -> str:
        """A card in words."""
        return self.word("card.name", rank=self.word(f"rank.{code[0]}"), suit=self.word(f"suit.{code[1]}"))

    def who(self, name: str, spoken: bool) -> str:
        """A player: the name, or the seat's number."""
        seat = re.fullmatch(r"seat (\d+)", name)
        if seat is not None:
            return self.word("seat.number", number=seat[1])
        return self.names.get(name, name) if spoken else name

    def output(self, output: Output) -> Output:
        """What was said, as a page shows it."""
        if isinstance(output, Say | Alert):
            return replace(output, text=self.shown(output.text))
        return output

    def view(self, view: TableView) -> TableView:
        """A view as a page shows it."""
        seats = tuple(self._seat(seat) for seat in view.seats)
        alerts = tuple(replace(alert, text=self.shown(alert.text)) for alert in view.alerts)
        return replace(view, seats=seats, dealer=self._hand(view.dealer), alerts=alerts)

    def _seat(self, seat: SeatView) -> SeatView:
        bet = None if seat.bet is None else seat.bet.replace(".", self.word("word.point"))
        return replace(seat, bet=bet, hands=tuple(self._hand(hand) for hand in seat.hands))

    def _hand(self, hand: HandView) -> HandView:
        return replace(hand, text=self.total(hand.text))


def phrases(wording: Wording, seats: Sequence[tuple[int, str]]) -> Iterator[str]:
    """What the voice says whole at a table again and again, the likeliest first, as it is spoken.

    `seats`: numbers and names.
    """
    totals = [str(n) for n in range(4, 22)] + [f"{n} or {n + 10}" for n in range(2, 11)]
    said = (*totals, "Blackjack!", "too many", "Place your bets", "Dealer breaks", "Dealer has blackjack")
    said = (*said, *(f"The dealer has {total}" for total in totals), "Insurance is open", "Insurance is closed")
    yield from map(wording.spoken, (*said, "check the dealer's cards"))
    for number, name in seats:
        turns = (f"{total}, {name or f'seat {number}'}?" for total in totals)
        yield from map(wording.spoken, (*turns, f"check seat {number}"))
    yield from (text for text, whole in _alerts(wording, seats) if whole)


def beginnings(wording: Wording, seats: Sequence[tuple[int, str]]) -> Iterator[str]:
    """The parts of alerts that come before an amount or another open value: the engine makes the rest meanwhile."""
    yield from (text for text, whole in _alerts(wording, seats) if not whole)


def _alerts(wording: Wording, seats: Sequence[tuple[int, str]]) -> Iterator[tuple[str, bool]]:
    """Each sentence for each seat, up to its first open value, and whether that is all of it."""
    seen = set()
    for key, text in catalogue(wording.language).items():
        if key.partition(".")[0] not in ("mistake", "remedy"):
            continue
        for number, _ in seats:
            parts = SLOT.split(text.replace("{seat}", str(number)))
            if (begun := parts[0].rstrip()) and begun not in seen:
                seen.add(begun)
                yield begun, len(parts) == 1


def pieces(text: str, ready: Callable[[str], bool], begun: Collection[str]) -> list[str]:
    """Words cut so that what comes first can sound at once: what is ready stays whole, of the rest the longest
    beginning that is ready is taken off. `begun`: the beginnings after which a cut is natural."""
    if ready(text):
        return [text]
    found: list[str] = []
    for sentence in sentences(text):
        first = None if ready(sentence) else _beginning(sentence, ready, begun)
        found += [first, sentence[len(first) + 1 :]] if first else [sentence]
    return found


def _beginning(sentence: str, ready: Callable[[str], bool], begun: Collection[str]) -> str | None:
    words = sentence.split(" ")
    starts = (" ".join(words[:n]) for n in range(len(words) - 1, 0, -1))
    return next((start for start in starts if start in begun and ready(start)), None)
