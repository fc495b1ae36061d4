"""The pages in a real browser: what is seen, what a screen reader hears, what a tap does, what lost contact shows."""

import dataclasses
import math
import threading
import time
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

import cv2
import httpx
import numpy as np
import pytest

from hardware.web.sample import sample_alert, sample_view
from table_state.output import Alert, Output, Resolved, Say
from table_state.view import HandView, SeatView, TableView
from tests.web.parts import CODE, Running, calibrated, run_display

SIZES = [(800, 480), (1920, 1080), (390, 844)]
READY = "document.querySelector('#seats .total, #hands .total') !== null"


@pytest.fixture(scope="module")
def shown() -> Iterator[Running]:
    _, jpeg = cv2.imencode(".jpg", np.full((90, 160, 3), 60, np.uint8))
    made = run_display(layout=calibrated(), picture=jpeg.tobytes)
    yield made
    made.display.stop()


@pytest.fixture(autouse=True)
def _fresh(shown: Running) -> None:
    shown.corrections.clear()
    shown.display.notice(None)
    shown.display.publish(sample_view(), [Say(21.0, "3 or 13, Jim?", 1, 0, 13, True, ("Ah", "2c"))])


@cache
def axe_source() -> str:
    package = pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    return resources.files(package).joinpath("axe.min.js").read_text(encoding="utf-8")


def axe(page: Any) -> list[str]:
    """What axe finds: WCAG 2.2 up to AA, best practices, and AAA contrast."""
    page.evaluate(axe_source())
    rules = {"color-contrast-enhanced": {"enabled": True}, "target-size": {"enabled": True}}
    found = page.evaluate("rules => axe.run(document, {rules, resultTypes: ['violations']})", rules)
    return [f"{v['id']}: {[node['target'] for node in v['nodes']]}" for v in found["violations"]]


