"""The console's switches, the replay, the evenings and the card to print, in a real browser."""

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.control import Control, Quiet
from hardware.history import History
from hardware.keys import by_browser, mapping
from hardware.names import Names
from hardware.replay import Replay
from hardware.web.asked import Asked
from hardware.web.desk import Desk
from hardware.web.sample import sample_alert, sample_view
from table_state.observation import Observation, SeenCard
from table_state.output import Say
from tests.web.parts import Running, calibrated, run_display
from tests.web.test_desk import Evening
from tests.web.test_pages import announced, axe, enter, until

SMALL = """[...document.querySelectorAll('button, a, select, input')].filter(n => n.offsetParent &&
    (n.offsetWidth < 44 || n.offsetHeight < 44)).map(n => n.outerHTML)"""
NO_SCROLL = "document.documentElement.scrollWidth <= innerWidth"


class Heard:
    """Answers keys with nothing."""

    def press(self, action: str) -> bool:
        return True

    def test(self) -> bool:
        return True


@dataclasses.dataclass
class House(Running):
    """A running display with a desk, and the evening on it."""

    evening: Evening | None = None

    @property
    def control(self) -> Control:
        assert self.evening is not None
        return self.evening.control

    def say(self, text: str) -> None:
        view, told = Quiet(self.control).heard(sample_view(), [Say(50.0, text, 1, 0, 20)])
        self.display.publish(view, told)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    control = Control(Names(tmp_path_factory.mktemp("state") / "names.json"))
    layout = control.named(calibrated())
    history = History(tmp_path_factory.mktemp("kept") / "history.sqlite3", 30)
    replay = Replay(layout, history.pictures)
    desk = Desk(control, replay, history, 30)
    asked = Asked(Heard(), lambda: by_browser(mapping(None)))
    _, jpeg = cv2.imencode(".jpg", np.full((90, 160, 3), 60, np.uint8))
    running = run_display(layout=layout, picture=jpeg.tobytes, desk=desk, asked=asked)
    evening = Evening(control, history, replay, running.display._hub)
    control.listen(lambda: running.display.switched(control.paused, control.camera_on, control.layout))
    evening.play()
    yield House(running.display, running.corrections, evening)
    running.display.stop()
    replay.close(False)
    history.close(False)


@pytest.fixture(autouse=True)
def _as_at_first(house: House) -> None:
    house.control.pause(False)
    house.control.camera(True)
    house.display.publish(sample_view(), [])


def console(house: House, open_page: Any, size: tuple[int, int] = (800, 480)) -> Any:
    page = open_page(f"{house.url}/dealer", size)
    enter(page)
    return page


def test_a_pause_is_shown_everywhere_and_nothing_is_announced(house: House, open_page: Any) -> None:
    dealer = console(house, open_page)
    seat = open_page(house.display.seat_urls[1], (390, 844))
    table = open_page(house.url)
    until(table, "document.querySelector('#seats .total') !== null")
    announced(table)
    dealer.focus("#pause")
    dealer.keyboard.press("Enter")
    for page in (dealer, seat, table):
        until(page, "document.getElementById('link').textContent.includes('Paused')")
    assert axe(seat) == []
    house.say("20")
    dealer.click("#pause")
    until(table, "document.getElementById('link').textContent === ''")
    house.say("21")
    until(table, "heard.length > 0")
    assert table.evaluate("heard") == ["21"]


def test_every_page_shows_that_the_camera_is_on_or_off(house: House, open_page: Any) -> None:
    dealer = console(house, open_page)
    others = [open_page(house.url), open_page(house.display.seat_urls[2], (320, 640)), open_page(f"{house.url}/card")]
    others.append(open_page(f"{house.url}/s/AAAAAAAAAAAAAAAAAAAAAA"))
    for page in (dealer, *others):
        until(page, "document.querySelector('.camera-sign')?.textContent === 'Camera on'")
    dealer.click("#camera-switch")
    for page in (dealer, *others):
        until(page, "document.querySelector('.camera-sign').textContent === 'Camera off'")
        assert page.evaluate(NO_SCROLL)
    assert axe(dealer) == []
    assert "The camera is off" in others[0].locator("#link").inner_text()
    assert not house.control.camera_on
    dealer.click("text=Switch the camera on")
    until(others[0], "document.querySelector('.camera-sign').textContent === 'Camera on'")
    assert house.control.camera_on


def test_names_are_changed_at_the_console(house: House, open_page: Any) -> None:
    page = console(house, open_page, (320, 640))
    page.click("#open-names")
    assert axe(page) == []
    assert page.evaluate(NO_SCROLL)
    page.fill("#name-5", "Otto")
    page.press("#name-5", "Enter")
    page.wait_for_selector("#names", state="hidden")
    assert house.control.layout is not None
    assert house.control.layout.seats[4].name == "Otto"


OVERLAPS = """[...document.querySelectorAll('.mark')].map(n => n.getBoundingClientRect()).filter((a, i, all) =>
    all.some((b, k) => k > i && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length"""


