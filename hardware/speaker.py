"""The speaker: says the referee's words aloud, in a thread of its own, so that nobody waits for it."""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from hardware.errors import HardwareError
from hardware.players import NO_DEVICE
from hardware.speech_queue import SpeechQueue, Words
from table_state.table import Output, TableView

RETRY = 10.0  # seconds between two tries to find a lost sound device
LAST_WORDS = 6.0  # seconds that the end of a source waits for what is still to be said


class MakesClips(Protocol):
    """`hardware.clips.Clips` is the real one."""

    def get(self, text: str, gentle: bool = False) -> Path:
        """The clip of a phrase. Raises HardwareError."""
        ...


class PlaysClips(Protocol):
    """`hardware.players.Player` is the real one."""

    def play(self, clip: Path) -> bool:
        """Play a clip to its end; False where that did not work."""
        ...

    def works(self) -> bool:
        """Whether anything can be heard."""
        ...

    def stop(self) -> None:
        """Fall silent at once."""
        ...


class Speaker:
    """Speaks what is published, the newest and most urgent first; silent, with one notice, while it has no device."""

    def __init__(
        self,
        clips: MakesClips,
        player: PlaysClips,
        notice: Callable[[str], None],
        prepare: Iterable[str] = (),
        clock: Callable[[], float] = time.monotonic,
        started: Callable[[Words, float], None] = lambda words, t: None,
    ) -> None:
        """`prepare`: phrases to make clips of in advance; `started` hears of each phrase as it begins to sound."""
        self._clips, self._player, self._notice = clips, player, notice
        self._clock, self._started = clock, started
        self._queue = SpeechQueue()
        self._changed = threading.Condition()
        self._busy = False
        self._closed = False
        self._lost_at: float | None = None
        self._thread = threading.Thread(target=self._speak, name="speaker", daemon=True)
        self._preparing = threading.Thread(target=self._prepare, args=(tuple(prepare),), name="clips", daemon=True)
        self._thread.start()
        self._preparing.start()

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Let what was said wait to be spoken."""
        if not outputs:
            return
        with self._changed:
            for output in outputs:
                self._queue.hear(output, self._clock())
            self._changed.notify_all()

    def close(self, failed: bool = False) -> None:
        """Say what is still fresh, then end; after a failure end at once."""
        with self._changed:
            if not failed:
                self._changed.wait_for(self._is_done, timeout=LAST_WORDS)
            self._closed = True
            self._changed.notify_all()
        self._player.stop()
        self._thread.join(timeout=2.0)
        self._preparing.join(timeout=2.0)

    def _is_done(self) -> bool:
        return self._lost_at is not None or not (self._busy or self._queue.waiting)

    def _speak(self) -> None:
        if not self._player.works():
            self._lose(NO_DEVICE)
        while (words := self._next()) is not None:
            if self._may_be_heard():
                self._say(words)
            with self._changed:
                self._busy = False
                self._changed.notify_all()

    def _next(self) -> Words | None:
        with self._changed:
            while not self._closed:
                words = self._queue.take(self._clock())
                if words is not None:
                    self._busy = True
                    return words
                self._changed.notify_all()
                self._changed.wait()
        return None

    def _say(self, words: Words) -> None:
        try:
            clip = self._clips.get(words.text)
        except HardwareError as error:
            self._lose(str(error))
            return
        self._started(words, self._clock())
        if not self._player.play(clip) and not self._closed:
            self._lose("the sound device is gone; plug it in again")

    def _lose(self, why: str) -> None:
        if self._lost_at is None:
            self._notice(f"silent: {why}")
        self._lost_at = self._clock()

    def _may_be_heard(self) -> bool:
        if self._lost_at is None:
            return True
        if self._clock() - self._lost_at < RETRY:
            return False
        if not self._player.works():
            self._lost_at = self._clock()
            return False
        self._lost_at = None
        self._notice("the sound is back")
        return True

    def _prepare(self, phrases: tuple[str, ...]) -> None:
        for text in phrases:
            if self._closed or self._lost_at is not None:
                return
            try:
                self._clips.get(text, gentle=True)
            except HardwareError:
                return  # the speaker meets the same fault and says so
