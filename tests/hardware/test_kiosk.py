"""The kiosk's script: waits for the table, then starts the browser full screen on it."""

import os
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "hardware" / "install" / "kiosk.sh"


def kiosk(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["bash", str(SCRIPT), *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        env={**os.environ, "RAILBIRD_KIOSK_WAIT": "8", **environment},
    )


@pytest.fixture
def browser(tmp_path: Path) -> dict[str, str]:
    stub = tmp_path / "browser"
    stub.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    stub.chmod(0o755)
    return {
        "RAILBIRD_BROWSER": str(stub),
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "DISPLAY": "",
    }


def test_it_waits_for_the_table_and_shows_it_full_screen(browser: dict[str, str], tmp_path: Path) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{server.getsockname()[1]}/?theme=dark&side=dealer"
        threading.Thread(target=lambda: (time.sleep(1.2), server.listen()), daemon=True).start()
        done = kiosk("--url", url, **browser)
    assert done.returncode == 0
    assert done.stderr == f"kiosk.sh: waiting for the table at {url}\n"
    lines = done.stdout.splitlines()
    assert {"--kiosk", f"--app={url}", f"--user-data-dir={tmp_path}/state/railbird/kiosk"} <= set(lines)


def test_without_a_table_or_a_browser_it_says_what_to_do(browser: dict[str, str]) -> None:
    none = kiosk(
        "--url", "http://127.0.0.1:9/", RAILBIRD_KIOSK_WAIT="1", **{k: v for k, v in browser.items() if "WAIT" not in k}
    )
    assert (none.returncode, none.stderr.splitlines()[-1]) == (
        1,
        "kiosk.sh: no table at http://127.0.0.1:9/; start railbird first",
    )
    lost = kiosk(**{**browser, "RAILBIRD_BROWSER": "no-such-browser"})
    assert lost.returncode == 1
    assert "apt-get install chromium" in lost.stderr


@pytest.mark.parametrize(
    "arguments", [["--fast"], ["--url"], ["--url", "javascript:alert(1)"], ["--url", 'http://a/"$(reboot)"']]
)
def test_bad_arguments_are_one_line(arguments: list[str]) -> None:
    done = kiosk(*arguments)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_the_unit_starts_this_script_with_the_page() -> None:
    text = kiosk("--print-unit", "--url", "http://127.0.0.1:8021/?a=%20&b=1").stdout
    command = next(line for line in text.splitlines() if line.startswith("ExecStart="))
    assert command == (f'ExecStart=/usr/bin/cage -d -- /bin/bash "{SCRIPT}" --url "http://127.0.0.1:8021/?a=%%20&b=1"')
    assert "@KIOSK@" not in text
    assert "@URL@" not in text
