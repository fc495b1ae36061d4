"""The speaker, first with parts made for the test, then for real through a sound device that is a file."""

import importlib.util
import os
import shutil
import subprocess
import sys
import threading
import time
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hardware.clips import Clips, cache_folder, prune, trim, write_wav
from hardware.errors import BadInputError, HardwareError
from hardware.players import Player, find_player
from hardware.speaker import Speaker
from hardware.voices import EngineHangsError, Voice, find_voice
from table_state.output import Alert, Output, Resolved, Say
from table_state.view import HandView, TableView

VIEW = TableView(0.0, "idle", None, (), HandView(), ())
needs_flite = pytest.mark.skipif(shutil.which("flite") is None, reason="flite is not installed")
needs_aplay = pytest.mark.skipif(shutil.which("aplay") is None, reason="aplay is not installed")


def until(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return condition()


class FakeClips:
    """Names a clip after its words."""

    def __init__(self, error: str = "") -> None:
        self.error, self.made = error, list[str]()
        self.here: set[str] | None = None

    def has(self, text: str) -> bool:
        return self.here is None or text in self.here

    def get(self, text: str, gentle: bool = False) -> Path:
        self.made.append(text)
        if self.error:
            raise HardwareError(self.error)
        return Path(text)


class FakePlayer:
    """A device that takes a while and may be gone."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.here = True
        self.go = threading.Event()
        self.go.set()

    def works(self) -> bool:
        return self.here

    def play(self, clip: Path) -> bool:
        if self.here:
            self.heard.append(str(clip))
            self.go.wait(5)
        return self.here

    def stop(self) -> None:
        self.go.set()


class Desk:
    """A speaker with fake parts and a clock that stands where it is put."""

    def __init__(self, error: str = "", device: bool = True) -> None:
        self.now, self.notices = 100.0, list[str]()
        self.clips, self.player = FakeClips(error), FakePlayer()
        self.player.here = device
        self.speaker = Speaker(
            self.clips, self.player, self.notices.append, clock=lambda: self.now, begun=["Seat 2 was paid"]
        )

    def say(self, *texts: str, seat: int = 2) -> None:
        outputs: list[Output] = [Say(0.0, text, seat, 0, 17) for text in texts]
        self.speaker.publish(VIEW, outputs)


def test_what_waits_is_not_said_in_a_pause() -> None:
    player = FakePlayer()
    player.go.clear()
    speaker = Speaker(FakeClips(), player, lambda text: None)
    speaker.publish(VIEW, [Say(0.0, "17", 1, 0, 17)])
    assert until(lambda: len(player.heard) == 1)
    speaker.publish(VIEW, [Say(0.0, "18", 2, 0, 18), Alert(0.0, "late-bet", 1, None, "Late.")])
    speaker.hush()
    player.go.set()
    assert speaker.wait(5)
    speaker.publish(VIEW, [Say(0.0, "19", 3, 0, 19)])
    assert until(lambda: player.heard == ["17", "19"])
    speaker.close()


def test_words_are_spoken_in_order_while_nobody_waits() -> None:
    desk = Desk()
    desk.player.go.clear()
    desk.say("12, Jim?")
    assert until(lambda: desk.player.heard == ["12, Jim?"])
    began = time.monotonic()
    desk.say("15")
    desk.say("19")
    desk.speaker.publish(VIEW, [Alert(0.0, "late-bet", 3, None, "A late bet.")])
    assert time.monotonic() - began < 0.5
    desk.player.go.set()
    desk.speaker.close()
    assert desk.player.heard == ["12, Jim?", "A late bet.", "19"]


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is lost is looked for all the time."""
    monkeypatch.setattr("hardware.speaker.RETRY", 0.02)


def test_no_device_is_one_notice_and_what_is_fresh_is_spoken_when_it_comes(soon: None) -> None:
    desk = Desk(device=False)
    desk.say("12")
    assert until(lambda: len(desk.notices) == 1)
    desk.say("13")
    desk.say("14")
    desk.say("stale", seat=3)
    desk.now += 60
    desk.say("15")
    desk.player.here = True
    assert until(lambda: desk.player.heard == ["15"])
    desk.speaker.close()
    assert desk.notices[0].startswith("silent: no sound device")
    assert desk.notices[1:] == ["the sound is back"]


def test_words_that_broke_off_with_the_device_are_spoken_when_it_is_back(soon: None) -> None:
    desk = Desk()
    desk.player.go.clear()
    desk.say("12")
    assert until(lambda: desk.player.heard == ["12"])
    desk.player.here = False
    desk.player.go.set()
    assert until(lambda: len(desk.notices) == 1)
    desk.player.here = True
    assert until(lambda: desk.player.heard == ["12", "12"])
    desk.speaker.close()
    assert desk.notices == ["silent: the sound device is gone; plug it in again", "the sound is back"]


def test_a_broken_engine_is_one_notice_and_is_tried_again(soon: None) -> None:
    desk = Desk("flite: cannot speak")
    for n in range(5):
        desk.say(str(n))
        time.sleep(0.02)
    assert desk.notices == ["silent: flite: cannot speak"]
    assert desk.player.heard == []
    desk.clips.error = ""
    assert until(lambda: desk.player.heard == ["4"])
    desk.speaker.close()
    assert desk.notices[1:] == ["the sound is back"]


PAID = "Seat 2 was paid 7 and is due 10. Put it right."


def test_a_long_alert_begins_with_what_is_ready_while_the_rest_is_made() -> None:
    desk = Desk()
    desk.clips.here = {"Seat 2 was paid", "Put it right."}
    desk.speaker.publish(VIEW, [Alert(0.0, "wrong-payout", 2, 0, PAID)])
    assert until(lambda: desk.player.heard == ["Seat 2 was paid", "7 and is due 10.", "Put it right."])
    desk.speaker.close()


def test_an_alert_that_is_mended_while_it_sounds_is_broken_off() -> None:
    desk = Desk()
    desk.clips.here = {"Seat 2 was paid"}
    desk.player.go.clear()
    desk.speaker.publish(VIEW, [Alert(0.0, "wrong-payout", 2, 0, PAID)])
    assert until(lambda: desk.player.heard == ["Seat 2 was paid"])
    desk.speaker.publish(VIEW, [Resolved(0.0, "wrong-payout", 2)])
    desk.player.go.set()
    desk.say("17")
    assert until(lambda: desk.player.heard == ["Seat 2 was paid", "17"])
    desk.speaker.close()


def test_what_a_person_asks_for_is_spoken_next_and_again() -> None:
    desk = Desk()
    desk.player.go.clear()
    desk.say("17")
    assert until(lambda: desk.player.heard == ["17"])
    desk.speaker.publish(VIEW, [Alert(0.0, "late-bet", 3, None, "A late bet.")])
    assert desk.speaker.say("Seat 2 has 17")
    desk.player.go.set()
    assert until(lambda: len(desk.player.heard) == 3)
    desk.speaker.say("Seat 2 has 17")
    assert until(lambda: len(desk.player.heard) == 4)
    desk.speaker.close()
    assert desk.player.heard == ["17", "Seat 2 has 17", "A late bet.", "Seat 2 has 17"]


def test_closing_while_something_hangs_does_not_wait_long() -> None:
    desk = Desk()
    desk.player.go.clear()
    desk.say("12")
    assert until(lambda: desk.player.heard == ["12"])
    began = time.monotonic()
    desk.speaker.close(failed=True)
    assert time.monotonic() - began < 3


def test_trimming_takes_silence_off_and_sets_the_volume(tmp_path: Path) -> None:
    tone = (8000 * np.sin(np.arange(4000) / 5)).astype(np.int16)
    quiet = np.zeros(8000, np.int16)
    write_wav(tmp_path / "a.wav", np.concatenate([quiet, tone, quiet]).tobytes(), 16000)
    trim(tmp_path / "a.wav", volume=0.5)
    with wave.open(str(tmp_path / "a.wav")) as file:
        left = np.frombuffer(file.readframes(10**6), np.int16)
    assert 4000 <= len(left) <= 4000 + 16000 * 0.07
    assert 3900 <= np.abs(left).max() <= 4100


def test_an_unknown_engine_is_a_bad_argument() -> None:
    with pytest.raises(BadInputError, match="no such engine"):
        find_voice("hal:9000")


def test_no_engine_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(HardwareError, match="no speech engine is installed; install one: sudo apt install flite"):
        find_voice(None)
    with pytest.raises(HardwareError, match="apt install alsa-utils"):
        find_player()


def test_an_engine_that_fails_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(HardwareError, match="cannot speak"):
        Voice("no-such-engine", "x").render("12", tmp_path / "a.wav")


def program(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!{sys.executable}\n{text}\n")
    (folder / name).chmod(0o755)


def test_a_player_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", "aplay", "import time; time.sleep(60)")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}")
    monkeypatch.setattr("hardware.players.PATIENCE", 0.3)
    write_wav(tmp_path / "a.wav", bytes(200), 16000)
    began = time.monotonic()
    assert not Player(("aplay",)).play(tmp_path / "a.wav")
    assert time.monotonic() - began < 3


def test_the_second_player_is_tried_where_the_first_is_silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", "aplay", "raise SystemExit(1)")
    program(tmp_path / "bin", "paplay", "")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}")
    player = find_player()
    assert player.works()
    assert player.names[0] == "paplay"


