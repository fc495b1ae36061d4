"""Pause and the camera's switch."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hardware.app import compose
from hardware.control import Control, Quiet
from hardware.errors import HardwareError
from hardware.notices import Notices
from hardware.switched import Switched
from table_state.output import Alert, Event, Output, Resolved, Say
from table_state.rules import preset
from table_state.view import HandView, TableView
from tests.hardware.helpers import Looks, Played, Referee, frame, layout
from vision.frame import Frame


def alert(code: str) -> Alert:
    return Alert(1.0, code, 1, None, "words")


def view(*alerts: Alert) -> TableView:
    return TableView(1.0, "play", None, (), HandView(), alerts)


def told(quiet: Quiet, standing: TableView, *outputs: Output) -> tuple[list[str], list[str]]:
    shown, said = quiet.heard(standing, outputs)
    return [a.code for a in shown.alerts], [type(o).__name__ for o in said]


def test_nothing_is_said_or_alerted_in_a_pause_and_the_rest_goes_on() -> None:
    control = Control()
    quiet = Quiet(control)
    assert told(quiet, view(alert("a")), alert("a")) == (["a"], ["Alert"])
    control.pause(True)
    both = view(alert("a"), alert("b"))
    assert told(quiet, both, Say(1.0, "20"), alert("b"), alert("a"), Event(1.0, "card")) == ([], ["Event"])
    control.pause(False)
    assert told(quiet, both, Say(1.0, "20"), alert("b")) == (["a"], ["Say"])
    assert told(quiet, view(), Resolved(2.0, "a", 1), Resolved(2.0, "b", 1)) == ([], ["Resolved"])
    assert told(quiet, view(alert("b")), alert("b")) == (["b"], ["Alert"])


def test_names_reach_the_referee_at_once() -> None:
    control, referee = Control(), Referee()
    app = compose(
        "images:none",
        layout(),
        preset("charity"),
        control=control,
        camera=Played([]),
        looker=lambda seen: Looks(),
        table=lambda seen, rules: referee,
    )
    control.rename({1: "Bo"})
    assert app.table.layout.seats[0].name == "Bo"
    assert app.layout.seats[0].name == "Jim"


class Device(Played):
    """A camera that is switched while it plays: `at` frame -> what is done before it is given."""

    def __init__(self, frames: list[Frame], at: dict[int, Callable[[], None]]) -> None:
        super().__init__(frames)
        self._at, self.given = at, 0

    def frames(self) -> Iterator[Frame]:
        """The frames until it is closed."""
        for n, one in enumerate(self._frames):
            self._at.get(n, lambda: None)()
            if self.closed:
                return
            self.given += 1
            yield one


def times(switched: Switched) -> list[float]:
    return [one.t for one in switched.frames()]


def test_a_real_camera_is_let_go_of_and_opened_again() -> None:
    control, opened = Control(), []
    now = iter([100.0, 107.5, 110.0])
    first = Device([frame(0.0), frame(0.1), frame(0.2)], {1: lambda: control.camera(False)})
    tries = iter([HardwareError("usb:0: no camera answers"), Played([frame(0.0), frame(0.1)])])
    notices, heard = Notices(), []
    notices.listen(lambda code, text: heard.append(code))

    def reopen() -> Any:
        opened.append(first.closed)
        found = next(tries)
        if isinstance(found, HardwareError):
            raise found
        return found

    control.while_off(lambda: control.camera(True))
    switched = Switched(first, control, reopen, notices, clock=lambda: next(now), sleep=lambda seconds: None)
    assert times(switched) == [0.0, 7.5, 7.6]
    assert opened == [1, 1]
    assert heard == ["camera-lost", None]


def test_a_file_only_stands_still() -> None:
    control = Control()
    control.while_off(lambda: control.camera(True))
    device = Device([frame(n / 10) for n in range(4)], {1: lambda: control.camera(False)})
    assert times(Switched(device, control)) == [0.0, 0.2, 0.3]
    assert device.closed == 0


@pytest.mark.parametrize("live", [True, False])
def test_the_program_ends_while_the_camera_is_off(live: bool) -> None:
    control, waits = Control(), threading.Event()
    control.while_off(waits.set)
    device = Device([frame(0.0)] * 9, {1: lambda: control.camera(False)})
    switched = Switched(device, control, (lambda: Played([])) if live else None)
    thread = threading.Thread(target=times, args=(switched,))
    thread.start()
    assert waits.wait(5)
    switched.close()
    thread.join(5)
    assert not thread.is_alive()
