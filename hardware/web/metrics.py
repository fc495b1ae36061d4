"""The metrics endpoint: for this machine itself, and elsewhere for whoever has the dealer's code."""

import asyncio
from collections.abc import Callable

from fastapi import APIRouter, HTTPException, Request, Response

from hardware.web.auth import DealerDoor
from hardware.web.links import is_loopback
from hardware.web.words import word

MetricsSource = Callable[[], bytes]

_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_ASK = {"WWW-Authenticate": 'Bearer realm="railbird"'}


def metrics_router(source: MetricsSource, door: DealerDoor | None) -> APIRouter:
    """Return the route /metrics; from another machine `Authorization: Bearer CODE` is needed."""
    router = APIRouter()
    gate = asyncio.Lock()

    @router.get("/metrics", response_class=Response)
    async def metrics(request: Request) -> Response:
        address = request.client.host if request.client else ""
        if not is_loopback(address):
            await _let_in(request, address, door, gate)
        return Response(await asyncio.to_thread(source), media_type=_CONTENT_TYPE)

    return router


async def _let_in(request: Request, address: str, door: DealerDoor | None, gate: asyncio.Lock) -> None:
    """Raise unless the request carries the dealer's code; wrong ones count as at the console's own door."""
    kind, _, code = request.headers.get("authorization", "").partition(" ")
    if door is None or kind.lower() != "bearer" or not 0 < len(code) <= 100:
        raise HTTPException(401, word("error.sign-in"), _ASK)
    if (wait := door.wait(address)) > 0 or gate.locked():
        seconds = max(1, round(wait))
        raise HTTPException(429, word("error.wait", seconds=seconds), {"Retry-After": str(seconds)})
    async with gate:
        right = await asyncio.to_thread(door.matches, code)
    door.count(address, right=right)
    if not right:
        raise HTTPException(401, word("error.wrong-code"), _ASK)
