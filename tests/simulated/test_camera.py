"""The `sim` camera: frames in simulated time, at real pace or as fast as can be, and the truth it writes."""

import json
from dataclasses import replace

import numpy as np
import pytest

from hardware.simulator.camera import Script, SimCamera, SimTable, up_to
from hardware.simulator.compare import compare
from hardware.simulator.oracle import perfect
from hardware.simulator.tables import half_moon
from table_state.layout import CameraPoints
from table_state.rules import PRESETS


class Painter:
    """Stands in for the renderer: a small grey picture, and the scenes it was shown."""

    def __init__(self, layout):
        self.layout = replace(layout, camera=CameraPoints((64, 36), ((0.0, 0.0, 0.0, 0.0),) * 4))
        self.scenes = []

    def frame(self, scene):
        self.scenes.append(scene)
        return np.full((36, 64, 3), len(scene.cards), np.uint8)


class Clock:
    """A clock that only moves when somebody sleeps or works."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


def camera(script=None, **more):
    layout = half_moon(5)
    return SimCamera(layout, PRESETS["home"], script or Script(2, True, 1.5), Painter(layout), **more)


def test_as_fast_as_can_be_frames_are_evenly_apart():
    cam = camera(realtime=False, fps=8.0)
    frames = list(cam.frames())
    assert [f.t for f in frames] == [round(i / 8, 4) for i in range(90 * 8 + 1)]
    assert cam.layout.camera is not None
    assert max(len(s.cards) for s in cam.renderer.scenes) > 4
    assert cam.renderer.scenes[0].cards == ()


def test_at_real_pace_it_sleeps_and_slow_drawing_drops_frames():
    clock = Clock()
    cam = camera(Script(2, False, 0.2), clock=clock, sleep=clock.sleep)
    frames = list(cam.frames())
    assert len(frames) == 121
    slow = camera(Script(2, False, 0.2), clock=clock, sleep=clock.sleep)
    times = []
    for frame in slow.frames():
        clock.now += 0.5
        times.append(frame.t)
    assert len(times) < 30
    assert times == sorted(times)


def test_closing_ends_it():
    cam = camera(Script(1, False, None), realtime=False)
    for frame in cam.frames():
        if frame.t > 20:
            cam.close()
    assert cam.t < 21


def test_the_same_seed_shows_the_same_table():
    a, b = camera(realtime=False, fps=2.0), camera(realtime=False, fps=2.0)
    list(a.frames())
    list(b.frames())
    assert a.renderer.scenes == b.renderer.scenes


def test_truth_is_written_when_the_stream_ends(tmp_path):
    path = tmp_path / "truth.json"
    cam = camera(Script(3, True, 4.0), realtime=False, fps=2.0, truth=path)
    list(cam.frames())
    truth = json.loads(path.read_text())
    assert truth["rounds"]
    assert truth["totals"]
    assert all(x["t_until"] <= 240.1 for x in truth["totals"])


@pytest.mark.parametrize("until", [40.0, 75.0, 133.0, 300.0])
def test_truth_up_to_a_moment_agrees_with_itself(until):
    table = SimTable(half_moon(6), PRESETS["casino"], Script(4, True))
    table.scene(until)
    truth = table.truth(until)
    said = [x for x in perfect(truth) if x["t"] <= until]
    assert compare(truth, said).problems == []
    assert up_to(truth, 0.0)["rounds"] == []
