"""The set-up wizard in a real browser: a table set up by hand on a drawn picture, three widths, nothing lost."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.web.auth import DealerDoor
from hardware.web.server import listen
from hardware.web.wizard.server import serve
from hardware.web.wizard.session import Session
from hardware.web.wizard.site import create_wizard
from table_state.layout import Layout, parse_layout
from table_state.rules import parse_rules
from tests.web.parts import CODE
from tests.web.test_pages import axe
from tests.web.test_wizard import session
from tests.wizard.drawn import CHIPS, SIZE, bent, box, off
from vision.camera_view import CameraView

SECONDS = 30.0


class Served:
    """A wizard that is served until it is stopped."""

    def __init__(self, made: Session, door: DealerDoor | None = None) -> None:
        opened = listen("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{opened.getsockname()[1]}"
        self._server: list[Any] = []
        app = create_wizard(made, [], door)
        self._thread = threading.Thread(target=serve, args=(app, opened, self._server.append), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server[0].should_exit = True
        self._thread.join(5)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served(session(tmp_path))
    yield made
    made.stop()


@pytest.fixture
def open_wizard(browser: Any) -> Iterator[Any]:
    contexts = []

    def opened(url: str, size: tuple[int, int] = (1280, 900), **options: Any) -> Any:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * SECONDS)
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("console", lambda line: page.faults.append(line.text) if line.type == "error" else None)
        page.goto(url)
        page.wait_for_selector("#main:not([aria-busy]), #code")
        return page

    yield opened
    for context in contexts:
        context.close()


def until(page: Any, truth: str) -> None:
    end = time.monotonic() + SECONDS
    while not page.evaluate(truth):
        assert time.monotonic() < end, f"never true: {truth}"
        page.wait_for_timeout(40)


def picture_file(folder: Path) -> str:
    file = folder / "empty.jpg"
    cv2.imwrite(str(file), bent(dressed=True)[0], [cv2.IMWRITE_JPEG_QUALITY, 92])
    return str(file)


def drag(page: Any, board: str, handle: str, pixel: tuple[float, float]) -> None:
    """Drag a handle to a pixel of the picture, as near as the mouse's whole steps allow."""
    image = page.locator(f"{board} img")
    image.scroll_into_view_if_needed()
    box = image.bounding_box()
    held = page.locator(handle).bounding_box()
    page.mouse.move(held["x"] + held["width"] / 2, held["y"] + held["height"] / 2)
    page.mouse.down()
    x, y = ((p + 0.5) / n for p, n in zip(pixel, SIZE, strict=True))
    page.mouse.move(round(box["x"] + x * box["width"]), round(box["y"] + y * box["height"]), steps=4)
    page.mouse.up()


