"""Whether a picture shows the table at all: not black, not blown out, and from where the camera hung before."""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.notices import Notices
from hardware.refind import Refinder
from vision.frame import Frame

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

STEP = 8  # every eighth pixel of every eighth row tells how light a picture is
BLACK = 40  # grey level that even the lightest hundredth of a black picture does not reach
BLOWN, MOST_BLOWN = 250, 0.5  # level of a pixel that is blown out, and the share of a picture that is too bright
TOLD = 2.0  # seconds for which a picture is unfit before somebody is told
WELL = 1.0  # seconds for which it is fit again before that is told

EVERY = 1.0  # seconds between two looks at whether the camera moved
SIDE = 576  # pixels across the picture in which a shift is looked for
TILES = (4, 3)  # across and down
SHIFTED, SAME = 1.5, 0.7  # pixels of that picture from which a part has shifted, and up to which it has not
SURE = 0.12  # response of the phase correlation from which a shift is believed
FAINT = 0.25  # mean gradient (levels a pixel) under which a part holds nothing to go by
FEWEST = 4  # parts that must be able to tell
LEAP = 40.0  # pixels by which the whole picture has shifted if no part of it can tell any more
MANY, MOST = 0.5, 0.7  # share of them that has shifted, and that agrees
ALIKE = 1.5  # pixels by which a part's shift may differ from that of the whole
TIMES = 3  # such looks in a row
FADED = 30  # looks in a row in which too little is known again, after which the picture is learned anew


def unfit(image: Image) -> str | None:
    """`camera-dark` for a black picture, `camera-bright` for a blown out one, None for one that can be looked at."""
    few = image[STEP // 2 :: STEP, STEP // 2 :: STEP]
    lightest, darkest = few.max(axis=2), few.min(axis=2)
    if float(np.percentile(lightest, 99)) < BLACK:
        return "camera-dark"
    if float((darkest >= BLOWN).mean()) > MOST_BLOWN:
        return "camera-bright"
    return None


@dataclass(slots=True)
class Mount:
    """Whether the camera hangs where it hung: most parts of the picture that hold something must lie where they lay."""

    _learned: list[Floats] = field(default_factory=list)
    _whole: Floats | None = None
    _checked: float | None = None
    _shifted: int = 0
    _unknown: int = 0
    moved: bool = False

    def update(self, t: float, image: Image) -> bool:
        """Whether the camera has moved; looks once a second."""
        if self._checked is not None and 0 <= t - self._checked < EVERY:
            return self.moved
        self._checked = t
        edges = _edges(image)
        if self._whole is None or self._whole.shape != edges.shape:
            self._learn(edges)
            return self.moved
        self._judge(*_shifts(self._learned, _parts(edges)), edges, _leapt(self._whole, edges))
        return self.moved

    def _learn(self, edges: Floats) -> None:
        self._whole, self._learned = edges, _parts(edges)

    def settle(self, image: Image) -> None:
        """The camera hangs well as it hangs now; the picture is learned anew."""
        self._learn(_edges(image))
        self._shifted, self._unknown, self.moved = 0, 0, False

    def _judge(self, at: Floats, shifts: Floats, edges: Floats, leapt: bool) -> None:
        far = np.linalg.norm(shifts, axis=1)
        if len(far) < FEWEST and not leapt:
            self._unknown += 1
            if self._unknown >= FADED and not self.moved:
                self._learn(edges)
                self._unknown = 0
            return
        self._unknown = 0
        same = len(far) >= FEWEST and float((far <= SAME).mean()) >= MOST
        together = leapt or (float((far >= SHIFTED).mean()) >= MANY and _together(at, shifts))
        together = together and not same
        self._shifted = self._shifted + 1 if together else 0
        if self._shifted >= TIMES:
            self.moved = True
        elif same:
            self.moved = False


def _together(at: Floats, shifts: Floats) -> bool:
    """Whether one shift and turn of the whole picture explains most of the parts' shifts."""
    _, fits = cv2.estimateAffinePartial2D(at, at + shifts, method=cv2.RANSAC, ransacReprojThreshold=ALIKE)
    return fits is not None and float(fits.mean()) >= MOST


def _leapt(before: Floats, now: Floats) -> bool:
    """Whether the whole picture lies so far from where it lay that no part of it is found where it was."""
    if min(float(before.mean()), float(now.mean())) < FAINT:
        return False
    window = cv2.createHanningWindow((before.shape[1], before.shape[0]), cv2.CV_32F)
    shift, response = cv2.phaseCorrelate(before.copy(), now.copy(), window)
    return response >= SURE and math.hypot(shift[0], shift[1]) >= LEAP


def _edges(image: Image) -> Floats:
    """The edges in a picture; they stay when the light changes."""
    height = max(TILES[1], round(SIDE * image.shape[0] / image.shape[1]))
    small = cv2.resize(image, (SIDE, height), interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32), (3, 3), 0)
    edges = cv2.magnitude(
        cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125)
    )
    return np.minimum(np.asarray(edges, np.float32), np.float32(12.0))


