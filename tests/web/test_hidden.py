"""Everything that leaves the program while the dealer peeks is searched for the hole card's code.

The simulator's camera is made to catch the hole card whenever the dealer's hands are over it. The program is composed
as `railbird run` does it, with pages, metrics, MQTT, recording and terminal; every page that its own list of routes
names is asked for, by the dealer, by each seat and by anybody.
"""

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import numpy as np
import pytest
from PIL import Image

from hardware.app import Corrections, Listener, compose
from hardware.camera import CameraOptions
from hardware.config import Settings
from hardware.counts import Counts
from hardware.listeners import Wanted
from hardware.mqtt.address import Broker
from hardware.notices import Notices
from hardware.simulator.dealer import Dealer
from hardware.simulator.observe import Observer
from hardware.simulator.tables import half_moon
from hardware.state import state_folder
from table_state.layout import CameraPoints, Layout
from table_state.observation import Observation, SeenCard
from table_state.rules import preset
from tests.mqtt.broker import MOSQUITTO, Ears, Mosquitto, until
from vision.frame import Frame

RANKS = {"A": "ace", "T": "ten", "J": "jack", "Q": "queen", "K": "king"} | dict(
    zip("23456789", ("two", "three", "four", "five", "six", "seven", "eight", "nine"), strict=True)
)
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
SIZE = (160, 80)


@dataclass(frozen=True, slots=True, eq=False)
class LineFrame(Frame):
    line: Observation


class Sees:
    def look(self, frame: Frame) -> Observation:
        assert isinstance(frame, LineFrame)
        return frame.line


@dataclass(frozen=True, slots=True)
class Round:
    """One round with a peek, from a deck in which each code is there once."""

    layout: Layout
    lines: list[Observation]
    code: str
    lies: float
    peeks: tuple[float, float]
    turned: float


def played(seed: int) -> Round | None:
    """A round in which the dealer peeks and turns the hole card later; None where this seed has none."""
    rules = replace(preset("casino"), decks=1)
    points = tuple((px, py, x, y) for px, x in ((0.0, -900.0), (160.0, 900.0)) for py, y in ((80.0, 0.0), (0.0, 900.0)))
    layout = replace(half_moon(4), camera=CameraPoints(SIZE, points))
    dealer = Dealer(layout, rules, f"hidden {seed}")
    dealer.round(0)
    stage = dealer.stage
    hole = next((c for c in stage.cards if c.legs[0].shown is None and any(leg.shown for leg in c.legs)), None)
    if hole is None:
        return None
    lies, turned = hole.legs[0].t1 + 0.6, next(leg.t0 for leg in hole.legs if leg.shown)
    x, y = hole.legs[0].end.x, hole.legs[0].end.y
    peeks = [m for m in stage.motions if m.source == "dealer" and m.r == 85.0 and lies < m.t0 < m.t1 < turned - 0.5]
    peeks = [m for m in peeks if abs(m.start[0] - x) < 120 and m.start == m.end]
    if not peeks:
        return None
    span = peeks[0].t0, peeks[0].t1
    lines = list(Observer(stage, "clean", seed, 5.0, steady=True).lines(stage.t))
    return Round(layout, [_glimpsed(line, span, x, y, hole.code) for line in lines], hole.code, lies, span, turned)


def _glimpsed(line: Observation, span: tuple[float, float], x: float, y: float, code: str) -> Observation:
    if not span[0] + 0.3 < line.t < span[1] - 0.3:
        return line
    return replace(line, cards=(*line.cards, SeenCard(round(x), round(y), 90, code, 0.9)))


