"""What is kept of an evening, that it is there after a crash, and that it goes when it should."""

import dataclasses
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from hardware.history import History
from hardware.history_book import evening_of
from table_state.observation import Correction
from table_state.output import Alert, Event, Move, Output, Resolved, Result
from table_state.view import HandView, SeatView, TableView

NOW = 1_796_000_000.0
DAY = 86_400.0
EMPTY = TableView(0.0, "over", None, (), HandView(), ())


class Wall:
    """A wall clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
def history(tmp_path: Path, wall: Wall) -> Iterator[History]:
    made = History(tmp_path / "railbird" / "history.sqlite3", 30, wall=wall)
    yield made
    made.close(False)


def view(phase: str, dealer: tuple[str, ...], *hands: tuple[str, ...]) -> TableView:
    seat = SeatView(1, "Jim", "10", tuple(HandView(cards) for cards in hands))
    return TableView(1.0, phase, None, (seat,), HandView(dealer), ())


def alert(code: str = "wrong-payout") -> Alert:
    return Alert(5.0, code, 1, 0, "Jim: 5 more.", (Move("6h", "seat:1", "dealer"),), Fraction(15), Fraction(10))


def play(history: History, *extra: Output) -> None:
    history.publish(view("deal", ("Kd",), ("8h",)), [Event(1.0, "round-started")])
    history.publish(view("play", ("Kd", "??"), ("8h", "3c"), ("8d", "Tc", "9c")), [])
    history.publish(view("pay", ("Kd", "7s"), ("8h", "3c")), extra)
    ended = Event(9.0, "round-ended")
    results = [Result(9.0, 1, n, "win", Fraction(5, 2), Fraction(5, 2), 17, 20) for n in (0, 1)]
    history.publish(EMPTY, [ended, *results])


def kept(history: History, what: str, count: int = 1) -> list[dict[str, object]]:
    end = time.monotonic() + 5
    while len(found := history.rows(what, history.evening)) < count and time.monotonic() < end:
        time.sleep(0.01)
    return found


def test_a_round_is_kept_with_each_hand_as_it_lay(history: History) -> None:
    play(history)
    first, second = kept(history, "rounds", 2)
    assert (first["cards"], first["outcome"], first["bet"], first["pays"]) == ("8h 3c", "win", "2.5", "2.5")
    assert second["cards"] == "8d Tc 9c"
    assert (first["dealer"], first["dealer_total"], first["ended"]) == ("Kd 7s", 17, NOW)


def test_an_alert_is_one_however_often_it_is_said(history: History, wall: Wall) -> None:
    play(history, alert(), dataclasses.replace(alert(), text="Jim: 3 more."))
    wall.now += 7
    history.publish(EMPTY, [Resolved(12.0, "wrong-payout", 1)])
    history.publish(EMPTY, [alert("late-bet")])
    history.answer(Correction(13.0, "not-a-mistake", alert="late-bet", seat=1), True)
    history.answer(Correction(13.0, "card", x=1.5, y=2.0, code="As"), True)
    history.answer(Correction(13.0, "undo"), False)
    kept(history, "corrections", 2)
    paid, late = kept(history, "alerts", 2)
    assert (paid["text"], paid["mended"], paid["expected"]) == ("Jim: 3 more.", NOW + 7, "15")
    assert paid["moves"] == [{"card": "6h", "from": "seat:1", "to": "dealer"}]
    assert (late["mended"], late["dismissed"]) == (None, NOW + 7)
    assert [row["kind"] for row in kept(history, "corrections")] == ["not-a-mistake", "card"]
    assert history.evenings() == [{"evening": history.evening, "rounds": 1, "alerts": 2, "corrections": 2}]


def test_an_evening_lasts_past_midnight() -> None:
    midnight = time.mktime((2026, 12, 2, 0, 0, 0, 0, 0, -1))
    assert {evening_of(midnight - 3 * 3600), evening_of(midnight + 2 * 3600)} == {"2026-12-01"}
    assert evening_of(midnight + 13 * 3600) == "2026-12-02"


def test_old_evenings_go_by_themselves(history: History, wall: Wall) -> None:
    play(history)
    kept(history, "rounds", 2)
    wall.now += 31 * DAY
    play(history)
    kept(history, "rounds", 2)
    assert [row["evening"] for row in history.evenings()] == [history.evening]


def test_this_evening_is_deleted_for_good(history: History, wall: Wall) -> None:
    history.publish(EMPTY, [Event(1.0, "round-started"), alert()])
    history.pictures(alert(), [(NOW, b"\xff\xd8" + b"PICTURE OF AN EVENING" * 40)])
    wall.now -= 2 * DAY
    play(history)
    wall.now += 2 * DAY
    kept(history, "alerts")
    assert history.picture(1, 0) is not None
    assert history.delete(history.evening)
    assert [row["evening"] for row in history.evenings()] == [evening_of(NOW - 2 * DAY)]
    assert history.picture(1, 0) is None
    left = b"".join(path.read_bytes() for path in history.path.parent.iterdir())
    assert b"PICTURE OF AN EVENING" not in left


def test_pictures_are_bounded_and_the_oldest_go_first(tmp_path: Path) -> None:
    history = History(tmp_path / "h.sqlite3", 30, picture_bytes=2500)
    for code in ("late-bet", "pay-order", "paid-early"):
        history.publish(EMPTY, [alert(code)])
        history.pictures(alert(code), [(NOW, b"x" * 500), (NOW, b"y" * 500)])
    history.close(False)
    assert [row["pictures"] for row in history.rows("alerts", history.evening)] == [0, 2, 2]
    assert history.picture(3, 1) == b"y" * 500


def test_it_is_for_this_user_alone(history: History) -> None:
    assert history.path.stat().st_mode & 0o077 == 0
    assert history.path.parent.stat().st_mode & 0o077 == 0


CRASHES = """
import sys
from pathlib import Path
from hardware.history import History
from tests.hardware.test_history import play
history = History(Path(sys.argv[1]), 30)
play(history)
while True:
    if len(history.rows("rounds", history.evening)) == 2:
        print("kept", flush=True)
        break