def until(page: Any, truth: str, seconds: float = 30.0) -> None:
    """Wait for an expression to hold. The browser's own waiting would need `eval`, which the pages' policy forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(truth):
        assert time.monotonic() < end, f"never true: {truth}"
        page.wait_for_timeout(25)


def enter(page: Any) -> None:
    page.fill("#code", CODE)
    page.press("#code", "Enter")
    page.wait_for_selector("#hands .card-button")


def alerting() -> TableView:
    return dataclasses.replace(sample_view(), alerts=(sample_alert(),))


def announced(page: Any) -> None:
    """Count every line that is ever added to the live regions, as a screen reader would read it."""
    page.evaluate(
        """() => { window.heard = []; for (const id of ['polite', 'urgent'])
        new MutationObserver(all => all.forEach(m => m.addedNodes.forEach(n => heard.push(n.textContent))))
        .observe(document.getElementById(id), {childList: true}); }"""
    )


def publish(shown: Running, *outputs: Output, view: TableView | None = None) -> None:
    shown.display.publish(view or sample_view(), outputs)


# The table display


@pytest.mark.parametrize("size", [*SIZES, (320, 640), (400, 240), (1280, 720)])
def test_the_table_fits_and_shows_everything(shown: Running, open_page: Any, size: tuple[int, int]) -> None:
    page = open_page(shown.url, size)
    until(page, READY)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("[...document.querySelectorAll('.seat .best')].map(n => n.textContent)").count("16") == 1
    assert page.locator("#said").inner_text() == "3 or 13, Jim?"
    assert page.locator("#dealer .card.back").count() == 1
    clipped = """[...document.querySelectorAll('.tile, #now, #said, .hand, .dealer-hand')].filter(n =>
        n.scrollHeight > n.clientHeight + 2 || n.scrollWidth > n.clientWidth + 2).map(n => n.id || n.className)"""
    assert page.evaluate(clipped) == []
    assert not page.faults


@pytest.mark.parametrize("size", [(360, 740), (800, 480)])
@pytest.mark.parametrize(
    "cards", [("Kd", "3h", "4c"), ("Ad", "2h", "2c", "Ts"), ("Ad", "2h", "2c", "As", "3d", "Ah", "7c")]
)
def test_the_dealers_cards_stay_in_their_box(
    shown: Running, open_page: Any, size: tuple[int, int], cards: tuple[str, ...]
) -> None:
    for hand in (HandView(cards, 17, True, "7 or 17", "turn"), HandView(cards, None, False, "", "turn", True)):
        publish(shown, view=dataclasses.replace(sample_view(), dealer=hand, turn=(0, 0)))
        page = open_page(shown.url, size)
        until(page, f"document.querySelectorAll('#dealer .card').length === {len(cards)}")
        outside = """() => { const box = document.querySelector('#dealer').getBoundingClientRect();
            return [...document.querySelectorAll('#dealer .card, #dealer .total')].map(n => n.getBoundingClientRect())
            .filter(r => r.left < box.left - 1 || r.right > box.right + 1).length; }"""
        assert page.evaluate(outside) == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_bet_of_unknown_amount_and_a_repeated_alert_are_told_as_they_are(shown: Running, open_page: Any) -> None:
    """On the table, the seat's page and the console alike."""
    view = sample_view()
    alert = Alert(20.0, "unreadable-card", 5, None, "A card cannot be read. Straighten it, or say what it is.")
    seats = tuple(SeatView(5, "", None, (), True) if seat.number == 5 else seat for seat in view.seats)
    publish(shown, view=dataclasses.replace(view, seats=seats, alerts=(alert, dataclasses.replace(alert, t=21.0))))
    page = open_page(shown.url, (390, 844))
    page.wait_for_selector("#alerts .alert")
    assert page.locator("#alerts .alert").count() == 1
    assert "(2 times)" in page.locator("#alerts .alert").inner_text()
    assert "Bet placed" in page.locator("#seat-5 .bet").text_content()
    assert axe(page) == []
    page.goto(shown.display.seat_urls[5])
    page.wait_for_selector("#alerts .alert")
    assert page.locator("#bet").inner_text() == "Bet placed"
    assert "(2 times)" in page.locator("#alerts .alert").inner_text()
    page.goto(f"{shown.url}/dealer")
    enter(page)
    page.wait_for_selector("#alerts .alert")
    assert page.locator("#alerts .alert").count() == 1
    assert page.get_by_role("button", name="Bet placed, amount unknown").count() == 1
    assert axe(page) == []


@pytest.mark.parametrize("side", ["players", "dealer"])
def test_seats_sit_as_at_the_table_and_never_overlap(shown: Running, open_page: Any, side: str) -> None:
    page = open_page(f"{shown.url}/?side={side}", (800, 480))
    until(page, READY)
    boxes = {n: page.locator(f"#seat-{n}").bounding_box() for n in range(1, 8)}
    dealer = page.locator("#dealer").bounding_box()
    assert (boxes[1]["x"] > boxes[7]["x"]) is (side == "players")
    assert (boxes[4]["y"] > dealer["y"]) is (side == "players")
    everything = [*boxes.values(), dealer, page.locator("#now").bounding_box()]
    for i, a in enumerate(everything):
        for b in everything[i + 1 :]:
            apart = a["x"] + a["width"] <= b["x"] + 1 or b["x"] + b["width"] <= a["x"] + 1
            assert apart or a["y"] + a["height"] <= b["y"] + 1 or b["y"] + b["height"] <= a["y"] + 1


def test_the_total_in_turn_is_read_from_three_metres(shown: Running, open_page: Any) -> None:
    """15 mm of figure height on a 7 inch panel (154 mm wide): one two-hundredth of three metres."""
    view = dataclasses.replace(sample_view(), turn=(3, 0))
    page = open_page(shown.url, (800, 480))
    publish(shown, view=view)
    until(page, "document.querySelector('#turn .best')?.textContent === '16'")
    size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('#turn .best')).fontSize)")
    assert size * 0.668 * 154 / 800 >= 15


