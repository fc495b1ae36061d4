"""What waits to be sent: of a state that stands only the newest, of events the newest few hundred in order."""

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

EVENTS_KEPT = 256
SPACING = 0.2
"""Seconds between two states of one topic; what came in between is never made into bytes."""

Make = Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Message:
    """What goes to the broker; a retained one it keeps for whoever comes later."""

    topic: str
    payload: bytes
    retain: bool


class Outbox:
    """Filled by the loop, emptied by the sender; neither waits for the other. Times are the caller's, seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._standing: dict[str, Make] = {}
        self._due: dict[str, None] = {}
        self._sent: dict[str, float] = {}
        self._events: deque[tuple[str, Make]] = deque()
        self.dropped = 0

    def keep(self, topic: str, make: Make) -> None:
        """Let a topic's state be this from now on."""
        with self._lock:
            self._standing[topic] = make
            self._due[topic] = None

    def event(self, topic: str, make: Make) -> None:
        """Add an event; the oldest goes where too many wait."""
        with self._lock:
            self._events.append((topic, make))
            if len(self._events) > EVENTS_KEPT:
                self._events.popleft()
                self.dropped += 1

    def again(self) -> None:
        """All that stands is to be sent anew: the broker may have forgotten it."""
        with self._lock:
            self._due = dict.fromkeys(self._standing)
            self._sent.clear()

    def take(self, now: float) -> Message | None:
        """What is to be sent next, None where nothing is due."""
        with self._lock:
            for topic in self._due:
                if now - self._sent.get(topic, -SPACING) >= SPACING:
                    del self._due[topic]
                    self._sent[topic] = now
                    make, retain = self._standing[topic], True
                    break
            else:
                if not self._events:
                    return None
                (topic, make), retain = self._events.popleft(), False
        return Message(topic, make(), retain)

    def wait(self, now: float) -> float | None:
        """Seconds until something is due, None where nothing waits."""
        with self._lock:
            if self._events:
                return 0.0
            left = [self._sent.get(topic, -SPACING) + SPACING - now for topic in self._due]
        return max(0.0, min(left)) if left else None
