"""What the machine itself says of its heat, its power and its disk."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from hardware.errors import HardwareError

HOT = 80.0  # degrees from which a Raspberry Pi slows down
SLOW_SYNC = 0.25  # seconds for a small file to be safe on the disk that are too many
NOW = {0: "the voltage is too low", 1: "the processor is slowed down", 2: "it is throttled", 3: "it is too hot"}
"""The firmware's bits for what is so now; 16 higher, for what has been so since the start."""
LOW, HEAT = (0, 16), (1, 2, 3, 17, 18, 19)


def firmware(*question: str) -> str | None:
    """What a Raspberry Pi's firmware answers; None on another machine."""
    if shutil.which("vcgencmd") is None:
        return None
    try:
        done = subprocess.run(["vcgencmd", *question], capture_output=True, text=True, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip().partition("=")[2] if done.returncode == 0 else None


def heat() -> str:
    """The temperature in words. Raises HardwareError where it is too hot or has been."""
    degrees = _degrees()
    if degrees is None:
        return "this machine does not tell its temperature"
    told = _bits(firmware("get_throttled"), HEAT)
    if degrees >= HOT or told:
        raise HardwareError(f"{degrees:.0f} degrees{_and(told)}; give it a heat sink or a fan, and air")
    return f"{degrees:.0f} degrees"


def power() -> str:
    """The power supply in words. Raises HardwareError where the voltage is too low or was."""
    answer = firmware("get_throttled")
    if answer is None:
        return "no Raspberry Pi"
    if told := _bits(answer, LOW):
        raise HardwareError(f"{told[0]}; use the supply that is made for this model, and a short cable")
    return "the voltage has been right since the start"


def _degrees() -> float | None:
    if (answer := firmware("measure_temp")) is not None:
        return float(answer.removesuffix("'C"))
    try:
        return int(Path("/sys/class/thermal/thermal_zone0/temp").read_text()) / 1000
    except (OSError, ValueError):
        return None


def _bits(answer: str | None, which: tuple[int, ...]) -> list[str]:
    value = int(answer, 16) if answer else 0
    return [NOW[bit % 16] if bit < 16 else f"{NOW[bit % 16]} at times" for bit in which if value >> bit & 1]


def _and(told: list[str]) -> str:
    return f", {', '.join(told)}" if told else ""


def sync_seconds(folder: Path) -> float:
    """Seconds until a small new file is safe on the disk of a folder. Raises OSError."""
    probe = folder / f".probe-{os.getpid()}"
    began = time.perf_counter()
    try:
        with probe.open("wb") as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
        return time.perf_counter() - began
    finally:
        probe.unlink(missing_ok=True)
