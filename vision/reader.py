"""Reads rank and suit of index patches with the shipped small network."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from table_state.cards import RANKS, SUITS
from vision.detector import open_session


@dataclass(frozen=True, slots=True)
class Reading:
    """Probabilities of 13 ranks, "no index" and "joker" (15), and of 4 suits and "no suit" (5); each sums to 1."""

    ranks: NDArray[np.float64]
    suits: NDArray[np.float64]

    @property
    def no_index(self) -> float:
        """The probability that this is no card's corner at all."""
        return float(self.ranks[13])

    def agrees(self, other: "Reading") -> float:
        """The probability that both, taken as independent, name one rank and one suit."""
        return float(self.ranks @ other.ranks) * float(self.suits @ other.suits)

    @property
    def joker(self) -> float:
        """The probability that this is a joker's corner."""
        return float(self.ranks[14:].sum())

    @property
    def likely(self) -> float:
        """The probability of the likeliest rank and suit together."""
        _, rank, suit = self.best()
        return rank * suit

    def best(self) -> tuple[str, float, float]:
        """The likeliest code, and the probabilities of its rank and of its suit."""
        r, s = int(self.ranks[:13].argmax()), int(self.suits[:4].argmax())
        return RANKS[r] + SUITS[s], float(self.ranks[r]), float(self.suits[s])


class Reader:
    """A reader network: `reader.onnx` reads indices, `face.onnx` whole faces."""

    def __init__(self, weights: Path, file: str = "reader.onnx") -> None:
        self._session = open_session(weights / file)
        self._input = self._session.get_inputs()[0].name

    def read(self, patches: Sequence[NDArray[np.uint8]]) -> list[Reading]:
        """Read patches made by `vision.patch.index_patch` or `vision.face.face_patch` (BGR)."""
        if not patches:
            return []
        batch = np.stack(patches).transpose(0, 3, 1, 2)[:, ::-1].astype(np.float32) / 255
        ranks, suits = (
            np.asarray(x, np.float64) for x in self._session.run(None, {self._input: np.ascontiguousarray(batch)})
        )
        return [Reading(r, s) for r, s in zip(ranks, suits, strict=True)]


def blend(a: Reading, b: Reading) -> Reading:
    """The mean of two readings of one index, cut out in two ways: not independent, so not multiplied."""
    return Reading((a.ranks + b.ranks) / 2, (a.suits + b.suits) / 2)


def fuse(readings: Sequence[Reading]) -> Reading:
    """One belief out of several looks at the same card, taken as independent."""

    def product(rows: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        total = np.sum([np.log(np.clip(row, 1e-4, 1)) for row in rows], axis=0)
        total = np.exp(total - total.max())
        return np.asarray(total / total.sum())

    if len(readings) == 1:
        return readings[0]
    return Reading(product([r.ranks for r in readings]), product([r.suits for r in readings]))
