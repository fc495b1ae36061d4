"""Whether this machine keeps up with its camera."""

import time
from collections.abc import Callable

from hardware.notices import Notices

WINDOW = 15.0  # seconds over which looks are counted
TOO_FEW, ENOUGH = 3.0, 4.0  # looks a second under which words come noticeably late, and with which they no longer do


class Pace:
    """Counts looks; too few of them for long are told, frames that were dropped for them are lost to nobody."""

    def __init__(self, notices: Notices, clock: Callable[[], float] = time.monotonic) -> None:
        self._notices, self._clock = notices, clock
        self._began: float | None = None
        self._last, self._looks = 0.0, 0

    def looked(self) -> None:
        """One more look was had; seconds in which no frame came at all are not this machine's fault."""
        now = self._clock()
        if self._began is None or now - self._last > WINDOW:
            self._began, self._looks = now, 0
        self._last = now
        self._looks += 1
        gone = now - self._began
        if gone < WINDOW:
            return
        rate = (self._looks - 1) / gone
        if rate < TOO_FEW:
            self._notices.tell("camera-slow", f"only {rate:.1f} looks a second: words come late; end other programs")
        elif rate >= ENOUGH:
            self._notices.end("camera-slow", f"{rate:.0f} looks a second again")
        self._began, self._looks = now, 1