@pytest.mark.parametrize(
    ("look", "size"),
    [
        ("theme=dark", (800, 480)),
        ("theme=light", (390, 844)),
        ("theme=dark&contrast=high&suits=two", (390, 844)),
        ("theme=light&contrast=high", (1920, 1080)),
    ],
)
def test_axe_finds_nothing_on_the_table(shown: Running, open_page: Any, look: str, size: tuple[int, int]) -> None:
    page = open_page(f"{shown.url}/?{look}", size)
    until(page, READY)
    assert axe(page) == []
    publish(shown, sample_alert(), view=alerting())
    page.wait_for_selector("#alerts .alert")
    assert axe(page) == []
    publish(shown, Resolved(22.0, "skipped-seat", 6), Say(22.0, "check seat 6", 6, 0, None))
    page.wait_for_selector("#said.check")
    shown.display.notice("camera-lost")
    page.wait_for_selector("#link strong")
    assert axe(page) == []


def test_axe_finds_nothing_in_the_dialogs(shown: Running, open_page: Any) -> None:
    page = open_page(shown.url, (390, 844))
    until(page, READY)
    for name in ("settings", "phones"):
        page.click(f"#open-{name}")
        assert axe(page) == []
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.id") == f"open-{name}"


def test_moves_are_drawn_between_the_places(shown: Running, open_page: Any) -> None:
    page = open_page(shown.url, (1280, 720))
    until(page, READY)
    publish(shown, sample_alert(), view=alerting())
    page.wait_for_selector("#moves .move-line")
    assert page.locator("#moves .move-line").count() == 2
    assert [text.replace("\ufe0e", "") for text in page.locator("#moves text").all_text_contents()] == ["6♥", "K♦"]
    publish(shown, Resolved(22.0, "skipped-seat", 6))
    page.wait_for_selector(".mended")
    assert page.locator("#moves .move-line").count() == 0


def test_every_total_is_announced_once_also_when_the_text_comes_twice(shown: Running, open_page: Any) -> None:
    page = open_page(shown.url)
    until(page, READY)
    announced(page)
    publish(shown, Say(30.0, "20", 1, 0, 20))
    publish(shown)
    publish(shown, Say(31.0, "20", 1, 0, 20))
    publish(shown, Say(32.0, "Dealer breaks", 0, 0, 26), sample_alert(), view=alerting())
    until(page, "window.heard.length >= 4")
    page.wait_for_timeout(300)
    assert page.evaluate("heard") == ["20", "20", "Dealer breaks", sample_alert().text]


def test_a_screen_reader_finds_live_regions_and_named_seats(shown: Running, open_page: Any) -> None:
    page = open_page(shown.url)
    until(page, READY)
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    live = {
        node["name"]["value"]: next(p["value"]["value"] for p in node["properties"] if p["name"] == "live")
        for node in nodes
        if node.get("role", {}).get("value") == "log"
    }
    assert live == {"Announcements": "polite", "Alerts": "assertive"}
    names = {node["name"]["value"] for node in nodes if not node["ignored"] and "name" in node}
    assert {"Rosa, seat 2", "Seat 5", "ace of hearts", "face-down card", "Seats"} <= names


def test_lost_contact_shows_at_once_and_mends_itself(open_page: Any) -> None:
    first = run_display(link_secret=b"r" * 32)
    port = int(first.url.rsplit(":", 1)[1])
    page = open_page(first.url)
    until(page, READY)
    begun = time.perf_counter()
    first.display.stop()
    page.wait_for_selector(".stale #link.lost")
    assert time.perf_counter() - begun < 3
    assert "Out of date" in page.locator("#link").inner_text()
    again = run_display(link_secret=b"r" * 32, port=port)
    page.wait_for_selector("body:not(.stale)")
    announced(page)
    again.display.publish(sample_view(), [Say(40.0, "18", 1, 0, 18)])
    until(page, "window.heard.includes('18')")
    again.display.stop()


