"""`railbird pit` on the command line: what it refuses, in one line."""

import socket

import pytest

from hardware.cli import main


@pytest.fixture(autouse=True)
def own_home(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, f"{tmp_path}/{name}")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ([], 2, "no MQTT broker is named; give --mqtt HOST:PORT"),
        (["--mqtt", "house:"], 2, "invalid broker HOST:PORT value"),
        (["--mqtt", "house", "--host", "not an address"], 2, "is no address of this machine"),
    ],
)
def test_what_is_missing_or_wrong_is_one_line(
    arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pit", *arguments]) == status
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_a_port_in_use_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["pit", "--mqtt", "house", "--port", str(port)]) != 0
    assert f"port {port} is in use" in capsys.readouterr().err
