"""The web application: the table display, the seat pages, the dealer's console, the static files."""

import io
import json
from dataclasses import dataclass

import segno
from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse

from hardware.web.asked import Asked, asked_router
from hardware.web.card import card_router
from hardware.web.console import Console, console_router, inside, open_stream
from hardware.web.desk import desk_pages, desk_router
from hardware.web.files import load_page, load_static
from hardware.web.guard import Guard
from hardware.web.hub import Hub
from hardware.web.links import is_loopback, opened_here, seat_token
from hardware.web.metrics import MetricsSource, metrics_router
from hardware.web.stream import EventStream
from hardware.web.words import word


@dataclass(frozen=True, slots=True)
class SeatLinks:
    """The seat pages' links: the secret they come from and the address under which phones reach this server."""

    secret: bytes
    base: str

    def url(self, seat: int) -> str:
        """Return the full link of a seat's page."""
        return f"{self.base}/s/{seat_token(self.secret, seat)}"


def create_app(
    hub: Hub,
    links: SeatLinks,
    console: Console | None = None,
    metrics: MetricsSource | None = None,
    asked: Asked | None = None,
) -> FastAPI:
    """Build the application around a hub; without a console its door stays shut."""
    console = console or Console(hub)
    app = FastAPI(title="Railbird", docs_url=None, redoc_url=None, openapi_url="/openapi.json")
    app.add_middleware(Guard)
    app.add_exception_handler(RequestValidationError, _bad_form)
    _add_static(app)
    _add_display(app, hub, links)
    app.include_router(_dealers_display(hub, links, console))
    _add_seats(app, hub, links)
    app.include_router(console_router(console))
    app.include_router(desk_pages(console.knows))
    app.include_router(asked_router(asked, [Depends(inside(console))]))
    app.include_router(card_router(asked))
    if console.desk is not None:
        app.include_router(desk_router(console.desk, [Depends(inside(console))]))
    if metrics is not None:
        app.include_router(metrics_router(metrics, console.door))
    return app


async def _bad_form(request: Request, error: Exception) -> JSONResponse:
    fields = [str(entry["loc"][-1]) for entry in error.errors()] if isinstance(error, RequestValidationError) else []
    return JSONResponse({"detail": word("error.form"), "fields": fields}, 422)


def _add_static(app: FastAPI) -> None:
    files = load_static()

    @app.get("/static/{path:path}", include_in_schema=False)
    async def static(path: str, request: Request) -> Response:
        file = files.get(path)
        if file is None:
            raise HTTPException(404, word("error.not-found"))
        headers = {"etag": file.etag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == file.etag:
            return Response(status_code=304, headers=headers)
        return Response(file.body, media_type=file.media_type, headers=headers)

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> Response:
        return Response(files["icon.svg"].body, media_type="image/svg+xml")


def _add_display(app: FastAPI, hub: Hub, links: SeatLinks) -> None:
    page = load_page("table.html")

    @app.get("/", response_class=HTMLResponse)
    async def table() -> HTMLResponse:
        return HTMLResponse(page)

    @app.get("/table.json", response_class=Response)
    async def layout(request: Request) -> Response:
        return _table(hub, links, secrets=opened_here(request.scope))

    @app.get("/camera.json")
    async def camera() -> dict[str, str]:
        return {"camera": hub.camera}

    @app.get("/events", response_class=Response)
    async def events(request: Request) -> EventStream:
        return open_stream(request, hub, "table")

    @app.get("/code/{seat}.svg", response_class=Response)
    async def code(seat: int, request: Request) -> Response:
        if not opened_here(request.scope):
            raise HTTPException(403, word("error.codes"))
        return _code(hub, links, seat)


def _dealers_display(hub: Hub, links: SeatLinks, console: Console) -> APIRouter:
    """The display opened with the dealer's code: on whatever machine it is, it shows the seats' links."""
    page, door = load_page("table.html"), load_page("door.html")
    router = APIRouter(prefix="/dealer")
    dealers = [Depends(inside(console))]

    @router.get("/display", response_class=HTMLResponse)
    async def table(request: Request) -> HTMLResponse:
        return HTMLResponse(page if console.knows(request) else door)

    @router.get("/table.json", dependencies=dealers, response_class=Response)
    async def layout() -> Response:
        return _table(hub, links, secrets=True)

    @router.get("/code/{seat}.svg", dependencies=dealers, response_class=Response)
    async def code(seat: int) -> Response:
        return _code(hub, links, seat)

    return router


def _code(hub: Hub, links: SeatLinks, seat: int) -> Response:
    if seat not in {s.number for s in hub.layout.seats}:
        raise HTTPException(404, word("error.no-seat"))
    # Black on white with a margin of four modules whatever the theme: phones read nothing else reliably.
    image = io.BytesIO()
    made = segno.make(links.url(seat), error="m", micro=False)
    made.save(image, kind="svg", border=4, light="#fff", omitsize=True)
    return Response(image.getvalue(), media_type="image/svg+xml")


def _table(hub: Hub, links: SeatLinks, secrets: bool) -> Response:
    body = json.dumps(_table_json(hub, links, secrets), ensure_ascii=False)
    return Response(body, media_type="application/json")


def _table_json(hub: Hub, links: SeatLinks, secrets: bool) -> dict[str, object]:
    """The table's places; with `secrets` the links of the seats' pages too."""
    layout = hub.layout
    seats = [
        {"number": s.number, "name": s.name, "circle": s.circle[:2], "cards": s.cards}
        | ({"url": links.url(s.number)} if secrets else {})
        for s in layout.seats
    ]
    host = links.base.split("//", 1)[1].rsplit(":", 1)[0].strip("[]")
    return {
        "name": layout.name,
        "dealer": layout.dealer,
        "shoe": layout.shoe,
        "discard": layout.discard,
        "seats": seats,
        "phones": not is_loopback(host),
        "links": secrets,
    }


def _add_seats(app: FastAPI, hub: Hub, links: SeatLinks) -> None:
    page, gone = load_page("seat.html"), load_page("gone.html")
    seats = {seat_token(links.secret, seat.number): seat.number for seat in hub.layout.seats}

    @app.get("/s/{token}", response_class=HTMLResponse)
    async def seat(token: str) -> HTMLResponse:
        return HTMLResponse(page) if token in seats else HTMLResponse(gone, 404)

    @app.get("/s/{token}/events", response_class=Response)
    async def events(token: str, request: Request) -> EventStream:
        if token not in seats:
            raise HTTPException(404, word("error.not-found"))
        return open_stream(request, hub, seats[token])
