"""Hears all tables at a broker."""

import time
from collections.abc import Callable
from typing import Any

import paho.mqtt.client as paho

from hardware.mqtt.access import KEEPALIVE, Access, make_client
from hardware.mqtt.topics import KINDS, ROOT
from hardware.pit.tables import Tables


class Hearing:
    """A subscription to every table's topics, in a thread of its own; it comes back by itself."""

    def __init__(self, access: Access, tables: Tables, notice: Callable[[str], None]) -> None:
        """Raises BadInputError for bad certificates."""
        self._access, self._tables, self._notice = access, tables, notice
        self._lost_told = self._closing = False
        self.bytes = 0
        self._client = make_client(access, "pit")
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = lambda client, data: self._lost("nobody answers there")
        self._client.on_disconnect = lambda *rest: self._lost("the connection is lost")
        self._client.on_message = self._on_message

    def start(self) -> None:
        """Begin; whether the broker is there shows later."""
        self._client.connect_async(self._access.broker.host, self._access.port, KEEPALIVE)
        self._client.loop_start()

    def close(self) -> None:
        """End the subscription."""
        self._closing = True
        self._client.disconnect()
        self._client.loop_stop()

    def _on_connect(self, client: paho.Client, data: Any, flags: Any, code: Any, properties: Any) -> None:
        if code.is_failure:
            self._lost(str(code).lower())
            return
        client.subscribe([(f"{ROOT}/+/{kind}", 1) for kind in KINDS])
        if self._lost_told:
            self._notice(f"mqtt: {self._access.name} is reached again")
        self._lost_told = False
        self._tables.link(True)

    def _on_message(self, client: Any, data: Any, message: paho.MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            return  # none of ours
        self.bytes += len(topic) + len(message.payload)
        self._tables.take(topic, bytes(message.payload), time.monotonic())

    def _lost(self, why: str) -> None:
        self._tables.link(False)
        if not self._lost_told and not self._closing:
            self._notice(f"mqtt: {self._access.name}: {why}; trying again")
        self._lost_told = True