import time
time.sleep(60)
"""


def test_a_round_outlives_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    running = subprocess.Popen(
        [sys.executable, "-c", CRASHES, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": "."},
    )
    with running:
        assert running.stdout is not None
        assert running.stdout.readline() == "kept\n"
        running.send_signal(signal.SIGKILL)
    again = History(path, 30)
    assert len(again.rows("rounds", again.evening)) == 2
    again.close(False)
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_in_memory_it_ends_with_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    history = History(None, 30)
    play(history, alert())
    assert len(kept(history, "rounds", 2)) == 2
    history.pictures(alert(), [(NOW, b"jpeg")])
    kept(history, "alerts")
    assert history.delete(history.evening)
    assert history.evenings() == []
    play(history)
    assert len(kept(history, "rounds", 2)) == 2
    history.close(False)
    assert history.evenings() == []
    assert list(tmp_path.iterdir()) == []


def test_a_broken_file_is_put_aside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "h.sqlite3"
    path.write_bytes(b"no database at all, but long enough to be looked at" * 20)
    history = History(path, 30)
    play(history)
    assert len(kept(history, "rounds", 2)) == 2
    history.close(False)
    assert "is broken; it was moved" in capsys.readouterr().err
    assert path.with_suffix(".broken").exists()


def test_a_disk_that_cannot_be_written_is_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    history = History(tmp_path / "file" / "h.sqlite3", 30)
    play(history)
    assert history.rows("rounds", history.evening) == []
    assert history.evenings() == []
    assert not history.delete(history.evening)
    assert history._jobs.empty()
    history.close(False)
    assert capsys.readouterr().err.count("not kept") == 1
