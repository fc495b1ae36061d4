"""The round that is on, line by line on the disk, so that it goes on after the program or the power died in its middle.

A line is a checksum, a space and JSON: an observation or a correction as a recording has it, `{"same": t}` for an
observation that only has another time, `{"told": n}` behind lines whose n outputs were told. It is the dealer's: it
holds the hole card, nobody else may read it, and the end of the round empties it.
"""

import hashlib
import json
import os
import queue
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from hardware.errors import HardwareError, reason
from hardware.files import lock
from hardware.notices import say
from hardware.state import state_folder
from table_state.errors import InputError
from table_state.layout import Layout
from table_state.observation import Correction, Observation, parse_line, to_json
from table_state.output import Event, Output
from table_state.rules import HouseRules

Line = Observation | Correction
Entry = Line | int
"""A line, or how many outputs of the lines before it were told."""

VERSION = 1
BEFORE = 20.0  # seconds before a round is known to have begun that belong to it
MOST = 200_000  # lines of a round that never ends
CLOSING = 5.0  # seconds that the end waits for the disk


def journal_file(layout: Layout) -> Path:
    """Where the round at this table is kept."""
    return state_folder() / f"round-{_table(layout)[:8]}.journal"


def _table(layout: Layout) -> str:
    """What must be the same for a round to go on; names may change."""
    seats = tuple(replace(seat, name="") for seat in layout.seats)
    return hashlib.sha256(repr(replace(layout, camera=None, seats=seats)).encode()).hexdigest()


def _rules(rules: HouseRules) -> str:
    return hashlib.sha256(repr(rules).encode()).hexdigest()


class Journal:
    """Keeps the round that is on; it is written in a thread of its own, so that nobody waits for a slow disk.

    What was told is on the disk soon after; lines without words wait for the next ones with some.
    """

    def __init__(self, path: Path, layout: Layout, rules: HouseRules, going: Sequence[Entry] = ()) -> None:
        """`going`: the entries of a round that goes on; without them the file is emptied. Raises HardwareError."""
        head = {"journal": VERSION, "table": _table(layout), "rules": _rules(rules)}
        self._head = _checked(json.dumps(head))
        self._before: deque[Entry] = deque()
        self._last: Observation | None = None
        self._count = 0
        self._on = False
        self._queue: queue.SimpleQueue[Callable[[BinaryIO], None] | None] = queue.SimpleQueue()
        self._file = _open(path)
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)
        self._thread.start()
        if going:
            self._begin(going)
        else:
            self._queue.put(_emptied)

    def line(self, line: Line) -> None:
        """Keep what the referee is about to be told."""
        if self._on:
            self._add(line)
            return
        self._before.append(line)
        while (t := _time(self._before[0])) is None or line.t - t > BEFORE:
            self._before.popleft()

    def told(self, outputs: Sequence[Output]) -> None:
        """Note what the referee said of it, before anybody hears it."""
        if not outputs:
            return
        events = {output.event for output in outputs if isinstance(output, Event)}
        if not self._on and "round-started" in events:
            self._begin([*self._before, len(outputs)])
        elif self._on:
            self._add(len(outputs))
        else:
            self._before.append(len(outputs))
        if self._on and ("round-ended" in events or self._count > MOST):
            self._on = False
            self._queue.put(_emptied)

    def _begin(self, entries: Iterable[Entry]) -> None:
        self._on, self._count, self._last = True, 0, None
        text = self._head + b"".join(self._text(entry) for entry in entries)
        self._before.clear()

        def begin(file: BinaryIO) -> None:
            _emptied(file)
            file.write(text)
            _synced(file)

        self._queue.put(begin)

    def _add(self, entry: Entry) -> None:
        text = self._text(entry)
        told = isinstance(entry, int | Correction)

        def add(file: BinaryIO) -> None:
            file.write(text)
            file.flush()
            if told:
                _synced(file)

        self._queue.put(add)

    def _text(self, entry: Entry) -> bytes:
        self._count += 1
        if isinstance(entry, int):
            return _checked(json.dumps({"told": entry}))
        if isinstance(entry, Correction):
            return _checked(to_json(entry))
        last, self._last = self._last, entry
        if last is not None and replace(last, t=entry.t) == entry:
            return _checked(json.dumps({"same": entry.t}))
        return _checked(to_json(entry))

    def close(self) -> None:
        """The end; a round that is on stays in the file."""
        self._queue.put(None)
        self._thread.join(CLOSING)

    def _write(self) -> None:
        failed = False
        with self._file as file:
            while (job := self._queue.get()) is not None:
                try:
                    job(file)
                    failed = False
                except OSError as error:
                    if not failed:
                        say(f"the round is not kept for a restart: {reason(error)}; make room on the disk")
                    failed = True


def _open(path: Path) -> BinaryIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "r+b", buffering=0)
    except OSError as error:
        raise HardwareError(f"{path}: the round cannot be kept for a restart: {reason(error)}") from None
    try:
        lock(file.fileno(), str(path))
    except HardwareError:
        file.close()
        raise
    return file


def _emptied(file: BinaryIO) -> None:
    file.seek(0)
    file.truncate()
    os.fsync(file.fileno())


def _synced(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _checked(text: str) -> bytes:
    data = text.encode()
    return b"%08x %s\n" % (zlib.crc32(data), data)


def _time(entry: Entry) -> float | None:
    return None if isinstance(entry, int) else entry.t


def read_journal(path: Path, layout: Layout, rules: HouseRules) -> list[Entry]:
    """The entries of the round that was on, up to the first line that is not whole; none for another table's."""
    found: list[Entry] = []
    with suppress(OSError, ValueError), path.open("rb") as file:
        texts = _whole(file)
        wanted = {"journal": VERSION, "table": _table(layout), "rules": _rules(rules)}
        if json.loads(next(texts, "{}")) != wanted:
            return []
        last: Observation | None = None
        for text in texts:
            entry = _entry(text, last)
            if entry is None:
                break
            last = entry if isinstance(entry, Observation) else last
            found.append(entry)
    return found


def _whole(file: Iterable[bytes]) -> Iterator[str]:
    """The lines whose checksum is right, until one is not."""
    for line in file:
        check, _, data = line.removesuffix(b"\n").partition(b" ")
        if not line.endswith(b"\n") or check != b"%08x" % zlib.crc32(data):
            return
        yield data.decode()


def _entry(text: str, last: Observation | None) -> Entry | None:
    row = json.loads(text)
    if "told" in row:
        return int(row["told"])
    if "same" in row:
        return None if last is None else replace(last, t=float(row["same"]))
    try:
        return parse_line(text, "journal")
    except InputError:
        return None
