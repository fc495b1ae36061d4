"""A broker for each test that needs one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mqtt.broker import Ears, Mosquitto


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    made = Mosquitto(tmp_path)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def ears(mosquitto: Mosquitto) -> Iterator[Ears]:
    made = Ears(mosquitto.port)
    yield made
    made.close()
