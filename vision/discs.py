"""Finds discs of a known radius in a picture seen from straight above: a vote of edges, then a fit of each rim."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Mask = NDArray[np.bool_]
Slopes = tuple[Floats, Floats, Floats]
Signs = tuple[Slopes, Mask | None]

ANGLES = 72  # rays from a disc's middle on which its rim is looked for
_EDGE = 9.0  # levels of difference across two pixels that make an edge
_NEAR = 1.3  # pixels between a ray's edge and the fitted rim that still count as the rim
_FILLED = 0.6  # weight of a rim's filling beside its edges
_NEARBY = 6  # pixels about a candidate that are tried
_REACH = 2.5  # pixels to both sides of the rim found so that are searched for its exact place
_VOTES = 0.13  # of a perfect disc's votes that make a candidate
_CANDIDATES = 10
_SPOTTED = 0.05  # of a disc's middle that must not be felt
_ROUND = 6  # candidates from round things, at the most
_FEWEST = 0.2  # of the best candidate's votes
_HOPELESS = 0.45  # support under which a place is no disc
_TALLEST = 1.08  # a tall stack's top is nearer to the camera and looks this much larger
_TURN = np.linspace(0, 2 * math.pi, ANGLES, endpoint=False)
_ROUGH, _FINE = np.array([1.0, 1.04], np.float32), np.array([1.0, 1.03, 1.06], np.float32)
_COS, _SIN = np.cos(_TURN), np.sin(_TURN)
_TERMS = np.column_stack([np.ones(ANGLES), _COS, _SIN])


@dataclass(frozen=True, slots=True)
class Disc:
    """Centre and radius, pixels. `support`: the part of its rim where an edge was found, 0 to 1."""

    x: float
    y: float
    r: float
    support: float


def find_discs(
    image: Image,
    radius: float,
    least_support: float = 0.5,
    things: Mask | None = None,
    holds: Callable[[Disc], bool] = lambda disc: True,
) -> list[Disc]:
    """The discs of `radius` pixels (up to 8 % larger) in `image` (H x W x 3), the best supported first.

    `things` (half of H and W): where something is that is not the felt; of several rims beside each other the one
    that is filled with it is taken, and not a shadow's. Only discs that `holds` accepts count; of those whose centres
    are less than 0.7 diameters apart only the better one is kept.
    """
    places = _candidates(image, radius)
    if things is not None:
        round_things = _round_things(things, radius)
        others = [p for p in places if all(math.dist(p, q) > _NEARBY for q in round_things)]
        places = round_things + _with_things(others, things, radius)
    fits = [_fit_at(image, things, x, y, radius) for x, y in places]
    good = [d for d in fits if d is not None and d.support >= least_support and holds(d)]
    kept: list[Disc] = []
    for disc in sorted(good, key=lambda d: -d.support):
        if all(math.hypot(disc.x - k.x, disc.y - k.y) > 1.4 * radius for k in kept):
            kept.append(disc)
    return kept


def _round_things(things: Mask, radius: float) -> list[tuple[float, float]]:
    """The middles of things about as wide as a disc: a strong shadow's rim would else outvote a faint disc's."""
    whole = cv2.morphologyEx(things.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    depth = cv2.distanceTransform(whole, cv2.DIST_L2, 3)
    size = 2 * round(radius / 4) + 1
    highest = depth == cv2.dilate(depth, np.ones((size, size), np.uint8))
    peaks = highest & (depth > 0.4 * radius) & (depth < 0.7 * radius)
    ys, xs = np.nonzero(peaks)
    best = np.argsort(-depth[ys, xs], kind="stable")[:_ROUND]
    return [(2.0 * float(x) + 0.5, 2.0 * float(y) + 0.5) for x, y in zip(xs[best], ys[best], strict=True)]


def _with_things(places: list[tuple[float, float]], things: Mask, radius: float) -> list[tuple[float, float]]:
    """The places with a little that is no felt about them: a chip of the felt's own colour still has spots."""
    size = 2 * round(0.4 * radius) + 1
    share = cv2.boxFilter(things.astype(np.float32), -1, (size, size))
    height, width = things.shape
    return [(x, y) for x, y in places if share[min(int(y / 2), height - 1), min(int(x / 2), width - 1)] > _SPOTTED]


