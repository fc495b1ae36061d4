"""`railbird backup` and `railbird restore`: a table as one file, and back."""

import argparse
from pathlib import Path

from hardware.backup import Backup, unpacked
from hardware.errors import BadInputError, reason
from hardware.files import Lines, check_apart, check_replaceable, read_text, replace_file
from hardware.rules_file import rules_beside
from hardware.web.wizard.rulebook import rules_text
from hardware.web.wizard.saving import save
from table_state.rules import PRESETS, preset


def work(arguments: argparse.Namespace) -> int:
    """Write the one file."""
    names = arguments.beside or []
    rules = arguments.rules or str(rules_beside(Path(arguments.layout)))
    check_replaceable(arguments.file)
    check_apart({"FILE": arguments.file}, [arguments.layout, *names, *([] if rules in PRESETS else [rules])])
    others = {Path(name).name: _read(name) for name in names}
    if len(others) < len(names):
        raise BadInputError("--with: two files have the same name; give one of them another")
    made = Backup(read_text(arguments.layout, "layout file"), _rules(rules, bool(arguments.rules)), others)
    replace_file(arguments.file, made.packed())
    with Lines("-") as out:
        out.write_text(f"{arguments.file}: {_told(made)}")
    return 0


def restore(arguments: argparse.Namespace) -> int:
    """Write the table's files again, all or none; what they replace stays as NAME~."""
    found = unpacked(_read(arguments.file), arguments.file)
    layout = Path(arguments.layout)
    rules = Path(arguments.rules) if arguments.rules else rules_beside(layout)
    files: dict[Path, str | bytes] = {layout: found.layout}
    files |= {rules: found.rules} if found.rules else {}
    files |= {layout.with_name(name): data for name, data in found.others.items()}
    if len({path.absolute() for path in files}) < 1 + bool(found.rules) + len(found.others):
        raise BadInputError("--layout, --rules: two of the backup's files would be written to one; choose other names")
    for path in files:
        check_replaceable(str(path))
    check_apart({str(path): str(path) for path in files}, [arguments.file])
    save(files)
    with Lines("-") as out:
        for path in files:
            out.write_text(f"{path}: written; what it was before, if anything, is {path.name}~")
    return 0


def _rules(name: str, asked: bool) -> str:
    if name in PRESETS:
        return rules_text(preset(name))
    return read_text(name, "house rules file") if asked or Path(name).exists() else ""


def _told(made: Backup) -> str:
    parts = ["the layout", *(["the house rules"] if made.rules else []), *made.others]
    return f"holds {', '.join(parts)}"


def _read(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise BadInputError(f"{name}: cannot read this file: {reason(error)}; check the path") from None
