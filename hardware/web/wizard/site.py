"""The wizard's web application: its page, and what the page asks for."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from hardware.backup import LARGEST
from hardware.errors import BadInputError, HardwareError
from hardware.marker_sheet import sheet
from hardware.pictures import picture_of
from hardware.web.auth import SESSION_SECONDS, DealerDoor
from hardware.web.files import load_page, load_static
from hardware.web.guard import Guard
from hardware.web.wizard.drafting import COLORS
from hardware.web.wizard.rulebook import rulebook, rules_draft
from hardware.web.wizard.session import Session
from hardware.web.wizard.sources import LIVE_WIDTH, cameras_here, jpeg, parse_size
from hardware.web.wizard.templates import KINDS, MOST_SEATS
from hardware.web.wizard.words import word, words
from table_state.rules import PRESETS

COOKIE = "railbird_setup"
LARGEST_PICTURE = 60 * 1024 * 1024
LARGEST_DRAFT = 128 * 1024
UPLOADS = {"/api/picture": LARGEST_PICTURE, "/api/draft": LARGEST_DRAFT, "/api/restore": LARGEST}
MOST_PIXELS = 24_000_000
PACKAGE = "hardware.web.wizard"
Number = Annotated[float, Field(ge=-1e5, le=1e5, allow_inf_nan=False)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Entry(_Body):
    """The code that was typed at the door."""

    code: Annotated[str, Field(min_length=1, max_length=100)]


class Camera(_Body):
    """A camera of this machine, and the size of its pictures; an empty size is the camera's usual one."""

    spec: Annotated[str, Field(max_length=200)]
    size: Annotated[str, Field(max_length=20)] = ""


class Pixel(_Body):
    """A place in the picture."""

    px: Number
    py: Number


class Pixels(_Body):
    """Several of them."""

    pixels: Annotated[list[Pixel], Field(min_length=1, max_length=50)]


class Pattern(_Body):
    """A template and how many seats it has."""

    kind: Annotated[str, Field(max_length=40)]
    seats: Annotated[int, Field(ge=1, le=MOST_SEATS)]


class Trial(_Body):
    """Whether a fresh picture of the camera is looked at, or the one that was measured in."""

    fresh: bool


def create_wizard(session: Session, cameras: list[str] | None = None, door: DealerDoor | None = None) -> FastAPI:
    """Build the application around a set-up. `cameras`: those on offer, by default this machine's.

    `door`: checks the first-run code; None where only this machine's own user reaches the pages.
    """
    app = FastAPI(title="Railbird set-up", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, uploads=UPLOADS)
    app.add_exception_handler(RequestValidationError, _bad_form)
    app.add_exception_handler(BadInputError, _refused)
    app.add_exception_handler(HardwareError, _refused)
    _add_files(app)
    _add_door(app, door)
    router = APIRouter(prefix="/api", dependencies=[Depends(_inside(door))])
    _add_pictures(router, session, cameras)
    _add_table(router, session)
    app.include_router(router)
    return app


async def _bad_form(request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"detail": word("error.form")}, 422)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"detail": str(error)}, 422 if isinstance(error, BadInputError) else 503)


def _inside(door: DealerDoor | None) -> Callable[[Request], Awaitable[None]]:
    async def check(request: Request) -> None:
        if door is not None and not door.knows(request.cookies.get(COOKIE)):
            raise HTTPException(401, word("error.sign-in"))

    return check


