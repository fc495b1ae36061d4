"""A seat's page on a phone that sleeps, loses contact and comes back; and without a pointer."""

import dataclasses
import time
from typing import Any

from hardware.web.sample import sample_view
from table_state.output import Say
from tests.web.parts import run_display
from tests.web.test_pages import READY, announced, axe, until

STALE = """() => { window.stales = [];
    new MutationObserver(() => stales.push(document.body.classList.contains('stale'))).observe(
    document.body, {attributes: true, attributeFilter: ['class']}); }"""


def test_a_phone_that_wakes_says_at_once_that_it_is_out_of_date(open_page: Any) -> None:
    running = run_display()
    page = open_page(running.display.seat_urls[3], (390, 844))
    until(page, READY)
    page.evaluate(STALE)
    announced(page)
    begun = time.perf_counter()
    # An hour has passed on the wall, none on the clock that stands while the phone sleeps.
    page.evaluate("() => { const real = Date.now; Date.now = () => real() + 3600000; }")
    until(page, "stales.includes(true)", 2)
    assert time.perf_counter() - begun < 2
    until(page, "!document.body.classList.contains('stale')")
    running.display.publish(sample_view(), [Say(60.0, "20", 3, 0, 20)])
    until(page, "heard.includes('20')")
    assert not page.faults
    running.display.stop()


def test_a_frozen_page_catches_up_and_speaks_only_what_still_matters(open_page: Any) -> None:
    running = run_display()
    page = open_page(running.display.seat_urls[3], (390, 844))
    until(page, READY)
    announced(page)
    session = page.context.new_cdp_session(page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    running.display.publish(sample_view(), [Say(60.0, "18", 3, 0, 18)])
    session.send("Page.setWebLifecycleState", {"state": "active"})
    running.display.publish(sample_view(), [Say(61.0, "19", 3, 0, 19)])
    until(page, "heard.includes('19')")
    assert page.evaluate("heard.filter(text => text === '19').length") == 1
    running.display.stop()


def test_a_seat_page_comes_back_with_the_table(open_page: Any) -> None:
    first = run_display(link_secret=b"r" * 32)
    port = int(first.url.rsplit(":", 1)[1])
    page = open_page(first.display.seat_urls[3], (390, 844))
    until(page, READY)
    first.display.stop()
    page.wait_for_selector(".stale #link.lost")
    assert axe(page) == []
    again = run_display(link_secret=b"r" * 32, port=port)
    page.wait_for_selector("body:not(.stale)")
    again.display.publish(dataclasses.replace(sample_view(), turn=(3, 0)), [])
    page.wait_for_selector(".my-turn")
    again.display.stop()


def test_a_seat_page_is_used_by_keyboard_alone(open_page: Any) -> None:
    running = run_display()
    page = open_page(running.display.seat_urls[3], (390, 844))
    until(page, READY)
    announced(page)
    stops = []
    for _ in range(3):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.id"))
    assert stops == ["repeat", "voice", "open-settings"]
    page.keyboard.press("Enter")
    assert page.evaluate("document.getElementById('settings').open")
    page.keyboard.press("Escape")
    page.focus("#repeat")
    page.keyboard.press("Space")
    until(page, "heard.length === 1")
    running.display.stop()
