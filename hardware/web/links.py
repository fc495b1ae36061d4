"""Unguessable links of the seat pages, and where a phone can reach them."""

import base64
import hashlib
import hmac
import ipaddress
import socket
from collections.abc import Mapping
from typing import Any


def seat_token(secret: bytes, seat: int) -> str:
    """Return the 128-bit token of a seat's page; the same secret gives the same links after a restart."""
    digest = hmac.new(secret, f"seat:{seat}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()


def is_loopback(host: str) -> bool:
    """Say whether an address or name means this machine alone."""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def opened_here(scope: Mapping[str, Any]) -> bool:
    """Say whether a request (its ASGI scope) comes from this machine itself, by whichever of its addresses."""
    client, server = scope.get("client"), scope.get("server")
    if not client:
        return False
    return is_loopback(client[0]) or bool(server and server[0] == client[0])


def lan_address() -> str:
    """Return this machine's address on its network, or 127.0.0.1 where it has none.

    Connecting a datagram socket only asks the routing table; nothing is sent. 192.0.2.1 is reserved for documentation.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def reachable_url(host: str, port: int) -> str:
    """Return the address under which others open the pages of a server bound to `host`."""
    name = lan_address() if host in ("0.0.0.0", "::", "") else host
    return f"http://{f'[{name}]' if ':' in name else name}:{port}"
