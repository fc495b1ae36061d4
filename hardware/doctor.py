"""What is wrong with this installation: one check after the other, each with what to do."""

import shutil
import sys
import urllib.request
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from hardware import machine
from hardware.checkup import Trial, card_pixels, look_times, tried
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
TRY = "21, seat 3?"  # what the sound test says


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `state`: ok, note (works without it) or fault."""

    name: str
    state: str
    text: str

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


def checks(camera: str | None, layout: Layout, sound: bool = False, own: bool = False) -> Iterator[Check]:
    """Every check in turn; none of them raises. `sound`: let it be heard; `own`: the layout is this table's own."""
    yield _check("python", _python)
    yield _check("libraries", _libraries)
    yield _check("weights", lambda: f"as the manifest says ({check_weights()[:12]})")
    yield _check("settings", _settings)
    yield _check("voice", _voice, missing="note")
    yield _check("sound", lambda: _sound(sound), missing="fault" if sound else "note")
    yield _check("disk", _disk)
    yield _check("heat", machine.heat)
    yield _check("power", machine.power)
    yield _check("program", _running, missing="note")
    if camera is None:
        yield _check("camera", _cameras, missing="note")
        return
    try:
        trial = _trial(camera, layout)
    except (HardwareError, InputError, OSError) as error:
        yield Check("camera", "fault", " ".join(str(error).split()))
        return
    yield _check("camera", trial.camera)
    yield _check("light", trial.light)
    yield _check("focus", trial.focus)
    yield _check("rate", trial.rate)
    if own:
        yield _check("cards", lambda: card_pixels(layout, trial.frames[-1].size))
        yield _check("looks", lambda: look_times(layout, trial))


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


def _sound(aloud: bool) -> str:
    player = find_player()
    if not player.works():
        raise HardwareError(NO_DEVICE)
    if not aloud:
        return f"{player.names[0]} plays; to hear it: railbird doctor --sound"
    found = settings()
    if not player.play(Clips(find_voice(found.voice), volume=found.volume).get(TRY)):
        raise HardwareError(NO_DEVICE)
    return f"{player.names[0]} said {TRY!r}; if nobody heard it, turn it up: alsamixer"


def _disk() -> str:
    place = next(p for p in [state_folder(), *state_folder().parents] if p.exists())
    free = shutil.disk_usage(place).free / 1e9
    if free < LEAST_DISK:
        raise HardwareError(f"{place}: {free:.1f} GB free; delete old recordings")
    seconds = machine.sync_seconds(place)
    text = f"{free:.0f} GB free at {place}, {1000 * seconds:.0f} ms to keep a line"
    if seconds > machine.SLOW_SYNC:
        raise HardwareError(f"{text}: too slow; use a better memory card, or a disk")
    return text


def _running() -> str:
    """What a Railbird that runs on this machine says of itself."""
    found = settings()
    url = f"http://127.0.0.1:{found.port}/metrics"
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=2) as answer:
            text = answer.read(1_000_000).decode()
    except (OSError, ValueError):
        return f"none runs with its pages on port {found.port}"
    rows = dict(line.rsplit(" ", 1) for line in text.splitlines() if line.startswith("railbird_"))
    stages = [
        f"{key.partition('stage=')[2].strip('}').strip(chr(34))} {float(value):.0f}"
        for key, value in rows.items()
        if key.startswith("railbird_stage_milliseconds")
    ]
    looked, dropped = (round(float(rows.get(f"railbird_{n}_total", 0))) for n in ("frames", "dropped_frames"))
    words = f"{looked} frames looked at, {dropped} dropped; ms a stage: {', '.join(stages) or 'none yet'}"
    if float(rows.get("railbird_fault", 0)):
        raise HardwareError(f"{words}; it tells of a fault: see its page, or journalctl -u railbird")
    return words


def _cameras() -> str:
    found = sorted(str(p) for p in Path("/dev").glob("video[0-9]*"))
    if not found:
        raise HardwareError("no camera is plugged in; plug one in, then try: railbird doctor --camera usb:0")
    return f"{', '.join(found)}; to try one: railbird doctor --camera usb:0"


def _trial(spec: str, layout: Layout) -> Trial:
    from hardware.camera import open_camera

    camera = open_camera(spec, layout)
    frames = camera.frames()
    try:
        return tried(spec, frames)
    finally:
        camera.close()
        if isinstance(frames, Generator):
            frames.close()
