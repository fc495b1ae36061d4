"""The eye over the table: frames in, observations out, looking closely only where something changed and settled."""

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table_state.errors import InputError
from table_state.layout import CameraPoints, Layout
from table_state.observation import Observation, SeenChips, SeenHand
from vision.bets import Bet, bets_of, once
from vision.camera_view import CameraView
from vision.change import Change, ChangeWatch
from vision.chips import ChipFinder, spots_of
from vision.color import white_of
from vision.felt_map import FeltMap, Patch, Rect
from vision.frame import Frame
from vision.hands import Arm, ArmFinder, forearm
from vision.memory import ENOUGH, CardMemory, KeptCard, on_felt
from vision.places import Grid, card_area, card_rects, closed, components, grown, joined, not_felt, table_bounds
from vision.recogniser import Recogniser
from vision.signals import SignalReader

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

SETTLED = 0.09  # seconds without motion after which a thing lies still: the next frame at 10 a second
_MARGIN = 14.0  # mm seen around what changed
_PART, _AROUND_PART = 40.0, 60.0  # mm of a thing that is less than a card, and how much is seen around it
_HIDDEN = 0.12  # of a card that an arm may cover before the card is left out
_NO_ARM = 8.0  # seconds; nobody's arm is without any motion for so long
_SURELY = 0.7  # a card, of which the paper tells what white is
_PAPER = 3  # every third pixel of a card tells what white is
_STACK = 85.0  # mm that a stack with its shadow takes at the most
_SHADOW = 22.0  # mm about a chip that its stack's height and shadow may change
_RIM = 6.0  # mm of felt about a known card
_BESIDE = 2  # cells about an arm in which nothing is read


@dataclass(slots=True, eq=False)
class _Look:
    """A part of the felt that is being read: how often it was since it changed, and the cells that did, if known."""

    rect: Rect
    cells: Mask
    times: int = 0
    thing: Mask | None = None


@dataclass(slots=True)
class _Sight:
    """All that depends on the frames' size."""

    watch: ChangeWatch
    grid: Grid
    felt: Rect
    on_felt: Mask
    map: FeltMap
    shrink: int
    arms: ArmFinder
    bets: list[Bet]
    looks: list[_Look] = field(default_factory=list)


