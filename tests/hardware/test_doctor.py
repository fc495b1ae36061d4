"""What the doctor finds, on a machine that is well and on one that is not."""

import hashlib
import json
import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.checkup import SOFT, Trial, card_pixels, edge_width
from hardware.cli import main
from hardware.doctor import Check, checks
from hardware.errors import HardwareError
from hardware.lenses import LENSES, table
from hardware.weights import check_weights, weights
from table_state.layout import Layout
from tests.hardware.helpers import layout, pictures
from vision.frame import Frame

MACHINE = ("heat", "power", "program")


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
    assert list(found) == ["python", "libraries", "weights", "settings", "voice", "sound", "disk", *MACHINE, "camera"]
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


def found(camera: str | None, own: Layout | None = None) -> dict[str, Check]:
    """Every check by its name."""
    return {check.name: check for check in checks(camera, own or layout(), own=own is not None)}


def test_a_camera_is_tried(tmp_path: Path) -> None:
    good = pictures(tmp_path / "good", [0.0, 0.1, 0.2, 0.3])
    tried = found(f"images:{good}")
    assert (tried["camera"].state, tried["camera"].text) == ("ok", f"images:{good}: 64 x 48")
    assert tried["light"].state == "ok"
    assert tried["rate"].state == "ok"
    assert tried["rate"].text.startswith("10.0 frames a second, 0 of ")
    assert "no edge" in tried["focus"].text
    bad = found("usb:97")["camera"]
    assert bad.state == "fault"
    assert "plug it in" in bad.text


def scene(blur: float, light: float = 1.0) -> Frame:
    image = np.full((480, 640, 3), (60, 110, 30), np.uint8)
    for n in range(5):
        image[100:190, 60 + 100 * n : 124 + 100 * n] = 235
    image = cv2.GaussianBlur(image, (0, 0), blur) if blur else image
    return Frame(0.0, np.clip(image * light, 0, 255).astype(np.uint8))


def test_a_picture_out_of_focus_or_in_bad_light_is_a_fault() -> None:
    sharp, soft = edge_width(scene(0.6).image), edge_width(scene(3.0).image)
    assert sharp is not None
    assert soft is not None
    assert sharp < SOFT < soft
    for frame, check, words in (
        (scene(3.0), "focus", "out of focus; lay cards"),
        (scene(0.0, 0.1), "light", "too dark to read cards"),
        (scene(0.0, 9.0), "light", "too bright"),
    ):
        with pytest.raises(HardwareError, match=words):
            getattr(Trial("usb:0", (frame,)), check)()
    assert "pixels wide" in Trial("usb:0", (scene(0.6),)).focus()


def test_dropped_and_too_few_frames_are_told() -> None:
    def rate(times: list[float]) -> str:
        return Trial("usb:0", tuple(replace(scene(0.0), t=t) for t in times)).rate()

    assert rate([0.0, 0.1, 0.2, 0.5, 0.6]) == "10.0 frames a second, 2 of 6 dropped"
    with pytest.raises(HardwareError, match=r"5.0 frames a second, 0 of 3 dropped: too few"):
        rate([0.0, 0.2, 0.4, 0.6])


def test_small_cards_are_a_fault() -> None:
    with pytest.raises(HardwareError, match=r"a card is \d to \d pixels long: too small; lower the camera"):
        card_pixels(layout(), (64, 48))
    assert card_pixels(layout(), (1600, 1200)).startswith("a card is 11")
    with pytest.raises(HardwareError, match="run railbird setup"):
        card_pixels(layout(False), (64, 48))


@pytest.mark.parametrize(
    ("temperature", "bits", "heat", "power"),
    [
        ("55.0'C", "0x0", "ok", "ok"),
        ("84.2'C", "0x0", "fault", "ok"),
        ("60.0'C", "0x50005", "fault", "fault"),
        ("60.0'C", "0x10000", "ok", "fault"),
    ],
)
def test_heat_and_power_of_a_pi(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, temperature: str, bits: str, heat: str, power: str
) -> None:
    tool = tmp_path / "vcgencmd"
    tool.write_text(f'#!/bin/sh\n[ $1 = measure_temp ] && echo "temp={temperature}" || echo throttled={bits}\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    tried = found(None)
    assert (tried["heat"].state, tried["power"].state) == (heat, power)
    if power == "fault":
        assert "the voltage is too low" in tried["power"].text
        assert "use the supply" in tried["power"].text


def test_lenses_say_how_high_and_how_large() -> None:
    lines = list(table(1800, 1000))
    wide = next(line for line in lines if line.startswith("Camera Module 3 Wide"))
    assert "85 cm" in wide
    assert "2304 x 1296: 98 px   4608 x 2592: 196 px +" in wide
    for lens in LENSES:
        height = lens.height(1800, 1000)
        seen = 2 * height * math.tan(math.radians(lens.across / 2))
        assert seen >= 1800
        assert lens.card(height, (1000, 1)) == pytest.approx(1000 * 88.9 / seen)


def test_a_full_disk_and_bad_settings_are_faults(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.doctor.LEAST_DISK", 1e9)
    (own_home / "XDG_CONFIG_HOME" / "railbird").mkdir(parents=True)
    (own_home / "XDG_CONFIG_HOME" / "railbird" / "config.toml").write_text("volume = 'x'")
    found = {check.name: check for check in checks(None, layout())}
    assert (found["disk"].state, found["settings"].state) == ("fault", "fault")
    assert "delete old recordings" in found["disk"].text
    assert "volume" in found["settings"].text
