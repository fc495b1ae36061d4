"""The files that the wizard writes: a layout and its house rules, both or neither, no file half-written."""

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardware.calibration import camera_text
from hardware.errors import BadInputError, reason
from hardware.files import ordinary, remove
from hardware.web.wizard.fields import plain
from table_state.layout import Layout, Seat, parse_layout

OURS = {"name", "card", "chip", "dealer", "shoe", "discard", "chip_values", "seat", "chip_colors", "camera"}
OURS_OF_SEAT = {"number", "name", "circle", "cards", "insurance", "spoken"}


def layout_text(layout: Layout, before: str = "") -> str:
    """The layout as its file. What an earlier text holds that the wizard does not know stays; comments do not.

    Raises BadInputError where the text would not be read back as the same layout.
    """
    old = _parsed(before)
    rows = {row.get("number"): row for row in old.get("seat", []) if isinstance(row, dict)}
    top = [f"name = {_text(layout.name)}", f"card = {_list(layout.card)}", f"chip = {plain(layout.chip)}"]
    top += [f"{key} = {_list(getattr(layout, key))}" for key in ("dealer", "shoe", "discard")]
    extra = {key: value for key, value in old.items() if key not in OURS}
    top += [f"{key} = {_value(value)}" for key, value in extra.items()]
    parts = ["\n".join(top)]
    parts.append("\n".join(["[chip_values]", *(f"{c} = {plain(v)}" for c, v in layout.chip_values.items())]))
    parts += [_seat(seat, rows.get(seat.number, {})) for seat in layout.seats]
    if layout.chip_colors:
        colors = (f"{c} = [{', '.join(_list(s) for s in rgb)}]" for c, rgb in layout.chip_colors.items())
        parts.append("\n".join(["[chip_colors]", *colors]))
    if layout.camera is not None:
        parts.append(camera_text(layout.camera).rstrip())
    text = "\n\n".join(parts) + "\n"
    if parse_layout(text) != layout:
        raise BadInputError("the layout cannot be written as it is; change the values that have very many digits")
    return text


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _seat(seat: Seat, old: dict[str, Any]) -> str:
    lines = ["[[seat]]", f"number = {seat.number}", f"name = {_text(seat.name)}"]
    lines += [f"spoken = {_text(seat.spoken)}"] if seat.spoken else []
    lines += [f"circle = {_list(seat.circle)}", f"cards = {_list(seat.cards)}"]
    lines += [f"insurance = {_list(seat.insurance)}"] if seat.insurance else []
    lines += [f"{key} = {_value(value)}" for key, value in old.items() if key not in OURS_OF_SEAT]
    return "\n".join(lines)


def _list(values: tuple[float, ...]) -> str:
    return "[" + ", ".join(repr(v) if isinstance(v, int) else repr(float(v)) for v in values) + "]"


def _text(value: str) -> str:
    # A JSON string is a TOML string, but for the one character that JSON leaves as it is and TOML forbids.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _text(value) if isinstance(value, str) else str(value)


def save(texts: Mapping[Path, str | bytes]) -> None:
    """Write the files, all of them whole or none of them; an earlier one stays beside its successor as `NAME~`.

    Raises BadInputError where one cannot be written.
    """
    files = {ordinary(str(path)): text.encode() if isinstance(text, str) else text for path, text in texts.items()}
    parts = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in files}
    try:
        for path, data in files.items():
            with parts[path].open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        for path, data in files.items():
            if path.exists() and path.read_bytes() != data:
                path.with_name(f"{path.name}~").write_bytes(path.read_bytes())
        for path, part in parts.items():
            part.replace(path)
    except OSError as error:
        raise BadInputError(
            f"{error.filename or ''}: cannot write here: {reason(error)}; choose another place"
        ) from None
    finally:
        for part in parts.values():
            remove(part)
