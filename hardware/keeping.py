"""A recording that outlives a full disk: what cannot be kept is missing from it, and the game goes on."""

from collections.abc import Callable

from hardware.errors import BadInputError, HardwareError
from hardware.notices import Notices
from hardware.recording import Recorder
from table_state.observation import Correction, Observation
from vision.frame import Frame

RETRY = 5.0  # seconds of the table between two tries to write again


class Keeping:
    """Records as long as it can; a failure is a notice and no end."""

    def __init__(self, recorder: Recorder, notices: Notices) -> None:
        self._recorder, self._notices = recorder, notices
        self._failed_at: float | None = None

    def look(self, frame: Frame, observation: Observation) -> None:
        """Keep one look. Raises BadInputError where the frame itself is bad."""
        self._try(frame.t, lambda: self._recorder.look(frame, observation))

    def correction(self, correction: Correction) -> None:
        """Keep a person's correction."""
        self._try(correction.t, lambda: self._recorder.correction(correction))

    def _try(self, t: float, keep: Callable[[], None]) -> None:
        if self._failed_at is not None and 0 <= t - self._failed_at < RETRY:
            return
        try:
            keep()
        except BadInputError:
            raise
        except HardwareError as error:
            self._notices.tell("recording-stopped", f"the recording stands still: {error}")
            self._failed_at = t
            return
        if self._failed_at is not None:
            self._failed_at = None
            self._notices.end("recording-stopped", "the recording goes on")

    def close(self) -> None:
        """End the recording; what a full disk still holds back is lost."""
        try:
            self._recorder.close()
        except OSError as error:
            self._notices.tell("recording-stopped", f"the end of the recording is lost: {error}")

    def discard(self) -> None:
        """Take back what was written."""
        self._recorder.discard()
