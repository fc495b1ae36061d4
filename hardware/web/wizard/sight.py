"""How the camera sees the felt, from what was put on its picture: four corners or four printed markers."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.calibration import Point
from hardware.marker_sheet import SIDE, WRONG_SIZE
from hardware.web.wizard.drafting import FURTHEST
from hardware.web.wizard.fields import Fields
from table_state.errors import InputError
from table_state.layout import CameraPoints
from vision.camera_view import CameraView, Floats
from vision.lens import Lens, estimate_lens, find_edge, lens_of_squares
from vision.markers import NUMBERS, find_markers, middle, sides

Image = NDArray[np.uint8]
LEAST_AREA = 0.03  # of the picture that the felt must cover
LEAST_FELT = 1e4  # square mm that the four known places must span
SIDES = 4


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """The camera, its view, and for each side of the felt the edge (N, 2) that was found there, in pixels."""

    camera: CameraPoints
    view: CameraView
    edges: tuple[Floats, ...]
    lens: Lens | None


class Finder:
    """Looks for the table in one picture; remembers the edges, which take longest."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.size = (image.shape[1], image.shape[0])
        self._edges: dict[tuple[float, ...], Floats] = {}
        self._markers: dict[int, Floats] | None = None

    def sight(self, form: Fields, before: CameraPoints | None) -> Sight | None:
        """The sight that a draft gives, None with a fault in the form where it gives none.

        `before`: the camera of the opened layout, whose lens is kept where the draft says so.
        """
        if form.choice("how", ("corners", "markers")) == "markers":
            return self._by_markers(form, before)
        return self._by_corners(form, before)

    def _by_corners(self, form: Fields, before: CameraPoints | None) -> Sight | None:
        pixels = [form.numbers((f"corners.{i}.px", f"corners.{i}.py"), -500, 20000) for i in range(SIDES)]
        felt = [form.numbers((f"corners.{i}.x", f"corners.{i}.y"), -FURTHEST, FURTHEST) for i in range(SIDES)]
        corners, places = [p for p in pixels if p is not None], [p for p in felt if p is not None]
        if len(corners) < SIDES or len(places) < SIDES or not self._sensible(form, _array(corners), _array(places)):
            return None
        lines = [self._side(form, i, corners[i], corners[(i + 1) % SIDES]) for i in range(SIDES)]
        points = tuple((p[0], p[1], f[0], f[1]) for p, f in zip(corners, places, strict=True))
        return self._seen(form, points, lambda focus: estimate_lens(lines, self.size, focus), before, tuple(lines))

    def _sensible(self, form: Fields, pixels: Floats, felt: Floats) -> bool:
        """Whether four corners are a quadrilateral seen from above, large enough, neither crossed nor mirrored."""
        shape = pixels.astype(np.float32)
        area = float(cv2.contourArea(shape, oriented=True))
        if not cv2.isContourConvex(shape):
            form.fault("corners", "fault.crossed")
        elif abs(area) < LEAST_AREA * self.size[0] * self.size[1]:
            form.fault("corners", "fault.small")
        elif (
            not cv2.isContourConvex(felt.astype(np.float32))
            or abs(cv2.contourArea(felt.astype(np.float32))) < LEAST_FELT
        ):
            form.fault("corners", "fault.felt-crossed")
        elif area * float(cv2.contourArea(felt.astype(np.float32), oriented=True)) > 0:
            form.fault("corners", "fault.mirrored")
        return "corners" not in form.errors

    def _side(self, form: Fields, side: int, start: tuple[float, ...], end: tuple[float, ...]) -> Floats:
        """One side's edge: through the middle that was dragged, or as it is found."""
        if isinstance(form.raw(f"middles.{side}"), dict):
            middle = form.numbers((f"middles.{side}.px", f"middles.{side}.py"), -500, 20000)
            return np.empty((0, 2)) if middle is None else _array([start, middle, end])
        key = (*start, *end)
        if key not in self._edges:
            if len(self._edges) > 64:
                self._edges.clear()
            self._edges[key] = find_edge(self.image, (start[0], start[1]), (end[0], end[1]))
        return self._edges[key]

    def _by_markers(self, form: Fields, before: CameraPoints | None) -> Sight | None:
        found = [form.numbers((f"markers.{i}.x", f"markers.{i}.y"), -FURTHEST, FURTHEST) for i in range(4)]
        if any(place is None for place in found):
            return None
        places = [(place[0], place[1]) for place in found if place is not None]
        if self._markers is None:
            self._markers = find_markers(self.image)
        seen = self._markers
        missing = [str(number) for number in NUMBERS if number not in seen]
        if missing:
            form.fault("markers", "fault.markers-missing", numbers=", ".join(missing))
            return None
        if not _spans(_array(places)[[0, 1, 3, 2]]):
            form.fault("markers", "fault.felt-crossed")
            return None
        points = tuple((*middle(seen[number]), *places[number - 1]) for number in NUMBERS)
        squares = [seen[number] for number in NUMBERS]
        sight = self._seen(
            form, points, lambda focus: lens_of_squares(squares, _array(places), self.size, focus), before
        )
        return sight if sight is not None and self._right_size(form, sight, squares) else None

    def _right_size(self, form: Fields, sight: Sight, squares: list[Floats]) -> bool:
        """Whether each marker is as large as it was printed: else its place is wrong, or the print."""
        for number, square in zip(NUMBERS, squares, strict=True):
            length = float(sides(sight.view.to_felt(square)).mean())
            if abs(length / SIDE - 1) > WRONG_SIZE:
                form.fault(f"markers.{number - 1}.x", "fault.marker-size", mm=round(length), right=round(SIDE))
                return False
        return True

    def _seen(
        self,
        form: Fields,
        points: tuple[Point, ...],
        estimate: Callable[[float | None], Lens],
        before: CameraPoints | None,
        edges: tuple[Floats, ...] = (),
    ) -> Sight | None:
        kept = before if before and before.matrix and before.size == self.size else None
        try:
            if kept is not None and form.text("lens") == "file":
                camera = CameraPoints(self.size, points, kept.matrix, kept.distortion)
                return Sight(camera, CameraView(camera, self.size), edges, None)
            lens = estimate(self._focus(form, points))
            camera = CameraPoints(self.size, points, lens.matrix, lens.distortion)
            return Sight(camera, CameraView(camera, self.size), edges, lens)
        except (InputError, np.linalg.LinAlgError):
            form.fault(form.text("how"), "fault.felt-crossed")
            return None

    def _focus(self, form: Fields, points: tuple[Point, ...]) -> float | None:
        """The principal distance from the camera's height over the felt (cm), where it was measured."""
        if not form.filled("height"):
            return None
        height = form.number("height", 20, 500)
        view = CameraView(CameraPoints(self.size, points), self.size)
        middle = view.to_felt(_array([(self.size[0] / 2, self.size[1] / 2)]))[0]
        return None if height is None else view.px_per_mm(float(middle[0]), float(middle[1])) * height * 10


def _spans(felt: Floats) -> bool:
    """Whether four places (4, 2), mm, go round an area."""
    shape = felt.astype(np.float32)
    return bool(cv2.isContourConvex(shape)) and abs(cv2.contourArea(shape)) >= LEAST_FELT


def _array(points: object) -> Floats:
    return np.asarray(points, np.float64)
