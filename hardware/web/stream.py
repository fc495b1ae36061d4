"""A server-sent event response that gives up on a browser which does not read."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

SEND_SECONDS = 10.0
"""A browser that takes nothing for this long is cut off; it reconnects by itself if it lives."""


class EventStream(Response):
    """A response that sends server-sent events until either side ends."""

    def __init__(
        self, source: AsyncGenerator[bytes, None], on_end: Callable[[], object], send_seconds: float = SEND_SECONDS
    ) -> None:
        super().__init__()
        self._source = source
        self._on_end = on_end
        self._send_seconds = send_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the source ends, the browser leaves, or it stops reading."""
        try:
            await self._serve(receive, send)
        finally:
            self._on_end()

    async def _serve(self, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        sender = asyncio.ensure_future(self._send_all(send))
        leaver = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait({sender, leaver}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sender.cancel()
            leaver.cancel()
            await asyncio.gather(sender, leaver, return_exceptions=True)

    async def _send_all(self, send: Send) -> None:
        try:
            async with aclosing(self._source) as chunks:
                async for chunk in chunks:
                    message = {"type": "http.response.body", "body": chunk, "more_body": True}
                    await asyncio.wait_for(send(message), self._send_seconds)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except (TimeoutError, OSError):
            return


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
