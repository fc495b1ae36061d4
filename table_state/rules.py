"""House rules: the three presets and custom files, every key checked (contract, section 4)."""

from dataclasses import dataclass, fields, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from table_state.errors import InputError
from table_state.remedies import PROFILES
from table_state.toml import Section, parse


@dataclass(frozen=True, slots=True)
class HouseRules:
    """One house's rules; the fields are the contract's keys, the defaults the charity guide's."""

    decks: int = 6
    first_dealer_card: str = "up"
    hits_soft_17: bool = False
    blackjack_pays: Fraction = Fraction(3, 2)
    split_by: str = "value"
    max_hands: int = 2
    split_aces_one_card: bool = True
    double_after_split: bool = False
    double_for_less: bool = True
    double_on_21: bool = True
    hit_on_21: bool = False
    pay_blackjack: str = "after-peek"
    peek: tuple[str, ...] = ("A", "T")
    remedies: str = "slide"
    surrender: bool = True
    insurance: bool = True
    even_money: bool = False
    pay_order: str = "right-to-left"
    bets: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))


PRESETS: Final[dict[str, HouseRules]] = {
    "charity": HouseRules(),
    "home": HouseRules(
        first_dealer_card="down",
        split_by="rank",
        max_hands=4,
        split_aces_one_card=False,
        double_after_split=True,
        hit_on_21=True,
        pay_blackjack="on-turn",
        surrender=False,
        even_money=True,
        pay_order="any",
    ),
    "casino": HouseRules(
        max_hands=3,
        double_after_split=True,
        double_on_21=False,
        hit_on_21=True,
        surrender=False,
        even_money=True,
        pay_order="any",
    ),
}

_CHOICES: Final = {
    "first_dealer_card": ("up", "down"),
    "split_by": ("value", "rank"),
    "pay_blackjack": ("after-peek", "on-turn", "at-end"),
    "remedies": tuple(PROFILES),
    "pay_order": ("right-to-left", "left-to-right", "any"),
}
_WHOLE: Final = {"decks": (1, 20), "max_hands": (1, 20)}
_BASE: Final = "preset"


def preset(name: str) -> HouseRules:
    """The preset of a name; InputError where there is none."""
    if name not in PRESETS:
        raise InputError(f"no such preset; there are {', '.join(PRESETS)}", name)
    return PRESETS[name]


def parse_rules(text: str, file: str = "rules") -> HouseRules:
    """Rules from TOML text; keys left out are those of `preset` (charity where that is left out too).

    InputError names file and key: unknown key, wrong type, impossible value.
    """
    top = parse(text, file)
    known = {f.name for f in fields(HouseRules)}
    for key in top.values:
        if key not in known and key != _BASE:
            raise top.error(key, f"unknown key; the keys are {', '.join(sorted(known))}")
    base = _choice(top, _BASE, tuple(PRESETS)) if _BASE in top.values else "charity"
    changes = {key: _value(top, key) for key in top.values if key != _BASE}
    return replace(PRESETS[base], **changes)


def _value(top: Section, key: str) -> Any:
    if key in _CHOICES:
        return _choice(top, key, _CHOICES[key])
    if key in _WHOLE:
        return _whole(top, key, *_WHOLE[key])
    if key == "blackjack_pays":
        return _pays(top, key)
    if key == "peek":
        return _peek(top, key)
    if key == "bets":
        return _bets(top, key)
    return _flag(top, key)


def _choice(top: Section, key: str, choices: tuple[str, ...]) -> str:
    value = top.text(key)
    if value not in choices:
        raise top.error(key, f"{value[:40]!r} is none of {', '.join(choices)}")
    return value


def _whole(top: Section, key: str, low: int, high: int) -> int:
    value = top.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise top.error(key, f"{value!r} is not a whole number")
    if not low <= value <= high:
        raise top.error(key, f"not a whole number from {low} to {high}")
    return value


def _flag(top: Section, key: str) -> bool:
    value = top.get(key)
    if not isinstance(value, bool):
        raise top.error(key, f"{value!r} is not true or false")
    return value


def _pays(top: Section, key: str) -> Fraction:
    value = top.fraction(key)
    if not 0 < value <= 10:
        raise top.error(key, "not over 0 and at most 10")
    return value


def _peek(top: Section, key: str) -> tuple[str, ...]:
    value = top.get(key)
    if not isinstance(value, list) or any(v not in ("A", "T") for v in value):
        raise top.error(key, f"{str(value)[:40]} is not a list of A and T")
    return tuple(dict.fromkeys(value))


def _bets(top: Section, key: str) -> tuple[Fraction, Fraction]:
    value = top.get(key)
    low, high = top.as_numbers(key, value, 2)
    if low < 0 or high < 0 or (high and low > high):
        raise top.error(key, "not [minimum, maximum], 0 = none")
    return Fraction(Decimal(value[0])), Fraction(Decimal(value[1]))