class Looker:
    """Sees one table: its `layout` with [camera], read by a recogniser (default: the one with these weights).

    Holds what it saw last; the same frames give the same observations. Raises InputError without a usable [camera].
    """

    def __init__(self, layout: Layout, weights: Path, recogniser: Recogniser | None = None) -> None:
        if layout.camera is None:
            raise InputError("the layout has no [camera]; run railbird setup for this table", "layout", None, "camera")
        self._camera: CameraPoints = layout.camera
        self._layout = layout
        self._recogniser = recogniser if recogniser is not None else _card_recogniser(weights, layout.card)
        self._chips = ChipFinder(layout)
        self._signals = SignalReader(layout)
        self._cards = CardMemory()
        self._sight: _Sight | None = None
        self._size = (0, 0)
        self._white = (0.0, 0.0, 0.0)

    def look(self, frame: Frame) -> Observation:
        """Everything seen at this frame's instant; frames come in time order."""
        if self._sight is None or frame.size != self._size:
            self._open(frame.size)
        sight = self._sight
        assert sight is not None
        first = not sight.looks and not sight.watch.now.any()
        change = sight.watch.update(frame.t, frame.image)
        if first:
            self._survey(sight)
        arms = [] if change.idle else _lively(sight.arms.find(change.changed | change.moving), change)
        covered = _covered(arms, sight.grid.shape)
        if not change.idle:
            self._notice(sight, change, covered)
        self._read(sight, frame, change, covered)
        return self._observation(frame.t, sight, arms, covered)

    def _open(self, size: tuple[int, int]) -> None:
        view = CameraView(self._camera, size)
        felt = table_bounds(self._layout, view)
        watch = ChangeWatch(size)
        grid = Grid(view, watch.shape, watch.cell)
        middle = view.px_per_mm((felt.x0 + felt.x1) / 2, (felt.y0 + felt.y1) / 2)
        shrink = max(1, int(middle / self._recogniser.px_per_mm + 0.2))
        small = view if shrink == 1 else CameraView(self._camera, (size[0] // shrink, size[1] // shrink))
        chart = FeltMap(small, felt.grown(_MARGIN), self._recogniser.px_per_mm)
        bets = bets_of(spots_of(self._layout), grid)
        inside = grid.inside(felt)
        self._sight = _Sight(watch, grid, felt, inside, chart, shrink, ArmFinder(grid, felt), bets)
        self._size = size
        self._cards = CardMemory()

    def _survey(self, sight: _Sight) -> None:
        """The first frame: everything that stands out from the felt is looked at."""
        small = sight.watch.now
        self._white = white_of(small[sight.on_felt].astype(np.float64))
        out = not_felt(small, sight.on_felt, sight.grid) & card_area(self._layout, sight.grid)
        sight.looks = [_Look(rect, sight.grid.inside(rect)) for rect in card_rects(out, sight.grid, _MARGIN)]

    def _notice(self, sight: _Sight, change: Change, covered: Mask) -> None:
        """Plans looks at what changed and lies still, away from arms."""
        active = change.moving | (change.changed & (change.still < SETTLED))
        for bet in sight.bets:
            if (bet.cells & (change.moving | change.changed)).any():
                bet.disturb()
        beside = grown(covered, _BESIDE)
        plain, quiet = sight.watch.plain(), np.zeros(sight.grid.shape, np.bool_)
        things = []
        for group in components(closed(change.changed & sight.on_felt & ~covered)):
            if not (group & (active | beside)).any():
                things += _things(group, plain)
                quiet |= group
        sight.watch.accept(quiet)
        around = [self._whole_cards(_with_margin(sight.grid.rect_of(thing))) for thing in things]
        for rect in map(self._uncut, joined(around)):
            cells = sight.grid.inside(rect) & ~beside
            sight.watch.accept(cells)
            sight.looks = [look for look in sight.looks if not rect.meets(look.rect)]
            alone = [thing for thing, own in zip(things, around, strict=True) if own == rect]
            sight.looks.append(_Look(rect, cells, thing=alone[0] if alone else None))
            self._cards.disturb(rect)

    def _whole_cards(self, rect: Rect) -> Rect:
        """A part of the felt widened to hold the known cards that reach into it."""
        for card in self._cards.near(rect):
            rect = rect.joined(card.rect.grown(_RIM))
        return self._uncut(rect)

    def _uncut(self, rect: Rect) -> Rect:
        """Widened until it holds each card of which the middle lies in it: of half a card the other end is not seen."""
        while cut := [card for card in self._cards.within(rect) if not rect.contains(card.rect)]:
            for card in cut:
                rect = rect.joined(card.rect.grown(_RIM))
        return rect

    def _read(self, sight: _Sight, frame: Frame, change: Change, covered: Mask) -> None:
        still = change.still >= SETTLED
        due = [look for look in sight.looks if not (look.cells & (covered | ~still)).any()]
        bets = [bet for bet in sight.bets if bet.due and not (bet.cells & (covered | ~still)).any()]
        if due or bets:
            self._read_parts(sight, Frame(frame.t, _shrunk(frame.image, sight.shrink)), due, bets)
        sight.looks = [k for k in sight.looks if k.times < ENOUGH or (k.times < 5 and self._cards.unsettled(k.rect))]

    def _read_parts(self, sight: _Sight, picture: Frame, looks: list[_Look], bets: list[Bet]) -> None:
        """Reads cards, then stacks: what lies under a card is no stack, what is plainly a stack no card."""
        small = [look for look in looks if self._may_be_chips(sight, look)]
        for look in looks:
            if look not in small:
                self._read_cards(sight, picture.image, look)
        for bet in bets:
            self._read_bet(sight, picture, bet)
        for look in small:
            if self._all_chips(sight, look):
                look.times = ENOUGH
            else:
                self._read_cards(sight, picture.image, look)

    def _may_be_chips(self, sight: _Sight, look: _Look) -> bool:
        """Whether what changed there could be a stack rather than a card."""
        if look.thing is None or self._cards.near(look.rect):
            return False
        rect = sight.grid.rect_of(look.thing)
        return max(rect.x1 - rect.x0, rect.y1 - rect.y0) < _STACK

    def _all_chips(self, sight: _Sight, look: _Look) -> bool:
        """Whether all that changed there is stacks that were just seen, with their shadows."""
        if look.thing is None or self._cards.near(look.rect):
            return False
        rest = look.thing.copy()
        for stack in (stack for bet in sight.bets if bet.looks for stack in bet.stacks):
            rest &= ~sight.grid.near(stack.x, stack.y, self._layout.chip / 2 + _SHADOW)
        return not rest.any()

    def _read_bet(self, sight: _Sight, picture: Frame, bet: Bet) -> None:
        patch = sight.map.patch(picture.image, bet.spot.rect)
        cards = self._cards.near(bet.spot.rect)
        bet.take(picture.t, self._chips.find(patch, bet.spot, self._white, bet.empty, [c.corners for c in cards]))
        if not cards:
            bet.learn(patch.image)

    def _read_cards(self, sight: _Sight, picture: Image, look: _Look) -> None:
        look.times += 1
        patch = sight.map.patch(picture, look.rect)
        found = [(on_felt(patch, s), s) for s in self._recogniser.recognise(patch.image, patch.px_per_mm)]
        self._cards.vote(look.rect, found, look.times)
        faces = [(s.p, corners) for corners, s in found if s.code is not None and s.p > _SURELY]
        if faces:
            self._learn_white(patch, max(faces, key=lambda face: face[0])[1])

    def _learn_white(self, patch: Patch, corners: NDArray[np.float64]) -> None:
        """A card's paper is what white looks like here and now."""
        part = patch.cut(Rect.around(corners))
        few = part.image[::_PAPER, ::_PAPER]
        inside = np.zeros(few.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, np.round(part.to_px(corners) / _PAPER).astype(np.int32), 1)
        paper = few[inside > 0]
        if len(paper) < 200 // _PAPER**2:
            return
        lighter = paper[np.argsort(paper.sum(1), kind="stable")[int(0.6 * len(paper)) :]]
        seen = np.sort(lighter, axis=0)[len(lighter) // 2].astype(np.float64)
        if float(seen.mean()) > 100:
            mixed = 0.7 * np.array(self._white) + 0.3 * seen
            self._white = (float(mixed[0]), float(mixed[1]), float(mixed[2]))

    def _observation(self, t: float, sight: _Sight, arms: list[Arm], covered: Mask) -> Observation:
        shown = self._cards.shown()
        cards = [c.seen_card() for c in shown if not arms or sight.grid.share(covered, _points(c.corners)) <= _HIDDEN]
        chips = self._seen_chips(sight, shown, covered if arms else None)
        signals = self._signals.read(t, arms)
        hands = [_seen_hand(arm, signal) for arm, signal in zip(arms, signals, strict=True)]
        for arm in arms:
            sleeve = forearm(arm, sight.grid, sight.on_felt)
            hands += [SeenHand(round(x, 1), round(y, 1), round(r, 1), arm.source) for x, y, r in sleeve]
        return Observation(round(t, 4), tuple(cards), tuple(chips), tuple(hands))

    def _seen_chips(self, sight: _Sight, cards: list[KeptCard], covered: Mask | None) -> list[SeenChips]:
        chips = once([c for bet in sight.bets for c in bet.seen()], self._layout.chip * 0.5)
        chips = [c for c in chips if not any(_lies_in(card, c) for card in cards)]
        if covered is None:
            return chips
        return [c for c in chips if sight.grid.share(covered, np.array([[c.x, c.y]])) < 0.5]


def _card_recogniser(weights: Path, card: tuple[float, float]) -> Recogniser:
    from vision.recognise import CardRecogniser  # here, so that a table can be watched without the network's runtime

    return CardRecogniser(weights, card)


def _things(group: Mask, plain: Mask) -> list[Mask]:
    """What differs in a group of changed cells, pieces beside each other together; all of it where nothing does."""
    core = group & plain
    return [core & piece for piece in components(grown(core, 1))] or [group]


def _with_margin(rect: Rect) -> Rect:
    """Widened; a thing too small to be a card may be a part of one, of which the rest looks like the felt."""
    small = min(rect.x1 - rect.x0, rect.y1 - rect.y0) < _PART
    return rect.grown(_AROUND_PART if small else _MARGIN)


def _seen_hand(arm: Arm, signal: str | None) -> SeenHand:
    return SeenHand(round(arm.x, 1), round(arm.y, 1), round(arm.r, 1), arm.source, signal)


def _lively(arms: list[Arm], change: Change) -> list[Arm]:
    """The arms without what has lain perfectly still for long: a thing left reaching over the edge."""
    return [arm for arm in arms if float(change.still[arm.cells].min()) < _NO_ARM]


def _covered(arms: list[Arm], shape: tuple[int, int]) -> Mask:
    covered = np.zeros(shape, np.bool_)
    for arm in arms:
        covered |= arm.cells
    return covered


def _shrunk(image: Image, times: int) -> Image:
    if times == 1:
        return image
    size = (image.shape[1] // times, image.shape[0] // times)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _points(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points spread over a card: 5 by 7."""
    u, v = (a.ravel()[:, None] for a in np.meshgrid(np.linspace(0.05, 0.95, 5), np.linspace(0.05, 0.95, 7)))
    top, low = corners[0] + u * (corners[1] - corners[0]), corners[3] + u * (corners[2] - corners[3])
    return np.asarray(top + v * (low - top), np.float64)


def _lies_in(card: KeptCard, chip: SeenChips) -> bool:
    """Whether a stack's middle is well inside a card: then it is something printed on the card."""
    inside = cv2.pointPolygonTest(card.corners.astype(np.float32), (chip.x, chip.y), True)
    return inside > 3.0
