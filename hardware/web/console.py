"""The dealer's console: its door, its live state, and corrections handed on to the program."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from hardware.web.auth import COOKIE, SESSION_SECONDS, DealerDoor
from hardware.web.desk import Desk
from hardware.web.files import load_page
from hardware.web.hub import Audience, Hub
from hardware.web.marks import marks
from hardware.web.places import card_point, free_point
from hardware.web.stream import EventStream
from hardware.web.words import card_name, word, words
from table_state.observation import Correction, Observation
from table_state.view import HandView

OnCorrection = Callable[[Correction], Future[bool] | None]
"""Takes a correction; what it returns, if anything, tells in time whether the correction changed something."""
PictureSource = Callable[[], bytes | None]

_TRIES_AT_ONCE = 2
ANSWER_SECONDS = 1.5
"""How long a tap waits to hear what became of it; a camera that is gone lets corrections wait."""
Code = Annotated[str, Field(pattern=r"^[A23456789TJQK][cdhs]$")]
Read = Annotated[str, Field(pattern=r"^[A23456789TJQK?][cdhs?]$")]
Seat = Annotated[int, Field(ge=0, le=1000)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Entry(_Body):
    """What the dealer typed at the door."""

    code: Annotated[str, Field(min_length=1, max_length=100)]


class CardFix(_Body):
    """A card of a hand is another, is none (`code` null), or is missing (`index` null).

    `was` is the code that the page showed: where another stands there by now, nothing is corrected.
    """

    seat: Seat
    hand: Annotated[int, Field(ge=0, le=7)] = 0
    index: Annotated[int, Field(ge=0, le=20)] | None = None
    code: Code | None = None
    was: Read | None = None


class PointFix(_Body):
    """The card at a felt point is another, or is none (`code` null)."""

    x: Annotated[float, Field(ge=-5000, le=5000, allow_inf_nan=False)]
    y: Annotated[float, Field(ge=-5000, le=5000, allow_inf_nan=False)]
    code: Code | None = None


class BetFix(_Body):
    """What really lies in a circle."""

    seat: Annotated[int, Field(ge=1, le=1000)]
    amount: Annotated[str, Field(pattern=r"^\d{1,7}(\.\d{1,2})?$")]


class AlertFix(_Body):
    """An alert is not a mistake."""

    code: Annotated[str, Field(pattern=r"^[a-z-]{3,40}$")]
    seat: Seat | None = None


class TableFix(_Body):
    """A new shoe begins, or the last correction is taken back."""

    kind: Literal["new-shoe", "undo"]


class Seen:
    """The newest observation, from which a tapped card gets its place."""

    def __init__(self) -> None:
        self.newest: Observation | None = None


@dataclass(frozen=True, slots=True)
class Console:
    """What the console's routes need; `door` None = no dealer's code is set and the console stays shut."""

    hub: Hub
    door: DealerDoor | None = None
    on_correction: OnCorrection | None = None
    picture: PictureSource | None = None
    seen: Seen | None = None
    desk: Desk | None = None

    def knows(self, request: Request) -> bool:
        """Say whether a request has the dealer's session."""
        return self.door is not None and self.door.knows(request.cookies.get(COOKIE))


def inside(console: Console) -> Callable[[Request], None]:
    """Return the check that a request has the dealer's session; 401 otherwise."""

    def check(request: Request) -> None:
        if not console.knows(request):
            raise HTTPException(401, word("error.sign-in"))

    return check


def open_stream(request: Request, hub: Hub, audience: Audience) -> EventStream:
    """Return the stream of an audience; 503 where too many are open."""
    stream = hub.stream(audience, request.client.host if request.client else "")
    if stream is None:
        raise HTTPException(503, word("error.full"))
    return stream


def console_router(console: Console) -> APIRouter:
    """Return the routes under /dealer; all but the door need the dealer's session."""
    router = APIRouter(prefix="/dealer")
    entered = [Depends(inside(console))]
    _add_door(router, console)
    _add_corrections(router, console)

    @router.get("/events", dependencies=entered, response_class=Response)
    async def events(request: Request) -> EventStream:
        return open_stream(request, console.hub, "dealer")

    @router.get("/picture.jpg", dependencies=entered, response_class=Response)
    async def picture() -> Response:
        jpeg = await asyncio.to_thread(console.picture) if console.picture else None
        if jpeg is None:
            raise HTTPException(404, word("error.no-picture"))
        return Response(jpeg, media_type="image/jpeg")

    @router.get("/marks", dependencies=entered)
    async def overlay() -> list[dict[str, Any]]:
        seen = console.seen.newest if console.seen and console.hub.camera != "off" else None
        return marks(console.hub.layout, console.hub.view(), seen.cards if seen else ())

    return router


