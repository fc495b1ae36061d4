"""Security at the door of every request: host, origin, size, and the headers of every answer."""

import asyncio
from collections.abc import Mapping, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hardware.web.links import is_loopback
from hardware.web.words import word

MAX_BODY = 16 * 1024
"""Bytes; every form of these pages is far smaller."""
BODY_SECONDS = 10.0
UPLOAD_SECONDS = 120.0
Uploads = Mapping[str, int]
NO_UPLOADS: Uploads = {}

_SAFE = {"GET", "HEAD", "OPTIONS"}
_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
SECURITY_HEADERS = {
    "content-security-policy": _CSP,
    "x-content-type-options": "nosniff",
    # Seat links are secrets: they must not travel in a Referer.
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}


def host_allowed(host: str) -> bool:
    """Say whether a Host header names this machine: an address, localhost, or a name of the local network.

    A foreign domain that resolves to this machine (DNS rebinding) is refused.
    """
    name = urlsplit(f"//{host}").hostname or ""
    if is_loopback(name) or name.endswith(".local") or "." not in name.strip("."):
        return bool(name)
    return ":" in name or name.replace(".", "").isdigit()


def same_origin(headers: MutableMapping[str, str]) -> bool:
    """Say whether a changing request comes from a page of this server."""
    if headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return False
    origin = headers.get("origin", "")
    return origin.startswith(("http://", "https://")) and urlsplit(origin).netloc == headers.get("host")


def refusal(scope: Scope, headers: MutableMapping[str, str], uploads: Uploads = NO_UPLOADS) -> tuple[int, str] | None:
    """Return the status and word with which a request is refused, or None.

    `uploads`: paths that take pictures and backups as they are, and how many bytes at most.
    """
    try:
        if not host_allowed(headers.get("host", "")):
            return 421, "error.host"
        if scope["method"] in _SAFE:
            return None
        if not same_origin(headers):
            return 403, "error.cross-site"
        length = headers.get("content-length", "0")
        upload = uploads.get(scope["path"])
        if not length.isdigit() or int(length) > (upload or MAX_BODY):
            return 413, "error.too-large"
        # A foreign page can send these types only after asking, which the origin check above refuses as well.
        if upload and headers.get("content-type", "").startswith(("image/", "application/zip")):
            return None
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return 415, "error.json-only"
    except ValueError:  # urlsplit: not a host or an origin at all
        return 400, "error.request"
    return None


class Guard:
    """ASGI middleware that refuses what no page of ours sends and marks every answer."""

    def __init__(self, app: ASGIApp, uploads: Uploads = NO_UPLOADS) -> None:
        self._app, self._uploads = app, uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on a bounded body and mark the answer."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        send = _with_headers(send)
        refused = refusal(scope, headers, self._uploads)
        if refused is not None:
            await _refuse(send, *refused)
            return
        if scope["method"] in _SAFE:
            await self._app(scope, receive, send)
            return
        body = await _whole_body(receive, self._uploads.get(scope["path"]))
        if body is None:
            await _refuse(send, 413, "error.too-large")
            return
        await self._app(scope, _replayed(body, receive), send)


async def _whole_body(receive: Receive, upload: int | None = None) -> bytes | None:
    """Return the request's body, None where it is too large, too slow or cut off."""
    body, most = bytearray(), upload or MAX_BODY
    try:
        async with asyncio.timeout(UPLOAD_SECONDS if upload else BODY_SECONDS):
            while len(body) <= most:
                message = await receive()
                if message["type"] != "http.request":
                    return None
                body += message.get("body", b"")
                if not message.get("more_body", False):
                    return bytes(body) if len(body) <= most else None
    except TimeoutError:
        pass
    return None


def _replayed(body: bytes, receive: Receive) -> Receive:
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _with_headers(send: Send) -> Send:
    async def marked(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: list[Any] = list(message.get("headers", []))
            present = {bytes(key).lower() for key, _ in headers}
            headers += [(k.encode(), v.encode()) for k, v in SECURITY_HEADERS.items() if k.encode() not in present]
            if b"cache-control" not in present:
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await send(message)

    return marked


async def _refuse(send: Send, status: int, key: str) -> None:
    body = word(key).encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
