"""What is refused at the door, and what every answer carries."""

import pytest
from starlette.testclient import TestClient

from hardware.web.auth import FREE_TRIES, make_code
from hardware.web.guard import MAX_BODY, host_allowed
from hardware.web.hub import Hub
from hardware.web.links import opened_here
from hardware.web.sample import sample_layout
from hardware.web.site import SeatLinks, create_app
from table_state.observation import Correction
from tests.web.parts import CODE, Clock, enter

PATHS = ["/", "/table.json", "/static/base.css", "/code/1.svg", "/dealer", "/s/none", "/nothing"]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_carries_the_security_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] in ("no-store", "no-cache")


@pytest.mark.parametrize("path", ["/", "/s/{token}", "/dealer"])
def test_pages_hold_no_inline_code_and_no_foreign_address(client: TestClient, path: str) -> None:
    token = client.get("/table.json").json()["seats"][0]["url"].rsplit("/", 1)[1]
    enter(client)
    text = client.get(path.replace("{token}", token)).text
    assert "<style" not in text
    assert " style=" not in text
    assert " onclick" not in text
    assert "http://" not in text
    assert "https://" not in text
    assert "{{" not in text


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static/..%2f..%2fserver.py",
        "/static/%2fetc%2fpasswd",
        "/static//etc/passwd",
        "/static/fonts/../../server.py",
        "/static/%00",
        "/s/..%2f..%2fetc",
    ],
)
def test_a_path_never_leaves_the_static_files(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "import" not in answer.text


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("127.0.0.1:8021", True),
        ("localhost:8021", True),
        ("[::1]:8021", True),
        ("192.168.1.20:8021", True),
        ("railbird.local", True),
        ("railbird", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
    ],
)
def test_a_foreign_name_for_this_machine_is_refused(host: str, allowed: bool) -> None:
    assert host_allowed(host) is allowed


def test_rebinding_is_refused_before_any_route(client: TestClient) -> None:
    assert client.get("/table.json", headers={"host": "evil.example"}).status_code == 421
    assert client.get("/table.json", headers={"host": "[::1"}).status_code == 400


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "http://railbird.local:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_post_from_another_site_is_refused(client: TestClient, headers: dict[str, str]) -> None:
    enter(client)
    answer = client.post("/dealer/table", json={"kind": "undo"}, headers=headers)
    assert answer.status_code == 403


def test_only_json_is_taken(client: TestClient) -> None:
    answer = client.post("/dealer/enter", data={"code": CODE})
    assert answer.status_code == 415


def test_an_oversized_body_is_refused_with_and_without_a_length(client: TestClient) -> None:
    big = b'{"code": "' + b"x" * MAX_BODY + b'"}'
    json = {"content-type": "application/json"}
    assert client.post("/dealer/enter", content=big, headers=json).status_code == 413
    assert client.post("/dealer/enter", content=iter([big[:9000], big[9000:]]), headers=json).status_code == 413


def test_the_console_is_shut_without_the_code(client: TestClient, corrections: list[Correction]) -> None:
    for path in ("/dealer/events", "/dealer/picture.jpg", "/dealer/marks"):
        assert client.get(path).status_code == 401
    posts = {
        "card": {"seat": 1, "index": 0, "code": "3s"},
        "point": {"x": 0.0, "y": 0.0},
        "bet": {"seat": 1, "amount": "5"},
        "not-a-mistake": {"code": "late-bet", "seat": 1},
        "table": {"kind": "undo"},
    }
    for name, body in posts.items():
        assert client.post(f"/dealer/{name}", json=body).status_code == 401
    assert not corrections


def elsewhere(client: TestClient, address: str = "192.168.1.9") -> TestClient:
    """The same program, asked from another machine."""
    headers = {"origin": "http://railbird.local"}
    return TestClient(client.app, base_url="http://railbird.local", headers=headers, client=(address, 50000))


