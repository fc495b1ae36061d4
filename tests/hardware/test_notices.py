"""Faults of the installation: several at once, the most urgent shown, blindness spoken once each way."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from hardware.catalogue import LANGUAGES, catalogue
from hardware.listeners import CANNOT_SEE, SEE_AGAIN, Spoken
from hardware.notices import FAULTS, Notices
from table_state.output import Output, Say
from table_state.view import TableView


class Mouth:
    """A speaker that keeps what it is to say."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Keep the words."""
        self.said += [o.text for o in outputs if isinstance(o, Say)]

    def close(self, failed: bool = False) -> None:
        """The end."""


def test_the_end_of_one_fault_leaves_the_others_standing(capsys: pytest.CaptureFixture[str]) -> None:
    notices, shown = Notices(), list[str | None]()
    notices.listen(lambda code, text: shown.append(code))
    notices.tell("recording-stopped", "no room")
    notices.tell("camera-lost", "gone")
    notices.tell("camera-lost", "gone")
    notices.end("camera-lost", "back")
    notices.end("camera-lost", "back")
    assert notices.standing == ("recording-stopped",)
    notices.end("recording-stopped", "room")
    assert shown == ["recording-stopped", "camera-lost", "recording-stopped", None]
    assert capsys.readouterr().err.splitlines() == [f"railbird: {t}" for t in ("no room", "gone", "back", "room")]


def test_whoever_listens_late_hears_what_stands() -> None:
    notices, shown = Notices(), list[str | None]()
    notices.listen(lambda code, text: shown.append(code))
    notices.tell("camera-lost", "gone")
    late = list[str | None]()
    notices.listen(lambda code, text: late.append(code))
    assert (shown, late) == (["camera-lost"], ["camera-lost"])


def test_blindness_and_sight_are_spoken_once_each_however_many_faults_there_are() -> None:
    notices, mouth = Notices(), Mouth()
    notices.follow(Spoken(mouth).noticed)  # type: ignore[arg-type]
    notices.tell("recording-stopped", "no room")
    notices.tell("camera-frozen", "stands still")
    notices.tell("camera-lost", "gone")
    notices.end("camera-lost", "back")
    assert mouth.said == [CANNOT_SEE]
    notices.end("camera-frozen", "moves")
    notices.end("recording-stopped", "room")
    assert mouth.said == [CANNOT_SEE, SEE_AGAIN]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_have_a_word_for_every_fault(language: str) -> None:
    words = catalogue(language)
    assert not {f"notice.{code}" for code in FAULTS} - words.keys()
    assert {catalogue()[f"spoken.{key}"] for key in ("cannot-see", "see-again")} == {CANNOT_SEE, SEE_AGAIN}


def test_every_fault_that_the_program_tells_has_its_urgency() -> None:
    source = Path(__file__).parents[2] / "hardware"
    text = "".join(p.read_text() for p in source.rglob("*.py"))
    told = {part.split('"')[1] for verb in ("tell", "end") for part in text.split(f".{verb}(")[1:] if part[0] == '"'}
    assert told <= set(FAULTS), told
