"""The last rounds as a short replay: small pictures with what was read drawn over them, none of a hidden card."""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.app import Listener
from hardware.web.marks import shown_codes
from hardware.web.places import REACH, owner
from hardware.web.veil import veiled
from table_state.layout import Layout
from table_state.observation import Observation, SeenCard
from table_state.output import Alert, Event, Output, Say
from table_state.view import TableView
from vision.frame import Frame
from vision.overlay import draw

EVERY = 0.5  # seconds of the stream between two pictures
WIDTH = 960  # pixels
QUALITY = 70
LETTERS = 1.5  # times the usual size of the words that are drawn
LEAD = 4.0  # seconds before a round's beginning that belong to it: the first card has come by then
BEFORE, AFTER = 12.0, 3.0  # seconds about an alert that are kept with it
WORDS_KEPT = 400

KeepsPictures = Callable[[Alert, Iterable[tuple[float, bytes]]], None]


@dataclass(frozen=True, slots=True)
class Still:
    """One picture: its number, its time in the stream and on the wall, and the JPEG."""

    n: int
    t: float
    at: float
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Told:
    """What was said or alerted, at a time of the stream."""

    t: float
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class _Seen:
    frame: Frame
    observation: Observation
    view: TableView
    at: float


class Replay(Listener):
    """Keeps at most `most_bytes` of pictures, the newest; those about an alert go to `keep` as well."""

    def __init__(
        self,
        layout: Layout,
        keep: KeepsPictures = lambda alert, pictures: None,
        most_bytes: int = 32_000_000,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._layout, self._keep, self._most_bytes, self._wall = layout, keep, most_bytes, wall
        self._lock = threading.Lock()
        self._wake = threading.Condition()
        self._stills: deque[Still] = deque()
        self._bytes = 0
        self._count = 0
        self._told: deque[Told] = deque(maxlen=WORDS_KEPT)
        self._began: tuple[float, float] = (-math.inf, -math.inf)
        self._waiting: list[Alert] = []
        self._due = -math.inf
        self._observed: tuple[Frame, Observation] | None = None
        self._slot: _Seen | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="replay", daemon=True)
        self._thread.start()

    # The loop's side

    def observe(self, frame: Frame, observation: Observation) -> None:
        """Take a picture now and then."""
        if frame.t >= self._due or frame.t < self._due - EVERY:
            self._due = frame.t + EVERY
            self._observed = frame, observation

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """What is shown of the picture, and where rounds begin and alerts lie in it."""
        with self._lock:
            for output in outputs:
                self._note(output)
        if self._observed is None:
            return
        with self._wake:
            self._slot = _Seen(*self._observed, view, self._wall())
            self._wake.notify_all()
        self._observed = None

    def close(self, failed: bool) -> None:
        """Keep what belongs to alerts, then end."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        self._thread.join(5.0)

    def _note(self, output: Output) -> None:
        match output:
            case Event(event="round-started", t=t):
                self._began = (self._began[1], t - LEAD)
            case Say(t=t, text=text):
                self._told.append(Told(t, "say", text))
            case Alert(t=t, text=text):
                self._told.append(Told(t, "alert", text))
                self._waiting.append(output)

    # The thread that draws

    def _work(self) -> None:
        while (seen := self._next()) is not None:
            jpeg = _picture(self._layout, seen)
            with self._lock:
                if jpeg is not None:
                    self._put(Still(self._count, seen.frame.t, seen.at, jpeg))
                ripe = [alert for alert in self._waiting if seen.frame.t >= alert.t + AFTER]
                self._waiting = [alert for alert in self._waiting if alert not in ripe]
            self._keep_for(ripe)
        self._keep_for(self._waiting)

    def _next(self) -> _Seen | None:
        with self._wake:
            self._wake.wait_for(lambda: self._slot is not None or self._closed)
            seen, self._slot = self._slot, None
            return seen

    def _put(self, still: Still) -> None:
        self._count += 1
        self._stills.append(still)
        self._bytes += len(still.jpeg)
        while self._bytes > self._most_bytes:
            self._bytes -= len(self._stills.popleft().jpeg)

    def _keep_for(self, alerts: Iterable[Alert]) -> None:
        for alert in alerts:
            with self._lock:
                about = [s for s in self._stills if alert.t - BEFORE <= s.t <= alert.t + AFTER]
            self._keep(alert, [(still.at, still.jpeg) for still in about])

    # The console's side

    def round(self, last: bool) -> tuple[list[Still], list[Told]]:
        """The pictures and words of the round that is on, or of the one before it."""
        with self._lock:
            start, end = (self._began[0], self._began[1]) if last else (self._began[1], math.inf)
            stills = [still for still in self._stills if start <= still.t < end]
            return stills, [told for told in self._told if start <= told.t < end]

    def still(self, n: int) -> bytes | None:
        """A picture by its number, None where it is gone."""
        with self._lock:
            place = n - self._stills[0].n if self._stills else -1
            return self._stills[place].jpeg if 0 <= place < len(self._stills) else None

    def clear(self) -> None:
        """Forget every picture and word."""
        with self._lock:
            self._stills.clear()
            self._told.clear()
            self._waiting.clear()
            self._bytes = 0


def _picture(layout: Layout, seen: _Seen) -> bytes | None:
    small = veiled(_small(seen.frame.image), layout, seen.view, seen.observation)
    if small is None:
        return None
    drawn = draw(small, told_alone(layout, seen.view, seen.observation), layout, letters=LETTERS)
    done, data = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes() if done else None


def _small(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    height, width = image.shape[:2]
    if width <= WIDTH:
        return image
    size = (WIDTH, round(height * WIDTH / width))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def told_alone(layout: Layout, view: TableView, seen: Observation) -> Observation:
    """The observation without cards about the dealer's place that the view does not show there."""
    left = shown_codes(view)[0]
    kept: list[SeenCard] = []
    for card in seen.cards:
        near = math.dist((card.x, card.y), layout.dealer) <= REACH + math.hypot(*layout.card)
        if not near or card.code is None or owner(layout, card.x, card.y) not in (0, None):
            kept.append(card)
        elif left[card.code] > 0 and card.code != "??":
            left[card.code] -= 1
            kept.append(card)
    return replace(seen, cards=tuple(kept))
