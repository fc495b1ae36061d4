"""A broker's address and a table's name, as the settings have them."""

import re
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

TABLE = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker's address; port None = the usual one."""

    host: str
    port: int | None = None


def parse_broker(text: str) -> Broker:
    """A broker from `HOST`, `HOST:PORT` or `[ADDRESS]:PORT`. Raises ValueError."""
    parts = urlsplit(f"//{text}")
    host = parts.hostname or ""
    if parts.netloc != text or "@" in text or not re.fullmatch(r"[A-Za-z0-9._:-]{1,253}", host):
        raise ValueError(text)
    port = parts.port
    if port == 0 or text.endswith(":"):
        raise ValueError(text)
    return Broker(host, port)


def own_name() -> str:
    """A table's name where none is set: this machine's, in the letters that a topic may have."""
    slug = re.sub(r"[^a-z0-9]+", "-", socket.gethostname().split(".")[0].lower()).strip("-")
    return slug[:40] or "table"
