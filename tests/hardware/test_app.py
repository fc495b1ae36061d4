"""The composition root and the loop, with every part replaced."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from hardware.app import Corrections, Listener, compose
from hardware.errors import BadInputError, HardwareError
from table_state.layout import Layout
from table_state.observation import Correction, Observation
from table_state.output import Output
from table_state.rules import HouseRules, preset
from table_state.table import Table
from table_state.view import TableView
from tests.hardware.helpers import Looks, Played, Referee, frame, layout


class Hears(Listener):
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[float, str]] = []
        self.ended: list[bool] = []

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Keep the outputs' times and types."""
        self.heard += [(o.t, o.to_json()["text"]) for o in outputs]

    def close(self, failed: bool) -> None:
        """Keep how it ended."""
        self.ended.append(failed)


class House:
    """All parts of a program, made for the test."""

    def __init__(self, camera: Played, record: Path | None = None, camera_points: bool = True) -> None:
        self.camera, self.ears, self.referee, self.corrections = camera, Hears(), Referee(), Corrections()
        self.app = compose(
            "images:none",
            layout(camera_points),
            preset("charity"),
            record=record,
            camera=camera,
            looker=lambda seen: Looks(),
            table=self._table,
            listeners=self._listeners,
        )

    def _table(self, seen: Layout, rules: HouseRules) -> Referee:
        return self.referee

    def _listeners(self, seen: Layout, corrections: Corrections) -> list[Hears]:
        self.corrections = corrections
        return [self.ears]


def test_what_is_said_reaches_whoever_listens() -> None:
    house = House(Played([frame(0.0), frame(0.1)]))
    house.app.run()
    assert house.ears.heard == [(0.0, "Observation"), (0.1, "Observation")]
    assert house.ears.ended == [False]
    assert house.camera.closed == 1


def test_a_correction_gets_the_streams_time_and_is_kept(tmp_path: Path) -> None:
    house = House(Played([frame(3.0), frame(3.1)]), tmp_path / "rec")
    house.corrections.put(Correction(0.0, "new-shoe"))
    house.app.run()
    kinds = [(type(line).__name__, line.t) for line in house.referee.lines]
    assert kinds == [("Correction", 3.0), ("Observation", 3.0), ("Observation", 3.1)]
    assert (tmp_path / "rec" / "observations.jsonl").read_text().count("new-shoe") == 1


def test_whoever_corrected_hears_whether_it_changed_something() -> None:
    table = Table(layout(), preset("charity"))
    answers: list[tuple[Correction, bool]] = []

    class Asks(Hears):
        def answer(self, correction: Correction, applied: bool) -> None:
            answers.append((correction, applied))

    given = [Correction(0.0, "undo"), Correction(0.0, "new-shoe"), Correction(0.0, "card", 0.0, 450.0, "8s")]
    given += [Correction(0.0, "undo"), Correction(0.0, "undo")]
    app = compose(
        "images:none",
        layout(),
        preset("charity"),
        camera=Played([frame(0.0)]),
        looker=lambda seen: Looks(),
        table=lambda seen, rules: table,
        listeners=lambda seen, corrections: [Asks()],
    )
    for correction in given:
        app.corrections.put(correction)
    app.run()
    assert [applied for _, applied in answers] == [False, True, False, True, False]
    assert all(heard is asked for (heard, _), asked in zip(answers, given, strict=True))


@pytest.mark.parametrize("error", [BadInputError("bad picture"), HardwareError("gone"), RuntimeError("a fault")])
def test_a_failing_source_closes_everything(tmp_path: Path, error: Exception) -> None:
    house = House(Played([frame(0.0)], error), tmp_path / "rec")
    with pytest.raises(type(error)):
        house.app.run()
    assert house.ears.ended == [True]
    assert house.camera.closed == 1
    # A file that is bad can be mended and played again; what a camera saw before it failed is not to be had again.
    assert (tmp_path / "rec").exists() == (not isinstance(error, BadInputError))


def test_whoever_stops_the_program_keeps_what_was_recorded(tmp_path: Path) -> None:
    house = House(Played([frame(0.0)], KeyboardInterrupt()), tmp_path / "rec")
    with pytest.raises(KeyboardInterrupt):
        house.app.run()
    assert house.ears.ended == [False]
    assert (tmp_path / "rec" / "observations.jsonl").exists()


def test_a_table_that_is_not_calibrated_is_refused() -> None:
    camera = Played([])
    with pytest.raises(BadInputError, match="not calibrated"):
        House(camera, camera_points=False)
    assert camera.closed == 1


def test_a_listener_sees_the_observation_before_the_words() -> None:
    seen: list[tuple[str, float]] = []

    class Order(Hears):
        def observe(self, frame: object, observation: Observation) -> None:
            seen.append(("observe", observation.t))

        def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
            seen.append(("publish", outputs[0].t))

    app = compose(
        "images:none",
        layout(),
        preset("charity"),
        camera=Played([frame(0.0)]),
        looker=lambda seen: Looks(),
        table=lambda seen, rules: Referee(),
        listeners=lambda seen, corrections: [Order()],
    )
    app.run()
    assert seen == [("observe", 0.0), ("publish", 0.0)]
