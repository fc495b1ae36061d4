"""A table as one file: its layout with colours and camera, its house rules, files of its own such as a taught deck."""

import io
import lzma
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from hardware.errors import BadInputError
from table_state.errors import InputError
from table_state.layout import parse_layout
from table_state.rules import parse_rules

LAYOUT, RULES, WITH = "layout.toml", "rules.toml", "with/"
LARGEST = 64 * 1024 * 1024
MOST = 32  # files
MADE = (1980, 1, 1, 0, 0, 0)  # the same table gives the same bytes


@dataclass(frozen=True, slots=True)
class Backup:
    """What belongs to a table: texts of its layout and its rules ("" = none), other files by their names."""

    layout: str
    rules: str = ""
    others: Mapping[str, bytes] = field(default_factory=dict)

    def packed(self) -> bytes:
        """The one file (ZIP). Raises BadInputError where it would not be taken back."""
        rows = {LAYOUT: self.layout.encode(), RULES: self.rules.encode()}
        rows |= {WITH + name: data for name, data in sorted(self.others.items())}
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
            for name, data in rows.items():
                if data:
                    pack.writestr(zipfile.ZipInfo(name, MADE), data, zipfile.ZIP_DEFLATED)
        made = out.getvalue()
        unpacked(made, "backup")
        return made


def unpacked(data: bytes, file: str) -> Backup:
    """What a backup holds, its layout and rules checked. Raises BadInputError, which names `file`."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as pack:
            rows = pack.infolist()
            if len(rows) > MOST or sum(row.file_size for row in rows) > LARGEST:
                raise _bad(file, "is larger than any backup of a table")
            found = {row.filename: pack.read(row) for row in rows}
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError, RuntimeError, ValueError, OSError):
        raise _bad(file, "is no backup of a table, or damaged") from None
    except EOFError:
        raise _bad(file, "is cut off") from None
    if LAYOUT not in found:
        raise _bad(file, f"holds no {LAYOUT}, so it is no backup of a table")
    layout, rules = (_text(found.pop(name, b""), f"{file}: {name}") for name in (LAYOUT, RULES))
    try:
        parse_layout(layout, f"{file}: {LAYOUT}")
        if rules:
            parse_rules(rules, f"{file}: {RULES}")
    except InputError as error:
        raise BadInputError(str(error)) from None
    for name in found:
        if not name.startswith(WITH) or not _plain(name.removeprefix(WITH)):
            raise _bad(file, f"holds {name[:60]!r}, which belongs to no backup")
    return Backup(layout, rules, {name.removeprefix(WITH): rest for name, rest in found.items()})


def _text(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _bad(where, "is not text in UTF-8") from None


def _plain(name: str) -> bool:
    """Whether a name is that of a file beside the layout: no folder, nothing hidden."""
    return PurePosixPath(name).name == name and not name.startswith(".") and "\\" not in name and "\0" not in name


def _bad(file: str, what: str) -> BadInputError:
    return BadInputError(f"{file}: {what}; choose a file that railbird backup or the wizard made")