def _candidates(image: Image, radius: float) -> list[tuple[float, float]]:
    half = _half(image)
    votes = _votes(half, radius / 2)
    size = 2 * round(radius / 4) + 1
    peaks = (votes == cv2.dilate(votes, np.ones((size, size), np.uint8))) & (votes > _VOTES * math.pi * radius)
    ys, xs = np.nonzero(peaks)
    best = np.argsort(-votes[ys, xs], kind="stable")[:_CANDIDATES]
    best = best[votes[ys[best], xs[best]] > _FEWEST * votes.max()]
    return [(2.0 * float(x) + 0.5, 2.0 * float(y) + 0.5) for x, y in zip(xs[best], ys[best], strict=True)]


def _half(image: Image) -> Image:
    size = (image.shape[1] // 2, image.shape[0] // 2)
    return np.asarray(cv2.GaussianBlur(cv2.resize(image, size, interpolation=cv2.INTER_AREA), (0, 0), 0.5), np.uint8)


def _votes(half: Image, radius: float) -> Floats:
    """How many edge pixels point to each place from a rim's distance."""
    height, width = half.shape[:2]
    total = np.zeros(height * width, np.float32)
    gx, gy, strength = _steepest(half)
    ys, xs = np.nonzero(strength > _EDGE * 4)
    if len(ys) < radius:
        return total.reshape(height, width)
    ux, uy = gx[ys, xs] / strength[ys, xs], gy[ys, xs] / strength[ys, xs]
    for reach in (radius, radius * _TALLEST):
        for way in (-reach, reach):
            cx, cy = (xs + way * ux + 0.5).astype(np.int32), (ys + way * uy + 0.5).astype(np.int32)
            inside = (cx >= 0) & (cx < width) & (cy >= 0) & (cy < height)
            total += np.bincount(cy[inside] * width + cx[inside], minlength=height * width)
    # The two reaches vote for one place, and an edge is about three pixels wide.
    smeared = cv2.GaussianBlur(total.reshape(height, width), (0, 0), 1.3)
    return np.asarray(smeared * (2 * math.pi * 1.3**2 / 4), np.float32)


def _steepest(smooth: Image) -> Slopes:
    """The gradient of whichever colour channel is steepest, and its strength."""
    gx, gy = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    xs, ys, strengths = cv2.split(gx), cv2.split(gy), cv2.split(cv2.magnitude(gx, gy))
    best_x, best_y, best = xs[0], ys[0], strengths[0]
    for k in (1, 2):
        more = (strengths[k] > best).view(np.uint8)
        cv2.copyTo(xs[k], more, best_x)
        cv2.copyTo(ys[k], more, best_y)
        best = cv2.max(best, strengths[k])
    return np.asarray(best_x, np.float32), np.asarray(best_y, np.float32), np.asarray(best, np.float32)


def _fit_at(image: Image, things: Mask | None, x: float, y: float, radius: float) -> Disc | None:
    """Fits a disc within the part of the picture that it can reach."""
    reach = round(radius * _TALLEST) + 2 * _NEARBY
    left, top = max(0, int(x) - reach) // 2 * 2, max(0, int(y) - reach) // 2 * 2
    part = image[top : int(y) + reach, left : int(x) + reach]
    smooth = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.8), np.uint8)
    near = None if things is None else things[top // 2 :, left // 2 :]
    disc = _fit(smooth, (_steepest(smooth), near), x - left, y - top, radius)
    return None if disc is None else replace(disc, x=disc.x + left, y=disc.y + top)


def _fit(smooth: Image, signs: Signs, x: float, y: float, radius: float) -> Disc | None:
    rough = _best_nearby(signs, x, y, radius * _ROUGH, np.arange(-_NEARBY, _NEARBY + 1, 2.0), 3)
    if rough.support < _HOPELESS:
        return None
    fine = _best_nearby(signs, rough.x, rough.y, radius * _FINE, np.arange(-1, 2, 1.0), 1)
    where, strong = _rim(smooth, fine)
    finest = _moved(fine, where, strong, radius)
    return finest if finest.support >= fine.support - 0.02 else fine


def _best_nearby(signs: Signs, x: float, y: float, radii: Floats, steps: NDArray[np.float64], every: int) -> Disc:
    """The disc near a place whose rim lies most on edges that point to its middle. All places about it are tried:
    a crooked stack has several rims beside each other, and a fit would settle between them."""
    (gx, gy, strength), things = signs
    height, width = strength.shape
    ys, xs = (v.ravel()[:, None, None] for v in np.meshgrid(y + steps, x + steps, indexing="ij"))
    cos, sin = _COS[::every], _SIN[::every]
    columns = np.clip((xs + cos * radii[:, None] + 0.5).astype(np.int32), 0, width - 1)
    rows = np.clip((ys + sin * radii[:, None] + 0.5).astype(np.int32), 0, height - 1)
    steep = strength[rows, columns]
    inward = np.abs(gx[rows, columns] * cos + gy[rows, columns] * sin) > 0.85 * steep
    support = ((steep > _EDGE * 3) & inward).mean(2)
    score = support if things is None else support + _FILLED * _filled(things, xs, ys, radii * 0.85, cos, sin)
    best = int(score.argmax())
    place, size = divmod(best, len(radii))
    return Disc(float(xs[place, 0, 0]), float(ys[place, 0, 0]), float(radii[size]), float(support.ravel()[best]))


def _filled(things: Mask, xs: Doubles, ys: Doubles, radii: Floats, cos: Doubles, sin: Doubles) -> Doubles:
    """The part of a ring of each radius about each place that lies on things."""
    columns = np.clip((xs + cos * radii[:, None]) / 2, 0, things.shape[1] - 1).astype(np.int32)
    rows = np.clip((ys + sin * radii[:, None]) / 2, 0, things.shape[0] - 1).astype(np.int32)
    return np.asarray(things[rows, columns].mean(2), np.float64)


def polar(image: Image, x: float, y: float, radii: NDArray[np.float64], angles: int = ANGLES) -> Floats:
    """The picture around a place: (angles, len(radii), 3); angle 0 is to the right, then clockwise as rows run down."""
    turn = np.linspace(0, 2 * math.pi, angles, endpoint=False)[:, None]
    xs, ys = (x + np.cos(turn) * radii).astype(np.float32), (y + np.sin(turn) * radii).astype(np.float32)
    return np.asarray(cv2.remap(image, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _rim(smooth: Image, disc: Disc) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """For each ray the distance of the edge nearest to the expected rim, and whether there is one."""
    step = 0.5
    radii = np.arange(disc.r - _REACH - 1, disc.r + _REACH + 1 + step, step)
    seen = polar(smooth, disc.x, disc.y, radii)
    steps = np.abs(seen[:, 4:] - seen[:, :-4])
    steep = np.maximum(np.maximum(steps[..., 0], steps[..., 1]), steps[..., 2])
    middle = radii[2:-2]
    likely = steep * np.exp(-(((middle - disc.r) / _REACH) ** 2))
    best = likely.argmax(1)
    return middle[best], steep[np.arange(len(best)), best] > _EDGE


def _moved(disc: Disc, where: NDArray[np.float64], strong: NDArray[np.bool_], radius: float) -> Disc:
    """The disc shifted and resized to its rays' edges, by least squares without the strays.

    It stays as large as a chip can look: the outline of a crooked stack is larger, and not what is sought.
    """
    use, off = strong, np.full(ANGLES, np.inf)
    change, larger = np.zeros(3), 0.0
    for width in (3.0, 2.0, _NEAR):
        if use.sum() < 12:
            break
        known = _TERMS[use]
        change = np.linalg.solve(known.T @ known + 1e-6 * np.eye(3), known.T @ (where[use] - disc.r))
        larger = float(np.clip(disc.r + change[0], 0.98 * radius, _TALLEST * radius)) - disc.r
        off = np.abs(larger + _TERMS[:, 1:] @ change[1:] - (where - disc.r))
        use = strong & (off < width)
    support = float((strong & (off < _NEAR)).mean())
    return replace(disc, x=disc.x + float(change[1]), y=disc.y + float(change[2]), r=disc.r + larger, support=support)
