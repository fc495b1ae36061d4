"""A session as files that `railbird replay` takes: observations, layout, rules, expectations."""

import json
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

from hardware.simulator.book import number, rounded
from hardware.simulator.play import Session
from table_state.layout import Layout
from table_state.observation import to_json
from table_state.rules import HouseRules


def layout_toml(layout: Layout) -> str:
    """A layout as its file has it, the camera apart."""
    out = [f"name = {json.dumps(layout.name)}", f"card = {list(layout.card)}", f"chip = {layout.chip}"]
    out += [f"{key} = {list(getattr(layout, key))}" for key in ("dealer", "shoe", "discard")]
    out += ["", "[chip_values]"] + [f"{color} = {number(value)}" for color, value in layout.chip_values.items()]
    for seat in layout.seats:
        out += ["", "[[seat]]", f"number = {seat.number}", f"name = {json.dumps(seat.name)}"]
        out += [f"circle = {list(seat.circle)}", f"cards = {list(seat.cards)}"]
        out += [f"insurance = {list(seat.insurance)}"] if seat.insurance else []
    return "\n".join(out) + "\n"


def rules_toml(rules: HouseRules) -> str:
    """House rules as their file has them, every key."""
    return "".join(f"{f.name} = {_value(getattr(rules, f.name))}\n" for f in fields(rules))


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    return json.dumps(number(value) if isinstance(value, Fraction) else value)


def write(folder: Path, name: str, session: Session, note: Any = None) -> None:
    """NAME.obs.jsonl, NAME.layout.toml, NAME.rules.toml and NAME.expect.json in a folder, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    expected = session.expected | {"name": name, "layout": f"{name}.layout.toml", "rules": f"{name}.rules.toml"}
    expected |= {"observations": f"{name}.obs.jsonl"} | ({"note": note} if note else {})
    texts = {
        "obs.jsonl": "\n".join(to_json(x) for x in session.lines) + "\n",
        "layout.toml": layout_toml(session.house.layout),
        "rules.toml": rules_toml(session.house.rules),
        "expect.json": json.dumps(rounded(expected), indent=1) + "\n",
    }
    for ending, text in texts.items():
        (folder / f"{name}.{ending}").write_text(text, encoding="utf-8")
