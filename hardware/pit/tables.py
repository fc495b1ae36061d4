"""What is known of every table, from its messages."""

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hardware.mqtt.topics import split_topic
from hardware.pit.cleaning import clean_event, clean_health, clean_state, parsed

Json = dict[str, Any]
SILENT = 35.0
"""Seconds without a word of its health after which a table that should be there counts as silent."""
MOST = 200
"""Tables that are kept; a broker full of made-up names must not fill the memory."""


@dataclass(slots=True)
class _Table:
    name: str
    heard: float
    status: str = "offline"
    state: Json | None = None
    health: Json | None = None
    said: str | None = None
    mistakes: int = 0
    since: dict[tuple[Any, Any], float] = field(default_factory=dict)
    version: int = 0


class Tables:
    """The tables of a pit, filled by the broker's thread and read by the pages'. Times are the caller's, seconds."""

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        """`changed` is called after each change, in the thread that made it."""
        self._lock = threading.Lock()
        self._tables: dict[str, _Table] = {}
        self._version = 0
        self.run = secrets.token_hex(4)
        self.changed = changed
        self.broker = False
        self.messages = self.refused = 0

    def take(self, topic: str, payload: bytes, now: float) -> None:
        """Hear one message; what is no message of a table is counted and forgotten."""
        where = split_topic(topic)
        with self._lock:
            self.messages += 1
            if where is None or not self._take(*where, payload, now):
                self.refused += 1
                return
        self.changed()

    def _take(self, name: str, kind: str, payload: bytes, now: float) -> bool:
        if len(name) > 40 or (name not in self._tables and len(self._tables) >= MOST):
            return False
        body = {} if kind == "status" else parsed(payload)
        if body is None or (kind == "status" and payload not in (b"online", b"offline")):
            return False
        table = self._tables.setdefault(name, _Table(name, now))
        match kind:
            case "status":
                table.status, table.heard = payload.decode(), now
            case "state":
                table.state = self._aged(table, clean_state(body), now)
            case "health":
                table.health, table.heard = clean_health(body), now
            case _:
                self._event(table, clean_event(body))
        self._touch(table)
        return True

    def _aged(self, table: _Table, state: Json, now: float) -> Json:
        """Remember since when each alert stands, so that the page can say how long nobody mended it."""
        keys = [(alert["code"], alert["seat"]) for alert in state["alerts"]]
        table.since = {key: table.since.get(key, now) for key in keys}
        return state

    def _event(self, table: _Table, event: Json | None) -> None:
        if event is not None and event["kind"] == "say":
            table.said = event["text"]
        elif event is not None:
            table.mistakes += 1

    def _touch(self, table: _Table) -> None:
        self._version += 1
        table.version = self._version

    def link(self, there: bool) -> None:
        """The broker is reached, or is not."""
        with self._lock:
            self.broker = there
            self._version += 1
        self.changed()

    def look(self, now: float) -> None:
        """Let tables that were not heard for long count as silent, and those heard again as there."""
        with self._lock:
            for table in self._tables.values():
                silent = table.status != "offline" and now - table.heard > SILENT
                if silent != (table.status == "silent"):
                    table.status = "silent" if silent else "online"
                    self._touch(table)

    def after(self, version: int, now: float) -> tuple[int, Json]:
        """The newest version, and what changed after an older one (-1: everything)."""
        with self._lock:
            rows = [_row(t, now) for t in sorted(self._tables.values(), key=_order) if t.version > version]
            return self._version, {"run": self.run, "full": version < 0, "broker": self.broker, "tables": rows}


def _order(table: _Table) -> tuple[int, str]:
    digits = "".join(c for c in table.name if c.isdigit())
    return int(digits or 0), table.name


def _row(table: _Table, now: float) -> Json:
    state = table.state
    if state is not None:
        alerts = [a | {"age": round(now - table.since.get((a["code"], a["seat"]), now))} for a in state["alerts"]]
        state = state | {"alerts": alerts}
    return {
        "table": table.name,
        "status": table.status,
        "state": state,
        "health": table.health,
        "said": table.said,
        "mistakes": table.mistakes,
    }
