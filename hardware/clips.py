"""Clips: phrases as WAV files, made once and kept, so that speech starts at once."""

import hashlib
import os
import tempfile
import threading
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from hardware.errors import HardwareError
from hardware.files import remove
from hardware.voices import Voice
from table_state.layout import Layout

QUIET = 300  # of 32767: what is softer at either end of a clip is silence
LEAD = 0.01  # seconds of that silence that are left
LONGEST_KEPT = 60  # characters; longer words, such as an alert's, are made when they are needed and not kept


class Clips:
    """The clips of one voice, in a folder of the user's cache."""

    def __init__(self, voice: Voice, folder: Path | None = None, volume: float = 1.0) -> None:
        self.voice = voice
        self._volume = volume
        self._folder = _usable((folder or cache_folder()) / f"{voice.folder}-{volume:g}")
        self._making = threading.Lock()

    def get(self, text: str, gentle: bool = False) -> Path:
        """The clip of a phrase. Raises HardwareError where the engine fails."""
        name = hashlib.sha256(text.encode()).hexdigest()[:24] if len(text) <= LONGEST_KEPT else "long"
        clip = self._folder / f"{name}.wav"
        if name == "long" or not clip.exists():
            self._make(text, clip, gentle)
        return clip

    def _make(self, text: str, clip: Path, gentle: bool) -> None:
        part = clip.with_name(f".{clip.name}.{os.getpid()}.{threading.get_ident()}.part")
        try:
            self.voice.render(text, part, gentle)
            trim(part, self._volume)
            part.replace(clip)
        except (wave.Error, EOFError, OSError) as error:
            raise HardwareError(f"{self.voice.engine}: made no sound of {text[:40]!r} ({error})") from None
        finally:
            remove(part)


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


def usual_phrases(layout: Layout) -> Iterator[str]:
    """What is said at this table again and again, the likeliest first."""
    totals = [str(n) for n in range(4, 22)] + [f"{n} or {n + 10}" for n in range(2, 12)]
    yield from totals
    yield from ("Blackjack!", "too many", "Place your bets", "Dealer breaks", "Dealer has blackjack")
    yield from (f"The dealer has {total}" for total in totals)
    yield from ("Insurance is open", "Insurance is closed", "check the dealer's cards")
    for seat in layout.seats:
        who = seat.name or f"seat {seat.number}"
        yield from (f"{total}, {who}?" for total in totals)
        yield f"check seat {seat.number}"
