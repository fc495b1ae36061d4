"""The installation: its options, and what the service may and may not do."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hardware.config import parse_settings

INSTALL = Path(__file__).parents[2] / "hardware" / "install"
UNIT = (INSTALL / "railbird.service").read_text()
SCRIPT = (INSTALL / "install.sh").read_text()


def setting(name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)


@pytest.mark.parametrize("name", ["install.sh", "demo.sh", "test.sh", "lock.sh", "kiosk.sh"])
def test_the_scripts_are_ones(name: str) -> None:
    subprocess.run(["bash", "-n", str(INSTALL / name)], check=True)
    assert "set -euo pipefail" in (INSTALL / name).read_text()


def test_an_unknown_option_is_one_line_and_status_2() -> None:
    done = subprocess.run(["bash", str(INSTALL / "install.sh"), "--servcie"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no such option; it takes --test, --service" in done.stderr


def test_the_service_may_open_what_a_pi_camera_and_the_sound_need() -> None:
    assert setting("DevicePolicy") == ["closed"]
    allowed = {line.split()[0] for line in setting("DeviceAllow")}
    assert {"char-video4linux", "char-media", "char-dma_heap", "char-alsa", "/dev/vcio"} <= allowed
    assert setting("User") == ["railbird"]
    assert not setting("DynamicUser")
    assert not setting("SupplementaryGroups")  # a group that a machine lacks would keep the service from starting
    assert "for group in video audio render gpio" in SCRIPT


def test_the_service_is_where_the_installation_puts_it() -> None:
    assert setting("ExecStart")[0].startswith("/opt/railbird/.venv/bin/railbird run ")
    assert "target=/opt/railbird\n" in SCRIPT
    assert setting("Type") == ["notify"]
    assert int(setting("WatchdogSec")[0]) >= 20
    assert setting("RestartPreventExitStatus") == ["2"]


def test_the_settings_that_are_installed_are_good() -> None:
    text = (INSTALL / "config.toml").read_text()
    parse_settings(text, "config.toml")
    parse_settings(re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE), "config.toml")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_the_service_is_little_exposed(tmp_path: Path) -> None:
    (tmp_path / "railbird.service").write_text(UNIT)
    command = ["systemd-analyze", "security", "--offline=true", str(tmp_path / "railbird.service")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    level = re.search(r"exposure level for railbird.service: ([\d.]+)", done.stdout)
    assert level is not None, done.stderr
    assert float(level[1]) <= 2.0
