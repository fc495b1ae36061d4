"""What the doctor finds, on a machine that is well and on one that is not."""

import hashlib
import json
from pathlib import Path

import pytest

from hardware.cli import main
from hardware.doctor import checks
from hardware.errors import HardwareError
from hardware.weights import check_weights, weights
from tests.hardware.helpers import layout, pictures


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Weights that are what their manifest says."""
    for name in ("detector.onnx", "reader.onnx", "face.onnx"):
        (tmp_path / name).write_bytes(name.encode())
    hashes = {name: hashlib.sha256(name.encode()).hexdigest() for name in ("detector.onnx", "reader.onnx", "face.onnx")}
    (tmp_path / "manifest.json").write_text(json.dumps({"sha256": hashes}))
    return tmp_path


def test_good_weights(folder: Path) -> None:
    assert weights(folder) == folder
    assert len(check_weights(folder)) == 64


def test_missing_weights_are_named(folder: Path) -> None:
    (folder / "reader.onnx").unlink()
    with pytest.raises(HardwareError, match=r"the weights are missing \(reader.onnx\); get the whole"):
        weights(folder)


def test_changed_weights_are_found(folder: Path) -> None:
    (folder / "reader.onnx").write_bytes(b"other")
    for asked in (weights, check_weights):
        with pytest.raises(HardwareError, match=r"reader.onnx: is not the file that the manifest names"):
            asked(folder)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"sha256": 3}', '{"sha256": {}}'])
def test_a_broken_manifest_is_found(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text)
    with pytest.raises(HardwareError, match=r"manifest.json: is broken"):
        check_weights(folder)


def test_every_check_says_something_and_none_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    found = {check.name: check for check in checks(None, layout())}
    assert list(found) == ["python", "libraries", "weights", "settings", "voice", "sound", "disk", "camera"]
    assert found["voice"].state == "note"
    assert "apt install flite" in found["voice"].text
    assert found["sound"].state == "note"
    assert "apt install alsa-utils" in found["sound"].text
    assert all(check.text and "\n" not in check.text for check in found.values())


@pytest.mark.parametrize("spec", ["webcam", "usb:", "usb:x", "images:", ""])
def test_a_camera_of_no_kind_is_a_bad_argument(spec: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--camera", spec]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "no such camera; it is one of picamera2, usb:N, video:FILE, images:DIR or sim" in err


def test_a_camera_is_tried(tmp_path: Path) -> None:
    good = pictures(tmp_path / "good", count=2)
    found = {check.name: check for check in checks(f"images:{good}", layout())}["camera"]
    assert (found.state, found.text.split(",")[0]) == ("ok", f"images:{good}: 64 x 48")
    bad = {check.name: check for check in checks("usb:97", layout())}["camera"]
    assert bad.state == "fault"
    assert "plug it in" in bad.text


def test_a_full_disk_and_bad_settings_are_faults(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.doctor.LEAST_DISK", 1e9)
    (own_home / "XDG_CONFIG_HOME" / "railbird").mkdir(parents=True)
    (own_home / "XDG_CONFIG_HOME" / "railbird" / "config.toml").write_text("volume = 'x'")
    found = {check.name: check for check in checks(None, layout())}
    assert (found["disk"].state, found["settings"].state) == ("fault", "fault")
    assert "delete old recordings" in found["disk"].text
    assert "volume" in found["settings"].text