def test_another_machines_display_shows_no_seats_links(client: TestClient) -> None:
    secret = client.get("/table.json").json()["seats"][0]["url"].rsplit("/", 1)[1]
    other = elsewhere(client)
    table = other.get("/table.json").json()
    assert table["links"] is False
    assert not [seat for seat in table["seats"] if "url" in seat]
    assert other.get("/code/1.svg").status_code == 403
    schema = other.get("/openapi.json").json()["paths"]
    for path in (p for p, verbs in schema.items() if "get" in verbs and "events" not in p and "{" not in p):
        assert secret not in other.get(path).text, path
    assert other.get("/dealer/table.json").status_code == 401
    assert other.get("/dealer/code/1.svg").status_code == 401
    assert 'id="door"' in other.get("/dealer/display").text


def test_a_display_opened_with_the_dealers_code_shows_them_anywhere(client: TestClient) -> None:
    other = elsewhere(client)
    enter(other)
    assert other.get("/dealer/table.json").json() == client.get("/table.json").json()
    assert other.get("/dealer/code/1.svg").content == client.get("/code/1.svg").content
    assert 'id="seats"' in other.get("/dealer/display").text
    assert other.get("/dealer/code/99.svg").status_code == 404


@pytest.mark.parametrize(
    ("client", "server", "here"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("::1", "::1", True),
        ("::ffff:127.0.0.1", "::ffff:127.0.0.1", True),
        ("192.168.1.5", "192.168.1.5", True),  # by its own address on the network
        ("192.168.1.9", "192.168.1.5", False),
        ("::ffff:192.168.1.9", "::ffff:192.168.1.5", False),
        ("", "192.168.1.5", False),
    ],
)
def test_whether_a_request_comes_from_this_machine(client: str, server: str, here: bool) -> None:
    assert opened_here({"client": (client, 1), "server": (server, 8021)}) is here


def test_nobody_is_not_here() -> None:
    assert not opened_here({"client": None, "server": ("127.0.0.1", 8021)})


def test_the_cookie_is_strict_and_hidden_from_scripts(client: TestClient) -> None:
    cookie = client.post("/dealer/enter", json={"code": CODE.lower().replace("-", " ")}).headers["set-cookie"].lower()
    assert "samesite=strict" in cookie
    assert "httponly" in cookie
    assert "path=/dealer" in cookie
    assert client.get("/dealer/picture.jpg").content.startswith(b"\xff\xd8")
    client.post("/dealer/leave", json={})
    assert client.get("/dealer/picture.jpg").status_code == 401


def test_guessing_is_slowed_and_the_right_code_waits_too(client: TestClient, clock: Clock) -> None:
    for _ in range(FREE_TRIES):
        assert client.post("/dealer/enter", json={"code": "wrong"}).status_code == 403
    answer = client.post("/dealer/enter", json={"code": CODE})
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1
    clock.now += 2.1
    assert client.post("/dealer/enter", json={"code": "wrong"}).status_code == 403
    clock.now += 2.1
    assert client.post("/dealer/enter", json={"code": CODE}).status_code == 429
    clock.now += 2.0
    enter(client)


def test_a_session_ends_by_itself(client: TestClient, clock: Clock) -> None:
    enter(client)
    clock.now += 13 * 3600
    assert client.get("/dealer/picture.jpg").status_code == 401


def test_codes_differ_and_are_easy_to_type() -> None:
    codes = {make_code() for _ in range(50)}
    assert len(codes) == 50
    assert all(len(code) == 9 and not set(code) & set("01OIL") for code in codes)


def test_without_a_code_the_console_stays_shut() -> None:
    hub = Hub(sample_layout())
    app = create_app(hub, SeatLinks(b"s" * 32, "http://127.0.0.1:1"))
    with TestClient(app, base_url="http://127.0.0.1", headers={"origin": "http://127.0.0.1"}) as client:
        assert client.get("/dealer").status_code == 403
        assert client.post("/dealer/enter", json={"code": ""}).status_code == 422
        assert client.post("/dealer/enter", json={"code": "x"}).status_code == 403


def test_no_documentation_page_asks_a_foreign_server(client: TestClient) -> None:
    assert client.get("/docs").status_code == 404
    assert client.get("/redoc").status_code == 404
    assert client.get("/openapi.json").status_code == 200


def test_static_files_are_not_sent_twice(client: TestClient) -> None:
    first = client.get("/static/table.js")
    again = client.get("/static/table.js", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert not again.content
