"""A camera on trial: light, focus, frame rate, how large cards are, and how long a look takes."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.errors import HardwareError
from hardware.lenses import CARD, FEWEST
from hardware.watch import unfit
from table_state.layout import Layout
from vision.camera_view import CameraView
from vision.frame import Frame

Image = NDArray[np.uint8]
SECONDS, MOST = 4.0, 200  # how long and how many frames a camera is tried
DARK, BRIGHT = 25.0, 235.0  # mean grey of a picture outside which a card is hard to read
BLOWN = 0.2  # share of blown out pixels that costs cards
SLOWEST = 8.0  # frames a second under which words come late
SOFT = 4.0  # pixels over which the sharpest edges are spread in a picture that is out of focus
EDGES = 400  # of the steepest edges that are measured


@dataclass(frozen=True, slots=True)
class Trial:
    """Frames of one camera, taken for a few seconds."""

    spec: str
    frames: tuple[Frame, ...]

    @property
    def image(self) -> Image:
        """The newest picture."""
        return self.frames[-1].image

    def camera(self) -> str:
        """What it gives."""
        return f"{self.spec}: {self.frames[-1].size[0]} x {self.frames[-1].size[1]}"

    def light(self) -> str:
        """How light it is. Raises HardwareError where cards are hard to read."""
        grey, blown = float(self.image[::8, ::8].mean()), float((self.image[::8, ::8].min(axis=2) >= 250).mean())
        if grey <= DARK or unfit(self.image) == "camera-dark":
            raise HardwareError(f"brightness {grey:.0f} of 255: too dark to read cards; more light, from two sides")
        if grey >= BRIGHT or blown > BLOWN:
            raise HardwareError(f"brightness {grey:.0f} of 255, {blown:.0%} blown out: too bright; turn lamps away")
        return f"brightness {grey:.0f} of 255, {blown:.0%} blown out"

    def focus(self) -> str:
        """How sharp it is. Raises HardwareError where it is out of focus."""
        width = edge_width(self.image)
        if width is None:
            return "no edge in the picture to judge by; lay some cards"
        if width > SOFT:
            raise HardwareError(
                f"the sharpest edges are {width:.1f} pixels wide: out of focus; lay cards, start again, clean the lens"
            )
        return f"the sharpest edges are {width:.1f} pixels wide"

    def rate(self) -> str:
        """Frames a second and how many were dropped. Raises HardwareError where they are too few."""
        steps = [b.t - a.t for a, b in pairwise(self.frames) if b.t > a.t]
        if len(steps) < 3:
            return "too few frames to tell"
        usual = float(np.median(steps))
        missing = sum(max(0, round(step / usual) - 1) for step in steps)
        text = f"{1 / usual:.1f} frames a second, {missing} of {len(steps) + missing} dropped"
        if 1 / usual < SLOWEST:
            raise HardwareError(f"{text}: too few; choose a smaller picture, another USB socket or more light")
        return text


def tried(spec: str, frames: Iterator[Frame], clock: Callable[[], float] = time.monotonic) -> Trial:
    """Take frames for a few seconds. Raises HardwareError where there are none."""
    began, found = clock(), []
    for frame in frames:
        found.append(frame)
        if len(found) >= MOST or clock() - began > SECONDS:
            break
    if not found:
        raise HardwareError(f"{spec}: gives no picture; unplug it and plug it in again")
    return Trial(spec, tuple(found))


def edge_width(image: Image) -> float | None:
    """Pixels over which the sharpest edges go from dark to light (a tenth of them are sharper); None without edges."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    steep = cv2.magnitude(
        cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125)
    )
    window = np.ones((13, 13), np.uint8)
    reach = cv2.dilate(grey, window) - cv2.erode(grey, window)
    top = np.argpartition(steep.ravel(), -EDGES)[-EDGES:]
    steepest, contrast = steep.ravel()[top], reach.ravel()[top]
    clear = contrast > 40
    if int(clear.sum()) < EDGES // 4:
        return None
    return float(np.percentile(contrast[clear] / np.maximum(steepest[clear], 0.1), 10))


def card_pixels(layout: Layout, size: tuple[int, int]) -> str:
    """How large a card is in the picture, where it is smallest. Raises HardwareError where that is too small."""
    if layout.camera is None:
        raise HardwareError("this layout has no [camera]; run railbird setup")
    view = CameraView(layout.camera, size)
    places = [layout.dealer, *(seat.cards for seat in layout.seats)]
    pixels = [CARD * view.px_per_mm(x, y) for x, y in places]
    text = f"a card is {min(pixels):.0f} to {max(pixels):.0f} pixels long"
    if min(pixels) < FEWEST:
        raise HardwareError(f"{text}: too small; lower the camera, or take larger pictures (railbird doctor --lens)")
    return text


def look_times(layout: Layout, trial: Trial) -> str:
    """Milliseconds of the first look, which reads all of the table, and of one at nothing new."""
    from hardware.weights import weights
    from vision.looker import Looker

    looker, spent = Looker(layout, weights()), []
    for frame in trial.frames[:12]:
        began = time.perf_counter()
        looker.look(frame)
        spent.append(1000 * (time.perf_counter() - began))
    return f"{max(spent):.0f} ms to read what lies there, {float(np.median(spent)):.0f} ms a look"
