"""Programs that play a WAV file, each call a process of its own."""

import shutil
import subprocess
import tempfile
import wave
from dataclasses import dataclass, field
from pathlib import Path

from hardware.clips import write_wav
from hardware.errors import HardwareError

PLAYERS = {"aplay": ["-q"], "paplay": [], "pw-play": []}
PATIENCE = 3.0  # seconds beyond a clip's length after which a player hangs
NO_DEVICE = "no sound device answers; plug in a speaker, or try: speaker-test -t wav"


@dataclass(slots=True)
class Player:
    """Plays one clip at a time, with the first of `names` that can be heard."""

    names: tuple[str, ...]
    _running: "subprocess.Popen[bytes] | None" = field(default=None, init=False)

    def play(self, clip: Path) -> bool:
        """Play a clip to its end; False where that did not work."""
        try:
            self._running = subprocess.Popen(
                [self.names[0], *PLAYERS[self.names[0]], str(clip)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            return self._running.wait(timeout=seconds(clip) + PATIENCE) == 0
        except subprocess.TimeoutExpired:
            self.stop()
            return False
        except OSError:
            return False

    def stop(self) -> None:
        """Fall silent at once."""
        running = self._running
        if running is not None and running.poll() is None:
            running.kill()
            running.wait()

    def works(self) -> bool:
        """Whether a moment of silence can be played by one of the programs; that one is used from now on."""
        with tempfile.TemporaryDirectory(prefix="railbird-") as folder:
            clip = Path(folder) / "silence.wav"
            write_wav(clip, bytes(2 * 800), 16000)
            for _ in self.names:
                if self.play(clip):
                    return True
                self.names = (*self.names[1:], self.names[0])
        return False


def find_player() -> Player:
    """A player with the programs that are installed. Raises HardwareError where there is none."""
    here = tuple(name for name in PLAYERS if shutil.which(name))
    if not here:
        raise HardwareError("no sound player is installed; install one: sudo apt install alsa-utils")
    return Player(here)


def seconds(clip: Path) -> float:
    """How long a WAV file plays."""
    with wave.open(str(clip), "rb") as file:
        return file.getnframes() / file.getframerate()