@needs_flite
def test_a_clip_is_made_once(tmp_path: Path) -> None:
    clips = Clips(find_voice("flite"), tmp_path)
    assert not clips.has("17, Jim?")
    first = clips.get("17, Jim?")
    made = first.stat().st_ino
    assert clips.has("17, Jim?")
    assert clips.get("17, Jim?") == first
    assert first.stat().st_ino == made
    assert [p for p in first.parent.iterdir() if p != first] == []


def test_an_engine_that_hangs_is_ended_and_started_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_wav(tmp_path / "tone.wav", (np.ones(8000) * 9000).astype(np.int16).tobytes(), 16000)
    hangs = f"""import os, shutil, sys, time
if not os.path.exists("{tmp_path}/once"):
    open("{tmp_path}/once", "w").close()
    time.sleep(60)
shutil.copy("{tmp_path}/tone.wav", sys.argv[-1])"""
    program(tmp_path / "bin", "flite", hangs)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}")
    monkeypatch.setattr("hardware.voices.PATIENCE", {"flite": 1.0})
    notices: list[str] = []
    clips = Clips(Voice("flite", "slt"), tmp_path / "clips", notice=notices.append)
    assert clips.get("21").stat().st_size > 1000
    assert notices == ["flite hung and was started anew"]
    program(tmp_path / "bin", "flite", "import time; time.sleep(60)")
    monkeypatch.setattr("hardware.voices.PATIENCE", {"flite": 0.2})
    with pytest.raises(EngineHangsError, match=r"flite: no answer in 0.2 s"):
        clips.get("22")


