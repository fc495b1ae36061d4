"""Measures the shipped weights: unseen decks as they lie at a table, calibration, pictures without cards.

`python -m models.evaluate --art runs/art --textures runs/art/textures --json` prints the figures; in `--out` lie
`reliability.png`, `confusion.png` and `misses/` (what went wrong, drawn).
"""

import argparse
import itertools
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models import weights_path
from models.backgrounds import background
from models.decks import DECKS
from models.pictures import FACE, INDEX, Supplies, compose, load_supplies
from models.render.deck import JOKER
from models.spoil import spoil
from table_state.cards import RANKS
from vision.photo import PhotoReader
from vision.recognise import CardRecogniser
from vision.sighting import CardSighting

CARD_PX = 120.0


@dataclass(slots=True)
class Tally:
    """What was there and what was read."""

    cards: int = 0
    read: int = 0
    right: int = 0
    wrong: int = 0
    invented: int = 0
    places: list[float] = field(default_factory=list)  # distance of centres, parts of a card's long side
    said: list[tuple[float, bool]] = field(default_factory=list)
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)

    def figures(self) -> dict[str, float | int | None]:
        """Recall and precision of full codes, and how honest p >= 0.95 is."""
        sure = [ok for p, ok in self.said if p >= 0.95]
        return {
            "cards": self.cards,
            "code_recall": round(self.right / max(1, self.cards), 4),
            "code_precision": round(self.right / max(1, self.right + self.wrong + self.invented), 4),
            "wrong": self.wrong,
            "invented": self.invented,
            "sure_share": round(len(sure) / max(1, self.cards), 4),
            "sure_right": round(float(np.mean(sure)), 4) if sure else None,
            "place_median_mm": round(float(np.median(self.places)) * 88.9, 2) if self.places else None,
            "place_p95_mm": round(float(np.percentile(self.places, 95)) * 88.9, 2) if self.places else None,
        }


Card = tuple[str, NDArray[np.float64]]  # code, corners px


def compare(
    truth: list[Card], seen: list[CardSighting], tally: Tally, partly: Sequence[Card] = ()
) -> list[CardSighting]:
    """Pair true cards with sightings, nearest first; returns the sightings that were wrong.

    `partly`: cards of which too little shows to ask for them; what is read of them rightly counts neither way.
    """
    left = [s for s in seen if s.code is not None and "?" not in s.code]
    bad = []
    tally.cards += len(truth)
    pairs = sorted(
        (float(np.hypot(*(q.mean(axis=0) - s.polygon.mean(axis=0)))), i, j)
        for i, (_, q) in enumerate(truth)
        for j, s in enumerate(left)
    )
    used_truth: set[int] = set()
    used_seen: set[int] = set()
    for same_code in (True, False):  # equal codes first: neighbours of a hand lie close together
        for distance, i, j in pairs:
            long = float(np.hypot(*(truth[i][1][0] - truth[i][1][3])))
            if i in used_truth or j in used_seen or distance > 0.3 * long or (truth[i][0] == left[j].code) != same_code:
                continue
            used_truth.add(i)
            used_seen.add(j)
            tally.places.append(distance / long)
            tally.right += same_code
            tally.wrong += not same_code
            tally.said.append((left[j].p, same_code))
            tally.confusion[truth[i][0][0], str(left[j].code)[0]] += 1
            if not same_code:
                bad.append(left[j])
    for j, s in enumerate(left):
        if j not in used_seen and not any(_is_of(s, card) for card in partly):
            tally.invented += 1
            tally.said.append((s.p, False))
            bad.append(s)
    return bad


def _is_of(sighting: CardSighting, card: Card) -> bool:
    code, quad = card
    apart = float(np.hypot(*(quad.mean(axis=0) - sighting.polygon.mean(axis=0))))
    return sighting.code == code and apart < 0.3 * float(np.hypot(*(quad[0] - quad[3])))


def unseen_decks(supplies: Supplies, recogniser: CardRecogniser, pictures: int, seed: int, out: Path) -> Tally:
    """Unseen drawn decks overlapped as they lie, seen from above at a known scale, 120 px a card, new decks each time.

    Lit, blurred, noisy and compressed as in training, but with the detail that 120 px hold: not enlarged from less.
    """
    tally = Tally()
    (out / "misses").mkdir(parents=True, exist_ok=True)
    for number in range(pictures):
        rng = np.random.default_rng([seed, number])
        image, labels = compose(
            rng, 480, supplies, (CARD_PX, CARD_PX), tilted=0.0, own_share=0.0, usual=0.0, night=0.0, shrink=False
        )
        truth: dict[bytes, tuple[str, NDArray[np.float64]]] = {}
        for label in labels:
            if label.cls == INDEX and label.code and label.code != JOKER:
                quad = label.points[2:]
                truth.setdefault(np.round(quad[np.lexsort(quad.T)]).tobytes(), (label.code, quad))
        cards = list(truth.values())
        partly = [(label.code, label.points[2:]) for label in labels if label.cls == FACE and label.code]
        recogniser.new_deck()
        bad = compare(cards, recogniser.recognise(image, CARD_PX / 88.9), tally, partly)
        if bad and number < 200:
            _draw(image, bad, out / "misses" / f"{number:04d}.png")
    return tally


