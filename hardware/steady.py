"""A stream's time from a camera's own stamps, which goes on evenly whatever the clocks do."""

JUMP = 5.0
"""Seconds by which a stamp may go on more or less than this machine's clock did; a camera's clock that jumped is
not followed."""
LEAST = 0.001


class SteadyTime:
    """Adds up the steps between stamps; where there is none to believe, those of this machine's monotonic clock."""

    def __init__(self, start: float = 0.0) -> None:
        self._t, self._start = start, start
        self._stamp: float | None = None
        self._host: float | None = None

    def at(self, stamp: float, host: float) -> float:
        """The stream's time of a frame of `stamp` that came at `host` (s, from any beginning); it only goes on."""
        if self._host is None:
            step = 0.0
        else:
            gone = max(host - self._host, LEAST)
            step = gone if self._stamp is None else stamp - self._stamp
            if step <= 0 or abs(step - gone) > JUMP:
                step = gone
        self._stamp, self._host = stamp, host
        self._t += step
        return round(self._t, 6)

    def restart(self) -> None:
        """Another camera's stamps follow."""
        self._stamp = None
