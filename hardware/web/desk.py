"""What the dealer may do beside correcting: pause, camera, names, the replay, the evenings that are kept."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Path, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import BaseModel, ConfigDict, Field

from hardware.control import Control
from hardware.history import History
from hardware.history_book import Row
from hardware.replay import Replay
from hardware.web.files import load_page
from hardware.web.words import word

COLUMNS = {
    "rounds": "evening round began ended seat hand cards total outcome bet pays insurance dealer dealer_total",
    "alerts": "evening id round at code seat hand text moves expected seen mended dismissed",
    "corrections": "evening id round at kind seat x y code amount alert",
}
TIMES = ("began", "ended", "at", "mended", "dismissed")
Name = Annotated[str, Field(max_length=24, pattern=r"^[^\x00-\x1f\x7f]*$")]
Number = Annotated[int, Path(ge=0, lt=2**63)]  # what SQLite takes
Evening = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]
What = Literal["rounds", "alerts", "corrections"]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Switch(_Body):
    """On or off."""

    on: bool


class SeatNames(_Body):
    """Seats' new names by their numbers, "" = none."""

    names: Annotated[dict[Annotated[str, Field(pattern=r"^\d{1,4}$")], Name], Field(max_length=100)]


class Deletion(_Body):
    """Which evening goes for good."""

    evening: Evening


@dataclass(frozen=True, slots=True)
class Desk:
    """The parts of the program that the console steers; None where this run keeps nothing of the kind."""

    control: Control
    replay: Replay | None = None
    history: History | None = None
    keep_days: int = 0


def desk_router(desk: Desk, dependencies: Sequence[Any]) -> APIRouter:
    """Return the routes under /dealer that need the dealer's session, which `dependencies` check."""
    router = APIRouter(prefix="/dealer", dependencies=list(dependencies))
    _add_switches(router, desk)
    _add_replay(router, desk)
    _add_history(router, desk)
    return router


def desk_pages(known: Callable[[Request], bool]) -> APIRouter:
    """Return the page of the evenings; who is not `known` is sent to the door."""
    router = APIRouter(prefix="/dealer")
    page = load_page("history.html")

    @router.get("/history", response_class=HTMLResponse)
    async def history(request: Request) -> Response:
        return HTMLResponse(page) if known(request) else RedirectResponse("/dealer", 303)

    return router


def _add_switches(router: APIRouter, desk: Desk) -> None:
    @router.post("/pause", status_code=204)
    def pause(switch: Switch) -> None:
        desk.control.pause(switch.on)

    @router.post("/camera", status_code=204)
    def camera(switch: Switch) -> None:
        desk.control.camera(switch.on)

    @router.post("/names", status_code=204)
    def names(wanted: SeatNames) -> None:
        desk.control.rename({int(number): name.strip() for number, name in wanted.names.items()})


def _add_replay(router: APIRouter, desk: Desk) -> None:
    @router.get("/replay")
    def replay(last: bool = True) -> dict[str, Any]:
        stills, told = desk.replay.round(last) if desk.replay else ([], [])
        words = [{"t": one.t, "kind": one.kind, "text": one.text} for one in told]
        return {"stills": [{"n": s.n, "t": s.t} for s in stills], "told": words}

    @router.get("/replay/{n}.jpg", response_class=Response)
    def still(n: Number) -> Response:
        return _jpeg(desk.replay.still(n) if desk.replay else None)

    @router.get("/alerts/{alert}/{n}.jpg", response_class=Response)
    def picture(alert: Number, n: Number) -> Response:
        return _jpeg(desk.history.picture(alert, n) if desk.history else None)


def _jpeg(jpeg: bytes | None) -> Response:
    if jpeg is None:
        raise HTTPException(404, word("error.no-picture"))
    return Response(jpeg, media_type="image/jpeg")


def _add_history(router: APIRouter, desk: Desk) -> None:
    @router.get("/history.json")
    def history(evening: Evening | None = None) -> dict[str, Any]:
        kept = desk.history
        if kept is None:
            return {"keep_days": 0, "today": None, "evening": None, "evenings": []}
        shown = evening or kept.evening
        rows = {what: kept.rows(what, shown) for what in COLUMNS}
        about = {"keep_days": desk.keep_days, "today": kept.evening, "evening": shown, "evenings": kept.evenings()}
        return about | rows

    @router.get("/export/{what}.csv", response_class=Response)
    def as_csv(what: What, evening: Evening) -> Response:
        return _file(_csv(what, _rows(desk, what, evening)), "text/csv; charset=utf-8", f"{what}-{evening}.csv")

    @router.get("/export/{what}.json", response_class=Response)
    def as_json(what: What, evening: Evening) -> Response:
        rows = [_with_times(row) for row in _rows(desk, what, evening)]
        text = json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
        return _file(text, "application/json", f"{what}-{evening}.json")

    @router.post("/delete-evening", status_code=204)
    def delete(wanted: Deletion) -> None:
        if desk.history is None or not desk.history.delete(wanted.evening):
            raise HTTPException(503, word("error.not-deleted"))
        if desk.replay is not None and wanted.evening == desk.history.evening:
            desk.replay.clear()


def _rows(desk: Desk, what: str, evening: str) -> list[Row]:
    return desk.history.rows(what, evening) if desk.history else []


def _file(text: str, kind: str, name: str) -> Response:
    return Response(text, media_type=kind, headers={"Content-Disposition": f'attachment; filename="railbird-{name}"'})


def _with_times(row: Row) -> Row:
    """Wall times as local time with its offset, as programs and people read it."""
    return {key: _time(value) if key in TIMES and value is not None else value for key, value in row.items()}


def _time(wall: float) -> str:
    return datetime.fromtimestamp(wall).astimezone().isoformat(timespec="seconds")


def _csv(what: str, rows: Sequence[Row]) -> str:
    columns = COLUMNS[what].split()
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    for row in rows:
        named = _with_times(row)
        writer.writerow([_cell(named[column]) for column in columns])
    return out.getvalue()


def _cell(value: object) -> object:
    """A value that no spreadsheet takes for a formula: names are typed by people."""
    if isinstance(value, list):
        return "; ".join(f"{move['card']} {move['from']}>{move['to']}" for move in value)
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) and not _is_number(value):
        return f"'{value}"
    return value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