def test_a_silent_connection_is_noticed(shown: Running, open_page: Any) -> None:
    page = open_page(shown.url)
    until(page, READY)
    page.context.set_offline(True)
    page.wait_for_selector(".stale")
    page.context.set_offline(False)
    page.wait_for_selector("body:not(.stale)")


def test_the_codes_on_the_display_open_the_seats_pages(shown: Running, open_page: Any) -> None:
    page = open_page(shown.url, (1280, 1024))
    until(page, READY)
    page.click("#open-phones")
    image = page.locator("#codes img").nth(2)
    image.scroll_into_view_if_needed()
    until(page, "document.querySelectorAll('#codes img')[2].complete")
    text = ""
    for _ in range(10):  # what is loaded is not always painted yet
        picture = cv2.imdecode(np.frombuffer(image.screenshot(), np.uint8), cv2.IMREAD_COLOR)
        wide = cv2.copyMakeBorder(picture, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=(255, 255, 255))
        text, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.resize(wide, None, fx=2, fy=2))
        if text:
            break
        page.wait_for_timeout(200)
    assert text == shown.display.seat_urls[3]


def test_a_display_elsewhere_says_where_the_codes_are(
    shown: Running, open_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.web.site.opened_here", lambda scope: False)
    page = open_page(shown.url, (800, 480))
    until(page, READY)
    page.click("#open-phones")
    assert "/dealer/display" in page.locator("#phones-about").inner_text()
    assert page.locator("#codes img, #codes a").count() == 0
    assert axe(page) == []
    page.goto(f"{shown.url}/dealer/display")
    page.fill("#code", CODE)
    with page.expect_navigation():
        page.press("#code", "Enter")
    until(page, READY)
    page.click("#open-phones")
    page.wait_for_selector("#codes img")
    assert page.locator("#codes a").first.get_attribute("href") == shown.display.seat_urls[1]
    assert not page.faults


def test_settings_stay_and_work_by_keyboard(shown: Running, open_page: Any) -> None:
    page = open_page(shown.url)
    until(page, READY)
    page.focus("#open-settings")
    page.keyboard.press("Enter")
    page.focus("input[name=theme][value=light]")
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"


# A seat's page


def test_a_seat_page_fills_the_phone_with_its_total(shown: Running, open_page: Any) -> None:
    page = open_page(shown.display.seat_urls[3], (390, 844))
    until(page, READY)
    size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('#hands .best')).fontSize)")
    assert size > 200
    assert page.locator("#turn").inner_text() == "Turn: seat 1"
    publish(shown, view=dataclasses.replace(sample_view(), turn=(3, 0)))
    page.wait_for_selector(".my-turn")
    assert page.title() == "16 · Your turn · Seat 3"
    assert not page.faults


@pytest.mark.parametrize(
    ("seat", "size"),
    [
        (1, (390, 844)),
        (1, (800, 480)),
        (2, (320, 480)),
        (2, (800, 480)),
        (5, (390, 844)),
        (6, (400, 240)),
        (6, (1920, 1080)),
    ],
)
def test_axe_finds_nothing_on_a_seat_page(shown: Running, open_page: Any, seat: int, size: tuple[int, int]) -> None:
    page = open_page(f"{shown.display.seat_urls[seat]}?theme={'light' if seat % 2 else 'dark'}", size)
    page.wait_for_selector("#hands > *")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    whole = """[...document.querySelectorAll('.figure')].every(n => n.scrollWidth <= n.clientWidth + 2 &&
        n.firstElementChild.getBoundingClientRect().height <= n.clientHeight + 2) &&
        [...document.querySelectorAll('.hand')].every(n => n.scrollHeight <= n.clientHeight + 2)"""
    until(page, whole, 5)
    hands = page.locator("#hands")
    assert hands.evaluate("n => n.scrollHeight <= n.clientHeight + 2")
    assert axe(page) == []


