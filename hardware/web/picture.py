"""Makes the README's picture of the table view: `python -m hardware.web.picture .docs/table.png`.

A simulated round is played through the referee up to a moment; a headless Chromium takes the page's picture.
"""

import argparse
import shutil
import sys
from importlib import resources
from pathlib import Path

from hardware.simulator.play import House, simulate
from hardware.web.server import WebDisplay
from table_state.layout import Layout, parse_layout
from table_state.output import Output, Say
from table_state.rules import preset
from table_state.table import Table
from table_state.view import TableView

SEED = 12
WORDS = "8 or 18, seat 4?"
"""The words at which the picture is taken; this seed's first round has them."""
RULES = "casino"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")


def moment(layout: Layout, words: str = WORDS, seed: int = SEED) -> tuple[TableView, list[Output]]:
    """Return the view and the outputs of the step that says `words`; LookupError where the round never does."""
    rules = preset(RULES)
    session = simulate(House(layout.name, layout, rules), seed, 1, lambda _: 0, "clean", 1.0)
    table = Table(layout, rules)
    for line in session.lines:
        outputs = table.step(line)
        if any(isinstance(output, Say) and output.text == words for output in outputs):
            return table.view(), outputs
    raise LookupError(f"round {seed} never says {words!r}")


def take_picture(url: str, file: Path, size: tuple[int, int]) -> None:
    """Write a picture of a page; OSError where there is no Chromium, ImportError without playwright."""
    from playwright.sync_api import sync_playwright  # a test tool, not needed to run

    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        raise FileNotFoundError("no Chromium found; install the package chromium")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=list(_FLAGS))
        page = opened.new_page(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
        page.goto(url)
        page.wait_for_selector("#seats .total")
        page.evaluate("document.fonts.ready")
        page.screenshot(path=file)
        opened.close()


def main() -> int:
    """Play to the moment and take the picture."""
    parser = argparse.ArgumentParser(description="make a picture of the table view")
    parser.add_argument("file", type=Path)
    parser.add_argument("--size", type=int, nargs=2, default=(1280, 720), metavar=("W", "H"))
    parser.add_argument("--look", default="theme=dark", help="choices of the page, such as theme=light&suits=two")
    given = parser.parse_args()
    text = resources.files("hardware").joinpath("demo.toml").read_text(encoding="utf-8")
    layout = parse_layout(text, "demo.toml")
    display = WebDisplay(layout, port=0)
    display.start()
    display.publish(*moment(layout))
    try:
        take_picture(f"{display.url}/?{given.look}", given.file, tuple(given.size))
    except (OSError, ImportError) as error:
        print(f"picture: {error}", file=sys.stderr)
        return 1
    finally:
        display.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
