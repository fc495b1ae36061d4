"""Finds indices, backs, chips and faces in a picture with the shipped network (ONNX Runtime, one thread)."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.outline import Outline, lengthwise

INDEX, BACK, CHIP, FACE = range(4)
STRIDE = 16  # the network's coarsest step: sizes are padded to it
# Two boxes of one class that overlap by more are one thing. Neighbouring cards of a hand overlap each other by half.
OVERLAP = (0.45, 0.6, 0.5, 0.75)


@dataclass(frozen=True, eq=False)  # no slots: what is derived is kept
class Detection:
    """One thing found: class, score 0 to 1, box x0 y0 x1 y1 (px), points (6, 2): rank, suit, its card's corners."""

    cls: int
    score: float
    box: tuple[float, float, float, float]
    points: NDArray[np.float64]

    @cached_property
    def outline(self) -> Outline:
        """The card that it tells."""
        return Outline(self.points[2:])

    @cached_property
    def down(self) -> NDArray[np.float64]:
        """The way that an index stands: from its rank to its suit, of length 1."""
        step = self.points[1] - self.points[0]
        return np.asarray(step / max(float(np.hypot(step[0], step[1])), 1e-9))


def open_session(path: Path) -> onnxruntime.InferenceSession:
    """An ONNX Runtime session on one CPU thread; raises FileNotFoundError where the file is missing."""
    if not path.is_file():
        raise FileNotFoundError(
            f"{path}: the weights are missing; install Railbird again, or run python -m models.export"
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


class Detector:
    """The detector network; cards between 80 and 260 px long are seen."""

    def __init__(self, weights: Path) -> None:
        self._session = open_session(weights / "detector.onnx")
        self._input = self._session.get_inputs()[0].name

    def find(self, image: NDArray[np.uint8], threshold: float = 0.25) -> list[Detection]:
        """Everything found in a BGR picture with at least this score, best first."""
        h, w = image.shape[:2]
        padded = cv2.copyMakeBorder(image, 0, -h % STRIDE, 0, -w % STRIDE, cv2.BORDER_CONSTANT, value=(114, 114, 114))
        blob = cv2.dnn.blobFromImage(padded, 1 / 255, swapRB=True)
        raw = np.asarray(self._session.run(None, {self._input: blob})[0])[0].T  # (anchors, 4 + 4 + 18)
        scores = raw[:, 4:8]
        keep = np.nonzero(scores.max(axis=1) >= threshold)[0]
        return _decode(raw[keep])


def _decode(raw: NDArray[np.float32]) -> list[Detection]:
    found: list[Detection] = []
    classes, scores = raw[:, 4:8].argmax(axis=1), raw[:, 4:8].max(axis=1)
    for cls in range(4):
        mine = raw[classes == cls].astype(np.float64)
        if not len(mine):
            continue
        order = np.argsort(-scores[classes == cls], kind="stable")
        mine = mine[order]
        half = mine[:, 2:4] / 2
        boxes = np.hstack([mine[:, :2] - half, mine[:, :2] + half])
        for k in distinct(boxes, OVERLAP[cls]):
            points = mine[k, 8:].reshape(6, 3)[:, :2]
            if cls in (BACK, FACE):  # taught from the corner nearest the picture's upper left, whichever that is
                points = np.vstack([points[:2], lengthwise(points[2:])])
            x0, y0, x1, y1 = (float(v) for v in boxes[k])
            found.append(Detection(cls, float(mine[k, 4 + cls]), (x0, y0, x1, y1), points))
    return sorted(found, key=lambda d: -d.score)


def distinct(boxes: NDArray[np.float64], overlap: float) -> list[int]:
    """Rows of `boxes` (best first) that overlap no better one by more than `overlap` (intersection over union)."""
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    left = np.arange(len(boxes))
    keep = []
    while len(left):
        best, rest = left[0], left[1:]
        keep.append(int(best))
        wh = np.clip(
            np.minimum(boxes[best, 2:], boxes[rest, 2:]) - np.maximum(boxes[best, :2], boxes[rest, :2]), 0, None
        )
        shared = wh[:, 0] * wh[:, 1]
        left = rest[shared <= overlap * (area[best] + area[rest] - shared)]
    return keep
