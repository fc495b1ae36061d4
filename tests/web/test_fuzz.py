"""Requests made from the program's own description of its pages, well-formed and not: none may be answered with a 5xx.

A short run by default; `RAILBIRD_FUZZ=2000 python -m pytest tests/web/test_fuzz.py` makes 2000 requests a route.
"""

import atexit
import os
from typing import Any

import pytest
from starlette.testclient import TestClient

from hardware.control import Control
from hardware.counts import Counts
from hardware.history import History
from hardware.metrics import Metrics
from hardware.pit.site import Followers
from hardware.pit.site import create_app as create_pit
from hardware.pit.tables import Tables
from hardware.replay import Replay
from hardware.web.auth import COOKIE, DealerDoor
from hardware.web.console import Console, Seen
from hardware.web.desk import Desk
from hardware.web.hub import Hub
from hardware.web.sample import sample_layout, sample_view, sample_words
from hardware.web.site import SeatLinks, create_app
from table_state.observation import Correction, Observation
from tests.web.parts import CODE

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
hypothesis = pytest.importorskip("hypothesis", reason="hypothesis is not installed")
from schemathesis.checks import not_a_server_error  # noqa: E402 - only where it is installed

EXAMPLES = int(os.environ.get("RAILBIRD_FUZZ", "3"))
HERE = "http://testserver"
corrections: list[Correction] = []
PICTURE = b"\xff\xd8picture"


def take(correction: Correction) -> None:
    corrections.append(correction)
    del corrections[:-10]


def table() -> tuple[Any, str]:
    """The application of a table with everything on, and a dealer's session."""
    hub, door, seen = Hub(sample_layout()), DealerDoor(CODE), Seen()
    hub.publish(sample_view(), sample_words())
    seen.newest = Observation(21.0, (), (), ())
    history = History(None, 1)
    atexit.register(history.close, False)
    desk = Desk(Control(), Replay(sample_layout(), history.pictures), history, 1)
    console = Console(hub, door, take, lambda: PICTURE, seen, desk)
    return create_app(hub, SeatLinks(b"s" * 32, HERE), console, Metrics(Counts()).text), door.open_session()


TABLE, SESSION = table()
# A stream does not end by itself; what it sends is tested elsewhere.
TABLE_ROUTES = schemathesis.openapi.from_asgi("/openapi.json", TABLE).exclude(path_regex="events$")
PIT_ROUTES = schemathesis.openapi.from_asgi("/openapi.json", create_pit(Followers(Tables()))).exclude(
    path_regex="events$"
)
SETTINGS = hypothesis.settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES < 100,
    suppress_health_check=list(hypothesis.HealthCheck),
)


@TABLE_ROUTES.parametrize()
@SETTINGS
def test_no_request_to_a_table_is_a_fault_of_the_program(case: Any) -> None:
    cookies = {COOKIE: SESSION} if not case.path.endswith("/leave") else {}
    case.call_and_validate(headers={"origin": HERE}, cookies=cookies, checks=[not_a_server_error])


@PIT_ROUTES.parametrize()
@SETTINGS
def test_no_request_to_the_pit_is_a_fault_of_the_program(case: Any) -> None:
    case.call_and_validate(checks=[not_a_server_error])


def test_a_number_that_no_database_holds_is_refused() -> None:
    client = TestClient(TABLE, base_url=HERE, cookies={COOKIE: SESSION})
    assert client.get(f"/dealer/alerts/1/{2**63}.jpg").status_code == 422
    assert client.get(f"/dealer/alerts/{2**63 - 1}/1.jpg").status_code == 404
