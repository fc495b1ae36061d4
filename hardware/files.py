"""Text in and JSON Lines out; `-` stands for standard input or output."""

import fcntl
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Literal, Self, TextIO

from hardware.errors import BadInputError, HardwareError, reason


def read_text(name: str, what: str) -> str:
    """The whole text of file `name`, which is a `what` in messages. Raises BadInputError."""
    return "".join(read_lines(name, what))


def read_lines(name: str, what: str, longest: int = -2) -> Iterator[str]:
    """The lines of file `name`, one after the other, as they come; over `longest` in parts. Raises BadInputError."""
    number = 0
    try:
        with Path(name).open(encoding="utf-8-sig") if name != "-" else _standard_input() as source:
            while line := source.readline(longest + 1):
                number += 1
                yield line
    except UnicodeDecodeError:
        raise BadInputError(f"{name}:{number + 1}: not text in UTF-8; is this really a {what}?") from None
    except OSError as error:
        raise BadInputError(f"{name}: cannot read this {what}: {reason(error)}; check the path") from None


def _standard_input() -> TextIO:
    return open(sys.stdin.fileno(), encoding="utf-8-sig", closefd=False)


def shown(name: str) -> str:
    """How a file is called in messages."""
    return "standard input" if name == "-" else name


class Lines:
    """Writes JSON Lines to a file or, with `-`, to standard output.

    With `whole` the file appears under its name only when `close` is called; `discard` leaves nothing behind.
    Without it every line is in the file as soon as it is written.
    """

    def __init__(self, name: str, whole: bool = False) -> None:
        self._target = None if name == "-" else _target(name, whole)
        self._part = self._target
        if self._target is not None and whole and not _is_special(self._target):
            self._part = self._target.with_name(f".{self._target.name}.part")
        with ExitStack() as held:
            self._stream = self._open(name, held)
            self._held = held.pop_all()

    def _open(self, name: str, held: ExitStack) -> TextIO:
        if self._part is None or self._target is None:
            return sys.stdout
        if self._target.is_dir():
            raise BadInputError(f"{name}: is a folder; give the name of a file to write")
        try:
            if _is_special(self._part):
                return held.enter_context(self._part.open("w", encoding="utf-8"))
            if self._part != self._target and self._target.exists():
                held.enter_context(_alone(self._target, name, "r"))
            return held.enter_context(_alone(self._part, name, "a"))
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
        with self._held:  # let go of only when it is in its place
            self._stream.flush()
            if self._part != self._target:
                self._part.replace(self._target)

    def discard(self) -> None:
        """Leave no file behind, if it is not in its place yet."""
        if self._part is None or self._stream.closed:
            return
        with self._held:
            if not _is_special(self._part):
                remove(self._part)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and issubclass(kind, Exception):
            self.discard()
        else:
            self.close()


def _target(name: str, whole: bool) -> Path:
    path = Path(name)
    if path.is_block_device():
        raise BadInputError(f"{name}: is a disk, not a file; choose another place")
    return ordinary(name) if whole and not _is_special(path) and not path.is_dir() else path


def _alone(path: Path, name: str, mode: Literal["a", "r"]) -> TextIO:
    """An ordinary file, opened to be written (`a`, emptied) or held (`r`) while no other Railbird writes it.

    Raises BadInputError where another does, OSError.
    """
    while True:
        file = path.open(mode, encoding="utf-8")  # emptied only when it is ours: another may be writing it
        try:
            lock(file.fileno(), name)
            if path.exists() and os.path.samestat(path.stat(), os.fstat(file.fileno())):
                if mode == "a":
                    file.truncate(0)
                return file
        except BaseException:
            file.close()
            raise
        file.close()  # it was put in its place or taken away meanwhile


def lock(file: int, name: str) -> None:
    """Hold an open file or folder until it is closed. Raises BadInputError where another Railbird holds it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadInputError(f"{name}: another Railbird is writing there; end it, or choose another place") from None
    except OSError:
        return  # a file system without locks


def check_writable(name: str) -> None:
    """Raise BadInputError where a file of this name cannot be written; it is not made."""
    path = Path(name)
    if path.is_dir():
        raise BadInputError(f"{name}: is a folder; give the name of a file to write")
    if not path.parent.is_dir():
        raise BadInputError(f"{name}: cannot write here: no such folder; choose another place")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadInputError(f"{name}: cannot write here: permission denied; choose another place")


def ordinary(name: str) -> Path:
    """The file that `name` leads to, at the end of its links, to be written whole.

    Raises BadInputError for a device, a pipe, a folder: what is none must not be replaced by one.
    """
    try:
        target = Path(name).resolve()
        known = target.exists() or Path(name).exists()
        ring = target.is_symlink()
    except (OSError, RuntimeError):
        known = ring = True
    if ring:  # links that lead back to themselves
        raise BadInputError(f"{name}: cannot write here: its links lead nowhere; choose another place")
    if known and not target.is_file():
        raise BadInputError(f"{name}: is no ordinary file; choose another place")
    return target


def check_replaceable(name: str) -> None:
    """Raise BadInputError where no ordinary file of this name can be written whole; it is not made."""
    check_writable(name)
    ordinary(name)


def replace_file(name: str, data: bytes) -> None:
    """Write an ordinary file whole, through its links, with the permissions it had. Raises BadInputError."""
    target = ordinary(name)
    part = _part_of(target)
    try:
        part.write_bytes(data)
        if target.exists():
            part.chmod(target.stat().st_mode & 0o7777)
        part.replace(target)
    except OSError as error:
        raise BadInputError(f"{name}: cannot write here: {reason(error)}; choose another place") from None
    finally:
        remove(part)


def _part_of(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}.part")


def check_apart(outputs: Mapping[str, str | None], inputs: Iterable[str | None]) -> None:
    """Raise BadInputError where an output (its option: its file) is an input too, in a folder that is read, or written
    by two options; `-` and what is not given are no files.
    """
    written = [(option, name) for option, name in outputs.items() if name and name != "-"]
    read = [name for name in inputs if name and name != "-"]
    for n, (option, name) in enumerate(written):
        if any(_clash(name, other) for other in read):
            raise BadInputError(f"{option} {name}: would overwrite what is read; choose another file")
        for other_option, other in written[:n]:
            if _clash(name, other):
                raise BadInputError(f"{option} {name}: {other_option} writes there too; choose another file")


def _clash(written: str, other: str) -> bool:
    one, two = Path(written), Path(other)
    if _is_special(one) or _is_special(two):
        return two.is_dir() and one.resolve().parent == two.resolve() and (one.exists() or one.name == "frames.jsonl")
    if one.exists() and two.exists():
        return one.samefile(two)
    return one.resolve() == two.resolve()


def remove(path: Path) -> None:
    """Delete a file that may not be there, on a disk that may not be either."""
    with suppress(OSError):
        path.unlink()


def _is_special(path: Path) -> bool:
    """Whether a file is a device, a pipe or the like, also one that a name such as /dev/stdout stands for."""
    parts = (*path.absolute().parts, "", "")
    stands_for_one = parts[1] == "proc" or (parts[1] == "dev" and parts[2] != "shm")
    return stands_for_one or (path.exists() and not path.is_file())
