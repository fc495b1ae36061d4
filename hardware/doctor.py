"""What is wrong with this installation: one check after the other, each with what to do."""

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from hardware.clips import Clips, cache_folder
from hardware.config import config_file, settings
from hardware.errors import HardwareError
from hardware.players import NO_DEVICE, find_player
from hardware.state import state_folder
from hardware.voices import find_voice
from hardware.weights import check_weights
from table_state.errors import InputError
from table_state.layout import Layout

LEAST_DISK = 1.0  # GB free, under which a recording soon ends
LIBRARIES = ("numpy", "opencv-python", "onnxruntime", "fastapi", "uvicorn", "pillow")
DARK, BRIGHT = 25.0, 235.0  # mean grey of a picture outside which a card is hard to read


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `state`: ok, note (works without it) or fault."""

    name: str
    state: str
    text: str

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


def checks(camera: str | None, layout: Layout) -> Iterator[Check]:
    """Every check in turn; none of them raises."""
    yield _check("python", _python)
    yield _check("libraries", _libraries)
    yield _check("weights", lambda: f"as the manifest says ({check_weights()[:12]})")
    yield _check("settings", _settings)
    yield _check("voice", _voice, missing="note")
    yield _check("sound", _sound, missing="note")
    yield _check("disk", _disk)
    yield _check("camera", lambda: _camera(camera, layout), missing="fault" if camera else "note")


def _check(name: str, look: Callable[[], str], missing: str = "fault") -> Check:
    try:
        return Check(name, "ok", look())
    except (HardwareError, InputError, OSError) as error:
        return Check(name, missing, " ".join(str(error).split()))


def _python() -> str:
    return f"{sys.version.split()[0]} in {sys.prefix}"


def _libraries() -> str:
    found = []
    for name in LIBRARIES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            raise HardwareError(f"{name} is not installed; run: bash hardware/install/install.sh") from None
    try:
        import cv2  # noqa: F401 - whether its system libraries are here shows only now
    except ImportError as error:
        raise HardwareError(f"opencv does not start ({error}); sudo apt install libgl1 libglib2.0-0") from None
    return ", ".join(found)


def _settings() -> str:
    found = settings()
    return f"{config_file() if config_file().exists() else 'the defaults'}: {found.host}:{found.port}"


def _voice() -> str:
    found = settings()
    voice = find_voice(found.voice, found.language)
    Clips(voice).get("21")
    return f"{voice.engine}, voice {voice.name}; clips in {cache_folder()}"


def _sound() -> str:
    player = find_player()
    if not player.works():
        raise HardwareError(NO_DEVICE)
    return f"{player.names[0]} plays"


def _disk() -> str:
    place = next(p for p in [state_folder(), *state_folder().parents] if p.exists())
    free = shutil.disk_usage(place).free / 1e9
    if free < LEAST_DISK:
        raise HardwareError(f"{place}: {free:.1f} GB free; delete old recordings")
    return f"{free:.0f} GB free at {place}"


def _camera(spec: str | None, layout: Layout) -> str:
    if spec is None:
        found = sorted(str(p) for p in Path("/dev").glob("video[0-9]*"))
        if not found:
            raise HardwareError("no camera is plugged in; plug one in, then try: railbird doctor --camera usb:0")
        return f"{', '.join(found)}; to try one: railbird doctor --camera usb:0"
    from hardware.camera import open_camera

    camera = open_camera(spec, layout)
    try:
        frame = next(camera.frames(), None)
    finally:
        camera.close()
    if frame is None:
        raise HardwareError(f"{spec}: gives no picture; unplug it and plug it in again")
    grey = float(frame.image[::8, ::8].mean())
    size = f"{spec}: {frame.size[0]} x {frame.size[1]}"
    if not DARK < grey < BRIGHT:
        raise HardwareError(f"{size}, too {'dark' if grey <= DARK else 'bright'} to read cards; change the light")
    return f"{size}, brightness {grey:.0f} of 255"
