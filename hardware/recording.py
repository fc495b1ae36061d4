"""Recordings: what was seen, line by line, and the frames. They hold the hole card: they are the dealer's own."""

import json
import os
import shutil
from pathlib import Path
from typing import TextIO

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera_files import PictureFrame
from hardware.errors import BadInputError, HardwareError, reason
from hardware.files import lock, remove
from hardware.layout_text import layout_text
from table_state.layout import Layout
from table_state.observation import Correction, Observation, to_json
from vision.frame import Frame

JPEG_QUALITY = 95
SAME = 4.0  # grey steps, averaged over a square of 8 pixels, by which a picture may differ and not be kept again
OBSERVATIONS, FRAMES, LAYOUT = "observations.jsonl", "frames.jsonl", "layout.toml"


class Recorder:
    """Writes `observations.jsonl`, one line a look, `frames.jsonl` with the frames that show something new, and the
    table's `layout.toml`, so that the recording can be played again.

    The folder must be empty or not exist. A frame is in its place before the line that names it is written.
    """

    def __init__(self, folder: Path) -> None:
        """Check the folder; nothing is written before the first look. Raises BadInputError."""
        self._folder = folder
        self._streams: dict[str, TextIO] = {}
        self._frames, self._endings = 0, set[str]()  # no list of names: a recording may go on for weeks
        self._beside: list[Path] = []
        self._made_folder = False
        self.layout: Layout | None = None
        """The table that is recorded; where it is known, it is written beside the frames, its [camera] included."""
        self._held: int | None = None
        self._last: Path | NDArray[np.float32] | None = None
        check_empty(folder)

    def look(self, frame: Frame, observation: Observation) -> None:
        """Keep one look: its observation, and its frame where it is a new one."""
        try:
            self._describe()
            self._keep_frame(frame)
            self._line(OBSERVATIONS, to_json(observation))
        except OSError as error:
            raise HardwareError(
                f"{self._folder}: cannot record: {reason(error)}; make room or record elsewhere"
            ) from None

    def correction(self, correction: Correction) -> None:
        """Keep a person's correction in its place in time."""
        try:
            self._line(OBSERVATIONS, to_json(correction))
        except OSError as error:
            raise HardwareError(
                f"{self._folder}: cannot record: {reason(error)}; make room or record elsewhere"
            ) from None

    def _describe(self) -> None:
        if self.layout is not None and not self._beside:
            self._place(LAYOUT, layout_text(self.layout).encode())
            self._beside.append(self._folder / LAYOUT)

    def _keep_frame(self, frame: Frame) -> None:
        if not self._is_new(frame):
            return
        number = self._frames
        if isinstance(frame, PictureFrame):
            name = f"{number:06d}{frame.source.suffix.lower()}"
            self._place(name, frame.source.read_bytes())
        else:
            name = f"{number:06d}.jpg"
            done, data = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
            if not done:
                raise HardwareError(f"{self._folder}: a frame cannot be kept as JPEG; record without it")
            self._place(name, data.tobytes())
        self._frames += 1
        self._endings.add(Path(name).suffix)
        self._line(FRAMES, json.dumps({"image": name, "t": frame.t}))

    def _is_new(self, frame: Frame) -> bool:
        if isinstance(frame, PictureFrame):
            last, self._last = self._last, frame.source
            return not isinstance(last, Path) or last != frame.source
        small = _small(frame.image)
        last = self._last
        if isinstance(last, np.ndarray) and last.shape == small.shape and float(np.abs(last - small).max()) <= SAME:
            return False
        self._last = small
        return True

    def _place(self, name: str, data: bytes) -> None:
        self._make_folder()
        part = self._folder / f".{name}.part"
        try:
            part.write_bytes(data)
            part.replace(self._folder / name)
        except OSError:
            remove(part)
            raise

    def _line(self, name: str, text: str) -> None:
        self._make_folder()
        if name not in self._streams:
            self._streams[name] = (self._folder / name).open("w", encoding="utf-8")
        self._streams[name].write(text + "\n")
        self._streams[name].flush()

    def _make_folder(self) -> None:
        if self._held is not None:
            return
        made = not self._folder.exists()
        self._folder.mkdir(parents=True, exist_ok=True)
        held = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            lock(held, str(self._folder))
            check_empty(self._folder)  # another may have been quicker
        except BaseException:
            os.close(held)
            raise
        self._held, self._made_folder = held, made

    def close(self) -> None:
        """End the recording."""
        for stream in self._streams.values():
            stream.close()
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def discard(self) -> None:
        """Take back what was written: the source turned out to be bad."""
        self.close()
        for number in range(self._frames):
            for ending in self._endings:
                remove(self._folder / f"{number:06d}{ending}")
        for path in [*self._beside, *(self._folder / name for name in self._streams)]:
            remove(path)
        if self._made_folder:
            shutil.rmtree(self._folder, ignore_errors=True)


def check_empty(folder: Path) -> None:
    """Raise BadInputError unless `folder` is an empty folder or a place where one can be made."""
    try:
        if folder.is_dir():
            if any(folder.iterdir()):
                raise BadInputError(f"{folder}: this folder is not empty; record into a new one")
        elif folder.exists():
            raise BadInputError(f"{folder}: is no folder; record into a new one")
    except OSError as error:
        raise BadInputError(f"{folder}: cannot record here: {reason(error)}; choose another place") from None


def _small(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Brightness averaged over squares of 8 pixels."""
    size = (max(1, image.shape[1] // 8), max(1, image.shape[0] // 8))
    grey = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return grey.astype(np.float32)