def test_the_least_used_clips_go_when_the_cache_grows_too_large(tmp_path: Path) -> None:
    for n, name in enumerate(("a", "b", "c")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.wav").write_bytes(bytes(100))
        os.utime(tmp_path / name / "x.wav", (n, n))
    prune(tmp_path, 200)
    assert sorted(p.parent.name for p in tmp_path.glob("*/*.wav")) == ["b", "c"]


@needs_flite
def test_a_home_that_cannot_be_written_does_not_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert cache_folder() == tmp_path / "file" / "railbird" / "speech"
    assert Clips(find_voice("flite")).get("21").exists()


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_the_other_engine_speaks_too(tmp_path: Path) -> None:
    assert Clips(find_voice("espeak-ng"), tmp_path).get("21").stat().st_size > 4000


@pytest.fixture
def sound_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sound device that writes what it plays to a file."""
    heard = tmp_path / "heard.raw"
    (tmp_path / "asound.conf").write_text(
        f'pcm.!default {{ type plug slave {{ pcm "file" rate 16000 channels 1 format S16_LE }} }}\n'
        f'pcm.file {{ type file slave.pcm "null" file "| cat >> {heard}" format "raw" }}\n'
        "pcm.null { type null }\nctl.!default { type null }\n"
    )
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(tmp_path / "asound.conf"))
    return heard


@needs_flite
@needs_aplay
def test_from_words_to_samples_of_a_sound_device(tmp_path: Path, sound_card: Path) -> None:
    notices: list[str] = []
    delays: list[float] = []
    clips = Clips(find_voice("flite"), tmp_path)
    phrases = ["17, Jim?", "The dealer has 7 or 17", "Blackjack!"]
    for text in phrases:
        clips.get(text)
    speaker = Speaker(
        clips, find_player(), notices.append, started=lambda words, t: delays.append(t - words.t), clock=time.monotonic
    )
    for n, text in enumerate(phrases):
        speaker.publish(VIEW, [Say(0.0, text, n, 0, 17)])
    speaker.close()
    assert notices == []
    samples = np.fromfile(sound_card, np.int16)
    spoken = np.concatenate([_samples(clips.get(text)) for text in phrases])
    assert len(spoken) <= len(samples)
    assert np.array_equal(samples[np.abs(samples) > 0], spoken[np.abs(spoken) > 0])
    assert len(delays) == 3
    assert delays[0] < 2.0  # a loaded machine; `railbird bench` measures


def _samples(clip: Path) -> np.ndarray:
    with wave.open(str(clip)) as file:
        return np.frombuffer(file.readframes(10**7), np.int16)


@needs_aplay
def test_a_machine_without_a_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "asound.conf").write_text("pcm.!default { type hw card 31 }\n")
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(tmp_path / "asound.conf"))
    assert not Player(("aplay",)).works()
    assert subprocess.run(["aplay", "-q", "/dev/zero"], capture_output=True, timeout=10).returncode != 0


def test_an_engine_that_is_not_installed_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(HardwareError, match="espeak-ng is not installed; sudo apt install espeak-ng"):
        find_voice("espeak-ng")
    with pytest.raises(HardwareError, match=r"piper is not installed; install it: .*\[natural\]"):
        find_voice("piper")


@pytest.mark.skipif(importlib.util.find_spec("piper") is None, reason="the natural voice is not installed")
def test_the_natural_voice_speaks(tmp_path: Path) -> None:
    assert Clips(find_voice("piper"), tmp_path).get("21").stat().st_size > 4000