def _draw(image: NDArray[np.uint8], bad: list[CardSighting], path: Path) -> None:
    picture = image.copy()
    for s in bad:
        cv2.polylines(picture, [s.polygon.astype(np.int32)], True, (0, 0, 255), 2)
        x, y = s.polygon.mean(axis=0)
        cv2.putText(
            picture,
            f"{s.code} {s.p:.2f}",
            (int(x) - 20, int(y)),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.5,
            (255, 0, 255),
            1,
            cv2.LINE_AA,
        )
    cv2.imwrite(str(path), picture)


def without_cards(supplies: Supplies, reader: PhotoReader, pictures: int, seed: int) -> dict[str, int]:
    """False cards in pictures that hold none: cloths, woods, prints, pages, photographs."""
    false = 0
    shown = 0
    for number in range(pictures):
        rng = np.random.default_rng([seed, 5, number])
        seen = [
            c
            for c in reader.read(spoil(background(rng, 640, supplies.textures), rng)).cards
            if c.code and "?" not in c.code
        ]
        false += len(seen)
        shown += bool(seen)
    return {"pictures": pictures, "false_cards": false, "pictures_with_false_cards": shown}


def reliability(said: list[tuple[float, bool]], path: Path) -> list[dict[str, float]]:
    """Write the reliability plot and return its rows: stated probability, how often right, how many."""
    rows = []
    edges = [0.25, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01]
    canvas = np.full((420, 420, 3), 255, np.uint8)
    cv2.line(canvas, (10, 410), (410, 10), (180, 180, 180), 1, cv2.LINE_AA)
    for low, high in itertools.pairwise(edges):
        part = [(p, ok) for p, ok in said if low <= p < high]
        if part:
            stated, right = float(np.mean([p for p, _ in part])), float(np.mean([ok for _, ok in part]))
            rows.append({"stated": round(stated, 4), "right": round(right, 4), "n": len(part)})
            cv2.circle(
                canvas,
                (int(10 + 400 * stated), int(410 - 400 * right)),
                3 + int(np.log1p(len(part))),
                (160, 60, 20),
                -1,
                cv2.LINE_AA,
            )
    cv2.imwrite(str(path), canvas)
    return rows


def confusion_picture(confusion: Counter[tuple[str, str]], path: Path) -> None:
    """Write the table of true ranks (rows) against read ranks (columns)."""
    cell = 34
    canvas = np.full((cell * 14, cell * 14, 3), 255, np.uint8)
    for i, rank in enumerate(RANKS):
        for at in ((4, cell * (i + 2) - 10), (cell * (i + 1) + 8, cell - 10)):
            cv2.putText(canvas, rank, at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1, cv2.LINE_AA)
        total = sum(confusion[rank, r] for r in RANKS)
        for j, other in enumerate(RANKS):
            n = confusion[rank, other]
            shade = int(255 * (1 - n / total)) if total else 255
            corner = (cell * (j + 1), cell * (i + 1))
            cv2.rectangle(
                canvas, corner, (corner[0] + cell, corner[1] + cell), (shade, 255 if i == j else shade, shade), -1
            )
            if n:
                cv2.putText(
                    canvas,
                    str(n),
                    (corner[0] + 2, corner[1] + 21),
                    cv2.FONT_HERSHEY_SIMPLEX,
                    0.36,
                    (0, 0, 0),
                    1,
                    cv2.LINE_AA,
                )
    cv2.imwrite(str(path), canvas)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--art", type=Path, default=Path("runs/art"))
    parser.add_argument("--textures", type=Path, default=Path("runs/art/textures"))
    parser.add_argument("--weights", type=Path, default=weights_path())
    parser.add_argument("--out", type=Path, default=Path("runs/evaluation"))
    parser.add_argument("--pictures", type=int, default=300)
    parser.add_argument("--empty", type=int, default=500)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    supplies = load_supplies(args.art, args.textures, [], [d.name for d in DECKS if d.unseen])
    tally = unseen_decks(supplies, CardRecogniser(args.weights), args.pictures, args.seed, args.out)
    report = {
        "unseen_decks_120px": tally.figures(),
        "reliability": reliability(tally.said, args.out / "reliability.png"),
        "without_cards": without_cards(supplies, PhotoReader(args.weights), args.empty, args.seed),
    }
    confusion_picture(tally.confusion, args.out / "confusion.png")
    if args.json:
        print(json.dumps(report))
        return
    for name, value in report.items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
