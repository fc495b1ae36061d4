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

ANGLES = 72  # rays from a disc's middle on which its rim is looked for
_EDGE = 9.0  # levels of difference across two pixels that make an edge
_NEAR = 1.3  # pixels between a ray's edge and the fitted rim that still count as the rim
_INWARD = 0.85  # cosine between a rim's edge and its ray
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
_SAME = 0.7  # pixels between two fits of one rim
_TURN = np.linspace(0, 2 * math.pi, ANGLES, endpoint=False)
_ROUGH, _FINE = np.array([1.0, 1.04]), np.array([1.0, 1.03, 1.06])
_ALL_ABOUT, _NEXT_TO = np.arange(-_NEARBY, _NEARBY + 1, 2.0), np.arange(-1, 2, 1.0)
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
    fits = _fits(image, things, places, radius)
    good = [d for d in fits if d.support >= least_support and holds(d)]
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
    half = np.asarray(cv2.GaussianBlur(halved(image), (0, 0), 0.5), np.uint8)
    votes = _votes(half, radius / 2)
    size = 2 * round(radius / 4) + 1
    peaks = (votes == cv2.dilate(votes, np.ones((size, size), np.uint8))) & (votes > _VOTES * math.pi * radius)
    ys, xs = np.nonzero(peaks)
    best = np.argsort(-votes[ys, xs], kind="stable")[:_CANDIDATES]
    best = best[votes[ys[best], xs[best]] > _FEWEST * votes.max()]
    return [(2.0 * float(x) + 0.5, 2.0 * float(y) + 0.5) for x, y in zip(xs[best], ys[best], strict=True)]