def wide(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def saved(folder: Path) -> Layout:
    return parse_layout((folder / "table.toml").read_text())


def test_a_table_is_set_up_by_hand(served: Served, open_wizard: Any, tmp_path: Path) -> None:
    _, true, layout = bent(dressed=True)
    page = open_wizard(served.url)
    page.set_input_files("#file", picture_file(tmp_path))
    page.wait_for_selector("#taken:not([hidden])")
    page.click("#next")
    felt = box(layout)
    for n, pixel in enumerate(true.to_pixels(felt)):
        drag(page, "#table-board", f"#table-board .corner >> nth={n}", tuple(pixel))
    for n, (x, y) in enumerate(felt):
        page.fill(f"[data-path='corners.{n}.x']", f"{x:g}")
        page.fill(f"[data-path='corners.{n}.y']", f"{y:g}")
    until(page, "document.getElementById('sides').textContent.includes('found: 4 of 4')")
    # The keyboard moves a corner by a pixel, and the field says so.
    before = float(page.input_value("[data-path='corners.0.px']"))
    page.locator("#table-board .corner >> nth=0").focus()
    page.keyboard.press("ArrowRight")
    assert float(page.input_value("[data-path='corners.0.px']")) == pytest.approx(before + 1)
    page.keyboard.press("ArrowLeft")
    assert axe(page) == []
    page.click("#next")

    page.check("input[name=kind][value='half-moon']")
    page.select_option("#seats", "4")
    page.click("#template button[type=submit]")
    until(page, "document.querySelectorAll('#chooser input').length === 7")
    page.fill("[data-path='seats.0.name']", "Siobhán")
    page.fill("[data-path='seats.0.spoken']", "Shivawn")
    for n, seat in enumerate(layout.seats):
        page.check(f"input[name=place][value='seats.{n}']")
        pixel = tuple(true.to_pixels(np.array([seat.circle[:2]]))[0])
        page.wait_for_selector("#places-board .handle.circle")
        drag(page, "#places-board", "#places-board .handle.circle", pixel)
        until(
            page,
            f"Math.abs(Number(document.querySelector(\"[data-path='seats.{n}.cx']\").value) - {seat.circle[0]}) < 4",
        )
    page.click("#next")

    for n, (color, seat) in enumerate(zip(CHIPS, layout.seats, strict=True)):
        assert page.input_value(f"[data-path='chips.{n}.color']") == color
        page.click(f"[data-show='{n}']")
        shown = page.locator("#chips-board img")
        shown.scroll_into_view_if_needed()
        box_ = shown.bounding_box()
        x, y = true.to_pixels(np.array([seat.circle[:2]]))[0]
        page.mouse.click(box_["x"] + x / SIZE[0] * box_["width"], box_["y"] + y / SIZE[1] * box_["height"])
        page.wait_for_selector(f".chip-row:nth-child({n + 1}) .swatch")
    assert axe(page) == []
    page.click("#next")

    page.check("input[name=preset][value='charity']")
    page.check("[data-path='rules.hits_soft_17']")
    assert page.locator("[data-rule='hits_soft_17'] .other").is_visible()
    page.click("#next")
    page.click("#try-picture")
    page.wait_for_selector("#read li")
    page.click("#next")
    page.wait_for_selector("#left .found")
    page.click("#save")
    page.wait_for_selector("#saved pre")
    assert page.faults == []

    made = saved(tmp_path)
    assert made.camera is not None
    assert off(CameraView(made.camera, SIZE), true, layout) < 4
    assert (made.seats[0].name, made.seats[0].spoken) == ("Siobhán", "Shivawn")
    placed = np.array([s.circle[:2] for s in made.seats]) - np.array([s.circle[:2] for s in layout.seats])
    assert np.abs(placed).max() < 5
    assert set(made.chip_colors) == set(CHIPS)
    rules = parse_rules((tmp_path / "table-rules.toml").read_text())
    assert rules.hits_soft_17
    assert rules.surrender


@pytest.mark.parametrize("size", [(320, 640), (800, 900)])
def test_every_step_fits_and_axe_finds_nothing(
    served: Served, open_wizard: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    page = open_wizard(served.url, size, color_scheme="dark" if size[0] == 320 else "light")
    page.wait_for_selector("#main:not([aria-busy])")
    assert axe(page) == []
    page.set_input_files("#file", picture_file(tmp_path))
    page.wait_for_selector("#taken:not([hidden])")
    for step in ("picture", "table", "places", "chips", "rules", "try", "save"):
        page.wait_for_selector(f"#step-{step}:not([hidden])")
        assert wide(page), step
        assert axe(page) == [], step
        if step != "save":
            page.click("#next")
    assert page.faults == []


def test_a_fault_stands_beside_its_field_and_what_was_typed_outlives_the_page(
    served: Served, open_wizard: Any, tmp_path: Path
) -> None:
    page = open_wizard(served.url)
    page.set_input_files("#file", picture_file(tmp_path))
    page.wait_for_selector("#taken:not([hidden])")
    page.click("#next")
    page.fill("[data-path='corners.1.x']", "six hundred")
    field = page.locator("[data-path='corners.1.x']")
    until(page, "document.querySelector(\"[data-path='corners.1.x']\").getAttribute('aria-invalid') === 'true'")
    told = page.locator(f"#{field.get_attribute('aria-describedby').strip()}")
    assert "This is no number" in told.inner_text()
    assert axe(page) == []
    page.click("#steps li:last-child button")
    page.click("#left .faults button")
    assert page.evaluate("document.activeElement.dataset.path") == "corners.1.x"
    page.reload()
    page.click("#steps li:nth-child(2) button")
    assert field.input_value() == "six hundred"
    assert not (tmp_path / "table.toml").exists()


def test_the_code_is_asked_for_first(open_wizard: Any, tmp_path: Path) -> None:
    made = Served(session(tmp_path), DealerDoor(CODE))
    page = open_wizard(made.url)
    page.fill("#code", "wrong")
    page.press("#code", "Enter")
    page.wait_for_selector("#code-error:not(:empty)")
    assert page.input_value("#code") == "wrong"
    assert axe(page) == []
    page.fill("#code", CODE)
    page.press("#code", "Enter")
    page.wait_for_selector("#main:not([aria-busy])")
    made.stop()
