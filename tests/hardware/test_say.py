"""`railbird say`: the voice tried from the command line."""

import shutil
import wave
from pathlib import Path

import pytest

from hardware.cli import main
from hardware.config import Settings
from hardware.speaking import everything, wording_of
from table_state.layout import parse_layout
from tests.hardware.helpers import LAYOUT

needs_flite = pytest.mark.skipif(shutil.which("flite") is None, reason="flite is not installed")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without settings and clips."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def seconds(file: Path) -> float:
    with wave.open(str(file)) as found:
        return found.getnframes() / found.getframerate()


@needs_flite
def test_words_into_a_file_at_another_speed(home: Path) -> None:
    assert main(["say", "17, Jim?", "--voice", "flite", "--output", str(home / "a.wav")]) == 0
    assert main(["say", "17, Jim?", "--voice", "flite", "--speed", "0.5", "--output", str(home / "b.wav")]) == 0
    assert 1.7 < seconds(home / "b.wav") / seconds(home / "a.wav") < 2.3


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_german_is_spoken_by_a_german_voice(home: Path) -> None:
    assert main(["say", "too many", "--language", "de", "--output", str(home / "a.wav")]) == 0
    assert list((home / "railbird/speech").glob("espeak-ng-de*/*.wav"))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["say", " "], "nothing to say"),
        (["say", "21", "--speed", "5"], "--speed"),
        (["say", "21", "--language", "fr"], "--language"),
        (["say", "21", "--voice", "hal"], "no such engine"),
        (["say", "21", "--output", "/no/such/place.wav"], "--output /no/such/place.wav: "),
    ],
)
def test_bad_arguments_are_one_line(arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "--output" in arguments and shutil.which("flite") is None:
        pytest.skip("no voice")
    assert main(arguments) == 2
    out = capsys.readouterr().err
    assert why in out
    assert out.count("\n") == 1


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_everything_is_made_in_advance(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "layout.toml").write_text(LAYOUT)
    few = ["17, Jim?", "Put it right."]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hardware.commands.say.everything", lambda layout, found: few)
        assert main(["say", "--voice", "espeak-ng", "--ahead", str(home / "layout.toml")]) == 0
    assert capsys.readouterr().out == "2 phrases are ready\n"
    assert len(list((home / "railbird/speech").glob("*/*.wav"))) == 2
    assert main(["say", "--ahead", str(home / "none.toml")]) == 2


def test_all_that_is_made_in_advance() -> None:
    found = everything(parse_layout(LAYOUT), Settings(language="de"))
    assert {"17, Jim?", "Platz 1 prüfen", "Berichtigen.", "Platz 1 bekam"} <= set(found)


def test_names_are_spoken_as_layout_and_settings_spell_them() -> None:
    layout = parse_layout(LAYOUT.replace('name = "Jim"', 'name = "Jim"\nspoken = "Gym"'))
    assert wording_of(layout, Settings()).spoken("17, Jim?") == "17, Gym?"
    assert wording_of(layout, Settings(names={"Jim": "Jimm"})).spoken("17, Jim?") == "17, Jimm?"
    assert wording_of(layout, Settings()).shown("17, Jim?") == "17, Jim?"
