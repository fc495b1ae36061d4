"""The pit's page and its stream."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import HTMLResponse

from hardware.pit.tables import Tables
from hardware.web.files import load_page, load_static
from hardware.web.guard import Guard
from hardware.web.stream import EventStream
from hardware.web.words import word

BEAT = 2.0
PACE = 0.3
"""Seconds at least between two states of one page: twenty tables change often, an eye reads slowly."""
STREAMS = 50


class Followers:
    """The pages that follow the pit, woken from any thread."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wakes: set[asyncio.Event] = set()
        self._closed = False
        tables.changed = self.wake

    def wake(self) -> None:
        """Something changed; callable from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake_all)

    def _wake_all(self) -> None:
        for event in self._wakes:
            event.set()

    def close(self) -> None:
        """End every stream."""
        self._closed = True
        self.wake()

    def stream(self) -> EventStream | None:
        """A page's stream, None where too many are open."""
        self._loop = asyncio.get_running_loop()
        if len(self._wakes) >= STREAMS:
            return None
        wake = asyncio.Event()
        self._wakes.add(wake)
        return EventStream(self._follow(wake), on_end=lambda: self._wakes.discard(wake))

    async def _follow(self, wake: asyncio.Event) -> AsyncGenerator[bytes, None]:
        """Everything first, then each time only the tables that changed, else a beat."""
        version = -1
        yield b"retry: 1000\n\n"
        while not self._closed:
            self.tables.look(time.monotonic())
            newest, state = self.tables.after(version, time.monotonic())
            if newest != version:
                version = newest
                text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
                yield b"event: state\ndata: " + text.encode() + b"\n\n"
                await asyncio.sleep(PACE)
            if not await _woken(wake):
                yield b"event: beat\ndata: {}\n\n"


async def _woken(wake: asyncio.Event) -> bool:
    try:
        await asyncio.wait_for(wake.wait(), BEAT)
    except TimeoutError:
        return False
    wake.clear()
    return True


def create_app(followers: Followers) -> FastAPI:
    """Build the pit's application; it changes nothing and shows what each table's own display shows."""
    app = FastAPI(title="Railbird pit", docs_url=None, redoc_url=None, openapi_url="/openapi.json")
    app.add_middleware(Guard)
    page, files = load_page("pit.html"), load_static()

    @app.get("/", response_class=HTMLResponse)
    async def pit() -> HTMLResponse:
        return HTMLResponse(page)

    @app.get("/tables.json")
    async def tables() -> dict[str, object]:
        return followers.tables.after(-1, time.monotonic())[1]

    @app.get("/events", response_class=Response)
    async def events() -> EventStream:
        if (stream := followers.stream()) is None:
            raise HTTPException(503, word("error.full"))
        return stream

    @app.get("/static/{path:path}", include_in_schema=False)
    async def static(path: str, request: Request) -> Response:
        if (file := files.get(path)) is None:
            raise HTTPException(404, word("error.not-found"))
        headers = {"etag": file.etag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == file.etag:
            return Response(status_code=304, headers=headers)
        return Response(file.body, media_type=file.media_type, headers=headers)

    return app
