"""The pit as a whole: the subscription and the page's server, in threads of their own."""

import asyncio
import socket
import threading
from collections.abc import Callable

import uvicorn

from hardware.mqtt.access import Access
from hardware.pit.hearing import Hearing
from hardware.pit.site import Followers, create_app
from hardware.pit.tables import Tables
from hardware.web.links import reachable_url
from hardware.web.server import allow_files, listen

DEFAULT_PORT = 8022
_STOP_SECONDS = 5.0


class Pit:
    """Serves the page over all tables of a broker. Port 0 takes any free one."""

    def __init__(self, access: Access, host: str, port: int, notice: Callable[[str], None]) -> None:
        """Open the port. Raises WebError where it cannot be had, BadInputError for bad certificates."""
        self.tables = Tables()
        self.hearing = Hearing(access, self.tables, notice)
        self._followers = Followers(self.tables)
        allow_files()
        self._socket = listen(host, port)
        self.url = reachable_url(host, self._socket.getsockname()[1])
        app = create_app(self._followers)
        config = uvicorn.Config(app, log_config=None, access_log=False, server_header=False, ws="none", lifespan="off")
        config.timeout_graceful_shutdown = 2
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, args=(self._socket,), name="pit", daemon=True)

    def start(self) -> None:
        """Hear and serve."""
        self.hearing.start()
        self._thread.start()

    def _serve(self, opened: socket.socket) -> None:
        with opened:
            asyncio.run(self._server.serve(sockets=[opened]))

    def wait(self) -> None:
        """Until the user stops it."""
        while self._thread.is_alive():
            self._thread.join(1.0)

    def stop(self) -> None:
        """End everything."""
        self._followers.close()
        self._server.should_exit = True
        self._thread.join(_STOP_SECONDS)
        self.hearing.close()
