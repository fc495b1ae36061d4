"""What the loop counts, and how Prometheus is told."""

import pytest
from prometheus_client.parser import text_string_to_metric_families

from hardware.app import compose
from hardware.counts import Counts, Stage
from hardware.metrics import Metrics
from table_state.output import Alert, Event, Output, Say
from table_state.rules import preset
from tests.hardware.helpers import Looks, Played, Referee, frame, layout

SAID: list[Output] = [Say(1.0, "17"), Alert(1.0, "late-bet", 2, None, "x"), Event(1.0, "turn", 1), Say(2.0, "18")]


def read(counts: Counts) -> dict[str, float]:
    """Each sample of the page by its name and labels."""
    families = text_string_to_metric_families(Metrics(counts).text().decode())
    return {"/".join((s.name, *s.labels.values())): s.value for family in families for s in family.samples}


def test_the_loop_counts_its_frames_and_times_its_stages() -> None:
    counts = Counts()
    app = compose(
        "images:none",
        layout(),
        preset("charity"),
        counts=counts,
        camera=Played([frame(0.0), frame(0.1), frame(0.2)]),
        looker=lambda seen: Looks(),
        table=lambda seen, rules: Referee(),
    )
    app.run()
    found = read(counts)
    assert found["railbird_frames_total"] == 3
    assert found["railbird_words_total"] == 3
    assert {f"railbird_stage_seconds_count/{name}" for name in ("look", "referee", "tell")} <= found.keys()
    assert found["railbird_stage_seconds_count/look"] == 3
    assert 0 <= found["railbird_last_frame_age_seconds"] < 60


def test_words_alerts_and_faults_are_counted() -> None:
    counts = Counts(asked={"dropped_frames": lambda: 7.0, "mqtt_connected": lambda: 1.0})
    counts.said(SAID)
    for stands in (True, False, True):
        counts.fault("camera-lost", stands)
    counts.noticed("camera-lost", "text")
    found = read(counts)
    assert found["railbird_words_total"] == 2
    assert found["railbird_alerts_total/late-bet"] == 1
    assert found["railbird_faults_total/camera-lost"] == 2
    assert found["railbird_fault"] == 1
    assert found["railbird_dropped_frames_total"] == 7
    assert found["railbird_mqtt_connected"] == 1
    assert "railbird_streams" not in found


def test_a_stage_that_fails_is_timed_and_its_recent_time_follows() -> None:
    counts = Counts()
    with pytest.raises(RuntimeError), counts.stage("look"):
        raise RuntimeError
    assert counts.stages["look"].runs == 1
    stage = Stage()
    stage.add(0.010)
    assert stage.recent_ms == pytest.approx(10.0)
    for _ in range(200):
        stage.add(0.020)
    assert stage.recent_ms == pytest.approx(20.0, abs=0.1)


def test_age_is_that_of_the_last_frame() -> None:
    now = [5.0]
    counts = Counts(clock=lambda: now[0])
    assert counts.age() is None
    counts.looked()
    now[0] = 9.0
    assert counts.age() == 4.0
