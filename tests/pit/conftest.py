"""A broker and a browser."""

from tests.mqtt.conftest import mosquitto
from tests.web.conftest import browser

__all__ = ["browser", "mosquitto"]
