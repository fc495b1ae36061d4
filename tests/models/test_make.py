"""Making the weights anew: what is missing is said before hours are spent."""

import os
import subprocess
import sys
from pathlib import Path

from models.make import TRAINING, missing

ROOT = Path(__file__).parents[2]


def test_missing_tools_are_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "models.make", "--out", str(tmp_path)]
    environment = os.environ | {"PATH": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("models.make: not installed: apt-get, dpkg-deb, npm, rsvg-convert, pdftoppm, fc-list")
    assert done.stderr.endswith("; see README, Weights\n")


def test_art_that_is_there_needs_no_tools(tmp_path: Path) -> None:
    (tmp_path / "textures").mkdir()
    (tmp_path / "textures" / "000.jpg").touch()
    assert set(missing(tmp_path)) <= {*TRAINING[0], *TRAINING[1]}