def _parts(edges: Floats) -> list[Floats]:
    wide, high = SIDE // TILES[0], edges.shape[0] // TILES[1]
    corners = [(x * wide, y * high) for y in range(TILES[1]) for x in range(TILES[0])]
    return [np.asarray(edges[y : y + high, x : x + wide], np.float32) for x, y in corners]


def _shifts(before: list[Floats], now: list[Floats]) -> tuple[Floats, Floats]:
    """Where the parts lie that can tell, and how far each has shifted, pixels (N, 2)."""
    high, wide = before[0].shape
    window = cv2.createHanningWindow((wide, high), cv2.CV_32F)
    at, shifts = [], []
    for n, (old, new) in enumerate(zip(before, now, strict=True)):
        if min(float(old.mean()), float(new.mean())) < FAINT:
            continue
        shift, response = cv2.phaseCorrelate(old.copy(), new.copy(), window)  # it writes into what it is given
        if response >= SURE:
            at.append((n % TILES[0] * wide, n // TILES[0] * high))
            shifts.append(shift)
    return np.asarray(at, np.float32).reshape(-1, 2), np.asarray(shifts, np.float32).reshape(-1, 2)


WORDS = {
    "camera-dark": ("the picture is black; switch on the light, or take off what covers the lens", "it is light again"),
    "camera-bright": ("the picture is blown out; turn a lamp away or dim it", "the light is right again"),
    "camera-moved": (
        "the camera has moved; put it back, let it see the printed markers, or run railbird setup and start again",
        "the camera hangs where it hung",
    ),
}


class Watch:
    """Says of each frame whether it may be looked at, and tells faults that last.

    With a `refinder` a camera that was bumped is right again as soon as the printed markers say where the table lies.
    """

    def __init__(self, notices: Notices, refinder: Refinder | None = None) -> None:
        self._notices, self._refinder = notices, refinder
        self._mount = Mount()
        self._since: dict[str, float] = {}
        self._well: float | None = None

    def sees(self, frame: Frame) -> bool:
        """Whether the frame shows the table; one that does not must not be taken for an empty table."""
        fault = unfit(frame.image)
        if fault is None and self._moved(frame):
            fault = "camera-moved"
        for code, (begins, ends) in WORDS.items():
            self._follow(code, code == fault, frame.t, begins, ends)
        return fault is None and not any(code in WORDS for code in self._notices.standing)

    def straight(self, frame: Frame) -> Frame:
        """The frame as the camera would see it from where it is calibrated."""
        return frame if self._refinder is None else self._refinder.straight(frame)

    def _moved(self, frame: Frame) -> bool:
        moved = self._mount.update(frame.t, frame.image)
        if self._refinder is None:
            return moved
        moved, found = self._refinder.moved(frame, moved)
        if found:
            self._mount.settle(frame.image)
            self._notices.end("camera-moved", "the table was found again by its markers")
        return moved

    def _follow(self, code: str, stands: bool, t: float, begins: str, ends: str) -> None:
        told = code in self._notices.standing
        if stands == told:
            self._since.pop(code, None)
            return
        since = self._since.setdefault(code, t)
        if stands and (t - since >= TOLD or code == "camera-moved"):
            self._notices.tell(code, begins)
        elif not stands and t - since >= WELL:
            self._notices.end(code, ends)
