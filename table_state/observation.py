"""Observations and corrections: JSON Lines in, frozen dataclasses out (contract, section 3).

Tolerance: unknown fields are ignored; a missing `cards`, `chips` or `hands` is an empty list; a blank line is skipped
by `read_lines`. Everything else that is not as the contract has it is an InputError with the file and the line.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from table_state.amounts import exact, plain
from table_state.cards import is_code
from table_state.errors import InputError

MAX_LINE: Final = 2_000_000
"""Characters that a line may have."""
MAX_THINGS: Final = 2_000
"""Cards, chips or hands that a line may have, each; a table holds far fewer."""
MAX_TIME: Final = 1e9
MAX_MM: Final = 1e6

SIGNALS: Final = frozenset(("tap", "wave", "one-finger", "v", "line", "sweep"))
KINDS: Final = ("card", "no-card", "bet", "not-a-mistake", "new-shoe", "undo")


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card seen at one instant; mm, degrees counter-clockwise; code None = a back."""

    x: float
    y: float
    deg: float
    code: str | None
    p: float = 1.0
    kind: str = "card"


@dataclass(frozen=True, slots=True)
class SeenChips:
    """One stack of one colour; count None = its height is unknown."""

    x: float
    y: float
    color: str
    count: int | None
    p: float = 1.0


@dataclass(frozen=True, slots=True)
class SeenHand:
    """What covers the table: centre, radius, whose it is and what it signals."""

    x: float
    y: float
    r: float
    source: str | None = None
    signal: str | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything that was seen at one instant, t in seconds since the recording began."""

    t: float
    cards: tuple[SeenCard, ...] = ()
    chips: tuple[SeenChips, ...] = ()
    hands: tuple[SeenHand, ...] = ()


@dataclass(frozen=True, slots=True)
class Correction:
    """A person's word, which overrules the camera; fields that a kind does not use are None."""

    t: float
    kind: str
    x: float | None = None
    y: float | None = None
    code: str | None = None
    seat: int | None = None
    amount: Fraction | None = None
    alert: str | None = None


class _BadError(Exception):
    """What is wrong with a field; turned into an InputError where the file and line are known."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(key, what)
        self.key = key
        self.what = what


def parse_line(text: str, file: str = "observations", line: int | None = None) -> Observation | Correction:
    """One line of section 3; raises InputError with file, line and key."""
    if len(text) > MAX_LINE:
        raise InputError(f"the line has over {MAX_LINE} characters; cut the file at it", file, line)
    try:
        row = _DECODER.decode(text)
    except (ValueError, RecursionError) as e:
        what = e.msg if isinstance(e, json.JSONDecodeError) else "a number or nesting that JSON cannot have"
        raise InputError(f"not JSON ({what}); one JSON object a line is needed", file, line) from None
    try:
        return _row(row)
    except _BadError as e:
        raise InputError(e.what, file, line, e.key) from None


def read_lines(lines: Iterable[str], file: str = "observations") -> Iterator[Observation | Correction]:
    """All lines of a recording in their order; InputError where one is bad or goes back in time."""
    last = 0.0
    for number, text in enumerate(lines, 1):
        if not text.strip("\ufeff \t\r\n"):
            continue
        row = parse_line(text.lstrip("\ufeff"), file, number)
        if row.t < last:
            raise InputError(f"t goes back from {last:g} to {row.t:g}; lines must be in time order", file, number, "t")
        last = row.t
        yield row


def bounded(readline: Callable[[int], str]) -> Iterator[str]:
    """Lines of a text file's `readline`, none longer than the limit needs, so that no line fills the memory."""
    return iter(lambda: readline(MAX_LINE + 1), "")


def to_json(line: Observation | Correction) -> str:
    """One line of text, keys in a fixed order; `parse_line` reads it back to an equal value."""
    row = _correction_json(line) if isinstance(line, Correction) else _observation_json(line)
    return json.dumps(row, separators=(", ", ": "), ensure_ascii=False)


def _no_constant(name: str) -> float:
    raise ValueError(name)


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant)
"""Made once: json.loads would make one for every line."""


def _row(row: Any) -> Observation | Correction:
    if not isinstance(row, dict):
        raise _BadError("line", "not an object; one JSON object a line is needed")
    t = _number(row, "t", low=0.0, high=MAX_TIME)
    if "correction" in row:
        return _correction(t, row["correction"])
    return Observation(
        t,
        tuple([_card(c) for c in _things(row, "cards")]),
        tuple([_chips(c) for c in _things(row, "chips")]),
        tuple([_hand(h) for h in _things(row, "hands")]),
    )


def _things(row: dict[str, Any], key: str) -> list[dict[str, Any]]:
    things = row.get(key)
    if things is None:
        return []
    if not isinstance(things, list) or not all(isinstance(x, dict) for x in things):
        raise _BadError(key, "not a list of objects")
    if len(things) > MAX_THINGS:
        raise _BadError(key, f"{len(things)} entries; a line may have {MAX_THINGS}")
    return things


