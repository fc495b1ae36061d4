"""Finds the card that shows no index by its shape: what is not felt, has a card's size, and is no card already read.

The hole card lies mostly under the upcard; of it a strip or an L shows, and where its outer edges run tells where it
lies. Needs a picture at a known scale whose rim is mostly felt.
"""

import itertools
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.color import distances_from_felt
from vision.outline import Outline
from vision.sighting import CardSighting

Image = NDArray[np.uint8]
Quad = NDArray[np.float64]

UNLIKE_FELT = 0.11  # colour distance
SAME_FELT = 10  # levels within which a pixel is surely felt
GROWN = 2.0  # mm: edges and shadows of a read card that are not another one's
LEAST = 0.1  # of a card's area must show
FILLED, HELD = 0.76, 0.93  # of the place not covered must be shown; of what is shown must lie in the place
WHITE = 0.8  # share of paper above which what shows is a face, not a back
CORNER, CORNER_SHOWS = (0.2, 0.2), 0.8  # of a card's width and length, where its index is; and of that, in view
SURE = 0.75  # of a rank
TOUCHES = 0.05  # of a sighting that a known card covers: then what is under it may be told wrongly
BARE = 0.5  # share of felt above which nothing lies at a place
RIM = 2  # px from the picture's edge: what reaches it was cut off there, and where it lies is not known


def with_hidden_cards(
    image: Image, found: Sequence[CardSighting], card: tuple[float, float], px_per_mm: float
) -> list[CardSighting]:
    """The sightings that what shows bears out, and the cards mostly hidden under them; `card` in mm.

    What has no name and lies with a named card is a guess of the detector's: shapes explain what shows there first.
    """
    sure = [s for s in found if not _nameless(s) and s.rank_p >= SURE]
    weak = [s for s in found if not _nameless(s) and s.rank_p < SURE and _shows(s, sure)]
    named = sure + _lying(image, weak, sure, px_per_mm)
    guesses = [s for s in found if _nameless(s)]
    if not guesses:
        return named + hidden_cards(image, named, card, px_per_mm)
    shown = _stands_out(image, _cover(image, named, px_per_mm))
    guesses = [s for s in guesses if s.code is None or _share(shown, s.polygon) > 1 - BARE]
    firm = named + [s for s in guesses if not any(_lies_with(s, o) for o in named)]
    hidden = hidden_cards(image, firm, card, px_per_mm)
    for s in sorted((s for s in guesses if s not in firm), key=lambda s: -s.p):
        left = shown & (_cover(image, firm + hidden, px_per_mm) == 0)
        if _borne_out(s, left, firm + hidden, LEAST * card[0] * card[1] * px_per_mm**2):
            hidden.append(s)
    return firm + hidden


def _nameless(sighting: CardSighting) -> bool:
    return sighting.code in (None, "??") and sighting.kind == "card"


def _shows(weak: CardSighting, sure: Sequence[CardSighting]) -> bool:
    """Whether enough of a badly read card shows beside the others: of one with all its place taken no index would."""
    return sum(Outline(weak.polygon).inside(Outline(s.polygon)) for s in sure) < 1 - LEAST


def _lying(
    image: Image, weak: Sequence[CardSighting], sure: Sequence[CardSighting], px_per_mm: float
) -> list[CardSighting]:
    """The badly read cards whose places are no bare felt beside the other cards: a back's print reads badly."""
    if not weak:
        return []
    covered = _cover(image, sure, px_per_mm)
    shown = _stands_out(image, covered)
    places = [_inside(shown, s.polygon) & (covered == 0) for s in weak]
    return [s for s, p in zip(weak, places, strict=True) if float((shown & p).sum()) > (1 - BARE) * float(p.sum())]


def _lies_with(guess: CardSighting, known: CardSighting) -> bool:
    return Outline(guess.polygon).inside(Outline(known.polygon)) > TOUCHES


def _share(cells: NDArray[np.bool_], quad: Quad) -> float:
    """The part of a place within the picture that is in `cells`."""
    inside = _inside(cells, quad)
    return float((cells & inside).sum()) / max(1, int(inside.sum()))


