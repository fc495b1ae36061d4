"""Names of the seats that the dealer changed, kept for the next evening; the layout's own where it says another."""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from hardware.files import remove
from table_state.layout import Layout

Changed = dict[str, tuple[str, str]]
"""Seat number -> the layout file's name when it was changed, and the name since then."""


class Names:
    """Names by layout and seat, in the file `path`; None: kept nowhere, forgotten at the end."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._all = _read(path) if path is not None else {}

    def applied(self, layout: Layout) -> Layout:
        """The layout with the changed names; a name that its file gave anew since then stands."""
        changed = self._all.get(layout.name, {})
        seats = []
        for seat in layout.seats:
            was, now = changed.get(str(seat.number), (seat.name, seat.name))
            seats.append(replace(seat, name=now) if was == seat.name else seat)
        return replace(layout, seats=tuple(seats))

    def change(self, layout: Layout, names: Mapping[int, str]) -> None:
        """Give seats of `layout`, as its file has them, other names ("" = none)."""
        own = {seat.number: seat.name for seat in layout.seats}
        changed = {str(number): (own[number], name) for number, name in names.items() if number in own}
        self._all[layout.name] = self._all.get(layout.name, {}) | changed
        if self._path is not None:
            _write(self._path, self._all)


def _read(path: Path) -> dict[str, Changed]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {
            str(layout): {str(n): (str(was), str(now)) for n, (was, now) in names.items()}
            for layout, names in found.items()
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return {}  # none yet, or no file of ours: the layout's names stand


def _write(path: Path, names: Mapping[str, Changed]) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part.touch(mode=0o600)
        part.write_text(json.dumps(names, ensure_ascii=False) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError:
        remove(part)  # the names hold until the end, as where nothing can be kept
