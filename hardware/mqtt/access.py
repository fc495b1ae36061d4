"""Which broker is told, and how it is reached."""

import secrets
from dataclasses import dataclass
from pathlib import Path

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from hardware.errors import BadInputError, reason
from hardware.mqtt.address import Broker

PORT, TLS_PORT = 1883, 8883
KEEPALIVE = 20
"""Seconds without a sign of the broker after which the connection counts as lost."""


@dataclass(frozen=True, slots=True)
class Access:
    """How a broker is reached. `ca`: a file of certificates to trust instead of the system's."""

    broker: Broker
    user: str | None = None
    password: str | None = None
    tls: bool = False
    ca: str | None = None

    @property
    def port(self) -> int:
        """The port, the usual one where none was named."""
        return self.broker.port or (TLS_PORT if self.tls else PORT)

    @property
    def name(self) -> str:
        """The address in words."""
        return f"{self.broker.host}:{self.port}"


def read_password(name: str | None) -> str | None:
    """The first line of a password file. Raises BadInputError where it cannot be read."""
    if name is None:
        return None
    try:
        return Path(name).expanduser().read_text(encoding="utf-8").split("\n", 1)[0]
    except (OSError, UnicodeDecodeError) as error:
        what = reason(error) if isinstance(error, OSError) else "not text"
        raise BadInputError(f"mqtt_password_file {name}: {what}; write the password into it, readable by you") from None


def make_client(access: Access, about: str) -> paho.Client:
    """A client that is not connected yet and comes back by itself. Raises BadInputError for bad certificates."""
    client = paho.Client(CallbackAPIVersion.VERSION2, client_id=f"railbird-{about}-{secrets.token_hex(3)}")
    if access.user is not None:
        client.username_pw_set(access.user, access.password)
    if access.tls:
        try:
            client.tls_set(ca_certs=access.ca)
        except (OSError, ValueError):
            raise BadInputError(f"mqtt_ca {access.ca}: no file of certificates (PEM); correct it") from None
    client.connect_timeout = 5.0
    client.reconnect_delay_set(1, 30)
    return client
