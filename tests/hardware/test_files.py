"""Files that are written: by one program at a time, whole or line by line, and nothing else is touched."""

from pathlib import Path

import pytest

from hardware.errors import BadInputError
from hardware.files import Lines, check_apart
from hardware.recording import Recorder
from tests.hardware.helpers import Looks, frame

WRITES = "another Railbird is writing there"


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("second", [True, False])
@pytest.mark.parametrize("there", [True, False])
def test_a_file_is_written_by_one_program_at_a_time(tmp_path: Path, first: bool, second: bool, there: bool) -> None:
    path = tmp_path / "out.jsonl"
    if there:
        path.write_text("old\n")
    with Lines(str(path), whole=first) as one:
        one.write({"n": 1})
        if first == second or there or not first:
            with pytest.raises(BadInputError, match=WRITES):
                Lines(str(path), whole=second)
        one.write({"n": 2})
    assert path.read_text() == '{"n": 1}\n{"n": 2}\n'
    with Lines(str(path), whole=second) as two:
        two.write({"n": 3})
    assert path.read_text() == '{"n": 3}\n'
    assert [p.name for p in tmp_path.iterdir()] == ["out.jsonl"]


def test_what_a_program_left_when_it_was_killed_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / ".out.jsonl.part").write_text("half a li")
    with Lines(str(tmp_path / "out.jsonl"), whole=True) as out:
        out.write({})
    assert (tmp_path / "out.jsonl").read_text() == "{}\n"
    assert [p.name for p in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_whole_file_goes_through_its_link_and_is_discarded_whole(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old\n")
    (tmp_path / "link").symlink_to("real")
    out = Lines(str(tmp_path / "link"), whole=True)
    out.write({})
    out.discard()
    assert (tmp_path / "real").read_text() == "old\n"
    with Lines(str(tmp_path / "link"), whole=True) as out:
        out.write({})
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "{}\n"


def test_a_device_is_written_to_and_stays(tmp_path: Path) -> None:
    with Lines("/dev/null", whole=True) as one, Lines("/dev/null") as two:
        one.write({})
        two.write({})
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("made", [True, False])
def test_a_folder_is_recorded_into_by_one_program_at_a_time(tmp_path: Path, made: bool) -> None:
    folder = tmp_path / "rec"
    if made:
        folder.mkdir()
    one, two = Recorder(folder), Recorder(folder)
    shown = frame(0.0)
    one.look(shown, Looks().look(shown))
    kept = sorted(folder.iterdir())
    with pytest.raises(BadInputError, match=WRITES):
        two.look(shown, Looks().look(shown))
    two.discard()
    assert sorted(folder.iterdir()) == kept
    one.close()
    with pytest.raises(BadInputError, match="not empty"):
        Recorder(folder)


def test_only_what_is_the_same_file_clashes(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "hard").hardlink_to(tmp_path / "a")
    a, other = str(tmp_path / "a"), str(tmp_path / "b")
    check_apart({"--draw": other, "--json": "-", "--truth": None}, [a, "-", None, "charity", str(tmp_path / "c")])
    check_apart({"--draw": "/dev/null", "--json": "/dev/null"}, ["/dev/null"])
    for name in (a, str(tmp_path / "link"), str(tmp_path / "hard"), str(tmp_path / "x" / ".." / "a")):
        with pytest.raises(BadInputError, match="would overwrite what is read"):
            check_apart({"--draw": name}, [a])
    with pytest.raises(BadInputError, match="--draw writes there too"):
        check_apart({"--draw": other, "--json": str(tmp_path / "." / "b")}, [])
