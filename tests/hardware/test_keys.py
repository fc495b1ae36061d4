"""Keys: their names, the devices they are read from, and what they make the speaker say."""

import os
import sys
import types
from pathlib import Path

import pytest

from hardware.errors import HardwareError
from hardware.key_reader import EVENT, Buttons, KeyReader
from hardware.keys import ACTIONS, KEYS, USUAL, by_browser, by_code, by_pin, is_key, mapping
from hardware.speaker import Speaker
from hardware.talk import Talk
from hardware.wording import Wording
from table_state.observation import Correction
from table_state.output import Alert, Say
from table_state.view import HandView, SeatView, TableView
from tests.hardware.test_speaker import FakeClips, FakePlayer, until

JIM = SeatView(1, "Jim", "5", (HandView(("8s", "9h"), 17, False, "17", "turn", False),))
SPLIT = SeatView(
    3,
    "",
    "5",
    (
        HandView(("Ac", "2d"), 13, True, "3 or 13", "waiting", False),
        HandView(("8s", "??"), None, False, "", "waiting", True),
    ),
)
NOBODY = SeatView(4, "", None, ())
DEALER = HandView(("Ts", "??"), 10, False, "10", "waiting", False)
LATE = Alert(1.0, "late-bet", 3, None, "Seat 3 bet after the first card. The bet is not in this round; move it back.")
SKIPPED = Alert(2.0, "skipped-seat", 1, None, "Seat 1 has a bet and was passed over in the deal.")
VIEW = TableView(5.0, "play", (1, 0), (JIM, SPLIT, NOBODY), DEALER, (SKIPPED, LATE))


class Voice:
    """Keeps what it shall say."""

    def __init__(self) -> None:
        self.last: str | None = None
        self.said: list[str] = []

    def say(self, text: str) -> bool:
        self.said.append(text)
        return True


class Table:
    """A table whose keys are pressed."""

    def __init__(self, my_seat: int | None = None) -> None:
        self.corrections: list[Correction] = []
        self.now, self.voice = 100.0, Voice()
        self.talk = Talk(self.corrections.append, my_seat, clock=lambda: self.now)
        self.talk.speaker = self.voice
        self.talk.see(VIEW)

    def press(self, action: str) -> str:
        self.now += 1
        assert self.talk.press(action)
        return self.voice.said[-1]


def test_what_the_keys_answer() -> None:
    table = Table()
    assert table.press("repeat") == "Nothing was said yet"
    table.voice.last = "17, Jim?"
    assert table.press("repeat") == "17, Jim?"
    assert table.press("my-hand") == "Seat 1 has 17."
    assert table.press("dealer") == "The dealer shows Ts"
    assert table.press("next") == "Next: seat 3"
    assert Table(3).press("my-hand") == "Seat 3 has 3 or 13. Seat 3: not sure."
    assert Table(4).press("my-hand") == "Seat 4 has no cards"
    table.talk.see(TableView(6.0, "dealer", (0, 0), (JIM, NOBODY), HandView(), ()))
    assert table.press("my-hand") == "Seat 1 has 17."
    assert table.press("next") == "It is nobody's turn"
    assert table.press("dealer") == "The dealer has no cards"
    table.talk.see(TableView(6.0, "play", (1, 0), (JIM, NOBODY), DEALER, ()))
    assert table.press("next") == "Next: the dealer"
    assert table.press("right") == "There is no mistake to take back"


@pytest.mark.parametrize(
    ("said", "german"),
    [
        ("Seat 3 has 3 or 13. Seat 3: not sure.", "Platz 3 hat 3 oder 13. Platz 3: nicht sicher."),
        ("The dealer shows Ts, 8h", "Der Geber zeigt Pik Zehn, Herz Acht"),
        ("Next: seat 3", "Als Nächstes: Platz 3"),
        ("Next: the dealer", "Als Nächstes: der Geber"),
    ],
)
def test_the_answers_in_german(said: str, german: str) -> None:
    assert Wording("de").spoken(said) == german


