"""Hands the newest state of the table to every browser that follows it; the publisher never waits."""

import asyncio
import dataclasses
import json
import secrets
import threading
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

from hardware.web import payloads
from hardware.web.links import is_loopback
from hardware.web.stream import EventStream
from hardware.web.words import chosen
from hardware.wording import Wording
from table_state.layout import Layout
from table_state.observation import Correction, to_json
from table_state.table import Event, Output, TableView

BEAT_SECONDS = 2.0
"""An idle stream sends a beat this often, so that a page notices a dead connection within three."""

_SAID_KEPT = 16
_EVENTS_KEPT = 400
MAX_STREAMS = 300
MAX_STREAMS_PER_ADDRESS = 40
LOCAL_STREAMS = 32

Audience = str | int
"""`table`, `dealer`, or the number of a seat."""


@dataclass(slots=True)
class _State:
    version: int = 0
    view: TableView | None = None
    said: deque[payloads.Json] = field(default_factory=lambda: deque(maxlen=_SAID_KEPT))
    events: deque[payloads.Json] = field(default_factory=lambda: deque(maxlen=_EVENTS_KEPT))
    said_count: int = 0
    notice: str | None = None
    paused: bool = False
    camera_on: bool = True


class Hub:
    """One slot with the newest state; each follower takes from it when it can.

    A state carries the last words with their numbers, so a follower that skips states misses none of them.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.run = secrets.token_hex(4)
        self._lock = threading.Lock()
        self._state = _State()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._followers: dict[asyncio.Event, str] = {}
        self._cache: dict[Audience, tuple[int, bytes]] = {}
        self._closed = False

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Put a new state in the slot; callable from any thread, returns at once."""
        wording = Wording(chosen())
        view, outputs = wording.view(view), [wording.output(output) for output in outputs]
        with self._lock:
            idle = not outputs and _same(self._state.view, view)
            self._state.view = view
            if idle:
                return
            self._state.version += 1
            for output in outputs:
                self._keep(output)
        self._wake()

    def notice(self, code: str | None) -> None:
        """Show a word about the installation (a `notice.` key of the catalogue, e.g. `camera-lost`), or none."""
        with self._lock:
            self._state.notice = code
            self._state.version += 1
        self._wake()

    def switched(self, paused: bool, camera_on: bool, layout: Layout | None = None) -> None:
        """Show what the dealer has set: a pause, the camera off or on, perhaps other names of the seats."""
        with self._lock:
            self.layout = layout or self.layout
            self._state.paused, self._state.camera_on = paused, camera_on
            self._state.version += 1
        self._wake()

    @property
    def camera(self) -> str:
        """`on`, `off`, or `lost` where it should be on and is gone."""
        with self._lock:
            return self._camera()

    def _camera(self) -> str:
        if not self._state.camera_on:
            return "off"
        return "lost" if self._state.notice == "camera-lost" else "on"

    def corrected(self, correction: Correction) -> None:
        """Put a correction into the round's log, as the console shows it."""
        with self._lock:
            body: payloads.Json = {"event": "correction"}
            body |= json.loads(to_json(correction))["correction"]
            self._state.events.append(body)
            self._state.version += 1
        self._wake()

    def _keep(self, output: Output) -> None:
        state = self._state
        if isinstance(output, Event):
            if output.event == "round-started":
                state.events.clear()
            state.events.append(output.to_json())
            return
        said = payloads.said(output)
        if said is not None:
            state.said_count += 1
            state.said.append({"n": state.said_count, **said})

    def view(self) -> TableView | None:
        """Return the newest view, None before the first."""
        with self._lock:
            return self._state.view

    def payload(self, audience: Audience) -> bytes:
        """Return the newest state as JSON bytes, reduced to what this audience may see."""
        with self._lock:
            version = self._state.version
            cached = self._cache.get(audience)
            if cached is not None and cached[0] == version:
                return cached[1]
            body = json.dumps(self._for(audience), ensure_ascii=False, separators=(",", ":")).encode()
            self._cache[audience] = (version, body)
            return body

    def _for(self, audience: Audience) -> payloads.Json:
        state = self._state
        said = list(state.said)
        common: payloads.Json = {"run": self.run, "notice": state.notice}
        common |= {"paused": state.paused, "camera": self._camera()}
        if isinstance(audience, int):
            return common | payloads.for_seat(self.layout, state.view, said, audience)
        whole = common | payloads.for_table(state.view, said)
        return whole | {"events": list(state.events)} if audience == "dealer" else whole

    def close(self) -> None:
        """End every stream."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._wake_followers)

    def _wake_followers(self) -> None:
        for follower in self._followers:
            follower.set()

    def stream(self, audience: Audience, address: str) -> EventStream | None:
        """Open a stream for a browser at an address; None where too many are open.

        Its place is taken before anything is sent, so a flood cannot slip in together.
        """
        self._loop = asyncio.get_running_loop()
        if not self._has_room(address):
            return None
        wake = asyncio.Event()
        self._followers[wake] = address
        return EventStream(self._follow(audience, wake), on_end=lambda: self._followers.pop(wake, None))

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return len(self._followers)

    def _has_room(self, address: str) -> bool:
        if is_loopback(address):  # some places are kept for the machine's own screens
            return len(self._followers) < MAX_STREAMS + LOCAL_STREAMS
        from_there = sum(1 for other in self._followers.values() if other == address)
        return len(self._followers) < MAX_STREAMS and from_there < MAX_STREAMS_PER_ADDRESS

    async def _follow(self, audience: Audience, wake: asyncio.Event) -> AsyncGenerator[bytes, None]:
        """Yield server-sent events: each new state of this audience, else a beat."""
        last = b""
        yield b"retry: 1000\n\n"
        while not self._closed:
            body = self.payload(audience)
            if body != last:
                last = body
                yield b"event: state\ndata: " + body + b"\n\n"
            if not await _woken(wake):
                yield b"event: beat\ndata: {}\n\n"


def _same(old: TableView | None, new: TableView) -> bool:
    return old is not None and dataclasses.replace(old, t=new.t) == new


async def _woken(wake: asyncio.Event) -> bool:
    try:
        await asyncio.wait_for(wake.wait(), BEAT_SECONDS)
    except TimeoutError:
        return False
    wake.clear()
    return True
