"""Whose arm it is, and what it says."""

import math

import numpy as np

from tests.vision import drawn
from vision.hands import Arm
from vision.signals import SignalReader, turns

LAYOUT = drawn.table(drawn.Camera())


def read(places: list[tuple[float, float]], source: str | None = "player") -> list[str]:
    """The signals of a hand that goes through these places, ten a second, reaching in from the players' edge."""
    reader = SignalReader(LAYOUT)
    said = []
    for k, (x, y) in enumerate(places):
        arm = Arm(np.zeros((1, 1), np.bool_), x, y, 90.0, source, (0.0, -1.0))
        (signal,) = reader.read(k / 10, [arm])
        if signal is not None and (not said or said[-1] != signal):
            said.append(signal)
    return said


def wave(width: float) -> list[tuple[float, float]]:
    """A hand going to and fro above seat 2's cards."""
    return [(-160 + width * math.sin(k * 1.3), 510 + 2 * math.sin(k)) for k in range(14)]


def test_a_wave_and_taps() -> None:
    assert read(wave(50)) == ["wave"]
    assert read([(-160 + (k % 2), 500 + 9 * math.sin(k * 1.6)) for k in range(14)]) == ["tap"]


def test_what_is_no_signal() -> None:
    assert read([(-160.0, 800 - 25 * k) for k in range(14)]) == []  # reaches in
    assert read(wave(8)) == []  # trembles
    assert read(wave(50), "dealer") == []
    assert read([(x, y - 480) for x, y in wave(50)]) == []  # far from any seat


def test_turns() -> None:
    assert turns([0, 10, 0, 10, 0], 5) == 3
    assert turns([0, 3, 0, 3, 0], 5) == 0
    assert turns([0, 5, 10, 15, 20], 5) == 0
