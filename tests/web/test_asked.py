"""What pages ask the speaker for."""

from typing import Any

from starlette.testclient import TestClient

from hardware.app import Corrections
from hardware.asking import Asking
from hardware.config import Settings
from hardware.web.asked import Asked
from hardware.web.auth import DealerDoor
from hardware.web.console import Console
from hardware.web.hub import Hub
from hardware.web.sample import sample_layout, sample_view
from hardware.web.site import SeatLinks, create_app
from tests.web.parts import CODE, enter, run_display

HEADERS = {"origin": "http://127.0.0.1", "host": "127.0.0.1"}
KEYS = {"Numpad0": "repeat", "Numpad9": "right"}


class Answers:
    """Keeps what it is asked for."""

    def __init__(self) -> None:
        self.pressed: list[str] = []
        self.heard = True

    def press(self, action: str) -> bool:
        self.pressed.append(action)
        return self.heard

    def test(self) -> bool:
        return self.press("test")


def client_of(answers: Answers | None, address: str = "127.0.0.1") -> TestClient:
    hub = Hub(sample_layout())
    asked = Asked(answers, lambda: KEYS) if answers is not None else None
    app = create_app(hub, SeatLinks(b"x" * 32, "http://127.0.0.1"), Console(hub, DealerDoor(CODE)), asked=asked)
    return TestClient(app, "http://127.0.0.1", client=(address, 50000), headers=HEADERS)


def test_a_key_of_this_machines_display_is_answered() -> None:
    answers = Answers()
    client = client_of(answers)
    assert client.get("/keys.json").json() == {"Numpad0": "repeat"}
    assert client.post("/key", json={"action": "repeat"}).status_code == 204
    assert answers.pressed == ["repeat"]
    assert client.post("/key", json={"action": "right"}).status_code == 422
    answers.heard = False
    refused = client.post("/key", json={"action": "next"})
    assert (refused.status_code, refused.json()["detail"][:24]) == (409, "Nothing can be heard. Pl")


def test_another_machine_presses_no_keys() -> None:
    client = client_of(Answers(), "192.168.1.7")
    assert client.get("/keys.json").json() == {}
    assert client.post("/key", json={"action": "repeat"}).status_code == 403


def test_the_dealer_tries_the_sound() -> None:
    answers = Answers()
    client = client_of(answers)
    assert client.post("/dealer/sound", json={}).status_code == 401
    enter(client)
    assert client.post("/dealer/sound", json={}).status_code == 204
    assert answers.pressed == ["test"]
    silent = client_of(None)
    enter(silent)
    assert silent.post("/dealer/sound", json={}).status_code == 409
    assert silent.get("/keys.json").json() == {}


def test_the_displays_keys_ask_and_those_it_needs_itself_do_not(open_page: Any) -> None:
    answers = Answers()
    running = run_display(asked=Asked(answers, lambda: {**KEYS, "Enter": "next"}))
    page = open_page(running.url)
    page.wait_for_selector("#seats .total")
    with page.expect_response("**/key"):
        page.keyboard.press("Numpad0")
    page.keyboard.press("Numpad9")
    page.focus("#open-settings")
    page.keyboard.press("Enter")
    page.wait_for_selector("#settings[open]")
    assert answers.pressed == ["repeat"]
    assert page.faults == []
    running.display.stop()


def test_keys_of_the_settings_reach_the_page_where_no_device_is_read() -> None:
    asking = Asking(Corrections(), Settings(keys={"b": "dealer", "kp-0": "nothing"}))
    asking.publish(sample_view(), [])
    found = asking.page_keys()
    assert found == {} or (found["KeyB"] == "dealer" and "Numpad0" not in found)
    assert asking.all_keys()["KeyB"] == "dealer"
    assert Asked(Answers(), dict, asking.all_keys()).printed()["KeyB"] == "dealer"
    asking.close(False)
