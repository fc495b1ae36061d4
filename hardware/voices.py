"""Speech engines: programs that make a WAV file of a phrase, each call a process of its own."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from hardware.errors import BadInputError, HardwareError

RENDER_SECONDS = 10.0  # a phrase takes hundredths of a second; an engine that needs this long hangs
DEFAULT_VOICES = {"flite": "slt", "espeak-ng": "en-gb"}
INSTALL = "install one: sudo apt install flite"


@dataclass(frozen=True, slots=True)
class Voice:
    """An engine (`flite` or `espeak-ng`) and the name of one of its voices."""

    engine: str
    name: str

    @property
    def folder(self) -> str:
        """A name for the folder of this voice's clips."""
        return f"{self.engine}-{self.name}"

    def render(self, text: str, target: Path, gentle: bool = False) -> None:
        """Write what `text` sounds like to the WAV file `target`. Raises HardwareError.

        `gentle`: at the lowest priority, for what is made in advance.
        """
        command = ["nice", "-n", "19"] if gentle else []
        if self.engine == "flite":
            command += ["flite", "-voice", self.name, "-t", text, "-o", str(target)]
        else:
            command += ["espeak-ng", "-v", self.name, "-w", str(target), "--stdin"]
        try:
            subprocess.run(command, input=text.encode(), capture_output=True, timeout=RENDER_SECONDS, check=True)
        except subprocess.TimeoutExpired:
            raise HardwareError(f"{self.engine}: no answer in {RENDER_SECONDS:g} s; choose another --voice") from None
        except (OSError, subprocess.CalledProcessError):
            raise HardwareError(f"{self.engine}: cannot speak with voice {self.name}; choose another --voice") from None


def find_voice(wanted: str | None) -> Voice:
    """The voice of a name like `flite`, `flite:rms` or `espeak-ng:en-us`; without one, the best that is installed.

    Raises BadInputError for an engine nobody knows, HardwareError where it is not installed.
    """
    engine, _, name = (wanted or "").partition(":")
    if engine and engine not in DEFAULT_VOICES:
        raise BadInputError(f"--voice {wanted}: no such engine; it is {' or '.join(DEFAULT_VOICES)}")
    for found in [engine] if engine else DEFAULT_VOICES:
        if shutil.which(found):
            return Voice(found, name or DEFAULT_VOICES[found])
    missing = f"{engine} is not installed" if engine else "no speech engine is installed"
    raise HardwareError(f"{missing}; {INSTALL}")