def _add_door(router: APIRouter, console: Console) -> None:
    pages = {name: load_page(name) for name in ("dealer.html", "door.html", "shut.html")}
    gate = asyncio.Semaphore(_TRIES_AT_ONCE)

    @router.get("", response_class=HTMLResponse)
    async def page(request: Request) -> HTMLResponse:
        if console.door is None:
            return HTMLResponse(pages["shut.html"], 403)
        known = console.door.knows(request.cookies.get(COOKIE))
        return HTMLResponse(pages["dealer.html" if known else "door.html"])

    @router.post("/enter", status_code=204)
    async def enter(entry: Entry, request: Request, response: Response) -> None:
        door = console.door
        if door is None:
            raise HTTPException(403, word("error.no-code"))
        address = request.client.host if request.client else ""
        wait = door.wait(address)
        if wait > 0 or gate.locked():
            seconds = max(1, round(wait))
            raise HTTPException(429, word("error.wait", seconds=seconds), {"Retry-After": str(seconds)})
        async with gate:
            right = await asyncio.to_thread(door.matches, entry.code)
        door.count(address, right=right)
        if not right:
            raise HTTPException(403, word("error.wrong-code"))
        secure = request.url.scheme == "https"
        age, token = int(SESSION_SECONDS), door.open_session()
        response.set_cookie(COOKIE, token, age, path="/dealer", secure=secure, httponly=True, samesite="strict")

    @router.post("/leave", status_code=204)
    async def leave(request: Request, response: Response) -> None:
        if console.door is not None:
            console.door.close_session(request.cookies.get(COOKIE))
        response.delete_cookie(COOKIE, path="/dealer", httponly=True, samesite="strict")


def _add_corrections(router: APIRouter, console: Console) -> None:
    entered = [Depends(inside(console))]

    async def hand_on(**fields: object) -> Response:
        if console.on_correction is None:
            raise HTTPException(409, word("error.no-corrections"))
        view = console.hub.view()
        correction = Correction(t=view.t if view else 0.0, **fields)  # type: ignore[arg-type]
        applied = await _outcome(console, correction)
        if applied is None:
            return JSONResponse({"detail": word("console.later")}, 202)
        if not applied:
            key = f"error.nothing-{correction.kind}"
            raise HTTPException(409, word(key if key in words() else "error.nothing"))
        return Response(status_code=204)

    @router.post("/card", status_code=204, dependencies=entered)
    async def card(fix: CardFix) -> Response:
        x, y = _point_of(console, fix)
        kind = "card" if fix.code else "no-card"
        return await hand_on(kind=kind, x=x, y=y, code=fix.code, seat=fix.seat)

    @router.post("/point", status_code=204, dependencies=entered)
    async def point(fix: PointFix) -> Response:
        return await hand_on(kind="card" if fix.code else "no-card", x=fix.x, y=fix.y, code=fix.code)

    @router.post("/bet", status_code=204, dependencies=entered)
    async def bet(fix: BetFix) -> Response:
        if fix.seat not in {seat.number for seat in console.hub.layout.seats}:
            raise HTTPException(404, word("error.no-seat"))
        return await hand_on(kind="bet", seat=fix.seat, amount=Fraction(fix.amount))

    @router.post("/not-a-mistake", status_code=204, dependencies=entered)
    async def not_a_mistake(fix: AlertFix) -> Response:
        return await hand_on(kind="not-a-mistake", alert=fix.code, seat=fix.seat)

    @router.post("/table", status_code=204, dependencies=entered)
    async def table(fix: TableFix) -> Response:
        return await hand_on(kind=fix.kind)


async def _outcome(console: Console, correction: Correction) -> bool | None:
    """Whether a correction changed something; None where that is not known in time. It is logged when it did."""
    assert console.on_correction is not None
    asked = console.on_correction(correction)
    if asked is None:
        console.hub.corrected(correction)
        return True

    def log(done: "Future[bool]") -> None:
        if not done.cancelled() and done.result():
            console.hub.corrected(correction)

    asked.add_done_callback(log)
    try:
        return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(asked)), ANSWER_SECONDS)
    except TimeoutError:
        return None


def _point_of(console: Console, fix: CardFix) -> tuple[float, float]:
    """Return the felt point of the card a fix is about.

    404 where the view has no such hand or card, 409 where another card than the page's stands there by now.
    """
    layout, view = console.hub.layout, console.hub.view()
    if fix.seat and fix.seat not in {seat.number for seat in layout.seats}:
        raise HTTPException(404, word("error.no-seat"))
    hands: tuple[HandView, ...] = () if view is None else (view.dealer,)
    if view is not None and fix.seat:
        hands = next((seat.hands for seat in view.seats if seat.number == fix.seat), ())
    cards = hands[fix.hand].cards if fix.hand < len(hands) else ()
    newest = console.seen.newest if console.seen else None
    seen = newest.cards if newest else ()
    if fix.index is None:
        if fix.code is None:
            raise HTTPException(422, word("error.no-card"))
        return free_point(layout, seen, fix.seat, fix.hand, len(cards))
    if fix.index >= len(cards):
        raise HTTPException(409 if fix.was else 404, word("error.card-gone" if fix.was else "error.no-card"))
    if fix.was not in (None, cards[fix.index]):
        raise HTTPException(409, word("error.card-changed", card=card_name(cards[fix.index])))
    return card_point(layout, seen, fix.seat, fix.hand, fix.index, cards[fix.index])