def _inside(cells: NDArray[np.bool_], quad: Quad) -> NDArray[np.bool_]:
    """The pixels of a place, in a picture of the shape of `cells`."""
    inside = np.zeros(cells.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad).astype(np.int32), 1)
    return inside > 0


def _borne_out(guess: CardSighting, left: NDArray[np.bool_], others: Sequence[CardSighting], least: float) -> bool:
    """Whether enough shows at a guessed place that nothing else explains, and little felt beside it."""
    inside = _inside(left, guess.polygon)
    for other in others:
        inside &= ~_inside(left, other.polygon)
    new = int((left & inside).sum())
    return new >= least and new >= FILLED * int(inside.sum())


def hidden_cards(
    image: Image, known: Sequence[CardSighting], card: tuple[float, float], px_per_mm: float
) -> list[CardSighting]:
    """Backs (code None) and faces that cannot be read ("??") beside and under the `known` cards; `card` in mm."""
    size = (card[0] * px_per_mm, card[1] * px_per_mm)
    covered = _cover(image, known, px_per_mm)
    shown = (_stands_out(image, covered) & (covered == 0)).astype(np.uint8)
    shown = np.asarray(cv2.morphologyEx(shown, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)
    found: list[CardSighting] = []
    for part in _parts(shown, known, LEAST * size[0] * size[1]):
        place = _place(part, covered, known, size)
        if place is not None and not any(Outline(place).same(Outline(s.polygon)) for s in [*known, *found]):
            found.append(_named(image, part, place, known))
    return found


def _cover(image: Image, known: Sequence[CardSighting], px_per_mm: float) -> Image:
    """The pixels of the known cards and a little about them."""
    covered = np.zeros(image.shape[:2], np.uint8)
    for sighting in known:
        grown = _grown(sighting.polygon, GROWN * px_per_mm)
        cv2.fillConvexPoly(covered, np.round(grown).astype(np.int32), 1)
    return covered


def _parts(shown: Image, known: Sequence[CardSighting], least: float) -> list[NDArray[np.bool_]]:
    """What may be one card's: all that shows around a known card (a hole card laid crosswise), and each piece alone."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(shown)
    height, width = shown.shape
    whole = [
        k
        for k, (x, y, w, h, area) in enumerate(stats.tolist())
        if k and area >= least / 4 and min(x, y) >= RIM and x + w <= width - RIM and y + h <= height - RIM
    ]
    pieces = {k: labels == k for k in whole}
    around = [[k for k, piece in pieces.items() if _touches(s.polygon, piece)] for s in known]
    groups = [g for g in around if len(g) > 1] + [[k] for k in pieces]
    unions = [np.isin(labels, g) for g in groups]
    return [u for u in unions if int(u.sum()) >= least]


def _stands_out(image: Image, covered: Image) -> NDArray[np.bool_]:
    """The pixels that are unlike the felt, which is what most of the picture's rim shows; all that is `covered` is."""
    soft = np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.uint8)
    rim = np.concatenate([edge.reshape(-1, 3) for edge in (soft[:4], soft[-4:], soft[:, :4], soft[:, -4:])])
    felt = np.median(rim, axis=0).astype(np.float64)
    plain = cv2.inRange(soft, np.floor(felt) - SAME_FELT, np.ceil(felt) + SAME_FELT)
    unsure = (plain == 0) & (covered == 0)  # most pixels need no exact judgement
    out = covered.copy()
    out[unsure] = distances_from_felt(soft[unsure], felt) > UNLIKE_FELT
    # Of a back as dark as the felt's shadow only the border stands out: what it encloses belongs to it.
    outlines, _ = cv2.findContours(
        cv2.morphologyEx(out, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    return np.asarray(cv2.drawContours(out, outlines, -1, 1, cv2.FILLED) > 0, np.bool_)


def _grown(quad: Quad, by: float) -> Quad:
    middle = quad.mean(axis=0)
    away = quad - middle
    return np.asarray(middle + away * (1 + by * 1.4142 / np.hypot(away[:, 0], away[:, 1])[:, None]))


def _place(
    part: NDArray[np.bool_], covered: Image, known: Sequence[CardSighting], size: tuple[float, float]
) -> Quad | None:
    """The corners of the card of which `part` is what shows, or None where no card fits."""
    ys, xs = np.nonzero(part)
    points = np.column_stack([xs, ys]).astype(np.float64)
    angles = {round(float(cv2.minAreaRect(points.astype(np.float32))[2]) % 90, 1)}
    angles |= {round(_angle(s.polygon) % 90, 1) for s in known if _touches(s.polygon, part)}
    best: tuple[float, Quad] | None = None
    for angle, swap in itertools.product(sorted(angles), (False, True)):
        quad = _fit(points, angle, (size[1], size[0]) if swap else size, known)
        score = _score(quad, part, covered) if quad is not None else 0.0
        if quad is not None and score > (best[0] if best else 0.0):
            best = score, quad
    return best[1] if best else None


def _angle(quad: Quad) -> float:
    right = quad[1] - quad[0]
    return float(np.degrees(np.arctan2(right[1], right[0])))


def _touches(quad: Quad, part: NDArray[np.bool_]) -> bool:
    return bool((part & _inside(part, _grown(quad, 8.0))).any())


def _fit(points: Quad, angle: float, size: tuple[float, float], known: Sequence[CardSighting]) -> Quad | None:
    """A rectangle of `size` at `angle` about the points, reaching under the known cards where they are too few."""
    a = np.radians(angle)
    spin = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    turned = points @ spin
    low, high = np.percentile(turned, 1, axis=0), np.percentile(turned, 99, axis=0)
    if not known and ((high - low) < np.array(size) * 0.9).any():
        return None
    cover = min(
        (s.polygon.mean(axis=0) for s in known), key=lambda m: float(np.hypot(*(m - points.mean(axis=0)))), default=None
    )
    middle = (low + high) / 2
    for axis in (0, 1):
        span = high[axis] - low[axis]
        if span > size[axis] * 1.07:
            return None
        if span < size[axis] * 0.93 and cover is not None:
            under = float((cover @ spin)[axis])
            middle[axis] = high[axis] - size[axis] / 2 if under < middle[axis] else low[axis] + size[axis] / 2
    half = np.array(size) / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + middle
    quad = corners @ spin.T
    return np.asarray(quad if size[0] < size[1] else np.roll(quad, -1, axis=0))


def _score(quad: Quad, part: NDArray[np.bool_], covered: Image) -> float:
    inside = _inside(part, quad)
    free = inside & (covered == 0)
    filled = float((part & free).sum()) / max(1, int(free.sum()))
    held = float((part & inside).sum()) / max(1, int(part.sum()))
    return filled * held if filled >= FILLED and held >= HELD else 0.0


def _named(image: Image, part: NDArray[np.bool_], quad: Quad, known: Sequence[CardSighting]) -> CardSighting:
    """A back, or, where nearly all that shows is bare paper and no corner that has an index, an unreadable face."""
    pixels = image[part].astype(np.int32)
    faces = [s for s in known if s.code is not None]
    paper = np.array([225, 225, 225])
    if faces:
        own = image[_inside(part, faces[0].polygon)].astype(np.int32)
        paper = np.median(own[own.sum(axis=1) >= np.percentile(own.sum(axis=1), 50)], axis=0)
    white = float((np.abs(pixels - paper).max(axis=1) < 38).mean()) > WHITE
    if white and not _corner_in_view(part, quad):
        return CardSighting(quad, "??", 0.6)
    return CardSighting(quad, None, 0.6 if white else 0.9)


def _corner_in_view(part: NDArray[np.bool_], quad: Quad) -> bool:
    """Whether one of the two corners shows in which every face has an index; none was found there, so it is a back."""
    return any(_share(part, _corner_of(np.roll(quad, -turn, axis=0))) > CORNER_SHOWS for turn in (0, 2))


def _corner_of(quad: Quad) -> Quad:
    right, down = (quad[1] - quad[0]) * CORNER[0], (quad[3] - quad[0]) * CORNER[1]
    return np.asarray([quad[0], quad[0] + right, quad[0] + right + down, quad[0] + down])
