"""The display as a listener: what the pages show, and what people correct there."""

from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress

import cv2

from hardware.app import Corrections, Listener
from hardware.config import Settings
from hardware.control import Control
from hardware.counts import Counts
from hardware.errors import BadInputError, HardwareError
from hardware.history import History
from hardware.metrics import Metrics
from hardware.notices import Notices, say
from hardware.replay import Replay
from hardware.state import kept, link_secret, state_folder
from hardware.web.asked import Asked
from hardware.web.auth import make_code
from hardware.web.desk import Desk
from hardware.web.errors import PortInUseError, WebError
from hardware.web.server import WebDisplay
from hardware.web.veil import veiled
from hardware.web.words import chosen
from hardware.wording import Wording
from table_state.layout import Layout
from table_state.observation import Correction, Observation
from table_state.table import Output, TableView
from vision.frame import Frame

KEPT_BYTES, PASSING_BYTES = 200_000_000, 30_000_000
"""Pictures of alerts at most: on the disk for the next evenings, or in memory for this one."""


class Shown(Listener):
    """Hands on to the display and the dealer's console."""

    def __init__(
        self,
        layout: Layout,
        corrections: Corrections,
        host: str,
        port: int,
        code: str,
        counts: Counts | None = None,
        desk: Desk | None = None,
        asked: Asked | None = None,
    ) -> None:
        self._layout = layout
        self._seen: tuple[Frame, Observation] | None = None
        self._view: TableView | None = None
        self._corrections = corrections
        self._asked: dict[int, Future[bool]] = {}
        self._control = desk.control if desk else Control()
        # The history first: a replay's pictures belong to an alert that is written already.
        self._kept: list[Listener] = [part for part in (desk.history, desk.replay) if part] if desk else []
        self.display = WebDisplay(
            layout,
            host=host,
            port=port,
            dealer_code=code,
            on_correction=self._ask,
            picture=self._picture,
            link_secret=link_secret(),
            metrics=Metrics(counts).text if counts is not None else None,
            desk=desk,
            asked=asked,
        )
        if counts is not None:
            counts.asked |= {"streams": lambda: self.display.streams, "connections": lambda: self.display.connections}
        try:
            self.display.start()
        except PortInUseError as error:
            raise HardwareError(str(error)) from None
        except WebError as error:
            self.close(True)
            raise BadInputError(str(error)) from None
        self._control.listen(self._switched)

    def _switched(self) -> None:
        self.display.switched(self._control.paused, self._control.camera_on, self._control.layout)

    def observe(self, frame: Frame, observation: Observation) -> None:
        """Keep what the console may ask for."""
        self._seen = frame, observation
        self.display.observe(observation)
        for part in self._kept:
            part.observe(frame, observation)

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Show the newest state."""
        self._view = view
        self.display.publish(view, outputs)
        wording = Wording(chosen())
        told = [wording.output(output) for output in outputs]
        for part in self._kept:
            part.publish(view, told)

    def answer(self, correction: Correction, applied: bool) -> None:
        """Tell whoever asked for a correction what became of it."""
        for part in self._kept:
            part.answer(correction, applied)
        asked = self._asked.pop(id(correction), None)
        if asked is not None:
            with suppress(InvalidStateError):  # nobody waits any more
                asked.set_result(applied)

    def _ask(self, correction: Correction) -> "Future[bool]":
        asked = self._asked[id(correction)] = Future()  # the queue holds the correction: its id is no other's
        self._corrections.put(correction)
        return asked

    def close(self, failed: bool) -> None:
        """Close the port, then put away what is kept; the replay first, it may still have pictures of an alert."""
        self.display.stop()
        for part in reversed(self._kept):
            part.close(failed)

    def _picture(self) -> bytes | None:
        if self._seen is None or not self._control.camera_on:
            return None
        frame, observation = self._seen
        image = veiled(frame.image, self._layout, self._view, observation)
        if image is None:
            return None
        done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])
        return data.tobytes() if done else None


def desk_of(layout: Layout, settings: Settings, control: Control, keep: bool) -> Desk:
    """What the console steers; with `keep` the evenings go into the state folder, else they end with the program."""
    history = None
    if settings.keep_days:
        path = (state_folder() / "history.sqlite3").absolute() if keep else None
        history = History(path, settings.keep_days, KEPT_BYTES if keep else PASSING_BYTES)
    replay = Replay(layout, history.pictures) if history is not None else Replay(layout)
    return Desk(control, replay, history, settings.keep_days)


def shown(
    layout: Layout,
    corrections: Corrections,
    settings: Settings,
    notices: Notices,
    counts: Counts | None = None,
    desk: Desk | None = None,
    asked: Asked | None = None,
) -> Shown:
    """The display, its addresses said. Raises HardwareError where its port cannot be had."""
    code = kept("dealer-code", make_code)
    listener = Shown(layout, corrections, settings.host, settings.port, code, counts, desk, asked)
    url = listener.display.url
    notices.listen(lambda standing, text: listener.display.notice(standing))
    say(f"the table is shown at {url} (the dealer's console: {url}/dealer, code {code})")
    return listener