def _add_files(app: FastAPI) -> None:
    files = load_static() | load_static(PACKAGE, words())

    @app.get("/static/{path:path}")
    async def static(path: str, request: Request) -> Response:
        file = files.get(path)
        if file is None:
            raise HTTPException(404, word("error.not-found"))
        headers = {"etag": file.etag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == file.etag:
            return Response(status_code=304, headers=headers)
        return Response(file.body, media_type=file.media_type, headers=headers)

    @app.get("/favicon.ico")
    async def icon() -> Response:
        return Response(files["icon.svg"].body, media_type="image/svg+xml")


def _add_door(app: FastAPI, door: DealerDoor | None) -> None:
    page, shut = (load_page(name, PACKAGE, words()) for name in ("wizard.html", "setup-door.html"))
    gate = asyncio.Semaphore(1)

    @app.get("/", response_class=HTMLResponse)
    async def wizard(request: Request) -> HTMLResponse:
        return HTMLResponse(page if door is None or door.knows(request.cookies.get(COOKIE)) else shut)

    @app.post("/enter", status_code=204)
    async def enter(entry: Entry, request: Request, response: Response) -> None:
        if door is None:
            return
        address = request.client.host if request.client else ""
        wait = door.wait(address)
        if wait > 0 or gate.locked():
            seconds = max(1, round(wait))
            raise HTTPException(429, word("error.wait", seconds=seconds), {"Retry-After": str(seconds)})
        async with gate:
            right = await asyncio.to_thread(door.matches, entry.code)
        door.count(address, right=right)
        if not right:
            raise HTTPException(403, word("setup.wrong-code"))
        secure, age = request.url.scheme == "https", int(SESSION_SECONDS)
        response.set_cookie(COOKIE, door.open_session(), age, secure=secure, httponly=True, samesite="strict")


def _add_pictures(router: APIRouter, session: Session, cameras: list[str] | None) -> None:
    @router.get("/offer")
    def offer() -> dict[str, Any]:
        """Everything that the page needs once: cameras, colours, options, presets, the draft."""
        return {
            "cameras": cameras_here() if cameras is None else cameras,
            "colors": COLORS,
            "kinds": KINDS,
            "rules": [{"key": r.key, "kind": r.kind, "choices": r.choices} for r in rulebook()],
            "presets": {name: rules_draft(rules, name) for name, rules in PRESETS.items()},
            "draft": session.draft,
            "state": session.state(),
        }

    @router.post("/camera", status_code=204)
    def camera(wanted: Camera) -> None:
        if wanted.spec not in (cameras_here() if cameras is None else cameras):
            raise HTTPException(422, word("fault.choice"))
        session.live.start(wanted.spec, parse_size(wanted.size))

    @router.get("/live.jpg", response_class=Response)
    def live() -> Response:
        return Response(jpeg(session.live.picture(), LIVE_WIDTH, 75), media_type="image/jpeg")

    @router.post("/take")
    def take() -> dict[str, Any]:
        session.set_picture(session.live.picture())
        return {"draft": session.draft, "state": session.state()}

    @router.post("/picture")
    async def upload(request: Request) -> dict[str, Any]:
        data = await request.body()

        def work() -> dict[str, Any]:
            session.set_picture(picture_of(data, word("picture.yours"), MOST_PIXELS).image)
            return {"draft": session.draft, "state": session.state()}

        return await asyncio.to_thread(work)

    @router.get("/picture.jpg", response_class=Response)
    def picture() -> Response:
        if session.image is None:
            raise HTTPException(404, word("fault.no-picture"))
        return Response(jpeg(session.image), media_type="image/jpeg")

    @router.get("/tried.jpg", response_class=Response)
    def tried() -> Response:
        image = session.tried()
        if image is None:
            raise HTTPException(404, word("fault.no-picture"))
        return Response(jpeg(image, LIVE_WIDTH), media_type="image/jpeg")


def _add_table(router: APIRouter, session: Session) -> None:
    @router.post("/draft")
    async def draft(request: Request) -> dict[str, Any]:
        """Keep what was typed, whatever it is, and say what follows from it."""
        try:
            typed = await request.json()
        except (ValueError, RecursionError):
            raise HTTPException(422, word("error.form")) from None
        if not isinstance(typed, dict):
            raise HTTPException(422, word("error.form"))
        return await asyncio.to_thread(session.keep, typed)

    @router.post("/template")
    def lay_out(pattern: Pattern) -> dict[str, Any]:
        try:
            made = session.lay_out(pattern.kind, pattern.seats)
        except ValueError:
            raise HTTPException(422, word("fault.choice")) from None
        return {"draft": made, "state": session.state()}

    @router.post("/circles")
    def circles() -> dict[str, Any]:
        found = session.find_circles()
        if found is None:
            raise HTTPException(409, word("fault.no-table"))
        return {"found": found, "draft": session.draft, "state": session.state()}

    @router.post("/felt")
    def felt(asked: Pixels) -> list[list[float]]:
        found = session.felt([(p.px, p.py) for p in asked.pixels])
        if found is None:
            raise HTTPException(409, word("fault.no-table"))
        return found

    @router.post("/sample")
    def sample(at: Pixel) -> dict[str, Any]:
        found = session.sample(at.px, at.py)
        if found is None:
            raise HTTPException(409, word("fault.no-table"))
        return found

    @router.post("/trial")
    def trial(asked: Trial) -> dict[str, Any]:
        return session.trial(asked.fresh)

    @router.post("/save")
    def save() -> JSONResponse:
        done = session.save()
        return JSONResponse(done, 422 if done["errors"] else 200)

    @router.get("/backup.zip", response_class=Response)
    def backup() -> Response:
        data = session.backup()
        if data is None:
            raise HTTPException(404, word("backup.none"))
        headers = {"content-disposition": 'attachment; filename="railbird-table.zip"'}
        return Response(data, media_type="application/zip", headers=headers)

    @router.post("/restore")
    async def restore(request: Request) -> dict[str, Any]:
        await asyncio.to_thread(session.restore, await request.body())
        return {"draft": session.draft, "state": session.state()}

    @router.get("/markers.pdf", response_class=Response)
    def markers() -> Response:
        return Response(sheet(), media_type="application/pdf", headers={"content-disposition": "inline"})
