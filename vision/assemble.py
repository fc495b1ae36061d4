"""From what the networks found and read to sightings of physical cards, each once and with an honest probability."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.detector import BACK, FACE, INDEX, Detection
from vision.gauge import Gauge
from vision.locate import JOKER, ReadIndex, corners, gather, left_corners, opposed
from vision.outline import Outline
from vision.reader import Reading, fuse
from vision.sighting import CardSighting

UNREAD = "??"
ALONE = 0.5  # the least trust in an index that nothing else bears out
EXPLAINED = 0.6  # of a face without an index that known cards cover
CLEAR = 0.85  # of a card's long side between two centres: then neither card covers the other's pips
NOT_SEEN = 0.5  # of a reading's "nothing here" above which it says nothing of a card
DRAWN = 0.5  # score under which an index in the middle of another card is a part of its picture
DOUBTFUL = 0.6  # of a rank and suit together
COINCIDE = 0.11  # of a card's long side: a card that lies nearer under another shows no rank
LEAST_BACK, LEAST_FACE = 0.5, 0.55  # scores

Quad = NDArray[np.float64]
FaceLook = Callable[[Sequence[Quad]], list[Reading]]  # reads whole faces, given their corners


def cards(
    detections: Sequence[Detection],
    readings: Sequence[Reading],
    gauge: Gauge | None = None,
    sure: float = 0.5,
    look: FaceLook | None = None,
) -> list[CardSighting]:
    """Physical cards out of all detections of a picture; `readings` belong to its INDEX detections, in order.

    `gauge` tells a card's place where the scale is known. `sure`: the least probability at which a rank or suit is
    named. `look` reads the faces that nothing covers. Backs that a face covers at the same place are dropped; faces
    that cannot be read are "??".
    """
    found = [d for d in detections if d.cls == INDEX]
    read = [
        ReadIndex(d, r) for d, r in zip(found, readings, strict=True) if r.no_index < NOT_SEEN and d.outline.sensible()
    ]
    faces = [d for d in detections if d.cls == FACE and d.outline.sensible()]
    if gauge is None:
        groups, place = gather(left_corners(read)), corners
    else:
        groups, place = gauge.gather(read, [d.outline for d in faces]), gauge.place
    groups, places = _once(groups, [Outline(place(g)) for g in groups], gauge)
    bare = [d for d in faces if d.score > LEAST_FACE and not _explained(d.outline, places)]
    backs = [
        d
        for d in detections
        if d.cls == BACK
        and d.score > LEAST_BACK
        and d.outline.sensible()
        and (gauge is None or gauge.fits(d.outline))
        and not any(d.outline.same(p) for p in places)
    ]
    told = _look(places + [d.outline for d in bare], groups, [d.outline for d in backs], look)
    outlines = [d.outline for d in faces]
    seen = [
        _sighting(p.quad, _belief(g, told.get(k)), _is_a_card(g, p, outlines), sure)
        for k, (g, p) in enumerate(zip(groups, places, strict=True))
    ]
    seen += [CardSighting(d.points[2:], None, round(d.score, 4)) for d in backs]
    return seen + [_bare(d, told.get(len(groups) + k), sure) for k, d in enumerate(bare)]


def _once(
    groups: Sequence[list[ReadIndex]], places: Sequence[Outline], gauge: Gauge | None
) -> tuple[list[list[ReadIndex]], list[Outline]]:
    """Without the ends of cards that could not be paired, but tell a place and a reading that another group has.

    What is read otherwise at a place where no two cards can show an index each is a rival reading of the one card
    that lies there.
    """
    order = sorted(range(len(groups)), key=lambda k: -len(groups[k]))
    kept: dict[int, list[ReadIndex]] = {}
    for k in order:
        if any(_told_already(groups[k], places[k], g, places[j], gauge) for j, g in kept.items()):
            continue
        told = gauge is not None and gauge.knows_print  # else one index alone tells a place by many millimetres wrong
        rival = next((j for j in kept if told and places[k].same(places[j], COINCIDE)), None)
        if rival is None:
            kept[k] = groups[k]
        else:
            kept[rival] = kept[rival] + groups[k]
    return list(kept.values()), [places[k] for k in kept]


def _told_already(
    group: Sequence[ReadIndex], place: Outline, other: Sequence[ReadIndex], its_place: Outline, gauge: Gauge | None
) -> bool:
    """Whether a group is nothing but an end of another card, which is known.

    Or a further index of a four-cornered one, which tells a card beside its own and may be half hidden, or something
    in a court's picture.
    """
    first, same = group[0], group[0].name == other[0].name
    if same and place.same(its_place):
        return True
    if len(group) > 1:
        return False
    if (same or first.reading.likely < DOUBTFUL) and gauge is not None and gauge.prints_at(first, its_place.quad):
        return True
    return first.detection.score < DRAWN and _both_ends(other) and its_place.holds(first.detection.points[0])


def _explained(face: Outline, places: Sequence[Outline]) -> bool:
    """True where a face is one of the cards that are known, or of several of them together."""
    return any(face.near(p) for p in places) or sum(face.inside(p) for p in places) > EXPLAINED


def _look(
    spots: Sequence[Outline], groups: Sequence[Sequence[ReadIndex]], backs: Sequence[Outline], look: FaceLook | None
) -> dict[int, Reading]:
    """What the faces tell that nothing covers, by their number among `spots`, of which the first are the groups'."""
    if look is None:
        return {}
    plain = [
        k
        for k, spot in enumerate(spots)
        if (k < len(groups) and _both_ends(groups[k])) or _clear(spot, [*spots, *backs])
    ]
    return dict(zip(plain, look([spots[k].quad for k in plain]), strict=True))


