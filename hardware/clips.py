"""Clips: phrases as WAV files, made once and kept, so that speech starts at once."""

import hashlib
import os
import tempfile
import threading
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hardware.errors import HardwareError
from hardware.files import remove
from hardware.voices import EngineHangsError, Voice

QUIET = 300  # of 32767: what is softer at either end of a clip is silence
LEAD = 0.01  # seconds of that silence that are left
CACHE_BYTES = 300_000_000  # of clips, of all voices together


class Clips:
    """The clips of one voice, in a folder of the user's cache; the least used go when the cache grows too large."""

    def __init__(
        self,
        voice: Voice,
        folder: Path | None = None,
        volume: float = 1.0,
        notice: Callable[[str], None] = lambda text: None,
    ) -> None:
        """`notice` hears of an engine that hung and was started anew."""
        self.voice = voice
        self._volume, self._notice = volume, notice
        root = folder or cache_folder()
        prune(root, CACHE_BYTES)
        self._folder = _usable(root / f"{voice.folder}-{volume:g}")

    def get(self, text: str, gentle: bool = False) -> Path:
        """The clip of a phrase. Raises HardwareError where the engine fails, or hangs twice."""
        clip = self._clip(text)
        try:
            os.utime(clip)  # used now: the last to be thrown away
        except OSError:
            self._make(text, clip, gentle)
        return clip

    def has(self, text: str) -> bool:
        """Whether a phrase can be played at once."""
        return self._clip(text).exists()

    def _clip(self, text: str) -> Path:
        return self._folder / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.wav"

    def _make(self, text: str, clip: Path, gentle: bool) -> None:
        part = clip.with_name(f".{clip.name}.{os.getpid()}.{threading.get_ident()}.part")
        try:
            self._render(text, part, gentle)
            trim(part, self._volume)
            part.replace(clip)
        except (wave.Error, EOFError, OSError) as error:
            raise HardwareError(f"{self.voice.engine}: made no sound of {text[:40]!r} ({error})") from None
        finally:
            remove(part)

    def _render(self, text: str, part: Path, gentle: bool) -> None:
        try:
            self.voice.render(text, part, gentle)
        except EngineHangsError:
            self._notice(f"{self.voice.engine} hung and was started anew")
            self.voice.render(text, part, gentle)


def prune(root: Path, limit: int) -> None:
    """Delete the clips that were not used for longest, of all voices, until the rest is `limit` bytes at most."""
    found = []
    for clip in root.glob("*/*.wav"):
        try:
            stat = clip.stat()
        except OSError:
            continue  # another Railbird on this machine was quicker
        found.append((stat.st_mtime, stat.st_size, clip))
    over = sum(size for _, size, _ in found) - limit
    for _, size, clip in sorted(found):
        if over <= 0:
            return
        remove(clip)
        over -= size


def cache_folder() -> Path:
    """Where clips are kept between runs."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "railbird" / "speech"


def _usable(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass  # a home that cannot be written: the clips live as long as the program
    return Path(tempfile.mkdtemp(prefix="railbird-speech-"))


def trim(path: Path, volume: float = 1.0) -> None:
    """Take the silence off both ends of a 16-bit mono WAV file and set its volume (1 = as the engine speaks)."""
    with wave.open(str(path), "rb") as file:
        rate = file.getframerate()
        if file.getsampwidth() != 2 or file.getnchannels() != 1:
            raise wave.Error("not 16-bit mono")
        samples = np.frombuffer(file.readframes(10**9), np.int16)
    loud = np.flatnonzero(np.abs(samples.astype(np.int32)) > QUIET)
    if len(loud):
        samples = samples[max(0, loud[0] - int(LEAD * rate)) : loud[-1] + int(5 * LEAD * rate)]
    louder = np.clip(samples.astype(np.float32) * volume, -32768, 32767).astype(np.int16)
    write_wav(path, louder.tobytes(), rate)


def write_wav(path: Path, samples: bytes, rate: int) -> None:
    """Write 16-bit mono samples."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples)