def test_a_tap_repeats_and_each_total_is_heard_once(shown: Running, open_page: Any) -> None:
    page = open_page(shown.display.seat_urls[3], (390, 844))
    until(page, READY)
    announced(page)
    page.click("#repeat")
    page.click("#repeat")
    publish(shown, Say(30.0, "20", 3, 0, 20), Say(30.1, "11", 2, 0, 11))
    publish(shown, Say(31.0, "20", 3, 0, 20))
    until(page, "window.heard.length >= 4")
    page.wait_for_timeout(200)
    told = "16, with nine of diamonds, seven of clubs. Dealer: king of diamonds, face-down card. Turn: seat 1"
    assert page.evaluate("heard") == [told, told, "20", "20"]


def test_the_phone_speaks_and_vibrates_after_a_tap(shown: Running, open_page: Any) -> None:
    page = open_page("about:blank", (390, 844))
    page.add_init_script(
        """window.spoken = []; window.shaken = 0; navigator.vibrate = () => { shaken += 1; return true; };
        window.SpeechSynthesisUtterance = function (text) { this.text = text; };
        Object.defineProperty(window, 'speechSynthesis', {value: {getVoices: () => [{}], cancel() {}, pending: false,
        speaking: false, speak: u => spoken.push(u.text)}});"""
    )
    page.goto(shown.display.seat_urls[3])
    until(page, READY)
    publish(shown, Say(30.0, "16, seat 3?", 3, 0, 16))
    page.wait_for_timeout(200)
    assert page.evaluate("spoken") == []
    page.click("#voice")
    until(page, "document.getElementById('voice').getAttribute('aria-pressed') === 'true'")
    publish(shown, Say(31.0, "20", 3, 0, 20), view=dataclasses.replace(sample_view(), turn=(3, 0)))
    until(page, "spoken.includes('20')")
    assert page.evaluate("shaken") == 1


def test_every_new_word_has_its_turn_on_the_phone(shown: Running, open_page: Any) -> None:
    """Nothing is dropped but what is overtaken, and no total breaks off an alert."""
    page = open_page("about:blank", (390, 844))
    page.add_init_script(
        """window.spoken = []; window.broken = []; let now = null;
        window.SpeechSynthesisUtterance = function (text) { this.text = text; };
        window.finish = () => { const was = now; now = null; was?.onend(); };
        Object.defineProperty(window, 'speechSynthesis', {value: {getVoices: () => [{}], pending: false,
        get speaking() { return now !== null; }, speak: u => { spoken.push(u.text); now = u; },
        cancel() { const was = now; now = null;
            if (was) { broken.push(was.text); setTimeout(() => was.onerror(), 0); } } }});"""
    )
    page.goto(shown.display.seat_urls[3])
    until(page, READY)
    page.click("#voice")
    until(page, "spoken.length === 1")
    page.evaluate("finish()")
    alert = Alert(30.0, "late-bet", 3, None, "The bet was changed. Put it back.")
    publish(shown, Say(30.0, "The dealer has 12", 0, 0, 12), Say(30.1, "16, seat 3?", 3, 0, 16), alert)
    until(page, "spoken.length === 2")
    publish(shown, Say(31.0, "20", 3, 0, 20), Say(31.1, "15", 0, 0, 15), Say(31.2, "Insurance is open"))
    page.wait_for_timeout(700)
    for count in range(3, 6):
        page.evaluate("finish()")
        until(page, f"spoken.length === {count}")
    page.evaluate("finish()")
    assert page.evaluate("spoken.slice(1)") == [alert.text, "20", "15", "Insurance is open"]
    assert page.evaluate("broken") == []
    publish(shown, dataclasses.replace(alert, t=40.0))
    until(page, "spoken.length === 6")
    publish(shown, Say(40.0, "21", 3, 0, 21), Resolved(40.1, "late-bet", 3))
    until(page, "spoken.at(-1) === '21'")
    assert page.evaluate("broken.at(-1)") == alert.text  # mended while it was being said


