"""Serves the wizard until it is ended."""

import asyncio
import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from hardware.web.server import listen


def serve(app: FastAPI, opened: socket.socket, started: Callable[[uvicorn.Server], None] = lambda server: None) -> None:
    """Serve on an open socket until Ctrl-C; `started` is handed the server, whose `should_exit` ends it too."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="off",
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    started(server)
    with opened:
        asyncio.run(server.serve(sockets=[opened]))


__all__ = ["listen", "serve"]
