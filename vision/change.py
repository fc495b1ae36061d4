"""What moved and what has settled, told from a small picture of each frame.

A cell of the small picture is a few millimetres of felt. Lamps flicker, exposures drift and people's shadows wander:
a change that only makes a neighbourhood lighter or darker is none.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

_COLUMNS = 192  # about how many cells a row has
_LEVELS = 8.0  # of difference that make a cell changed, at the least
_NOISE = 5.0  # times a frame's own noise that make a cell changed
_DARKER, _LIGHTER = 0.6, 1.5  # how far a shadow darkens, and what its leaving brings back
_WINDOW = 7  # cells about one whose common gain is no change
_BLOWN = 247.0  # level from which a picture no longer tells how bright a thing is
_FOLLOW = 4.0  # seconds in which what is known of unchanged cells follows a slow drift
_AT_ONCE, _DRIFT = 0.2, 10.0  # the most of a difference that is followed at once, and the levels of a slow drift
_REVIEW = 0.5  # seconds after which an idle table is compared with what is known all the same


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """One frame against the ones before, a cell each (rows, columns).

    `moving`: differs from the frame before; `changed`: differs from what was last accepted as known; `still`: seconds
    since a cell last moved. `idle`: nothing moved and nothing is changed.
    """

    moving: Mask
    changed: Mask
    still: Floats
    idle: bool


class ChangeWatch:
    """Follows one camera's frames of a fixed size (width, height)."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.cell = max(1, round(size[0] / _COLUMNS))
        self.shape = (max(1, size[1] // self.cell), max(1, size[0] // self.cell))
        self.now: Floats = np.zeros((*self.shape, 3), np.float32)
        self._known: Floats | None = None
        self._moved_at = np.full(self.shape, -np.inf, np.float32)
        self._changed: Mask = np.zeros(self.shape, np.bool_)
        self._t = self._followed = self._reviewed = 0.0

    def update(self, t: float, image: Image) -> Change:
        """Takes the next frame; on the first nothing moves and everything counts as known."""
        before, self.now = self.now, self._small(image)
        if self._known is None:
            self._known, self._t, self._followed, self._reviewed = self.now.copy(), t, t, t
            nothing = np.zeros(self.shape, np.bool_)
            return Change(nothing, nothing, np.full(self.shape, np.inf, np.float32), idle=True)
        moving = differs(self.now, before)
        self._moved_at[moving] = t
        busy = bool(moving.any()) or bool(self._changed.any())
        if busy or t - self._reviewed >= _REVIEW:
            self._changed = differs(self.now, self._known)
            self._reviewed = t
            self._follow(t, moving)
        self._t = t
        idle = not busy and not self._changed.any()
        return Change(moving, self._changed, (t - self._moved_at).astype(np.float32), idle)

    def accept(self, cells: Mask) -> None:
        """What these cells show now is known from here on."""
        if self._known is not None:
            self._known[cells] = self.now[cells]
            self._changed = self._changed & ~cells

    def plain(self) -> Mask:
        """The cells whose levels themselves differ from what is known.

        Beside a bright or dark thing the light that is evened out is wrong, so more is `changed` than the thing.
        """
        if self._known is None:
            return np.zeros(self.shape, np.bool_)
        return np.asarray(cv2.absdiff(self.now, self._known).max(2) > _LEVELS, np.bool_)

    def _small(self, image: Image) -> Floats:
        rows, columns = self.shape
        cut = image[: rows * self.cell, : columns * self.cell]
        if self.cell % 2 == 0:  # two quick steps are half the time of one
            half = (cut.shape[1] // 2, cut.shape[0] // 2)
            cut = np.asarray(cv2.resize(cut, half, interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(cv2.resize(cut, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)

    def _follow(self, t: float, moving: Mask) -> None:
        """Lets what is known drift along where nothing changed: daylight fades, sensors warm up."""
        assert self._known is not None
        share = min(_AT_ONCE, (t - self._followed) / _FOLLOW)
        # A shadow is no change, but it is not learned either: its leaving would be one.
        near = cv2.absdiff(self.now, self._known) < _DRIFT
        quiet = near.all(2) & ~(self._changed | moving)
        self._known[quiet] += share * (self.now[quiet] - self._known[quiet])
        self._followed = t


def differs(now: Floats, before: Floats) -> Mask:
    """Which cells (rows, columns) of two small pictures (rows, columns, 3) show different things."""
    rest = difference(now, before)
    limit = max(_LEVELS, _NOISE * float(np.median(rest[::3, ::3])))
    over = rest > limit
    company = cv2.boxFilter(over.astype(np.float32), -1, (3, 3), normalize=False)
    return np.asarray((over & (company > 2.5)) | (rest > 2 * limit), np.bool_)


def difference(now: Floats, before: Floats) -> Floats:
    """Levels by which each cell differs once lighter and darker neighbourhoods are evened out."""
    light, was = cv2.cvtColor(now, cv2.COLOR_BGR2GRAY) + 1.0, cv2.cvtColor(before, cv2.COLOR_BGR2GRAY) + 1.0
    common = float(np.median(light[::4, ::4] / was[::4, ::4]))
    window = (_WINDOW, _WINDOW)
    gain = cv2.boxFilter(light * was, -1, window) / cv2.boxFilter(was * was, -1, window)
    gain = np.clip(gain, _DARKER * common, _LIGHTER * common)
    expected = np.minimum(cv2.multiply(before, cv2.merge([gain, gain, gain])), np.float32(255))
    rest = cv2.absdiff(now, expected)
    # Where a picture was blown out it may have been brighter still; then a smaller loss than expected is none.
    if float(before.max()) >= _BLOWN:
        rest = np.where((before >= _BLOWN) & (now > expected), np.float32(0), rest)
    blue, green, red = cv2.split(rest)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)