def _number(row: dict[str, Any], key: str, low: float, high: float, default: float | None = None) -> float:
    value = row.get(key, default)
    if (type(value) is float or type(value) is int) and low <= value <= high:
        return float(value)  # the usual case, told apart first: a file has many numbers
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _BadError(key, "missing" if value is None else f"{_short(value)} is not a number")
    if not low <= value <= high or not math.isfinite(value):
        raise _BadError(key, f"{_short(value)} is not from {low:g} to {high:g}")
    return float(value)


def _short(value: object) -> str:
    try:
        return repr(value)[:40]
    except ValueError:
        return "a number of too many digits"


def _text(row: dict[str, Any], key: str) -> str | None:
    value = row.get(key)
    if value is not None and not isinstance(value, str):
        raise _BadError(key, f"{_short(value)} is not text")
    return value


def _at(row: dict[str, Any]) -> tuple[float, float]:
    return _number(row, "x", -MAX_MM, MAX_MM), _number(row, "y", -MAX_MM, MAX_MM)


def _code(row: dict[str, Any]) -> str | None:
    code = _text(row, "code")
    if code is not None and not is_code(code):
        raise _BadError("code", f"{_short(code)} is not a card; like Ts, T?, ?? or null")
    return code


def _card(row: dict[str, Any]) -> SeenCard:
    if "code" not in row:
        raise _BadError("code", "missing; null is a back")
    x, y = _at(row)
    deg = _number(row, "deg", -MAX_MM, MAX_MM, 0.0)
    return SeenCard(x, y, deg, _code(row), _number(row, "p", 0.0, 1.0, 1.0), _text(row, "kind") or "card")


def _chips(row: dict[str, Any]) -> SeenChips:
    x, y = _at(row)
    color, count = _text(row, "color"), row.get("count")
    if color is None:
        raise _BadError("color", "missing")
    if count is not None and (isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= 10_000):
        raise _BadError("count", f"{_short(count)} is not a whole number from 0 to 10000 or null")
    return SeenChips(x, y, color, count, _number(row, "p", 0.0, 1.0, 1.0))


def _hand(row: dict[str, Any]) -> SeenHand:
    x, y = _at(row)
    signal = _text(row, "signal")
    return SeenHand(x, y, _number(row, "r", 0.0, MAX_MM), _text(row, "from"), signal if signal in SIGNALS else None)


def _correction(t: float, row: Any) -> Correction:
    if not isinstance(row, dict):
        raise _BadError("correction", "not an object")
    kind = _text(row, "kind")
    if kind not in KINDS:
        raise _BadError("kind", f"{_short(kind)} is none of {', '.join(KINDS)}")
    x, y = _at(row) if kind in ("card", "no-card") else (None, None)
    code = _code(row) if kind == "card" else None
    if kind == "card" and code is None:
        raise _BadError("code", "missing")
    seat = int(_number(row, "seat", 0, 1000)) if kind == "bet" or row.get("seat") is not None else None
    amount = exact(_number(row, "amount", 0, 1e12)) if kind == "bet" else None
    alert = _text(row, "alert")
    if kind == "not-a-mistake" and alert is None:
        raise _BadError("alert", "missing")
    return Correction(t, kind, x, y, code, seat, amount, alert)


def _trim(value: float) -> int | float:
    return int(value) if value == int(value) else value


def _at_json(thing: SeenCard | SeenChips | SeenHand) -> dict[str, Any]:
    return {"x": _trim(thing.x), "y": _trim(thing.y)}


def _observation_json(o: Observation) -> dict[str, Any]:
    return {
        "t": _trim(o.t),
        "cards": [
            _at_json(c)
            | {"deg": _trim(c.deg), "code": c.code, "p": _trim(c.p)}
            | ({} if c.kind == "card" else {"kind": c.kind})
            for c in o.cards
        ],
        "chips": [
            {"x": _trim(c.x), "y": _trim(c.y), "color": c.color, "count": c.count, "p": _trim(c.p)} for c in o.chips
        ],
        "hands": [
            {"x": _trim(h.x), "y": _trim(h.y), "r": _trim(h.r), "from": h.source, "signal": h.signal} for h in o.hands
        ],
    }


def _correction_json(c: Correction) -> dict[str, Any]:
    fields = {
        "kind": c.kind,
        "x": None if c.x is None else _trim(c.x),
        "y": None if c.y is None else _trim(c.y),
        "code": c.code,
        "seat": c.seat,
        "amount": plain(c.amount),
        "alert": c.alert,
    }
    return {"t": _trim(c.t), "correction": {k: v for k, v in fields.items() if v is not None}}