def test_that_was_right_takes_the_newest_alert_back() -> None:
    table = Table()
    assert table.press("right") == "Taken back: that was right"
    assert table.corrections == [Correction(t=5.0, kind="not-a-mistake", alert="skipped-seat", seat=1)]


def test_a_key_that_bounces_is_pressed_once_and_an_unknown_action_is_none() -> None:
    table = Table()
    table.press("repeat")
    table.now += 0.1
    assert table.talk.press("repeat")
    assert len(table.voice.said) == 1
    with pytest.raises(ValueError, match="sing"):
        table.talk.press("sing")
    assert Talk(table.corrections.append).test() is False


def test_the_last_words_are_those_that_sounded() -> None:
    player = FakePlayer()
    speaker = Speaker(FakeClips(), player, print)
    speaker.publish(VIEW, [Say(0.0, "17, Jim?", 1, 0, 17)])
    assert until(lambda: speaker.last == "17, Jim?")
    speaker.say("Nothing was said yet")
    assert until(lambda: len(player.heard) == 2)
    assert speaker.last == "17, Jim?"
    speaker.close()


def test_names_of_keys() -> None:
    assert len({key.code for key in KEYS.values()}) == len({key.browser for key in KEYS.values()}) == len(KEYS)
    assert set(USUAL.values()) == set(ACTIONS)
    assert [is_key(name) for name in ("pagedown", "kp-0", "gpio17", "gpio28", "hyper")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    found = mapping({"pagedown": "nothing", "b": "right", "gpio4": "repeat"})
    assert "pagedown" not in found
    assert by_code(found)[48] == "right"
    assert by_browser(found)["KeyB"] == "right"
    assert by_pin(found) == {4: "repeat"}


def event(code: int, value: int = 1, kind: int = 1) -> bytes:
    return EVENT.pack(0, 0, kind, code, value)


def test_keys_are_read_from_devices_that_come_and_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.key_reader.AGAIN", 0.02)
    pressed: list[str] = []
    reader = KeyReader({109: "repeat", 104: "my-hand"}, pressed.append, tmp_path)
    for name in ("event3", "event12"):
        os.mkfifo(tmp_path / name)
    assert until(lambda: reader.devices == 2)
    pad = os.open(tmp_path / "event3", os.O_WRONLY)
    os.write(pad, event(109) + event(109, 0) + event(109, 2) + event(0, 0, 0) + event(30))
    assert until(lambda: pressed == ["repeat"])
    os.write(pad, event(104)[:10])
    os.write(pad, event(104)[10:])
    assert until(lambda: pressed == ["repeat", "my-hand"])
    os.close(pad)
    (tmp_path / "event3").unlink()
    assert until(lambda: reader.devices == 1)
    reader.close()
    assert not reader.refused


def test_a_machine_without_input_devices(tmp_path: Path) -> None:
    reader = KeyReader({}, print, tmp_path / "none")
    assert (reader.devices, reader.refused) == (0, False)
    reader.close()


class Button:
    """A button as gpiozero has it."""

    made: list["Button"] = []  # noqa: RUF012

    def __init__(self, pin: int, bounce_time: float) -> None:
        if pin == 5:
            raise OSError("no pins here")
        self.pin, self.closed = pin, False
        self.when_pressed = lambda: None
        self.made.append(self)

    def close(self) -> None:
        self.closed = True


def test_gpio_buttons(monkeypatch: pytest.MonkeyPatch) -> None:
    pressed: list[str] = []
    monkeypatch.setitem(sys.modules, "gpiozero", types.SimpleNamespace(Button=Button))
    buttons = Buttons({17: "repeat", 27: "dealer"}, pressed.append)
    Button.made[1].when_pressed()
    assert pressed == ["dealer"]
    buttons.close()
    assert all(button.closed for button in Button.made)
    with pytest.raises(HardwareError, match=r"no GPIO button can be read here \(no pins here\)"):
        Buttons({5: "repeat"}, pressed.append)
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    with pytest.raises(HardwareError, match="buttons need gpiozero"):
        Buttons({17: "repeat"}, pressed.append)
