"""What systemd hears, on a notification socket made for the test."""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.service import Service, service
from table_state.observation import Observation
from tests.hardware.helpers import frame

UNIT = Path(__file__).parents[2] / "hardware" / "install" / "railbird.service"
NOTHING = Observation(0.0, (), (), ())


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    """The end of the socket that systemd would hold."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(str(tmp_path / "notify"))
        end.setblocking(False)
        yield end


def heard(systemd: socket.socket) -> list[str]:
    texts = []
    while True:
        try:
            texts.append(systemd.recv(1000).decode())
        except BlockingIOError:
            return texts


def test_life_is_told_by_frames_that_were_looked_at(systemd: socket.socket) -> None:
    now = [0.0]
    told = Service(systemd.getsockname(), 10.0, lambda: now[0])
    assert heard(systemd) == []
    for t in (0.0, 1.0, 9.9, 10.0, 15.0, 20.5):
        now[0] = t
        told.observe(frame(t), NOTHING)
    told.close(False)
    assert heard(systemd) == ["READY=1\nSTATUS=watching the table", *["WATCHDOG=1"] * 3, "STOPPING=1"]


def test_nobody_listens_is_no_fault(tmp_path: Path) -> None:
    Service(str(tmp_path / "nobody"), 10.0).observe(frame(0.0), NOTHING)


def test_it_is_there_only_where_systemd_started_the_program(systemd: socket.socket) -> None:
    assert service({}) is None
    assert service({"NOTIFY_SOCKET": "relative"}) is None
    told = service({"NOTIFY_SOCKET": systemd.getsockname(), "WATCHDOG_USEC": "30000000"})
    assert told is not None
    told.close(False)
    assert heard(systemd) == ["STOPPING=1"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_the_unit_is_one(tmp_path: Path) -> None:
    text = UNIT.read_text().replace("/opt/railbird/.venv/bin/railbird", "/bin/true")
    (tmp_path / "railbird.service").write_text(text)
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / "railbird.service")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert [line for line in done.stderr.splitlines() if "railbird" in line] == []