def _both_ends(group: Sequence[ReadIndex]) -> bool:
    return any(opposed(group[0].detection, other.detection) for other in group[1:])


def _clear(spot: Outline, others: Sequence[Outline]) -> bool:
    return not any(other is not spot and spot.near(other, CLEAR) for other in others)


def _belief(group: Sequence[ReadIndex], face: Reading | None) -> Reading:
    readings = [i.reading for i in group]
    return fuse([*readings, face] if face is not None and face.no_index < NOT_SEEN else readings)


def _is_a_card(group: Sequence[ReadIndex], place: Outline, faces: Sequence[Outline]) -> float:
    """The probability that a group belongs to a card and is no print, key or label that looks like an index.

    One index alone, no face found where its card should lie, is as good as its score says: counted on photographs.
    """
    if len(group) > 1 or any(place.near(face) for face in faces):
        return 1.0
    return min(1.0, ALONE + (1 - ALONE) * group[0].detection.score)


def _sighting(place: Quad, belief: Reading, card: float, sure: float) -> CardSighting:
    """A rank or suit below the probability `sure` is not said, nor both where together they are below it.

    `card`: the probability that it is a card at all.
    """
    if belief.joker > 0.5:
        return CardSighting(place, UNREAD, round(min(belief.joker * card, 0.999), 4), JOKER)
    code, rank, suit = belief.best()
    name, p = "", card
    for letter, likely in zip(code, (rank, suit), strict=True):
        said = p * likely >= sure
        name, p = name + (letter if said else "?"), p * likely if said else p
    return CardSighting(place, name, round(min(p, 0.999), 4), rank_p=round(min(card * rank, 0.999), 4))


def _bare(face: Detection, told: Reading | None, sure: float) -> CardSighting:
    """A face of which no index was found: what its pips tell, or unread."""
    if told is None or told.no_index >= NOT_SEEN:
        return CardSighting(face.points[2:], UNREAD, round(face.score * 0.8, 4))
    return _sighting(face.points[2:], told, min(face.score, 1.0), max(sure, 0.8))