def test_a_phone_without_voices_says_so(shown: Running, open_page: Any) -> None:
    page = open_page(shown.display.seat_urls[3], (390, 844))
    until(page, READY)
    page.evaluate("speechSynthesis.getVoices = () => []")
    page.click("#voice")
    until(page, "document.getElementById('voice-note').textContent.includes('no voice')")
    assert axe(page) == []


def test_an_ended_link_says_what_to_do(shown: Running, open_page: Any) -> None:
    page = open_page(f"{shown.url}/s/AAAAAAAAAAAAAAAAAAAAAA", (390, 844))
    assert "Scan" in page.locator("main").inner_text()
    assert axe(page) == []


# The dealer's console


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (320, 480)])
def test_axe_finds_nothing_on_the_console(shown: Running, open_page: Any, size: tuple[int, int]) -> None:
    page = open_page(f"{shown.url}/dealer?theme={'light' if size[0] == 390 else 'dark'}", size)
    page.wait_for_selector("#code")
    assert axe(page) == []
    enter(page)
    publish(shown, sample_alert(), view=alerting())
    page.wait_for_selector("#alerts .alert")
    assert axe(page) == []
    page.click("#picture-toggle")
    until(page, "document.querySelector('#picture img').naturalWidth > 0")
    assert axe(page) == []
    page.click("#hands .card-button >> nth=2")
    assert axe(page) == []
    page.keyboard.press("Escape")
    page.click("#hands .bet >> nth=0")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    small = """[...document.querySelectorAll('button')].filter(n => n.offsetParent &&
        (n.offsetWidth < 44 || n.offsetHeight < 44)).map(n => n.textContent)"""
    assert page.evaluate(small) == []
    assert not page.faults


def test_a_wrong_code_is_said_beside_the_field_and_stays_typed(shown: Running, open_page: Any) -> None:
    page = open_page(f"{shown.url}/dealer")
    page.fill("#code", "wrong")
    page.click("button[type=submit]")
    until(page, "document.getElementById('code-error').textContent.includes('not the dealer')")
    assert page.input_value("#code") == "wrong"
    assert axe(page) == []


def test_the_dealers_journey(shown: Running, open_page: Any) -> None:
    page = open_page(f"{shown.url}/dealer", (390, 844))
    enter(page)
    publish(shown, sample_alert(), view=alerting())
    page.click("text=Not a mistake")
    page.wait_for_selector("#done .good")
    page.get_by_role("group", name="Rosa, seat 2, Hand 1").get_by_role("button", name="eight of spades").click()
    page.click(".likely .card-button >> nth=1")
    page.get_by_role("group", name="Seat 3").get_by_role("button", name="Add a missed card").click()
    page.locator("#pick").get_by_role("button", name="queen of hearts").click()
    page.get_by_role("group", name="Jim, seat 1").get_by_role("button", name="two of clubs").click()
    page.click("text=There is no card here")
    page.get_by_role("button", name="Bet 5").click()
    page.fill("#amount", "7,x")
    page.press("#amount", "Enter")
    assert "amount" in page.locator("#bet-error").inner_text()
    assert page.input_value("#amount") == "7,x"
    page.fill("#amount", "7,50")
    page.press("#amount", "Enter")
    page.wait_for_selector("#bet", state="hidden")
    page.click("#new-shoe")
    page.click("#new-shoe")
    page.click("#undo")
    until(page, "document.getElementById('log').textContent.includes('undone')")
    kinds = [(c.kind, c.seat, c.code) for c in shown.corrections]
    assert kinds == [
        ("not-a-mistake", 6, None),
        ("card", 2, "3s"),
        ("card", 3, "Qh"),
        ("no-card", 1, None),
        ("bet", 3, None),
        ("new-shoe", None, None),
        ("undo", None, None),
    ]
    page.click("#leave")
    page.wait_for_selector("#code")


