"""How long it takes from the moment a card lies still to the first sample of speech."""

import os
import shutil
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from hardware.app import real_looker
from hardware.clips import Clips
from hardware.commands.demo import demo_layout
from hardware.errors import HardwareError
from hardware.players import Player
from hardware.simulator.camera import Script, sim_camera
from hardware.simulator.compare import compare
from hardware.voices import find_voice
from table_state.rules import preset
from table_state.table import Table

Json = dict[str, Any]
PHRASES = ("17, Jim?", "3 or 13", "21", "too many", "The dealer has 12", "Dealer breaks")
ALSA = """pcm.!default {{ type plug slave {{ pcm "heard" rate 16000 channels 1 format S16_LE }} }}
pcm.heard {{ type file slave.pcm "nothing" file "{pipe}" format "raw" }}
pcm.nothing {{ type null }}
ctl.!default {{ type null }}
"""


def rest_to_words(minutes: float, seed: int) -> Json:
    """Play the simulated table through the recogniser and the referee: seconds of stream time from a total that is
    evident on the table to its words, and milliseconds of the looks that led to words."""
    rules = preset("charity")
    camera = sim_camera(demo_layout(), rules, Script(seed=seed, minutes=minutes), realtime=False)
    looker, table = real_looker(camera.layout), Table(camera.layout, rules)
    said: list[Json] = []
    looked: list[float] = []
    for frame in camera.frames():
        began = time.perf_counter()
        outputs = table.step(looker.look(frame))
        if outputs:
            looked.append((time.perf_counter() - began) * 1000)
        said += [output.to_json() for output in outputs]
    verdict = compare(camera.table.truth(camera.t), said)
    if not verdict.say_delays:
        raise HardwareError("the simulated table said nothing; run railbird doctor")
    return {
        "rest_to_words_s": _spread(verdict.say_delays),
        "look_before_words_ms": _spread(looked),
        "totals_missed": sum(p.kind.startswith("missing total") for p in verdict.problems),
        "totals_wrong": sum(p.kind.startswith("wrong total") for p in verdict.problems),
    }


def words_to_sound() -> Json:
    """Milliseconds from a clip that is asked for to the first sample that a sound device gets."""
    if shutil.which("aplay") is None:
        return {"words_to_sound_ms": None}
    with tempfile.TemporaryDirectory(prefix="railbird-bench-") as name:
        folder = Path(name)
        clips = Clips(find_voice(None), folder)
        for text in PHRASES:
            clips.get(text)
        return {"words_to_sound_ms": _spread([_first_sample(clips, text, folder) for text in PHRASES])}


def _first_sample(clips: Clips, text: str, folder: Path) -> float:
    """Play to a device that is a pipe; its other end sees the first sample come."""
    pipe, settings = folder / "pipe", folder / "asound.conf"
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    settings.write_text(ALSA.format(pipe=pipe))
    came: list[float] = []

    def listen() -> None:
        with pipe.open("rb") as samples:
            while block := samples.read(2):
                came.extend([time.perf_counter()] * (not came and any(block)))

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    before = os.environ.get("ALSA_CONFIG_PATH")
    os.environ["ALSA_CONFIG_PATH"] = str(settings)
    try:
        began = time.perf_counter()
        Player(("aplay",)).play(clips.get(text))
    finally:
        os.environ.pop("ALSA_CONFIG_PATH")
        if before is not None:
            os.environ["ALSA_CONFIG_PATH"] = before
    listener.join(timeout=2.0)
    if not came:
        raise HardwareError("aplay played nothing; try: speaker-test -t wav")
    return (came[0] - began) * 1000


def _spread(values: list[float]) -> list[float]:
    """Median and 95th percentile."""
    ordered = sorted(values)
    return [round(statistics.median(ordered), 3), round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 3)]
