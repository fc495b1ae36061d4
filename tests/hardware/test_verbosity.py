"""How much is said, and when nothing is."""

from datetime import time

import pytest

from hardware.errors import BadInputError
from hardware.speech_queue import Words
from hardware.verbosity import Verbosity
from hardware.voices import Voice, find_voice

TURN = Words("17, Jim?", "total", ("hand", 3, 0), 0.0)
TOTAL = Words("19", "total", ("hand", 3, 0), 0.0)
OTHER = Words("19", "total", ("hand", 4, 0), 0.0)
ALERT = Words("Seat 3 was skipped.", "alert", ("alert skipped-seat", 3, None), 0.0)
TABLE = Words("Place your bets", "phrase", ("phrase", "Place your bets", None), 0.0)
BLIND = Words("I cannot see the table", "phrase", ("phrase", "I cannot see the table", None), 0.0)
ASKED = Words("19", "asked", ("asked", None, None), 0.0)
ALL = (TURN, TOTAL, OTHER, ALERT, TABLE, BLIND, ASKED)


@pytest.mark.parametrize(
    ("verbosity", "said"),
    [
        (Verbosity(), ALL),
        (Verbosity("turns"), (TURN, BLIND, ASKED)),
        (Verbosity("alerts"), (ALERT, BLIND, ASKED)),
        (Verbosity("alerts", {3: "all"}), (TURN, TOTAL, ALERT, BLIND, ASKED)),
        (Verbosity("all", {3: "turns"}), (TURN, OTHER, TABLE, BLIND, ASKED)),
        (Verbosity(quiet=(time(22), time(7)), clock=lambda: time(23, 30)), (ASKED,)),
        (Verbosity(quiet=(time(22), time(7)), clock=lambda: time(7)), ALL),
        (Verbosity(quiet=(time(13), time(15)), clock=lambda: time(14)), (ASKED,)),
        (Verbosity(quiet=(time(13), time(15)), clock=lambda: time(12, 59)), ALL),
    ],
)
def test_what_is_said(verbosity: Verbosity, said: tuple[Words, ...]) -> None:
    assert tuple(words for words in ALL if verbosity.wants(words)) == said


def test_a_voice_for_each_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.voices._is_installed", lambda engine: True)
    assert find_voice(None) == Voice("flite", "slt")
    assert find_voice(None, "de") == Voice("espeak-ng", "de")
    assert find_voice("espeak-ng", "de", 0.9, 1.2) == Voice("espeak-ng", "de", 0.9, 1.2)
    assert find_voice("piper:/a/thorsten.onnx", "de").name == "/a/thorsten.onnx"
    with pytest.raises(BadInputError, match="has no voice for language de; it is espeak-ng"):
        find_voice("flite", "de")
    assert len({Voice("flite", "slt", s, p).folder for s, p in ((1.0, 1.0), (0.9, 1.0), (1.0, 1.1))}) == 3