class Searched:
    """A program that plays one round, and what left it, in order of time."""

    def __init__(self, round_: Round, folder: Path, broker: Mosquitto | None) -> None:
        self.round, self.now = round_, 0.0
        self.sent: list[tuple[float, str, bytes]] = []
        self.client = httpx.Client(timeout=10.0)
        self.url = ""
        settings = Settings(port=0, mqtt=Broker("127.0.0.1", broker.port) if broker else None, mqtt_table="one")
        notices, counts = Notices(), Counts()
        build = Wanted(json=str(folder / "said.jsonl"), whole=False, speech=False).builder(settings, notices, counts)

        def listeners(layout: Layout, corrections: Corrections) -> list[Listener]:
            built = list(build(layout, corrections))
            self.url = next(one.display.url for one in built if hasattr(one, "display"))
            return built

        self.app = compose(
            "images:none",
            round_.layout,
            replace(preset("casino"), decks=1),
            CameraOptions(),
            folder / "recording",
            notices,
            counts,
            camera=self,
            looker=lambda seen: Sees(),
            listeners=listeners,
        )

    def frames(self) -> Iterator[Frame]:
        for number, line in enumerate(self.round.lines):
            self.now = line.t
            yield LineFrame(line.t, np.full((SIZE[1], SIZE[0], 3), 40 + number % 100, np.uint8), line)
            hidden = self.round.peeks[0] < line.t < self.round.peeks[1] + 0.5 or 0 < self.round.turned - line.t < 0.4
            if (hidden and number % 3 == 0) or (line.t > self.round.turned + 1.0 and number % 40 == 0):
                self.ask_everything()

    def close(self) -> None:
        self.client.close()

    def ask_everything(self) -> None:
        self.enter()
        for path in self.paths():
            if path.endswith("/events"):
                self.sent.append((self.now, path, self.first_event(path)))
            else:
                self.sent.append((self.now, path, self.client.get(self.url + path).content))

    def enter(self) -> None:
        if not self.client.cookies:
            code = (state_folder() / "dealer-code").read_text().strip()
            answer = self.client.post(f"{self.url}/dealer/enter", json={"code": code}, headers={"origin": self.url})
            assert answer.status_code == 204

    def paths(self) -> list[str]:
        """Every path that may be read, its parts filled in."""
        schema = self.client.get(f"{self.url}/openapi.json").json()
        seats = self.client.get(f"{self.url}/table.json").json()["seats"]
        tokens = [seat["url"].rsplit("/", 1)[1] for seat in seats]
        evening = self.client.get(f"{self.url}/dealer/history.json").json()
        fill = {"seat": ["1"], "token": tokens, "n": ["0", "1", "2", "5"], "alert": ["1"]}
        fill["what"] = ["rounds", "alerts", "corrections"]
        found = []
        for path, verbs in schema["paths"].items():
            if "get" not in verbs:
                continue
            found += _filled(path, fill)
        day = evening.get("today") if isinstance(evening, dict) else None
        return [f"{p}?evening={day}" if "/export/" in p else p for p in found]

    def first_event(self, path: str) -> bytes:
        with self.client.stream("GET", self.url + path) as answer:
            for line in answer.iter_lines():
                if line.startswith("data: {"):
                    return line.encode()
        return b""


def _filled(path: str, fill: dict[str, list[str]]) -> list[str]:
    slots = re.findall(r"\{(\w+)\}", path)
    found = [path]
    for slot in slots:
        found = [p.replace(f"{{{slot}}}", value) for p in found for value in fill.get(slot, ["1"])]
    return found


def names(code: str) -> list[str]:
    """How the card might be written."""
    return [code, f"{RANKS[code[0]]} of {SUITS[code[1]]}", f"{code[0].replace('T', '10')} of {SUITS[code[1]]}"]


def holds(body: bytes, code: str) -> bool:
    """Whether a text names the card; in a picture only what stands beside the pixels counts."""
    if body.startswith(b"\xff\xd8"):
        return bool(set(Image.open(io.BytesIO(body)).info) - {"jfif", "jfif_version", "jfif_unit", "jfif_density"})
    text = body.decode("utf-8", "replace").lower()
    return any(re.search(rf"(?<![0-9a-z]){re.escape(name.lower())}(?![0-9a-z])", text) for name in names(code))


def test_the_hole_card_is_in_nothing_that_is_sent_before_it_is_turned(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    found = next(r for seed in range(60) if (r := played(seed)) is not None)
    broker = Mosquitto(tmp_path) if MOSQUITTO else None
    if broker is not None:
        broker.start()
    ears = Ears(broker.port) if broker is not None else None
    try:
        searched = Searched(found, tmp_path, broker)
        searched.app.run()
        if ears is not None:
            until(lambda: ears.newest.get("railbird/one/status") == b"offline")
    finally:
        if ears is not None and broker is not None:
            ears.close()
            broker.stop()
    early = [(t, path, body) for t, path, body in searched.sent if t < found.turned]
    late = [body for t, path, body in searched.sent if t > found.turned + 1.0]
    assert len({path for _, path, _ in early}) > 15
    assert any(path.startswith("/dealer/marks") for _, path, _ in early)
    assert [(t, path) for t, path, body in early if holds(body, found.code)] == []
    said = [json.loads(line) for line in (tmp_path / "said.jsonl").read_text().splitlines()]
    assert not any(holds(json.dumps(row).encode(), found.code) for row in said if row["t"] < found.turned)
    if ears is not None:
        told = [json.loads(p) for topic, p, _ in ears.heard if topic.endswith("/events")]
        assert told
        assert not any(holds(json.dumps(row).encode(), found.code) for row in told if row["t"] < found.turned)
    printed = [line for line in capfd.readouterr().out.splitlines() if line[:9].strip()]
    assert not any(holds(line.encode(), found.code) for line in printed if _time(line) < found.turned)
    # The search finds what is there: the card once it is turned, and in the dealer's own recording.
    assert any(holds(body, found.code) for body in late)
    kept = (tmp_path / "recording" / "observations.jsonl").read_bytes()
    assert holds(kept, found.code)
    assert not any(kept[:400] in body for _, _, body in searched.sent)


def _time(line: str) -> float:
    try:
        return float(line[:9])
    except ValueError:
        return 0.0


def test_the_search_knows_a_card_by_each_of_its_names() -> None:
    assert holds(b'{"cards": ["Kd", "9s"]}', "9s")
    assert holds(b"the nine of spades", "9s")
    assert holds(b"10 of hearts", "Th")
    assert not holds(b'{"etag": "a9s3"}', "9s")
    noted = io.BytesIO()
    Image.new("RGB", (8, 8)).save(noted, "JPEG", comment=b"9s")
    assert holds(noted.getvalue(), "9s")