def halved(image: Image) -> Image:
    """The picture at half its size; an odd last row or column is left out, which OpenCV takes much longer for."""
    size = (image.shape[1] // 2, image.shape[0] // 2)
    return np.asarray(cv2.resize(image[: size[1] * 2, : size[0] * 2], size, interpolation=cv2.INTER_AREA), np.uint8)


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


def _fits(image: Image, things: Mask | None, places: list[tuple[float, float]], radius: float) -> list[Disc]:
    """The discs near some places; only the part of the picture that they can reach is worked on."""
    if not places:
        return []
    reach = math.ceil(radius * _TALLEST) + 2 * _NEARBY
    left, top, right, low = _box(places, reach)
    part = image[top:low, left:right]
    near = None if things is None else things[top // 2 :, left // 2 :]
    found = _Rims(part, near, radius).fit([(x - left, y - top) for x, y in places])
    return [replace(d, x=d.x + left, y=d.y + top) for d in found]


def _box(places: list[tuple[float, float]], reach: int) -> tuple[int, int, int, int]:
    """Left, top, right and low of what lies within `reach` of some places; even, so that halves fit."""
    xs, ys = zip(*places, strict=True)
    left, top = (max(0, int(min(v)) - reach) // 2 * 2 for v in (xs, ys))
    return left, top, int(max(xs)) + reach, int(max(ys)) + reach


class _Rims:
    """A picture's edges, sampled along many possible rims at once."""

    def __init__(self, image: Image, things: Mask | None, radius: float) -> None:
        self._smooth = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)
        self._radius = radius
        self._pad = math.ceil(radius * _TALLEST) + 2 * _NEARBY
        gx, gy, strength = _steepest(self._smooth)
        scale = np.where(strength > _EDGE * 3, 1 / np.maximum(strength, 1), 0).astype(np.float32)
        border = (self._pad,) * 4
        ways = cv2.copyMakeBorder(cv2.merge([gx * scale, gy * scale]), *border, cv2.BORDER_CONSTANT)
        self._width = ways.shape[1]
        self._ways = ways.view(np.complex64).ravel()  # which way the picture is steepest, 0 where it is no edge
        self._filling = None if things is None else _ring_share(things, 0.85 * radius / 2)

    def fit(self, places: list[tuple[float, float]]) -> list[Disc]:
        """The discs near some places, each once."""
        rough = self._best_nearby(np.array(places), _ROUGH, _ALL_ABOUT, 3)
        likely = [d for d in rough if d.support >= _HOPELESS]
        if not likely:
            return []
        fine = self._best_nearby(np.array([[d.x, d.y] for d in likely]), _FINE, _NEXT_TO, 1)
        found: list[Disc] = []
        for disc in sorted(fine, key=lambda d: -d.support):
            if all(math.hypot(disc.x - f.x, disc.y - f.y) > _SAME for f in found):
                found.append(disc)
        moved = _moved(found, *_rims(self._smooth, found), self._radius)
        return [m if m.support >= d.support - 0.02 else d for d, m in zip(found, moved, strict=True)]

    def _best_nearby(self, places: Doubles, sizes: Doubles, steps: Doubles, every: int) -> list[Disc]:
        """For each place (N, 2) the disc near it whose rim lies most on edges that point to its middle.

        All places about it are tried: a crooked stack has several rims beside each other, and a fit would settle
        between them.
        """
        radii = self._radius * sizes
        cos, sin = _COS[::every], _SIN[::every]
        xs = places[:, :1] + np.tile(steps, len(steps))
        ys = places[:, 1:] + np.repeat(steps, len(steps))
        across = _rounded(xs[:, :, None, None] + radii[:, None] * cos + self._pad)
        down = _rounded(ys[:, :, None, None] + radii[:, None] * sin + self._pad)
        seen = self._ways.take(down * self._width + across, mode="clip") * (cos - 1j * sin).astype(np.complex64)
        support = np.count_nonzero(np.abs(seen.real) > _INWARD, axis=3) / len(cos)
        score = support + _FILLED * self._filled(xs, ys)[:, :, None]
        best = score.reshape(len(places), -1).argmax(1)
        spots, kinds = np.divmod(best, len(radii))
        each = zip(range(len(places)), spots, kinds, strict=True)
        return [Disc(float(xs[n, k]), float(ys[n, k]), float(radii[j]), float(support[n, k, j])) for n, k, j in each]

    def _filled(self, xs: Doubles, ys: Doubles) -> Floats:
        """The part of a ring near the rim about each place that lies on things."""
        if self._filling is None:
            return np.zeros(xs.shape, np.float32)
        height, width = self._filling.shape
        rows, columns = np.clip(_rounded(ys / 2), 0, height - 1), np.clip(_rounded(xs / 2), 0, width - 1)
        return np.asarray(self._filling[rows, columns], np.float32)


def _rounded(values: Doubles) -> NDArray[np.int32]:
    return np.asarray((values + 0.5).astype(np.int32))


def _ring_share(things: Mask, radius: float) -> Floats:
    """The part of a ring of `radius` about each place that lies on things."""
    reach = math.ceil(radius + 1)
    ring = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    cv2.circle(ring, (reach, reach), round(radius), 1.0)
    share = cv2.filter2D(things.astype(np.float32), -1, ring / ring.sum(), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(share, np.float32)


def polar(image: Image, x: float, y: float, radii: NDArray[np.float64], angles: int = ANGLES) -> Floats:
    """The picture around a place: (angles, len(radii), 3); angle 0 is to the right, then clockwise as rows run down."""
    turn = np.linspace(0, 2 * math.pi, angles, endpoint=False)[:, None]
    xs, ys = (x + np.cos(turn) * radii).astype(np.float32), (y + np.sin(turn) * radii).astype(np.float32)
    return np.asarray(cv2.remap(image, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _rims(smooth: Image, discs: list[Disc]) -> tuple[Doubles, Mask]:
    """For each disc (N) and ray the distance of the edge nearest to the expected rim, and whether there is one."""
    step = 0.5
    beside = np.arange(-_REACH - 1, _REACH + 1 + step, step)
    x, y, r = (np.array(v)[:, None, None] for v in zip(*((d.x, d.y, d.r) for d in discs), strict=True))
    xs, ys = (
        (x + _COS[:, None] * (r + beside)).astype(np.float32),
        (y + _SIN[:, None] * (r + beside)).astype(np.float32),
    )
    flat = (len(discs) * ANGLES, len(beside))
    seen = cv2.remap(smooth, xs.reshape(flat), ys.reshape(flat), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    steps = cv2.absdiff(seen[:, 4:], seen[:, :-4])
    steep = steps.max(2).astype(np.float32)
    middle = beside[2:-2]
    best = (steep * np.exp(-((middle / _REACH) ** 2))).argmax(1)
    strong = steep[np.arange(len(best)), best] > _EDGE
    return r[:, 0] + middle[best].reshape(-1, ANGLES), strong.reshape(-1, ANGLES)


def _moved(discs: list[Disc], where: Doubles, strong: Mask, radius: float) -> list[Disc]:
    """The discs shifted and resized to their rays' edges (N, ANGLES), by least squares without the strays.

    They stay as large as a chip can look: the outline of a crooked stack is larger, and not what is sought.
    """
    r = np.array([d.r for d in discs])[:, None]
    use, off = strong, np.full(where.shape, np.inf)
    change, larger = np.zeros((len(discs), 3)), np.zeros((len(discs), 1))
    for width in (3.0, 2.0, _NEAR):
        enough = use.sum(1, keepdims=True) >= 12
        known = _TERMS * use[:, :, None]
        square = known.transpose(0, 2, 1) @ _TERMS + 1e-6 * np.eye(3)
        solved = np.linalg.solve(square, (known * (where - r)[:, :, None]).sum(1)[:, :, None])[:, :, 0]
        change = np.where(enough, solved, change)
        larger = np.where(enough, np.clip(r + change[:, :1], 0.98 * radius, _TALLEST * radius) - r, larger)
        off = np.where(enough, np.abs(larger + change[:, 1:] @ _TERMS[:, 1:].T - (where - r)), off)
        use = np.where(enough, strong & (off < width), use)
    support = (strong & (off < _NEAR)).mean(1)
    return [
        Disc(d.x + float(c[1]), d.y + float(c[2]), d.r + float(more[0]), float(part))
        for d, c, more, part in zip(discs, change, larger, support, strict=True)
    ]
