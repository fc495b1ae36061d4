"""The command as a user meets it: exit statuses, and every fault in one line that says what to do."""

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest

from hardware import app
from hardware.cli import main
from hardware.errors import HardwareError
from table_state.rules import parse_rules
from tests.hardware.helpers import CAMERA, LAYOUT, Looks, pictures

RAILBIRD = [sys.executable, "-m", "hardware.cli"]
LINE = '{"t": 0.0, "cards": [], "chips": [], "hands": []}\n'


class Desk:
    """A folder with a good file of every kind, and the command run in it."""

    def __init__(self, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capfd = folder, capfd
        self.out = self.err = ""
        pictures(folder / "shots", [0.0, 0.2])
        self.write("layout.toml", LAYOUT + CAMERA)
        self.write("plain.toml", LAYOUT)
        self.write("lens.toml", LAYOUT + CAMERA + "matrix = [0.0, 0.0, 32.0, 24.0]\n")
        self.write("bent.toml", LAYOUT + CAMERA + "matrix = [60.0, 60.0, 32.0, 24.0]\ndistortion = [0.1]\n")
        self.write("small.toml", LAYOUT + CAMERA.replace("[64, 48]", "[0.5, 0.5]"))
        self.write("obs.jsonl", LINE)

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def run(self, *arguments: str) -> int:
        status = main(arguments)
        self.out, self.err = self._capfd.readouterr()
        return status

    def files(self) -> set[str]:
        return {str(p.relative_to(self.folder)) for p in self.folder.rglob("*")}


@pytest.fixture
def desk(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The desk, with a recogniser that needs no weights."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(app, "real_looker", lambda seen: Looks())
    return Desk(tmp_path, capfd)


RUN = ["run", "--camera", "images:shots", "--layout", "layout.toml", "--headless"]
REPLAY = ["replay", "obs.jsonl", "--layout", "layout.toml"]


def changed(arguments: list[str], **changes: str) -> list[str]:
    """The arguments with the values of some options changed."""
    arguments = list(arguments)
    for option, value in changes.items():
        if f"--{option}" in arguments:
            arguments[arguments.index(f"--{option}") + 1] = value
        else:
            arguments += [f"--{option}", value]
    return arguments


BAD: dict[str, tuple[list[str], str]] = {
    "no command": ([], "the following arguments are required: COMMAND"),
    "unknown command": (["deal"], "invalid choice: 'deal'"),
    "no layout": (["run", "--camera", "sim"], "the following arguments are required: --layout"),
    "no camera": (["run", "--layout", "layout.toml"], "required: --camera"),
    "unknown option": ([*RUN, "--loud"], "unrecognized arguments: --loud"),
    "unknown camera": (changed(RUN, camera="webcam"), "no such camera; it is one of picamera2, usb:N, video:FILE"),
    "missing folder": (changed(RUN, camera="images:none"), "none: no such folder"),
    "missing video": (changed(RUN, camera="video:no.mp4"), "no.mp4: no such file"),
    "broken video": (changed(RUN, camera="video:obs.jsonl"), "obs.jsonl: no video that can be played; convert"),
    "missing layout": (changed(RUN, layout="no.toml"), "no.toml: cannot read this layout file: no such file"),
    "folder as layout": (changed(RUN, layout="shots"), "shots: cannot read this layout file: is a directory"),
    "broken layout": (changed(RUN, layout="obs.jsonl"), "obs.jsonl: not TOML"),
    "picture as layout": (changed(RUN, layout="shots/00.jpg"), "00.jpg:1: not text in UTF-8; is this really"),
    "layout without camera": (changed(RUN, layout="plain.toml"), "no [camera]"),
    "unknown rules": (changed(RUN, rules="vegas"), "--rules vegas: no such rules; charity, home, casino or a file"),
    "missing rules": (changed(RUN, rules="no.toml"), "no.toml: cannot read this house rules file"),
    "bad rules": (changed(RUN, rules="layout.toml"), "layout.toml: name: unknown key"),
    "no such port": (changed(RUN, port="99999"), "invalid port number value: '99999'"),
    "bad speed": (changed(RUN, fps="0"), "invalid positive number value: '0'"),
    "record into a full folder": (changed(RUN, record="shots"), "shots: this folder is not empty"),
    "output is a folder": (changed(RUN, json="shots"), "shots: is a folder"),
    "output nowhere": (changed(RUN, json="no/where.jsonl"), "no/where.jsonl: cannot write here"),
    "missing observations": (["replay", "no.jsonl", "--layout", "layout.toml"], "no.jsonl: cannot read this file of"),
    "replay without layout": (["replay", "obs.jsonl"], "required: --layout"),
    "replay with bad rules": (changed(REPLAY, rules="x"), "--rules x: no such rules"),
    "truth nowhere": (
        ["demo", "--headless", "--minutes", "1", "--truth", "no/truth.json"],
        "no/truth.json: cannot write",
    ),
    "a drawing over the observations": ([*REPLAY, "--draw", "./obs.jsonl"], "--draw ./obs.jsonl: would overwrite what"),
    "a drawing over the layout": (
        [*REPLAY, "--draw", "layout.toml"],
        "--draw layout.toml: would overwrite what is read",
    ),
    "lines over the layout": (changed(RUN, json="layout.toml"), "--json layout.toml: would overwrite what is read"),
    "lines over a picture": (changed(RUN, json="shots/00.jpg"), "--json shots/00.jpg: would overwrite what is read"),
    "lines over the video": (changed(RUN, camera="video:obs.jsonl", json="obs.jsonl"), "would overwrite what is read"),
    "one file for two": (
        ["demo", "--headless", "--minutes", "1", "--truth", "a.jsonl", "--json", "./a.jsonl"],
        "--truth a.jsonl: --json writes there too",
    ),
    "lines into nothing": (changed(RUN, json=""), "argument --json: invalid file name value: ''"),
    "a recording into nothing": (changed(RUN, record=""), "argument --record: invalid file name value: ''"),
    "a host that is none": ([*RUN[:-1], "--silent", "--host", "no such host"], "is no address of this machine"),
    "a host of another machine": ([*RUN[:-1], "--silent", "--host", "203.0.113.7"], "cannot listen on 203.0.113.7"),
    "a lens of no length": (changed(RUN, layout="lens.toml"), "lens.toml: camera.matrix: the focal lengths, its first"),
    "a bent lens": (changed(RUN, layout="bent.toml"), "bent.toml: camera.distortion: not five numbers"),
    "a picture of no size": (changed(RUN, layout="small.toml"), "small.toml: camera.size: not a picture's width and"),
    "demo with a bad seed": (["demo", "--seed", "x"], "invalid whole number from 0 value: 'x'"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_bad_is_one_line_and_status_2_and_leaves_nothing(desk: Desk, name: str) -> None:
    arguments, expected = BAD[name]
    before = desk.files()
    assert desk.run(*arguments) == 2
    assert desk.out == ""
    assert desk.err.count("\n") == 1, desk.err
    assert desk.err.startswith("railbird")
    assert expected in desk.err
    assert desk.files() == before


BAD_LINES = {
    "not JSON": "oh\n",
    "cut off": '{"t": 1.0, "cards": [',
    "no time": '{"cards": []}\n',
    "back in time": '{"t": 5, "cards": [], "chips": [], "hands": []}\n' + LINE,
    "a bad card": '{"t": 1, "cards": [{"x": 0, "y": 0, "deg": 0, "code": "1z"}], "chips": [], "hands": []}\n',
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_bad_observation_names_its_line(desk: Desk, name: str) -> None:
    desk.write("obs.jsonl", LINE + BAD_LINES[name])
    assert desk.run(*REPLAY, "--json") == 2
    assert desk.out == ""
    assert re.fullmatch(r"railbird replay: obs\.jsonl:[23]: .+\n", desk.err), desk.err


def test_a_picture_that_breaks_in_the_middle_leaves_no_recording(desk: Desk) -> None:
    (desk.folder / "shots" / "01.jpg").write_bytes((desk.folder / "shots" / "01.jpg").read_bytes()[:300])
    before = desk.files()
    assert desk.run(*RUN, "--record", "rec", "--json", "out.jsonl") == 2
    assert "shots/01.jpg: is broken" in desk.err
    assert desk.files() == before


def test_a_run_writes_lines_and_a_recording_that_plays_again(desk: Desk) -> None:
    assert desk.run(*RUN, "--record", "rec", "--json", "out.jsonl", "--hold", "0.3") == 0
    assert desk.err == ""
    assert (desk.folder / "out.jsonl").exists()
    assert desk.run(*changed(RUN, camera="images:rec", record="again", json="-"), "--hold", "0.3") == 0
    for name in ("observations.jsonl", "frames.jsonl"):
        assert (desk.folder / "rec" / name).read_bytes() == (desk.folder / "again" / name).read_bytes()


def test_missing_weights_are_status_1(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(seen: object) -> Looks:
        raise HardwareError("weights: the weights are missing; install railbird again")

    monkeypatch.setattr(app, "real_looker", none)
    assert desk.run(*RUN, "--record", "rec", "--json", "out.jsonl") == 1
    assert desk.err == "railbird run: weights: the weights are missing; install railbird again\n"
    assert not (desk.folder / "rec").exists()
    assert not (desk.folder / "out.jsonl").exists()


def test_a_fault_of_the_program_is_one_line_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(seen: object) -> Looks:
        raise ZeroDivisionError("oh\nno")

    monkeypatch.setattr(app, "real_looker", fault)
    assert desk.run(*RUN) == 1
    assert desk.err.count("\n") == 1
    assert "a fault of the program (ZeroDivisionError oh no)" in desk.err


def test_a_port_in_use_is_one_line_and_nothing_is_left(desk: Desk) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        arguments = [a for a in RUN if a != "--headless"]
        assert desk.run(*arguments, "--silent", "--port", str(port), "--json", "out.jsonl", "--record", "rec") == 1
    assert desk.err.count("\n") == 1
    assert f"port {port} is in use" in desk.err
    assert not (desk.folder / "out.jsonl").exists()
    assert not (desk.folder / "rec").exists()


def test_without_sound_it_runs_on_with_one_notice(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write("asound.conf", "pcm.!default { type hw card 31 }\n")
    monkeypatch.setenv("ALSA_CONFIG_PATH", "asound.conf")
    arguments = [a for a in RUN if a != "--headless"]
    assert desk.run(*arguments, "--port", "0", "--json", "out.jsonl") == 0
    assert len([line for line in desk.err.splitlines() if "silent: " in line]) <= 1
    assert "Traceback" not in desk.err
    assert (desk.folder / "out.jsonl").exists()


def start(*arguments: str, **options: Any) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*RAILBIRD, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def test_replay_reads_standard_input_as_it_comes(desk: Desk) -> None:
    with start("replay", "-", "--layout", "layout.toml", "--json", stdin=subprocess.PIPE) as process:
        out, err = process.communicate(LINE + "oh\n", timeout=30)
    assert process.returncode == 2
    assert err.startswith("railbird replay: standard input:2: ")
    assert err.count("\n") == 1
    assert all(json.loads(line) for line in out.splitlines())


def wait_until_read(pipe: IO[str]) -> None:
    """Wait until whoever reads a pipe has taken all that was written into it."""
    end = time.monotonic() + 60
    while fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4) != b"\0" * 4:
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_whoever_stops_it_sees_no_traceback(desk: Desk, stop: signal.Signals) -> None:
    with start("replay", "-", "--layout", "layout.toml", stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(LINE)
        process.stdin.flush()
        wait_until_read(process.stdin)
        process.send_signal(stop)
        _, err = process.communicate(timeout=30)
    assert err == ""
    assert process.returncode == 0


@pytest.mark.parametrize("command", [["read", "x.jpg"], ["replay", "x.jsonl", "--layout", "x"], ["bench"]])
def test_what_is_stopped_before_it_was_done_has_failed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    def stopped(arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"hardware.commands.{command[0]}.work", stopped)
    assert desk.run(*command) == 1
    assert desk.err == f"railbird {command[0]}: stopped before it was done\n"


def test_bench_without_good_weights_is_one_line(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("detector.onnx", "reader.onnx", "face.onnx"):
        desk.write(name, "cut off")
    desk.write(
        "manifest.json", json.dumps({"sha256": dict.fromkeys(("detector.onnx", "reader.onnx", "face.onnx"), "")})
    )
    monkeypatch.setattr("models.weights_path", lambda: desk.folder)
    assert desk.run("bench") == 1
    assert desk.out == ""
    assert desk.err.count("\n") == 1
    assert "is not the file that the manifest names; get the whole repository again" in desk.err


def test_unknown_keys_of_a_layout_are_named_once_and_ignored(desk: Desk) -> None:
    text = (LAYOUT + CAMERA).replace("[chip_values]", "dealr = 3\n[chip_values]") + "zoom = 2\n"
    desk.write("layout.toml", text.replace('name = "Jim"', 'name = "Jim"\ncolour = "red"'))
    assert desk.run(*REPLAY) == 0
    assert desk.err == (
        "railbird: layout.toml: unknown and ignored: dealr, seat[0].colour, camera.zoom; check how it is spelled\n"
    )


def test_files_with_a_byte_order_mark_are_read(desk: Desk) -> None:
    mark = "\ufeff"
    desk.write("layout.toml", mark + LAYOUT + CAMERA)
    desk.write("rules.toml", mark + "decks = 2\n")
    desk.write("obs.jsonl", mark + LINE)
    assert desk.run(*changed(REPLAY, rules="rules.toml")) == 0
    assert desk.err == ""
    assert parse_rules(mark + "decks = 2\n").decks == 2


def test_a_closed_pipe_is_no_traceback(desk: Desk) -> None:
    read, write = os.pipe()
    os.close(read)
    with subprocess.Popen([*RAILBIRD, "--help"], stdout=write, stderr=subprocess.PIPE, text=True) as process:
        os.close(write)
        _, err = process.communicate(timeout=30)
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["demo", "run", "read", "replay", "bench", "doctor"])
def test_every_command_has_help(desk: Desk, command: str) -> None:
    assert desk.run(command, "--help") == 0
    assert desk.out.startswith(f"usage: railbird {command}")


def test_version(desk: Desk) -> None:
    assert desk.run("--version") == 0
    assert desk.out.startswith("railbird ")


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A reader of photographs that needs no weights."""
    read = pytest.importorskip("hardware.commands.read")
    photo = pytest.importorskip("vision.photo")

    class Reader:
        def __init__(self, weights: Path) -> None:
            pass

        def read(self, image: object) -> object:
            return photo.PhotoReading(cards=(), backs=1, chips=())

    monkeypatch.setattr(read, "PhotoReader", Reader)
    monkeypatch.setattr(read, "weights", lambda: Path())
    return lambda: None


@pytest.mark.usefixtures("reader")
def test_read_reads_the_others_where_one_is_broken(desk: Desk) -> None:
    desk.write("broken.jpg", b"\xff\xd8\xff")
    status = desk.run("read", "shots/00.jpg", "broken.jpg", "no.jpg", "./shots/01.jpg", "--json")
    rows = [json.loads(line) for line in desk.out.splitlines()]
    assert status == 2
    assert [row["image"] for row in rows] == ["shots/00.jpg", "./shots/01.jpg"]
    assert rows[0] == {"image": "shots/00.jpg", "width": 64, "height": 48, "cards": [], "backs": 1, "chips": []}
    assert desk.err.count("\n") == 2
    assert "broken.jpg: is " in desk.err
    assert "no.jpg: no such picture" in desk.err