def test_a_refused_correction_keeps_its_question(shown: Running, open_page: Any) -> None:
    """The card under the finger became another while the question was open."""
    page = open_page(f"{shown.url}/dealer", (390, 844))
    enter(page)
    page.get_by_role("group", name="Jim, seat 1").get_by_role("button", name="two of clubs").click()
    view = sample_view()
    hands = (dataclasses.replace(view.seats[0].hands[0], cards=("Ah", "9h")),)
    publish(
        shown, view=dataclasses.replace(view, seats=(dataclasses.replace(view.seats[0], hands=hands), *view.seats[1:]))
    )
    page.get_by_role("group", name="Jim, seat 1").get_by_label("nine of hearts").wait_for(state="attached")
    page.click(".likely .card-button >> nth=1")
    until(page, "document.getElementById('pick-error').textContent.includes('now read as nine of hearts')")
    assert page.locator("#pick").is_visible()
    assert "two of clubs" in page.locator("#pick-now").inner_text()
    assert page.locator("#done .good").count() == 0
    assert axe(page) == []
    assert not shown.corrections


# Everybody at once


class Phones:
    """Two dozen seat pages as the server sees them: each follows its stream and reads all of it."""

    def __init__(self, urls: list[str], count: int = 24) -> None:
        self.states = [0] * count
        self.ended = threading.Event()
        self._threads = [
            threading.Thread(target=self._follow, args=(i, urls[i % len(urls)]), daemon=True) for i in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def _follow(self, i: int, url: str) -> None:
        with httpx.stream("GET", f"{url}/events", timeout=20) as response:
            for line in response.iter_lines():
                self.states[i] += line == "event: state"
                if self.ended.is_set():
                    return

    def close(self) -> None:
        self.ended.set()
        for thread in self._threads:
            thread.join(5)


def delays_of(page: Any, shown: Running, count: int) -> list[float]:
    """Milliseconds from publishing a state to the display's DOM having it, sorted."""
    page.evaluate("window.delays.length = 0")
    for i in range(count):
        seats = tuple(
            SeatView(n, "", "5", (HandView(("9d", "7c"), 4 + (i + n) % 17, False, "", "waiting"),)) for n in range(1, 8)
        )
        view = dataclasses.replace(sample_view(), seats=seats, turn=(1 + i % 7, 0))
        publish(shown, Say(50.0 + i, str(int(time.time() * 1000)), 1, 0, 16), view=view)
        page.wait_for_timeout(100)
    return sorted(page.evaluate("delays"))


def test_two_dozen_seat_pages_do_not_slow_the_display(shown: Running, open_page: Any) -> None:
    """95 of 100 states show under 200 ms after they are published, with 24 seat streams open.

    Another program on the machine may take the processor for a while, so one quiet stretch of a few is enough; where
    the display alone is too slow, too, nothing can be measured.
    """
    page = open_page(shown.url)
    until(page, READY)
    phones = Phones(list(shown.display.seat_urls.values()))
    page.evaluate(
        """() => { window.delays = []; new MutationObserver(() => { const at =
        Number(document.querySelector('#said').textContent); if (at) delays.push(Date.now() - at); })
        .observe(document.getElementById('said'), {childList: true, subtree: true, characterData: true}); }"""
    )
    best = math.inf
    for _ in range(6):
        delays = delays_of(page, shown, 20)
        if len(delays) >= 15:
            best = min(best, delays[int(len(delays) * 0.95)])
        if best < 200:
            break
    phones.close()
    assert min(phones.states) >= 3  # a phone that is slow skips states, it never waits for old ones
    if best >= 200:
        alone = delays_of(page, shown, 20)
        if len(alone) < 15 or alone[int(len(alone) * 0.95)] >= 100:
            pytest.skip("this machine is too busy to measure the display")
    assert best < 200
