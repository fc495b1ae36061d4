"""As a service of systemd: says when it is ready, and feeds the watchdog with frames that were truly looked at."""

import os
import socket
import time
from collections.abc import Callable, Mapping, Sequence

from hardware.app import Listener
from table_state.observation import Observation
from table_state.table import Output, TableView
from vision.frame import Frame


class Service(Listener):
    """Tells systemd of the first look, of looks from time to time after it, and of the end."""

    def __init__(self, address: str, every: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`address`: the notification socket; `every`: seconds between two signs of life."""
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._every, self._clock = every, clock
        self._last: float | None = None
        self._status = ""

    def observe(self, frame: Frame, observation: Observation) -> None:
        """A frame was looked at."""
        self._live("watching the table")

    def waits(self) -> None:
        """Nothing can be seen, which is known: to start anew would not plug in a camera or switch on a light."""
        self._live("waiting: the table cannot be seen")

    def _live(self, status: str) -> None:
        now = self._clock()
        if self._last is None:
            self._tell(f"READY=1\nSTATUS={status}")
        elif now - self._last < self._every and status == self._status:
            return
        elif status != self._status:
            self._tell(f"STATUS={status}")
        self._tell("WATCHDOG=1")
        self._last, self._status = now, status

    def alive(self) -> None:
        """All is well, though nothing is looked at: the dealer has switched the camera off."""
        self._tell("WATCHDOG=1")

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """What is said is no sign of life: an empty table is silent."""

    def close(self, failed: bool) -> None:
        """The end."""
        self._tell("STOPPING=1")

    def _tell(self, text: str) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            out.setblocking(False)
            try:
                out.sendto(text.encode(), self._address)
            except OSError:
                return  # systemd does not listen; without a sign of life it restarts us, which is right


def service(environment: Mapping[str, str] = os.environ) -> Service | None:
    """The listener for systemd where it started this program, else None."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return None
    limit = environment.get("WATCHDOG_USEC", "")
    return Service(address, int(limit) / 1e6 / 3 if limit.isdecimal() else 10.0)
