"""House rules as a form: each key's kind and choices, and what was chosen as rules."""

from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from hardware.web.wizard.fields import Draft, Fields, plain
from table_state.rules import PRESETS, HouseRules

HIGHEST_BET = 1_000_000.0
CHOICES = {
    "first_dealer_card": ("up", "down"),
    "split_by": ("value", "rank"),
    "pay_blackjack": ("after-peek", "on-turn", "at-end"),
    "remedies": ("slide",),
    "pay_order": ("right-to-left", "left-to-right", "any"),
    "peek": ("A,T", "A", "T", ""),
}
WHOLE = {"decks": (1, 20), "max_hands": (1, 20)}


@dataclass(frozen=True, slots=True)
class Rule:
    """One option: `kind` is flag, choice, whole, pays or bets."""

    key: str
    kind: str
    choices: tuple[str, ...] = ()


def rulebook() -> tuple[Rule, ...]:
    """Every option in the order of the rules; an option with a single choice is no option."""
    return tuple(rule for f in fields(HouseRules) if len((rule := _rule(f.name)).choices) != 1)


def _rule(key: str) -> Rule:
    if key in CHOICES:
        return Rule(key, "choice", CHOICES[key])
    if key in WHOLE:
        return Rule(key, "whole")
    return Rule(key, {"blackjack_pays": "pays", "bets": "bets"}.get(key, "flag"))


def rules_draft(rules: HouseRules, preset: str) -> Draft:
    """Rules as the form's fields have them."""
    found: Draft = {"preset": preset}
    for rule in rulebook():
        value = getattr(rules, rule.key)
        if rule.kind == "bets":
            found |= {"bets_low": plain(value[0]), "bets_high": plain(value[1])}
        elif rule.key == "peek":
            found["peek"] = ",".join(value)
        else:
            found[rule.key] = value if isinstance(value, bool | str) else plain(value)
    return found


def nearest_preset(rules: HouseRules) -> str:
    """The preset that differs in the fewest keys."""
    keys = [f.name for f in fields(HouseRules)]
    return min(PRESETS, key=lambda name: sum(getattr(PRESETS[name], k) != getattr(rules, k) for k in keys))


def read_rules(form: Fields) -> HouseRules | None:
    """The rules of a draft's `rules`; None where a field is wrong."""
    name = form.choice("rules.preset", tuple(PRESETS))
    found: dict[str, Any] = {rule.key: _value(form, rule) for rule in rulebook()}
    if name is None or any(value is None for value in found.values()):
        return None
    return replace(PRESETS[name], **found)


def _value(form: Fields, rule: Rule) -> Any:
    path = f"rules.{rule.key}"
    if rule.kind == "bets":
        return _bets(form)
    if rule.kind == "choice":
        value = form.choice(path, rule.choices)
        return value if value is None or rule.key != "peek" else tuple(value.split(",")) if value else ()
    if rule.kind == "whole":
        return form.whole(path, *WHOLE[rule.key])
    if rule.kind == "pays":
        return form.fraction(path, 0.1, 10)
    flag = form.raw(path)
    if not isinstance(flag, bool):
        form.fault(path, "fault.choice")
        return None
    return flag


def _bets(form: Fields) -> tuple[Fraction, Fraction] | None:
    low, high = (form.fraction(f"rules.bets_{end}", 0, HIGHEST_BET) for end in ("low", "high"))
    if low is None or high is None:
        return None
    if high and low > high:
        form.fault("rules.bets_high", "fault.bets")
        return None
    return low, high


def rules_text(rules: HouseRules) -> str:
    """The rules as their file: the nearest preset, then every option that differs from it."""
    name = nearest_preset(rules)
    lines = [f'preset = "{name}"']
    for f in fields(HouseRules):
        value = getattr(rules, f.name)
        if value != getattr(PRESETS[name], f.name):
            lines.append(f"{f.name} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(v) for v in value) + "]"
    return f'"{value}"' if isinstance(value, str) else plain(value)