@pytest.mark.parametrize("size", [(320, 640), (800, 480)])
def test_every_card_of_a_fan_can_be_tapped_in_the_picture(house: House, open_page: Any, size: tuple[int, int]) -> None:
    fan = [SeenCard(512 + 14 * n, 328 - 18 * n, 0, code) for n, code in enumerate(("6h", "5s", "9c"))]
    house.display.observe(Observation(21.0, (SeenCard(0, 150, 0, "Kd"), SeenCard(-512, 328, 0, "Ah"), *fan)))
    page = console(house, open_page, size)
    page.click("#picture-toggle")
    until(page, "document.querySelectorAll('.mark').length === 5")
    assert page.evaluate(OVERLAPS) == 0
    assert page.evaluate(NO_SCROLL)
    assert axe(page) == []
    page.click(".mark[aria-label='five of spades']")
    page.click("#pick .likely .card-button >> nth=0")
    until(page, "document.querySelector('#done .good') !== null")
    assert (house.corrections[-1].x, house.corrections[-1].y) == (526, 310)


@pytest.mark.parametrize("size", [(320, 640), (1280, 800)])
def test_the_last_round_is_watched_by_keyboard(house: House, open_page: Any, size: tuple[int, int]) -> None:
    page = console(house, open_page, size)
    page.click("#replay-toggle")
    until(page, "document.querySelector('#replay img').naturalWidth > 0")
    last = int(page.get_attribute("#replay input", "max"))
    page.focus("#replay input")
    page.keyboard.press("End")
    until(page, f"document.querySelector('#replay input').value === '{last}'")
    first = page.get_attribute("#replay img", "src")
    page.click("#replay [aria-label='One picture back']")
    assert page.get_attribute("#replay img", "src") != first
    assert "16, Jim?" in page.get_attribute("#replay input", "aria-valuetext")
    page.click("#replay .play")
    until(page, f"document.querySelector('#replay input').value === '{last}'")
    assert axe(page) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate(NO_SCROLL)
    page.click("text=This round")
    until(
        page, "document.querySelector('#replay .quiet').hidden === false || document.querySelector('#replay img').src"
    )


@pytest.mark.parametrize("size", [(320, 640), (1920, 1080)])
def test_axe_finds_nothing_on_the_evenings_and_the_card(house: House, open_page: Any, size: tuple[int, int]) -> None:
    page = console(house, open_page, size)
    page.goto(f"{house.url}/dealer/history?theme={'light' if size[0] == 320 else 'dark'}")
    page.wait_for_selector("#rounds table")
    assert axe(page) == []
    assert page.evaluate(NO_SCROLL)
    assert page.evaluate(SMALL) == []
    page.click("#alerts .entry button")
    until(page, "document.querySelector('#clip img').naturalWidth > 0")
    assert axe(page) == []
    page.keyboard.press("Escape")
    page.click("#open-delete")
    assert page.evaluate("document.activeElement.textContent") == "Keep it"
    assert axe(page) == []
    page.goto(f"{house.url}/card")
    page.wait_for_selector("#keys dt")
    assert "0 on the number pad" in page.locator("#keys").inner_text()
    assert axe(page) == []
    assert page.evaluate(NO_SCROLL)
    assert not page.faults


def test_an_alert_is_watched_from_the_console(house: House, open_page: Any) -> None:
    assert house.evening is not None
    alert = dataclasses.replace(sample_alert(), t=48.0, code="late-bet", seat=3, text="Late, seat 3.")
    for n in range(41, 52):
        house.evening.step(float(n), *([alert] if n == 48 else []))
    house.display.publish(dataclasses.replace(sample_view(), alerts=(alert,)), [alert])
    page = console(house, open_page)
    page.click("#alerts button >> nth=0")
    until(page, "document.querySelector('#replay img').naturalWidth > 0")
    assert page.evaluate("document.activeElement.type") == "range"
    stills = house.evening.replay.round(last=False)[0]
    assert stills[int(page.input_value("#replay input"))].t == 43.0
    assert axe(page) == []


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_card_is_one_sheet(house: House, open_page: Any, paper: str) -> None:
    page = open_page(f"{house.url}/card?theme=dark")
    page.wait_for_selector("#keys dt")
    sheet = page.pdf(format=paper, prefer_css_page_size=paper == "A4")
    assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1


def test_an_evening_is_exported_and_deleted(house: House, open_page: Any, tmp_path: Path) -> None:
    page = console(house, open_page)
    page.goto(f"{house.url}/dealer/history")
    with page.expect_download() as saved:
        page.click("#rounds .files a >> nth=0")
    saved.value.save_as(tmp_path / "rounds.csv")
    assert "Ah 2c" in (tmp_path / "rounds.csv").read_text()
    page.click("#open-delete")
    page.click("text=Keep it")
    assert page.locator("#rounds table").count() == 1
    page.click("#open-delete")
    page.click("#delete-sure")
    until(page, "document.getElementById('told').textContent.startsWith('Deleted')")
    assert page.locator("#rounds table").count() == 0
    assert sample_alert().text not in page.locator("main").inner_text()
    assert axe(page) == []
