"""Exposure and white balance of a camera: found, then held, and found anew when the light has changed for good.

A camera that measures all the time makes the felt darker whenever white cards are laid; colours and known felt would
drift with it.
"""

from dataclasses import dataclass, field
from typing import Any, Final

Controls = dict[str, Any]
"""libcamera's controls or metadata by their names; exposure times in microseconds."""

FINDING: Final = 1.0  # seconds that finding takes at the least
STEADY: Final = 0.6  # seconds in which nothing may have changed
ALIKE: Final = 0.03  # of a value by which it may have
LONGEST: Final = 6.0  # seconds after which what was found is held all the same
SETTLING: Final = 0.7  # seconds until what was set shows in the pictures
OTHER: Final = 0.25  # of the brightness by which the light is another
LASTING: Final = 8.0  # seconds for which it must be
AUTOMATIC: Final[Controls] = {"AeEnable": True, "AwbEnable": True}


@dataclass(slots=True)
class Light:
    """Follows one camera, started with everything automatic. `mains_hz`: 50 or 60."""

    mains_hz: int = 50
    held: bool = False
    _since: float | None = None
    _before: list[tuple[float, tuple[float, ...]]] = field(default_factory=list)
    _level: float | None = None
    _other: float | None = None

    def update(self, t: float, metadata: Controls, level: float) -> Controls:
        """The controls to set now, if any. `t`: seconds of any clock; `level`: the picture's middle brightness."""
        if self._since is None:
            self._since = t
        if not self.held:
            return self._find(t, t - self._since, metadata)
        if self._level is None:
            self._level = level if t - self._since >= SETTLING else None
            return {}
        return self._watch(t, level / max(self._level, 1.0))

    def _find(self, t: float, gone: float, metadata: Controls) -> Controls:
        values = _values(metadata)
        self._before = [(when, old) for when, old in self._before if t - when <= STEADY] + [(t, values)]
        steady = t - self._before[0][0] >= 0.7 * STEADY and all(_alike(old, values) for _, old in self._before)
        if not (gone >= FINDING and steady) and gone < LONGEST:
            return {}
        self.held, self._since, self._level, self._other = True, t, None, None
        self._before.clear()
        return holding(metadata, self.mains_hz)

    def _watch(self, t: float, ratio: float) -> Controls:
        if abs(ratio - 1) <= OTHER:
            self._other = None
            return {}
        self._other = t if self._other is None else self._other
        if t - self._other < LASTING:
            return {}
        self.held, self._since = False, t
        return dict(AUTOMATIC)


def _values(metadata: Controls) -> tuple[float, ...]:
    exposure = float(metadata.get("ExposureTime", 0)) * float(metadata.get("AnalogueGain", 1.0))
    return exposure, *(float(gain) for gain in metadata.get("ColourGains", ()))


def _alike(old: tuple[float, ...], new: tuple[float, ...]) -> bool:
    pairs = zip(old, new, strict=False)
    return len(old) == len(new) and all(abs(a - b) <= ALIKE * max(abs(a), abs(b)) for a, b in pairs)


def half_wave(mains_hz: int) -> int:
    """Microseconds between two flickers of a lamp."""
    return round(1e6 / (2 * mains_hz))


def holding(metadata: Controls, mains_hz: int) -> Controls:
    """The controls that hold exposure (in whole half-waves of the mains) and white balance where they are."""
    controls: Controls = {}
    if "ExposureTime" in metadata and "AnalogueGain" in metadata:
        exposure, gain = even(float(metadata["ExposureTime"]), float(metadata["AnalogueGain"]), mains_hz)
        controls |= {"AeEnable": False, "ExposureTime": exposure, "AnalogueGain": gain}
    if "ColourGains" in metadata:
        controls |= {"AwbEnable": False, "ColourGains": tuple(metadata["ColourGains"])}
    return controls


def even(exposure: float, gain: float, mains_hz: int) -> tuple[int, float]:
    """As light as before, but the exposure (microseconds) a number of whole half-waves where it lasts one."""
    wave = half_wave(mains_hz)
    whole = max(1, round(exposure / wave)) * wave
    other = gain * exposure / whole
    if exposure < 0.75 * wave or other < 1.0:
        return round(exposure), gain
    return whole, round(other, 4)
