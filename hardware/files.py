"""Text in and JSON Lines out; `-` stands for standard input or output."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, TextIO

from hardware.errors import BadInputError, HardwareError, reason


def read_text(name: str, what: str) -> str:
    """The whole text of file `name`, which is a `what` in messages. Raises BadInputError."""
    return "".join(read_lines(name, what))


def read_lines(name: str, what: str, longest: int = -2) -> Iterator[str]:
    """The lines of file `name`, one after the other, as they come; over `longest` in parts. Raises BadInputError."""
    number = 0
    try:
        with Path(name).open(encoding="utf-8") if name != "-" else _standard_input() as source:
            while line := source.readline(longest + 1):
                number += 1
                yield line
    except UnicodeDecodeError:
        raise BadInputError(f"{name}:{number + 1}: not text in UTF-8; is this really a {what}?") from None
    except OSError as error:
        raise BadInputError(f"{name}: cannot read this {what}: {reason(error)}; check the path") from None


def _standard_input() -> TextIO:
    return open(sys.stdin.fileno(), encoding="utf-8", closefd=False)


def shown(name: str) -> str:
    """How a file is called in messages."""
    return "standard input" if name == "-" else name


class Lines:
    """Writes JSON Lines to a file or, with `-`, to standard output.

    With `whole` the file appears under its name only when `close` is called; `discard` leaves nothing behind.
    Without it every line is in the file as soon as it is written.
    """

    def __init__(self, name: str, whole: bool = False) -> None:
        self._target = None if name == "-" else Path(name)
        self._part = self._target
        if self._target is not None and whole and not _is_special(self._target):
            self._part = self._target.with_name(f".{self._target.name}.{os.getpid()}.part")
        self._stream = self._open(name)

    def _open(self, name: str) -> TextIO:
        if self._part is None:
            return sys.stdout
        if self._target is not None and self._target.is_dir():
            raise BadInputError(f"{name}: is a folder; give the name of a file to write")
        try:
            return self._part.open("w", encoding="utf-8")
        except OSError as error:
            raise BadInputError(f"{name}: cannot write here: {reason(error)}; choose another place") from None

    def write(self, line: dict[str, Any]) -> None:
        """Write one line, at once."""
        self.write_text(json.dumps(line, ensure_ascii=False))

    def write_text(self, line: str) -> None:
        """Write one line that is JSON already, at once."""
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise HardwareError(f"{self._target or 'standard output'}: cannot write: {reason(error)}") from None

    def close(self) -> None:
        """Put the file in its place."""
        if self._part is None or self._target is None or self._stream.closed:
            return
        self._stream.close()
        if self._part != self._target:
            self._part.replace(self._target)

    def discard(self) -> None:
        """Leave no file behind, if it is not in its place yet."""
        if self._part is None or self._stream.closed:
            return
        self._stream.close()
        if not _is_special(self._part):
            remove(self._part)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and issubclass(kind, Exception):
            self.discard()
        else:
            self.close()


def check_writable(name: str) -> None:
    """Raise BadInputError where a file of this name cannot be written; it is not made."""
    path = Path(name)
    if path.is_dir():
        raise BadInputError(f"{name}: is a folder; give the name of a file to write")
    if not path.parent.is_dir():
        raise BadInputError(f"{name}: cannot write here: no such folder; choose another place")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadInputError(f"{name}: cannot write here: permission denied; choose another place")


def remove(path: Path) -> None:
    """Delete a file that may not be there, on a disk that may not be either."""
    with suppress(OSError):
        path.unlink()


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()
