"""One set-up: its picture, its draft exactly as it was typed, and what follows from both."""

import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.backup import Backup, unpacked
from hardware.errors import BadInputError
from hardware.web.wizard import outlines
from hardware.web.wizard.checks import Check, card_check, fits_check, focus_check, light_checks
from hardware.web.wizard.circles import find_circles
from hardware.web.wizard.drafting import Table, felt_of, first_draft, read_table, template_draft
from hardware.web.wizard.fields import Draft, Fields, plain
from hardware.web.wizard.rulebook import rules_text
from hardware.web.wizard.samples import likely_name, sample_chip
from hardware.web.wizard.saving import layout_text, save
from hardware.web.wizard.sight import Finder, Sight
from hardware.web.wizard.sources import Live, Opener
from hardware.web.wizard.trial import Look, tell
from hardware.web.wizard.words import word
from table_state.layout import CameraPoints, Layout, parse_layout
from table_state.rules import HouseRules, parse_rules, preset
from vision.camera_view import CameraView, Floats

Image = NDArray[np.uint8]
SIGHT_KEYS = ("how", "corners", "middles", "markers", "height", "lens")


@dataclass(frozen=True, slots=True)
class Files:
    """Where the layout and the rules go."""

    layout: Path
    rules: Path


class Session:
    """Safe to call from several threads: one thing at a time."""

    def __init__(
        self, files: Files, layout: Layout | None, rules: HouseRules, open_it: Opener, look: Callable[[], Look]
    ) -> None:
        """`look` makes the recogniser when it is first needed."""
        self._lock = threading.RLock()
        self._files, self._opened = files, layout
        self.live = Live(open_it)
        self.draft: Draft = first_draft(layout, rules)
        self._make_look = look
        self._look: Look | None = None
        self._finder: Finder | None = None
        self._tried: Image | None = None
        self._focus: Check | None = None
        self._sight: tuple[str, Sight | None, dict[str, str]] | None = None
        self._light: tuple[bytes, tuple[Check, ...]] | None = None
        self.version = 0
        self.saved = False

    @property
    def image(self) -> Image | None:
        """The picture that the table is measured in."""
        return self._finder.image if self._finder else None

    def set_picture(self, image: Image) -> None:
        """Take a picture to measure in; corners that were put on another size are scaled, or else begin anew."""
        with self._lock:
            size = (image.shape[1], image.shape[0])
            before = self._finder.size if self._finder else self._camera_size()
            self._finder = Finder(np.ascontiguousarray(image))
            self._focus = focus_check(image)
            self.version += 1
            _place_corners(self.draft, before, size)

    def _camera_size(self) -> tuple[int, int] | None:
        return self._opened.camera.size if self._opened and self._opened.camera else None

    def keep(self, draft: Draft) -> dict[str, Any]:
        """Keep a draft as it was typed and say what follows from it."""
        with self._lock:
            self.draft, self.saved = draft, False
            return self.state()

    def state(self) -> dict[str, Any]:
        """Errors by field, the camera, outlines to draw, checks."""
        with self._lock:
            form, sight, table = self._read()
            layout = table.layout
            found: dict[str, Any] = {"errors": form.errors, "saved": self.saved, "sight": None, "checks": []}
            found["picture"] = self._picture()
            if self._finder is None:
                return found
            outline = outlines.outline(sight) if sight else None
            checks = list(self._checks(outline))
            if sight and layout and outline is not None:
                focus = sight.camera.matrix[0] if sight.camera.matrix else None
                checks += [card_check(layout, sight.view, focus, outline), fits_check(layout, sight.view)]
            found["checks"] = [asdict(check) for check in [*checks, *outlines.crowded(layout)]]
            if sight:
                found["sight"] = outlines.sight_json(sight, self.draft)
                found["marks"] = outlines.marks(sight.view, layout) if layout else []
            return found

    def _read(self) -> tuple[Fields, Sight | None, Table]:
        form = Fields(self.draft)
        before = self._opened.camera if self._opened else None
        sight = self._seen(form, before) if self._finder else None
        if self._finder is None and before is None:
            form.fault("picture", "fault.no-picture")
        # An opened layout keeps its camera until there is a new picture.
        camera = sight.camera if sight else before if self._finder is None else None
        return form, sight, read_table(form, camera)

    def _seen(self, form: Fields, before: CameraPoints | None) -> Sight | None:
        """The sight, found anew only when something that it depends on has changed."""
        assert self._finder is not None
        key = repr((self.version, [self.draft.get(name) for name in SIGHT_KEYS]))
        if self._sight is None or self._sight[0] != key:
            own = Fields(self.draft)
            self._sight = (key, self._finder.sight(own, before), own.errors)
        form.errors.update(self._sight[2])
        return self._sight[1]

    def _checks(self, outline: Floats | None) -> tuple[Check, ...]:
        assert self._finder is not None
        key = repr(self.version).encode() + (b"" if outline is None else outline.round().tobytes())
        if self._light is None or self._light[0] != key:
            self._light = (key, light_checks(self._finder.image, outline))
        return *self._light[1], *((self._focus,) if self._focus else ())

    def _picture(self) -> dict[str, int] | None:
        if self._finder is None:
            return None
        return {"width": self._finder.size[0], "height": self._finder.size[1], "version": self.version}

    def lay_out(self, kind: str, seats: int) -> Draft:
        """The draft with the places of a template, names kept. Raises ValueError."""
        with self._lock:
            rows = _rows(self.draft, "seats")
            names = [{key: str(row.get(key, "")) for key in ("name", "spoken")} for row in rows]
            made = template_draft(kind, seats, felt_of(Fields(self.draft)), names)
            self.draft = self.draft | made | {"template": {"kind": kind, "seats": str(seats)}}
            return self.draft

    def find_circles(self) -> int | None:
        """Move every seat's circle onto the print near it; how many were found, None while the table is not."""
        with self._lock:
            _, sight, table = self._read()
            if sight is None or table.layout is None or self._finder is None:
                return None
            found = find_circles(self._finder.image, sight.view, [seat.circle for seat in table.layout.seats])
            for row, circle in zip(self.draft["seats"], found, strict=True):
                if circle is not None:
                    row["cx"], row["cy"], row["r"] = (plain(round(value)) for value in circle)
            return sum(circle is not None for circle in found)

    def felt(self, pixels: list[tuple[float, float]]) -> list[list[float]] | None:
        """Felt mm of pixels; None while the table is not found."""
        with self._lock:
            _, sight, _ = self._read()
            if sight is None:
                return None
            return [[round(float(v), 1) for v in row] for row in sight.view.to_felt(np.array(pixels, np.float64))]

    def sample(self, px: float, py: float) -> dict[str, Any] | None:
        """The colours of the chip at a pixel; None where there is no table or no picture yet."""
        with self._lock:
            _, sight, _ = self._read()
            chip = Fields(self.draft).number("chip", 10, 100)
            if sight is None or self._finder is None or chip is None:
                return None
            found = sample_chip(self._finder.image, sight.view, chip, px, py)
        return {"samples": [list(c) for c in found], "name": likely_name(found[0])} if found else None

    def trial(self, fresh: bool) -> dict[str, Any]:
        """Look at the table once: at a fresh picture of the camera, else at the one it was measured in.

        Raises BadInputError where the table is not ready for it, HardwareError where the camera gives nothing.
        """
        with self._lock:
            _, _, table = self._read()
            if table.layout is None or table.layout.camera is None or self._finder is None:
                raise BadInputError(word("trial.not-ready"))
            layout, camera, measured = table.layout, table.layout.camera, self._finder.image
            if self._look is None:
                self._look = self._make_look()
            look = self._look
        image = self.live.picture() if fresh else measured
        if image.shape != measured.shape:
            raise BadInputError(word("trial.other-size"))
        view = CameraView(camera, (image.shape[1], image.shape[0]))
        reading = tell(look(image, layout), layout, view)
        with self._lock:
            self._tried = image
        return {"lines": list(reading.lines), "marks": list(reading.marks)}

    def tried(self) -> Image | None:
        """The picture of the last trial look."""
        return self._tried

    def save(self) -> dict[str, Any]:
        """Write layout and rules, where nothing is wrong; returns errors by field, empty when it is done."""
        with self._lock:
            form, _, table = self._read()
            if form.errors or table.layout is None or table.layout.camera is None or table.rules is None:
                return {"errors": form.errors or {"picture": word("fault.no-picture")}}
            before = self._files.layout.read_text(encoding="utf-8") if self._files.layout.exists() else ""
            texts = {
                self._files.layout: layout_text(table.layout, before),
                self._files.rules: rules_text(table.rules),
            }
            save(texts)
            self.saved = True
            return {"errors": {}, "files": [str(path) for path in texts]}

    def backup(self) -> bytes | None:
        """The saved layout and rules as one file; None where nothing is saved yet."""
        with self._lock:
            if not self._files.layout.exists():
                return None
            files = (self._files.layout, self._files.rules)
            layout, rules = (f.read_text(encoding="utf-8") if f.exists() else "" for f in files)
            return Backup(layout, rules).packed()

    def restore(self, data: bytes) -> None:
        """Begin anew with a backup's layout and rules; nothing is written before `save`. Raises BadInputError."""
        found = unpacked(data, word("backup.yours"))
        with self._lock:
            self._opened = parse_layout(found.layout)
            self.draft = first_draft(self._opened, parse_rules(found.rules) if found.rules else preset("home"))
            self.saved, self._finder, self._sight, self._tried = False, None, None, None
            self.version += 1


def _rows(draft: Draft, name: str) -> list[Draft]:
    """The rows of a list that are rows, whatever was sent."""
    found = draft.get(name)
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _place_corners(draft: Draft, before: tuple[int, int] | None, size: tuple[int, int]) -> None:
    """Corners for a new picture: those of the last, scaled to it; where there are none, a rectangle to drag."""
    rows = _rows(draft, "corners")
    scale = size[0] / before[0] if before else 0.0
    same = before is not None and abs(scale * before[1] / size[1] - 1) < 0.02
    usual = ((0.12, 0.9), (0.88, 0.9), (0.88, 0.1), (0.12, 0.1))
    for row, (u, v) in zip(rows, usual, strict=False):
        form = Fields(row)
        pixel = form.numbers(("px", "py"), -20000, 20000)
        if same and pixel is not None:
            row["px"], row["py"] = (f"{value * scale:.1f}" for value in pixel)
        else:
            row["px"], row["py"] = f"{u * size[0]:.1f}", f"{v * size[1]:.1f}"
    if not same or scale != 1.0:
        draft["middles"] = [None] * 4
