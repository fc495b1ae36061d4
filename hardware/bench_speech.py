"""How long it takes from the moment a card lies still to the first sample of speech."""

import os
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hardware.app import real_looker
from hardware.clips import Clips
from hardware.commands.demo import demo_layout
from hardware.errors import HardwareError
from hardware.notices import say
from hardware.players import Player
from hardware.simulator.camera import Script, sim_camera
from hardware.simulator.compare import compare
from hardware.speaker import Speaker
from hardware.voices import find_voice
from hardware.wording import Wording, beginnings, phrases, sentences
from table_state.output import Alert, Say
from table_state.rules import preset
from table_state.table import Table
from table_state.view import HandView, TableView

Json = dict[str, Any]
ENGINES = ("flite", "espeak-ng")
SEATS = range(1, 6)
SAID = ("17, seat 3?", "3 or 13", "21", "too many", "The dealer has 12", "Dealer breaks", "12, seat 5?", "check seat 4")
TOLD = (
    "Seat 2 has a bet and was passed over in the deal. Stop the deal and move the cards on.",
    "Seat 3 was paid 12.5 and is due 15. Put it right.",
    "Seat 4 bets 250; the limit is 100. Make it 100.",
    "The bet of seat 1 was changed after the first card. Put it back to 35.",
    "Seat 5 may not double so: the double is more than the bet of 45. Give the stake back.",
    "Seat 2 may not split: 8s and Td are no pair. Put the cards back together and return the bet.",
    "There are more Ts than 6 decks hold. Stop and check the cards.",
    "The dealer has 6 or 16 and must draw. Take the payment back and draw first.",
    "The hand of seat 3 has 14 and was taken. Give cards and bet back.",
    "Insurance is closed. Seat 4 takes the bet back.",
    "Seat 2 may insure for 22.5 at most. Make the insurance bet smaller.",
    "The hole card was exposed. Leave it; each player may fold and keep the bet, or play on.",
)
OUTPUTS: tuple[Say | Alert, ...] = (
    *(Say(0.0, text, 100 + n, 0, None) for n, text in enumerate(SAID)),
    *(Alert(0.0, "bench", n, None, text) for n, text in enumerate(TOLD)),
)
NOTHING = TableView(0.0, "idle", None, (), HandView(), ())
LONGEST, SILENCE = 20.0, 0.1  # seconds: the longest words, and what passes between two
END = b"\xffend of the pipe"
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


def words_to_sound(engine: str | None = None, ahead: bool = True) -> Json:
    """Milliseconds from words that are published to the first sample that a sound device gets, for each phrase.

    `ahead`: with what a table makes in advance; without it the cache is empty, as in the first minute of all.
    """
    voice = find_voice(engine)
    with tempfile.TemporaryDirectory(prefix="railbird-bench-") as name, _ear(Path(name)) as ear:
        clips, wording, seats = Clips(voice, Path(name) / "clips"), Wording(), [(n, "") for n in SEATS]
        begun = set(beginnings(wording, seats))
        if ahead:
            for text in {*phrases(wording, seats), *begun} & _parts():
                clips.get(text)
        speaker = Speaker(clips, Player(("aplay",)), say, wording=wording, begun=begun, clock=time.perf_counter)
        took = [_first_sample(speaker, ear, output) for output in OUTPUTS]
        speaker.close()
    return {"ms": took}


def speech_figures() -> Json:
    """Median and 95th percentile of `words_to_sound` for each small engine that is installed; None without a player."""
    if shutil.which("aplay") is None:
        return {"words_to_sound_ms": None}
    found: Json = {}
    for engine in ENGINES:
        if shutil.which(engine) is not None:
            found[f"words_to_sound_ms_{engine}"] = _spread(words_to_sound(engine)["ms"])
            found[f"first_words_to_sound_ms_{engine}"] = _spread(words_to_sound(engine, ahead=False)["ms"])
    return found


def _parts() -> set[str]:
    """Every text, sentence and beginning of the phrases that are measured: no more has to be made in advance."""
    found: set[str] = set()
    for output in OUTPUTS:
        found.add(output.text)
        for sentence in sentences(output.text):
            words = sentence.split(" ")
            found |= {" ".join(words[:n]) for n in range(1, len(words) + 1)}
    return found


class Ear:
    """The far end of a sound device that is a pipe: notes when samples come that are not silence."""

    def __init__(self, pipe: Path) -> None:
        os.mkfifo(pipe)
        self._end = os.open(pipe, os.O_RDWR)  # for writing, too: so there is no end of file between two players
        self.came: list[float] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while block := os.read(self._end, 4096):
            if any(block):
                self.came.append(time.perf_counter())
            if block.endswith(END):
                return

    def first(self, since: float) -> float | None:
        """When the first sample came after a time, None where none did."""
        return next((t for t in self.came if t > since), None)

    def close(self) -> None:
        """Stop listening."""
        os.write(self._end, END)


@contextmanager
def _ear(folder: Path) -> Iterator[Ear]:
    """A sound device that somebody listens to, the only one while it is there."""
    settings, before = folder / "asound.conf", os.environ.get("ALSA_CONFIG_PATH")
    ear = Ear(folder / "pipe")
    settings.write_text(ALSA.format(pipe=folder / "pipe"))
    os.environ["ALSA_CONFIG_PATH"] = str(settings)
    try:
        yield ear
    finally:
        ear.close()
        os.environ.pop("ALSA_CONFIG_PATH")
        if before is not None:
            os.environ["ALSA_CONFIG_PATH"] = before


def _first_sample(speaker: Speaker, ear: Ear, output: Say | Alert) -> float:
    began = time.perf_counter()
    speaker.publish(NOTHING, [output])
    speaker.wait(LONGEST)
    time.sleep(SILENCE)  # what is still in the pipe
    came = ear.first(began)
    if came is None:
        raise HardwareError("aplay played nothing; try: speaker-test -t wav")
    return (came - began) * 1000


def _spread(values: list[float]) -> list[float]:
    """Median and 95th percentile."""
    ordered = sorted(values)
    return [round(statistics.median(ordered), 3), round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 3)]
