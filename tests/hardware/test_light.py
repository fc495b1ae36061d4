"""Exposure and white balance are found, held, and found anew when the light has changed for good."""

import pytest

from hardware.light import AUTOMATIC, Controls, Light, even, holding


def metadata(exposure: float, gain: float = 2.0, red: float = 1.8) -> Controls:
    return {"ExposureTime": exposure, "AnalogueGain": gain, "ColourGains": (red, 1.6)}


def play(light: Light, begin: float, end: float, exposure: float, level: float) -> list[tuple[float, Controls]]:
    times = [begin + n / 10 for n in range(round((end - begin) * 10))]
    done = [(t, light.update(t, metadata(exposure), level)) for t in times]
    return [(round(t, 1), controls) for t, controls in done if controls]


def test_it_is_held_once_it_is_steady() -> None:
    light = Light()
    swings = [light.update(n / 10, metadata(5000 + 500 * n), 90.0) for n in range(20)]
    assert not any(swings)
    done = play(light, 2.0, 5.0, 20000, 90.0)
    assert len(done) == 1
    assert 2.3 <= done[0][0] <= 3.0
    assert done[0][1] == holding(metadata(20000), 50)
    assert light.held


def test_what_never_gets_steady_is_held_all_the_same() -> None:
    light = Light()
    held = [n / 10 for n in range(100) if light.update(n / 10, metadata(5000 if n % 2 else 9000), 90.0)]
    assert held == [6.0]


def test_arms_and_a_short_flash_do_not_matter_another_light_does() -> None:
    light = Light()
    play(light, 0.0, 5.0, 20000, 90.0)
    assert play(light, 5.0, 10.0, 20000, 130.0) == []
    assert play(light, 10.0, 11.0, 20000, 90.0) == []
    assert play(light, 11.0, 60.0, 20000, 105.0) == []
    done = play(light, 60.0, 75.0, 20000, 45.0)
    assert done[0] == (68.0, dict(AUTOMATIC))
    assert done[1][1]["AeEnable"] is False
    assert play(light, 75.0, 120.0, 20000, 88.0) == [] or light.held


@pytest.mark.parametrize(
    ("given", "hz", "found"),
    [
        ((11000, 2.0), 50, (10000, 2.2)),
        ((16000, 2.0), 50, (20000, 1.6)),
        ((16000, 2.0), 60, (16666, 1.9201)),
        ((4000, 1.0), 50, (4000, 1.0)),
        ((9000, 1.0), 50, (9000, 1.0)),
    ],
)
def test_exposures_are_whole_half_waves_as_light_as_before(
    given: tuple[float, float], hz: int, found: tuple[int, float]
) -> None:
    assert even(*given, hz) == found


def test_what_a_camera_does_not_tell_is_not_held() -> None:
    assert holding({}, 50) == {}
    assert holding({"ColourGains": (2.0, 1.5)}, 50) == {"AwbEnable": False, "ColourGains": (2.0, 1.5)}
