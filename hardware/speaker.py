"""The speaker: says the referee's words aloud, in a thread of its own, so that nobody waits for it."""

import queue
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from hardware.errors import HardwareError
from hardware.players import NO_DEVICE
from hardware.speech_queue import SpeechQueue, Words
from hardware.wording import Wording, pieces
from table_state.table import Output, TableView

RETRY = 2.0  # seconds to the first try to find a lost sound device; then twice as long each time
RETRY_MOST = 30.0  # seconds between two such tries
LAST_WORDS = 6.0  # seconds that the end of a source waits for what is still to be said


class MakesClips(Protocol):
    """`hardware.clips.Clips` is the real one."""

    def get(self, text: str, gentle: bool = False) -> Path:
        """The clip of a phrase. Raises HardwareError."""
        ...

    def has(self, text: str) -> bool:
        """Whether a phrase can be played at once."""
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
        wording: Wording | None = None,
        begun: Collection[str] = (),
        wanted: Callable[[Words], bool] = lambda words: True,
    ) -> None:
        """`prepare`: phrases to make clips of in advance, `begun`: beginnings of longer ones, likewise;
        `started` hears of each phrase as it begins to sound; what is not `wanted` is not spoken."""
        self._clips, self._player, self._notice = clips, player, notice
        self._clock, self._started, self._wanted = clock, started, wanted
        self._wording, self._begun = wording or Wording(), frozenset(begun)
        self._queue = SpeechQueue()
        self._changed = threading.Condition()
        self._busy = False
        self._closed = False
        self.last: str | None = None  # what was spoken last, nobody having asked for it
        self._back: Callable[[], bool] | None = None  # while nothing can be heard: asks whether it can be again
        self._thread = threading.Thread(target=self._speak, name="speaker", daemon=True)
        self._thread.start()
        self._preparing: threading.Thread | None = None
        self.prepare((*prepare, *self._begun))

    def prepare(self, phrases: Iterable[str]) -> None:
        """Make clips of phrases, as they are spoken, while there is time."""
        ahead = tuple(phrases)
        self._preparing = threading.Thread(target=self._prepare, args=(ahead,), name="clips", daemon=True)
        self._preparing.start()

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Let what was said wait to be spoken."""
        if not outputs:
            return
        with self._changed:
            for output in outputs:
                self._queue.hear(output, self._clock())
            self._changed.notify_all()

    def say(self, text: str) -> bool:
        """Let words that a person asked for be spoken next; False while nothing can be heard."""
        with self._changed:
            t = self._clock()
            self._queue.put(Words(text, "asked", ("asked", None, None), t))
            self._changed.notify_all()
            return self._back is None

    def hush(self) -> None:
        """Say nothing of what waits; what is being said ends with the piece that sounds now."""
        with self._changed:
            self._queue.waiting.clear()
            self._queue.speaking = None

    def wait(self, timeout: float) -> bool:
        """Wait until all is said; False where it is not in that time. True also while nothing can be heard."""
        with self._changed:
            return self._changed.wait_for(self._is_done, timeout=timeout)

    def close(self, failed: bool = False) -> None:
        """Say what is still fresh, then end; after a failure end at once."""
        if not failed:
            self.wait(LAST_WORDS)
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._player.stop()
        self._thread.join(timeout=2.0)
        if self._preparing is not None:
            self._preparing.join(timeout=2.0)

    def _is_done(self) -> bool:
        return self._back is not None or not (self._busy or self._queue.waiting)

    def _speak(self) -> None:
        if not self._player.works():
            self._lose(NO_DEVICE, self._player.works)
        while self._can_be_heard() and (words := self._next()) is not None:
            heard = not self._wanted(words) or self._say(words)
            with self._changed:
                if not heard:
                    self._queue.give_back(words)
                self._queue.speaking = None
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

    def _say(self, words: Words) -> bool:
        """Speak; False where it could not be heard. Void words are broken off between two pieces."""
        text = self._wording.spoken(words.text)
        for n, clip in enumerate(self._clips_of(pieces(text, self._clips.has, self._begun))):
            if isinstance(clip, HardwareError):
                self._lose(str(clip), lambda: self._makes(text))
                return False
            if n == 0:
                self.last = self.last if words.kind == "asked" else words.text
                self._started(words, self._clock())
            elif self._queue.speaking is not words:
                return True
            if not self._player.play(clip) and not self._closed:
                self._lose("the sound device is gone; plug it in again", self._player.works)
                return False
        return True

    def _clips_of(self, parts: Sequence[str]) -> Iterator[Path | HardwareError]:
        """The clips of a phrase's pieces; the later ones are made while the earlier ones sound."""
        yield self._made(parts[0])
        if len(parts) == 1:
            return
        made: queue.SimpleQueue[Path | HardwareError] = queue.SimpleQueue()

        def make() -> None:
            for part in parts[1:]:
                made.put(self._made(part))

        threading.Thread(target=make, name="next clips", daemon=True).start()
        for _ in parts[1:]:
            yield made.get()

    def _made(self, text: str) -> Path | HardwareError:
        try:
            return self._clips.get(text)
        except HardwareError as error:
            return error

    def _makes(self, text: str) -> bool:
        return not isinstance(self._made(text), HardwareError)

    def _lose(self, why: str, back: Callable[[], bool]) -> None:
        self._notice(f"silent: {why}")
        self._back = back

    def _can_be_heard(self) -> bool:
        """Wait until something can be heard; False at the end."""
        wait = RETRY
        while self._back is not None:
            with self._changed:
                self._changed.notify_all()
                if self._changed.wait_for(lambda: self._closed, timeout=wait):
                    return False
            if self._back():
                self._back = None
                self._notice("the sound is back")
            wait = min(2 * wait, RETRY_MOST)
        return True

    def _prepare(self, phrases: tuple[str, ...]) -> None:
        for text in phrases:
            if self._closed or self._back is not None:
                return
            try:
                self._clips.get(text, gentle=True)
            except HardwareError:
                return  # the speaker meets the same fault and says so
