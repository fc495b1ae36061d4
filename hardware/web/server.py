"""The display server: the web application in a thread of its own."""

import asyncio
import errno
import resource
import secrets
import socket
import threading
from collections.abc import Sequence

import uvicorn

from hardware.web.asked import Asked
from hardware.web.auth import DealerDoor
from hardware.web.console import Console, OnCorrection, PictureSource, Seen
from hardware.web.desk import Desk
from hardware.web.errors import PortInUseError, WebError
from hardware.web.hub import Hub
from hardware.web.links import reachable_url
from hardware.web.metrics import MetricsSource
from hardware.web.site import SeatLinks, create_app
from table_state.layout import Layout
from table_state.observation import Observation
from table_state.table import Output, TableView

DEFAULT_PORT = 8021
_STOP_SECONDS = 5.0
_BACKLOG = 256
_FILES = 16384


class WebDisplay:
    """Serves the pages of one table; every method is safe to call from another thread.

    `host` is loopback unless told otherwise; port 0 takes any free one. Without `dealer_code` the console stays shut.
    `link_secret` kept by the caller makes the seat links outlive a restart. `on_correction` gets each correction of the
    console with the `t` of the newest view; `picture` returns the newest JPEG or None; both are called from the
    server's threads and must return soon. `desk`: what the console steers beside that; `asked`: who
    answers keys and the test of the sound. `metrics` returns Prometheus'
    text; without it there is no /metrics.
    """

    def __init__(
        self,
        layout: Layout,
        *,
        host: str = "127.0.0.1",
        port: int = DEFAULT_PORT,
        dealer_code: str | None = None,
        on_correction: OnCorrection | None = None,
        picture: PictureSource | None = None,
        link_secret: bytes | None = None,
        metrics: MetricsSource | None = None,
        desk: Desk | None = None,
        asked: Asked | None = None,
    ) -> None:
        self.layout = layout
        self._host = host
        self._port = port
        self._hub = Hub(layout)
        self._seen = Seen()
        door = DealerDoor(dealer_code) if dealer_code else None
        self._console = Console(self._hub, door, on_correction, picture, self._seen, desk)
        self._metrics = metrics
        self._asked = asked
        self._secret = link_secret or secrets.token_bytes(32)
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The address of the display, for a browser on this machine or, if bound so, on the network."""
        return reachable_url(self._host, self._port)

    @property
    def seat_urls(self) -> dict[int, str]:
        """Each seat's link by its number; they are secrets: show them at the table, do not log them."""
        links = SeatLinks(self._secret, self.url)
        return {seat.number: links.url(seat.number) for seat in self.layout.seats}

    @property
    def streams(self) -> int:
        """How many pages follow the table now."""
        return self._hub.streams

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return len(self._server.server_state.connections) if self._server is not None else 0

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Show a new state and what was newly said; returns at once however slow the browsers are."""
        self._hub.publish(view, outputs)

    def observe(self, observation: Observation) -> None:
        """Take the newest observation, from which a correction gets its place; it is sent to no page."""
        self._seen.newest = observation

    def notice(self, code: str | None) -> None:
        """Show a standing notice (`camera-lost`, `camera-moved`, `paused`) on every page, or take it away."""
        self._hub.notice(code)

    def switched(self, paused: bool, camera_on: bool, layout: Layout | None = None) -> None:
        """Show on every page whether the table is paused and the camera on, and the seats' names of now."""
        self._hub.switched(paused, camera_on, layout)

    def start(self) -> None:
        """Open the port and serve; PortInUseError where another program has it, WebError for a host not ours."""
        allow_files()
        opened = listen(self._host, self._port)
        self._port = opened.getsockname()[1]
        app = create_app(self._hub, SeatLinks(self._secret, self.url), self._console, self._metrics, self._asked)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,  # a log of requests would hold the seat links
            server_header=False,
            ws="none",
            lifespan="off",
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, args=(opened,), name="display", daemon=True)
        self._thread.start()

    def _serve(self, opened: socket.socket) -> None:
        assert self._server is not None
        with opened:
            asyncio.run(self._server.serve(sockets=[opened]))

    def stop(self) -> None:
        """End all streams and close the port; harmless when not started."""
        if self._server is None or self._thread is None:
            return
        self._hub.close()
        self._server.should_exit = True
        self._thread.join(_STOP_SECONDS)
        self._server = self._thread = None


def allow_files() -> None:
    """Let this process hold as many connections as the system permits: a flood must not take the camera's files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; the one-line errors say what to do."""
    if not 0 <= port <= 65535:
        raise WebError(f"port {port} is none; choose one from 1 to 65535 with --port")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise WebError(f"{host!r} is no address of this machine ({error}); use 127.0.0.1 or 0.0.0.0") from error
    opened = socket.socket(family, kind, protocol)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(_BACKLOG)
    except OSError as error:
        opened.close()
        raise _bind_error(error, host, port) from error
    return opened


def _bind_error(error: OSError, host: str, port: int) -> WebError:
    if error.errno == errno.EADDRINUSE:
        return PortInUseError(f"port {port} is in use; end the other program or choose another with --port")
    if error.errno == errno.EACCES:
        return WebError(f"port {port} may not be opened by this user; choose one above 1023 with --port")
    return WebError(f"cannot listen on {host}:{port} ({error}); choose another with --host and --port")
