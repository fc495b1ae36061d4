"""A real Mosquitto for the tests, and a client that hears everything."""

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
needs_broker = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(truth: Callable[[], Any], seconds: float = 10.0) -> Any:
    """Wait for something to be so, and return it."""
    end = time.monotonic() + seconds
    while not (found := truth()):
        assert time.monotonic() < end, "never so"
        time.sleep(0.02)
    return found


class Mosquitto:
    """A broker on a port of its own that can be stopped and started again."""

    def __init__(self, folder: Path, passwords: dict[str, str] | None = None) -> None:
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", "persistence false", "user root"]
        if passwords is None:
            lines.append("allow_anonymous true")
        else:
            file = folder / "passwords"
            file.write_text("".join(f"{name}:{word}\n" for name, word in passwords.items()))
            subprocess.run(["mosquitto_passwd", "-U", str(file)], check=True, timeout=20)
            lines += ["allow_anonymous false", f"password_file {file}"]
        self._config.write_text("\n".join(lines) + "\n")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        assert MOSQUITTO is not None
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen([MOSQUITTO, "-c", str(self._config)], stdout=quiet, stderr=quiet)
        until(self._answers)

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(timeout=10)
            self.process = None


class Ears:
    """A client that keeps all it hears: the newest of each topic, and every message in order."""

    def __init__(self, port: int, topics: str = "#", **login: str) -> None:
        self.newest: dict[str, bytes] = {}
        self.heard: list[tuple[str, bytes, bool]] = []
        self.subscribed = threading.Event()
        self._client = paho.Client(CallbackAPIVersion.VERSION2)
        if login:
            self._client.username_pw_set(login["user"], login["password"])
        self._client.on_connect = lambda client, *rest: client.subscribe(topics, qos=1)
        self._client.on_subscribe = lambda *rest: self.subscribed.set()
        self._client.on_message = self._hear
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert self.subscribed.wait(10)

    def _hear(self, client: Any, data: Any, message: paho.MQTTMessage) -> None:
        self.newest[message.topic] = message.payload
        self.heard.append((message.topic, message.payload, message.retain))

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
