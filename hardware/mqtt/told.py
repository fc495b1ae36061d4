"""The listener that tells a broker what everybody at the table may see and hear."""

import dataclasses
import json
import time
from collections.abc import Callable, Sequence
from typing import Any

from hardware.app import Listener
from hardware.counts import Counts
from hardware.mqtt.access import Access
from hardware.mqtt.discovery import discovery
from hardware.mqtt.sender import Sender
from hardware.mqtt.topics import Topics
from hardware.web.payloads import for_table
from table_state.layout import Layout
from table_state.table import Output, TableView

HEALTH_SECONDS = 10.0
Json = dict[str, Any]


class Told(Listener):
    """Publishes events, the public state, health and presence of one table. A hole card is `??` in all of it.

    `home`: the prefix under which Home Assistant looks for new devices, empty = it is not told.
    """

    def __init__(
        self,
        access: Access,
        table: str,
        layout: Layout,
        counts: Counts,
        notice: Callable[[str], None],
        home: str = "homeassistant",
        every: float = HEALTH_SECONDS,
    ) -> None:
        self._topics = Topics(table)
        self._name, self._counts = layout.name, counts
        self._view: TableView | None = None
        self._last: tuple[float, int] | None = None
        self._began = time.monotonic()
        self.sender = Sender(access, table, self._topics.status, notice, self._health, every)
        counts.asked |= {
            "mqtt_connected": lambda: float(self.sender.connected),
            "mqtt_dropped": lambda: self.sender.dropped,
            "mqtt_sent_bytes": lambda: self.sender.sent_bytes,
        }
        for topic, body in discovery(home, table, layout) if home else ():
            self.sender.keep(topic, _maker(body))
        self.sender.start()

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Hand on what was said, and the state where it changed; returns at once."""
        for output in outputs:
            self.sender.event(self._topics.events, _lazy(output))
        old, self._view = self._view, view
        if old is None or dataclasses.replace(old, t=view.t) != view:
            self.sender.keep(self._topics.state, lambda: _bytes(public(view)))

    def close(self, failed: bool) -> None:
        """Say goodbye."""
        self.sender.close()

    def _health(self) -> None:
        self.sender.keep(self._topics.health, _maker(self.health()))

    def health(self) -> Json:
        """How the installation fares, in plain values."""
        counts, now = self._counts, time.monotonic()
        before, self._last = self._last, (now, counts.frames)
        rate = (counts.frames - before[1]) / (now - before[0]) if before and now > before[0] else None
        age = counts.age()
        return {
            "layout": self._name,
            "fault": counts.standing,
            "frames": counts.frames,
            "frames_per_second": None if rate is None else round(rate, 1),
            "dropped": round(counts.number("dropped_frames")),
            "last_frame_age": None if age is None else round(age, 1),
            "milliseconds": {name: round(stage.recent_ms, 2) for name, stage in list(counts.stages.items())},
            "words": counts.words,
            "alerts": sum(list(counts.alerts.values())),
            "uptime": round(now - self._began),
        }


def public(view: TableView) -> Json:
    """What everybody at the table sees, as the table's own page has it."""
    state = for_table(view, [])
    del state["said"]
    return state


def _bytes(body: Json) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _maker(body: Json) -> Callable[[], bytes]:
    return lambda: _bytes(body)


def _lazy(output: Output) -> Callable[[], bytes]:
    return lambda: _bytes(output.to_json())
