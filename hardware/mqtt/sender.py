"""Sends to a broker in threads of its own: lost and found again, the loop never notices."""

import threading
import time
from collections.abc import Callable
from typing import Any

from paho.mqtt.reasoncodes import ReasonCode

from hardware.mqtt.access import KEEPALIVE, Access, make_client
from hardware.mqtt.outbox import Make, Outbox

WINDOW = 16
"""Messages under way at once; a broker that confirms nothing is sent no more."""
FAREWELL = 1.5
"""Seconds that the end waits for the last words to be confirmed."""
ONLINE, OFFLINE = b"online", b"offline"

Beat = Callable[[], None]


class Sender:
    """A table's line to a broker. `status` is the topic of its presence, which the broker itself sets to `offline`
    when the line breaks; `beat` is called every `every` seconds, in the sender's thread.
    """

    def __init__(
        self, access: Access, about: str, status: str, notice: Callable[[str], None], beat: Beat, every: float
    ) -> None:
        """Nothing is sent before `start`. Raises BadInputError for bad certificates."""
        self._access, self._notice, self._beat, self._every = access, notice, beat, every
        self._status, self._outbox = status, Outbox()
        self._changed = threading.Condition()
        self._under_way = 0
        self._closed = self._told_lost = False
        self.connected = False
        self.sent_bytes = 0
        self._client = make_client(access, about)
        self._client.will_set(status, OFFLINE, qos=1, retain=True)
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = self._on_connect_fail
        self._client.on_disconnect = self._on_disconnect
        self._client.on_publish = self._on_publish
        self.keep(status, lambda: ONLINE)
        self._thread = threading.Thread(target=self._work, name="mqtt", daemon=True)

    def start(self) -> None:
        """Begin; whether the broker is there shows later."""
        self._thread.start()

    @property
    def dropped(self) -> int:
        """Events that were never sent."""
        return self._outbox.dropped

    def keep(self, topic: str, make: Make) -> None:
        """Let a retained topic hold this; `make` is called when it is sent, in the sender's thread."""
        self._outbox.keep(topic, make)
        self._wake()

    def event(self, topic: str, make: Make) -> None:
        """Send something once."""
        self._outbox.event(topic, make)
        self._wake()

    def close(self) -> None:
        """Say goodbye and end; waits a few seconds at most."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(timeout=2 * FAREWELL)

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    # ---- the sender's own thread
    def _work(self) -> None:
        self._client.connect_async(self._access.broker.host, self._access.port, KEEPALIVE)
        self._client.loop_start()
        due = time.monotonic()
        while not self._closed:
            now = time.monotonic()
            if now >= due:
                self._beat()
                due = now + self._every
            if not self._send_next(now):
                self._pause(due - now)
        self._leave()

    def _send_next(self, now: float) -> bool:
        if not self._may_send() or (message := self._outbox.take(now)) is None:
            return False
        with self._changed:
            self._under_way += 1
        self._client.publish(message.topic, message.payload, qos=1, retain=message.retain)
        self.sent_bytes += len(message.topic) + len(message.payload)
        return True

    def _may_send(self) -> bool:
        return self.connected and self._under_way < WINDOW

    def _pause(self, longest: float) -> None:
        with self._changed:
            waits = self._outbox.wait(time.monotonic()) if self._may_send() else None
            if not self._closed:
                self._changed.wait(longest if waits is None else min(longest, waits))

    def _leave(self) -> None:
        end = time.monotonic() + FAREWELL
        self._outbox.keep(self._status, lambda: OFFLINE)
        while self.connected and time.monotonic() < end:
            if not self._send_next(time.monotonic() + FAREWELL) and self._under_way == 0:
                break
            with self._changed:
                self._changed.wait(0.01)
        self._client.disconnect()
        self._client.loop_stop()

    # ---- the client's thread
    def _on_connect(self, client: Any, data: Any, flags: Any, code: ReasonCode, properties: Any) -> None:
        if code.is_failure:
            self._lost(str(code).lower())
            return
        if self._told_lost:
            self._notice(f"mqtt: {self._access.name} is reached again")
        self._told_lost = False
        self._outbox.again()
        with self._changed:
            self.connected = True
            self._changed.notify_all()

    def _on_connect_fail(self, client: Any, data: Any) -> None:
        self._lost("nobody answers there")

    def _on_disconnect(self, client: Any, data: Any, flags: Any, code: ReasonCode, properties: Any) -> None:
        self.connected = False
        if not self._closed:
            self._lost("the connection is lost")

    def _on_publish(self, client: Any, data: Any, mid: int, code: Any, properties: Any) -> None:
        with self._changed:
            self._under_way = max(0, self._under_way - 1)
            self._changed.notify_all()

    def _lost(self, why: str) -> None:
        if not self._told_lost:
            self._notice(f"mqtt: {self._access.name}: {why}; trying again")
        self._told_lost = True
