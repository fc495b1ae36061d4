"""Whether a disc is a thing that stands on the felt, or a print, a shadow or a part of something larger."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.color import distances, distances_from_felt
from vision.discs import Disc, halved, polar
from vision.felt_map import Patch

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

WEAK = 0.45  # of a rim, with which a disc is worth judging
_SUPPORT = 0.62  # of a rim that is enough where the face is no felt; printed rings and letters reach 0.54
_STRONG = 0.82  # of a rim with which the face may be of the felt's own hue
_FAIR, _ALONE = 0.7, 0.9  # or a fair rim with felt almost all around it
_SHARP = 0.78  # of a rim that is sharper than a shadow's
_OPEN = 0.6  # of what is around it that must be felt where the rim is weak
_HEMMED = 0.33  # of what is around a stack between others that must be felt at the least
_PLAIN = 0.06  # difference of colours that is plain to see
_FAINT = 0.016  # and one that is more than noise
NEW = 13.0  # levels by which a place differs from the empty felt
_COARSE = 4  # pixels that are one where only what changed is sought
_AROUND = 0.8  # radii seen around what changed
_LIT, _DIMMEST = 110.0, 0.45  # level of a felt's brightest colour under which less difference is plain; how much less
_SHADE, _GLOW = 0.5, 1.15  # how much darker or lighter the empty felt may be lit
_INNER, _OUTER = np.linspace(0.3, 0.9, 7), np.array([1.3, 1.42, 1.55])  # of the radius: the face, and what is around


class BareFelt:
    """Judges discs without knowing the empty table: the felt is what most of the patch looks like.

    `things` (half the patch): where something is that is neither felt nor shadow.
    """

    def __init__(self, patch: Patch) -> None:
        self._image = patch.image
        self._felt = np.median(patch.image[::3, ::3].reshape(-1, 3), axis=0).astype(np.float64)
        now = halved(patch.image).astype(np.float32)
        self.things = relit(now, np.broadcast_to(self._felt.astype(np.float32), now.shape)) > NEW

    def holds(self, disc: Disc) -> bool:
        """Whether a disc stands on the felt: a printed ring or letter is filled with felt.

        A crooked stack's rim is partly lost against its own wall; then its face must be plainly no felt, and there
        must be felt around it, which the inside of a card or a phone lacks.
        """
        face = _around(self._image, disc, _INNER)
        inner = distances_from_felt(face, self._felt)
        outer = distances_from_felt(_around(self._image, disc, _OUTER), self._felt)
        middle = float(np.median(inner))
        around = float((outer < max(_PLAIN, 0.6 * middle)).mean())
        if disc.support < _SUPPORT:
            return float((inner > _PLAIN).mean()) > 0.85 and around > _OPEN
        # Letters are marks as well, but they are seldom alone.
        clear = disc.support >= _STRONG or (disc.support >= _FAIR and around > _ALONE)
        other = middle > 0.035 or (clear and self._marked(face, inner))
        return other and around > _HEMMED

    def _marked(self, face: Floats, inner: NDArray[np.float32]) -> bool:
        """A chip of the felt's hue could be a shadow, but for its spots: a shadow has a stack's on one side at most."""
        sides = (inner.reshape(4, -1) > _PLAIN).mean(1) > 0.08
        return bool(sides.sum() >= 3) and float(np.median(distances(face, self._felt))) > _FAINT


def changed_part(
    patch: Patch, empty: Image, radius: float, least: float, cards: Sequence[Floats] = ()
) -> tuple[slice, slice] | None:
    """The rows and columns about all that differs from the empty felt, with enough around it to judge a disc there.

    None where fewer than `least` pixels differ outside the `cards` (each (4, 2), mm). Told from a small picture: most
    places are as they were.
    """
    now = patch.image
    size = (now.shape[1] // _COARSE, now.shape[0] // _COARSE)
    whole = slice(0, size[1] * _COARSE), slice(0, size[0] * _COARSE)  # other sizes take OpenCV four times as long
    small, was = (cv2.resize(image[whole], size, interpolation=cv2.INTER_AREA) for image in (now, empty))
    new = (cv2.absdiff(small, was).max(2) > NEW).astype(np.uint8)
    for corners in cards:
        outline = np.round(patch.to_px(corners) / _COARSE).astype(np.int32)
        cv2.fillConvexPoly(new, outline, 0)
        cv2.polylines(new, [outline], True, 0, 3)  # its edge and its shadow
    if new.sum() * _COARSE**2 < least:
        return None
    around = round(_AROUND * radius)
    part = []
    for axis, length in ((1, now.shape[0]), (0, now.shape[1])):
        filled = np.nonzero(new.any(axis=axis))[0]
        first, last = int(filled[0]) * _COARSE - around, (int(filled[-1]) + 1) * _COARSE + around
        part.append(slice(max(0, first // 2 * 2), min(length, last)))
    return part[0], part[1]


class KnownFelt:
    """Judges discs against the same part of the felt as it was seen empty; `empty` is of the patch's shape.

    `things` (half the patch): where something is that was not there, shadows apart.
    """

    def __init__(self, patch: Patch, empty: Image) -> None:
        now, was = (halved(image).astype(np.float32) for image in (patch.image, empty))
        self._raw = _levels(now, was)
        self._new = relit(now, was)
        self.things = self._new > NEW

    def holds(self, disc: Disc) -> bool:
        """Whether something new stands there, with bare felt, prints included, around it."""
        inner, outer = self._share(self._new, disc, _INNER), self._share(self._new, disc, _OUTER)
        if disc.support < _SUPPORT:
            return inner > 0.8 and outer < 1 - _OPEN
        # Of the felt's own hue, its rim seen nearly all around and something on it: no shadow's edge is so sharp.
        alone = disc.support >= _SHARP and inner > 0.1 and outer < 0.1
        fresh = inner > 0.35 or alone or (disc.support >= _FAIR and self._marked(disc))
        return fresh and outer < 1 - _HEMMED

    def _marked(self, disc: Disc) -> bool:
        """Of the felt's hue, so perhaps a shadow, but with spots on three sides or more."""
        sides = [self._share(self._new, disc, _INNER, quarter) > 0.05 for quarter in range(4)]
        return sum(sides) >= 3 and self._share(self._raw, disc, _INNER) > 0.5

    @staticmethod
    def _share(levels: NDArray[np.float32], disc: Disc, radii: Floats, quarter: int | None = None) -> float:
        """The part of the rings of some radii, or of a quarter of them, that is new."""
        turn = np.linspace(0, 2 * np.pi, 36, endpoint=False)[:, None]
        turn = turn if quarter is None else turn[quarter * 9 : quarter * 9 + 9]
        columns = np.clip((disc.x + np.cos(turn) * radii * disc.r) / 2, 0, levels.shape[1] - 1).astype(int)
        rows = np.clip((disc.y + np.sin(turn) * radii * disc.r) / 2, 0, levels.shape[0] - 1).astype(int)
        return float((levels[rows, columns] > NEW).mean())


def relit(now: NDArray[np.float32], was: NDArray[np.float32]) -> NDArray[np.float32]:
    """Levels by which two pictures differ once each pixel may be in a shadow; on a dark felt smaller ones count."""
    products, squares = cv2.split(now * was), cv2.split(was * was)
    gain = (products[0] + products[1] + products[2]) / np.maximum(1.0, squares[0] + squares[1] + squares[2])
    gain = np.clip(gain, _SHADE, _GLOW).astype(np.float32)
    blue, green, red = cv2.split(was)
    light = np.clip(cv2.max(cv2.max(blue, green), red) / _LIT, _DIMMEST, 1.0)
    return np.asarray(_levels(now, was * cv2.merge([gain, gain, gain])) / light, np.float32)


def _levels(now: NDArray[np.float32], was: NDArray[np.float32]) -> NDArray[np.float32]:
    blue, green, red = cv2.split(cv2.absdiff(now, was))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)


def _around(image: Image, disc: Disc, radii: Floats) -> Floats:
    """The colours of a disc's surroundings (N, 3) at some parts of its radius, ray by ray."""
    return polar(image, disc.x, disc.y, radii * disc.r, 36).reshape(-1, 3).astype(np.float64)
