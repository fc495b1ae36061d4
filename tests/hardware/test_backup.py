"""A table as one file and back."""

import io
import zipfile
from pathlib import Path

import pytest

from hardware.backup import Backup, unpacked
from hardware.cli import main
from hardware.errors import BadInputError
from table_state.layout import parse_layout

DEMO = (Path(__file__).parents[2] / "hardware" / "demo.toml").read_text()


def table(folder: Path) -> Path:
    file = folder / "my.toml"
    file.write_text(DEMO.replace("[[seat]]\n", '[[seat]]\nspoken = "Shivawn"\n', 1))
    (folder / "my-rules.toml").write_text('preset = "home"\ndecks = 2\n')
    (folder / "deck.bin").write_bytes(b"\0taught")
    return file


def test_a_table_is_kept_as_one_file_and_comes_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, kept = table(tmp_path), tmp_path / "my.zip"
    command = ["backup", str(kept), "--layout", str(file), "--with", str(tmp_path / "deck.bin")]
    assert main(command) == 0
    first = kept.read_bytes()
    assert main(command) == 0
    assert kept.read_bytes() == first
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "new.toml").write_text("what was here")
    assert main(["restore", str(kept), "--layout", str(elsewhere / "new.toml")]) == 0
    assert (elsewhere / "new.toml").read_text() == file.read_text()
    assert parse_layout((elsewhere / "new.toml").read_text()).seats[0].spoken == "Shivawn"
    assert (elsewhere / "new.toml~").read_text() == "what was here"
    assert (elsewhere / "new-rules.toml").read_text() == (tmp_path / "my-rules.toml").read_text()
    assert (elsewhere / "deck.bin").read_bytes() == b"\0taught"
    assert capsys.readouterr().err == ""


def packed(rows: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as pack:
        for name, data in rows.items():
            pack.writestr(name, data)
    return out.getvalue()


GOOD = Backup(DEMO).packed()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK",
        GOOD[:-40],
        GOOD[:60] + b"\xff" * 40 + GOOD[100:],
        packed({"rules.toml": b""}),
        packed({"layout.toml": b"\xff\xfe"}),
        packed({"layout.toml": b"card = 3"}),
        packed({"layout.toml": DEMO.encode(), "rules.toml": b"decks = 0"}),
        packed({"layout.toml": DEMO.encode(), "with/../../x": b"x"}),
        packed({"layout.toml": DEMO.encode(), "/etc/x": b"x"}),
        packed({"layout.toml": DEMO.encode(), "with/.ssh": b"x"}),
        packed({"layout.toml": DEMO.encode()} | {f"with/{n}": b"" for n in range(40)}),
    ],
)
def test_what_is_no_backup_is_refused_and_writes_nothing(
    tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadInputError):
        unpacked(data, "x.zip")
    (tmp_path / "x.zip").write_bytes(data)
    assert main(["restore", str(tmp_path / "x.zip"), "--layout", str(tmp_path / "t.toml")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["x.zip"]


def test_two_files_that_would_be_one_are_refused(tmp_path: Path) -> None:
    file, kept = table(tmp_path), tmp_path / "my.zip"
    assert main(["backup", str(file), "--layout", str(file)]) == 2
    assert main(["backup", str(kept), "--layout", str(file), "--with", str(tmp_path / "my-rules.toml")]) == 0
    assert main(["restore", str(kept), "--layout", str(tmp_path / "my.toml")]) == 2
    assert main(["restore", str(kept), "--layout", str(kept)]) == 2
