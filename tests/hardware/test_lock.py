"""The lock installs everywhere it should: nothing in it belongs to one machine."""

import importlib.util
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
INSTALL = ROOT / "hardware" / "install"
PLATFORMS = ["manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014"]


def pinned(lock: Path) -> Iterator[tuple[Requirement, str]]:
    """Each requirement of a lock with its own text, hashes included."""
    for text in lock.read_text().replace("\\\n", " ").splitlines():
        if text.strip() and not text.lstrip().startswith("#"):
            yield Requirement(text.split("--hash")[0].strip()), text


@pytest.mark.parametrize("name", ["run.lock", "test.lock", "pi.lock"])
def test_every_line_is_one_release_with_hashes_and_no_place(name: str) -> None:
    rows = list(pinned(INSTALL / name))
    assert rows
    for requirement, text in rows:
        assert str(requirement.specifier).startswith("=="), text
        assert "--hash=sha256:" in text
        assert requirement.url is None
        assert "://" not in text


def test_the_lock_holds_what_pyproject_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for name, wanted in (
        ("run.lock", project["dependencies"]),
        ("test.lock", project["dependencies"] + project["optional-dependencies"]["test"]),
    ):
        releases = [requirement for requirement, _ in pinned(INSTALL / name)]
        for want in map(Requirement, wanted):
            found = [r for r in releases if r.name == want.name]
            assert found, f"{want} is not in {name}; run hardware/install/lock.sh"
            assert all(want.specifier.contains(next(iter(r.specifier)).version) for r in found), want


def test_training_is_not_installed_to_run_or_to_test() -> None:
    names = {requirement.name for lock in INSTALL.glob("*.lock") for requirement, _ in pinned(lock)}
    assert not names & {"torch", "torchvision", "ultralytics"}


@pytest.mark.network
@pytest.mark.parametrize("machine", ["aarch64", "x86_64"])
@pytest.mark.parametrize("version", ["3.11", "3.13"])  # Bookworm's and Trixie's
def test_wheels_exist_for_every_machine(tmp_path: Path, machine: str, version: str) -> None:
    if importlib.util.find_spec("pip") is None:
        pytest.skip("pip is not installed here")
    target = {"python_version": version, "python_full_version": f"{version}.0", "platform_machine": machine}
    target |= {"sys_platform": "linux", "platform_system": "Linux"}
    lines = [
        text.split(";")[0] + " --hash" + text.split("--hash", 1)[1] if requirement.marker else text
        for name in ("run.lock", "pi.lock")
        for requirement, text in pinned(INSTALL / name)
        if requirement.marker is None or requirement.marker.evaluate(target)
    ]
    (tmp_path / "lock").write_text("\n".join(lines))
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--no-deps", "--ignore-installed"]
    # An older pip would hold each wheel's Requires-Python against the Python that runs it; the wheels' own tags tell.
    command += ["--target", str(tmp_path / "x"), "--only-binary=:all:", "--python-version", version]
    command += ["--ignore-requires-python"]
    command += [part for p in PLATFORMS for part in ("--platform", f"{p}_{machine}")]
    done = subprocess.run([*command, "-r", str(tmp_path / "lock")], capture_output=True, text=True, timeout=300)
    if "Failed to establish a new connection" in done.stderr or "Temporary failure in name" in done.stderr:
        pytest.skip("the package index cannot be reached")
    assert done.returncode == 0, done.stderr
