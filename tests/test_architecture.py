"""Imports go one way, and nothing that a user runs needs what the training needs."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = ("torch", "torchvision", "ultralytics", "onnx", "matplotlib", "polars", "pandas")


def test_imports_go_one_way() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "modules",
    [
        ["hardware.cli", "hardware.commands.replay"],
        [
            "hardware.commands.run",
            "hardware.camera_files",
            "hardware.camera_usb",
            "hardware.camera_pi",
            "vision.looker",
        ],
        ["hardware.commands.demo", "hardware.simulator.camera", "vision.looker", "hardware.speaker"],
        ["hardware.commands.read", "vision.photo"],
        ["hardware.commands.doctor"],
    ],
    ids=lambda modules: modules[0],
)
def test_a_command_imports_no_training_library(modules: list[str]) -> None:
    script = f"import sys, {', '.join(modules)}\nprint(*(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_replay_needs_neither_pictures_nor_pages() -> None:
    script = (
        "import sys, hardware.commands.replay\nprint(*(m for m in ('numpy', 'cv2', 'fastapi') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert done.stdout.split() == [], done.stderr


def test_no_source_names_the_place_where_it_was_made() -> None:
    own = [p for p in ROOT.rglob("*") if p.suffix in (".py", ".toml", ".sh", ".md", ".lock", ".js", ".html")]
    own = [p for p in own if ".venv" not in p.parts and p != Path(__file__)]
    assert [p for p in own if "/work/" in p.read_text(encoding="utf-8")] == []


def test_a_headless_run_loads_no_web() -> None:
    web = "fastapi", "uvicorn", "pydantic"
    script = f"import sys, hardware.commands.run\nprint(*(m for m in {web!r} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert done.stdout.split() == [], done.stderr
