"""Writes the data set: pictures with labels for the detector, index patches for the reader.

`python -m models.dataset --out runs/data --art runs/art --pictures 8000 --seed 1`; it goes on where it was stopped.
"""

import argparse
import multiprocessing
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.cuts import FACE_CUT, INDEX_CUT, JOKER_RANK, MARGIN, NO_SUIT, NONE, WIDE_REACH
from models.decks import DECKS
from models.pictures import BACK, FACE, INDEX, Image, Label, Supplies, compose, load_supplies
from models.render.deck import JOKER
from table_state.cards import RANKS, SUITS
from vision.face import face_patch
from vision.outline import lengthwise
from vision.patch import index_patch

SIZE = 416
SHARD = 250  # pictures written at a time

FONT_PACKAGES = (
    "fonts-roboto-slab",
    "fonts-liberation",
    "fonts-dejavu",
    "fonts-urw-base35",
    "fonts-lato",
    "fonts-open-sans",
    "fonts-roboto",
)
UNSEEN_FONTS = ("C059", "Lato", "LiberationSansNarrow", "RobotoCondensed")  # kept for measuring
_UNFIT = (
    "Italic",
    "Oblique",
    "Thin",
    "Hairline",
    "Symbol",
    "Dingbat",
    "Math",
    "Noto",
    "Fallback",
    "Z003",
    "D050000L",
    "_K.",
    "_R.",
    "_RI",
    "_RZ",
    "_DR",
    "_M.",
    "_I.",
    "_RB",
    "BdIta",
    "-It",
)


def fonts() -> list[Path]:
    """TrueType and OpenType files of this system that can print an index; raises RuntimeError without any."""
    listed = subprocess.run(
        ["fc-list", "--format", "%{file}\n"], capture_output=True, text=True, check=True
    ).stdout.split("\n")
    paths = [Path(p) for p in set(listed) if p.endswith((".ttf", ".otf"))]
    fit = [p for p in paths if not any(u in p.name for u in _UNFIT + UNSEEN_FONTS)]
    if not fit:
        raise RuntimeError(f"no fonts found; apt-get install {' '.join(FONT_PACKAGES)}")
    return sorted(fit, key=lambda p: p.name)


def label_line(label: Label, size: int) -> str:
    """The label in ultralytics' pose format: class, box centre and size, six points with visibility, all 0 to 1."""
    x0, y0, x1, y1 = (v / size for v in label.box)
    numbers = [f"{v:.5f}" for v in ((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0)]
    for x, y in label.points / size:
        if np.isfinite(x) and -0.4 < x < 1.4 and -0.4 < y < 1.4:
            numbers += [
                f"{min(max(x, 0.0), 1.0):.5f}",
                f"{min(max(y, 0.0), 1.0):.5f}",
                "2" if 0 <= x <= 1 and 0 <= y <= 1 else "0",
            ]
        else:
            numbers += ["0", "0", "0"]
    return " ".join([str(label.cls), *numbers])


def patches(
    image: Image, labels: Sequence[Label], rng: np.random.Generator
) -> tuple[list[NDArray[np.uint8]], list[tuple[int, int]]]:
    """Index patches with (rank, suit) numbers, and patches of what is no index (`NONE`, `NO_SUIT`)."""
    cut, what = [], []
    marks = [label for label in labels if label.cls == INDEX and label.code]
    for label in marks:
        assert label.code
        cut.append(index_patch(image, label.points[0], label.points[1], INDEX_CUT.stored, WIDE_REACH))
        what.append(_numbers(label.code))
    size = image.shape[0]
    for _ in range(1 + len(marks) // 5):
        at = rng.uniform(10, size - 10, 2)
        faces = [label for label in labels if label.cls == FACE]
        if faces and rng.random() < 0.6:  # court art and pips
            quad = faces[int(rng.integers(len(faces)))].points[2:]
            a, b = rng.uniform(0.1, 0.9, 2)
            at = quad[0] + a * (quad[1] - quad[0]) + b * (quad[3] - quad[0])
        if any(
            np.hypot(*(label.points[:2].mean(axis=0) - at)) < np.hypot(*(label.points[0] - label.points[1])) * 1.4
            for label in marks
        ):
            continue
        turn, far = rng.uniform(0, 2 * np.pi), rng.uniform(5, 22)
        step = np.array([np.cos(turn), np.sin(turn)]) * far
        cut.append(index_patch(image, at, at + step, INDEX_CUT.stored, WIDE_REACH))
        what.append((NONE, NO_SUIT))
    return cut, what


def _numbers(code: str) -> tuple[int, int]:
    return (JOKER_RANK, NO_SUIT) if code == JOKER else (RANKS.index(code[0]), SUITS.index(code[1]))


PLAIN, HIDDEN = 0.62, 0.35  # of a face that shows: above, it must be read; below, it must not; between, who knows


def faces(
    image: Image, labels: Sequence[Label], rng: np.random.Generator
) -> tuple[list[NDArray[np.uint8]], list[tuple[int, int]]]:
    """Patches of whole faces with (rank, suit) numbers, and of what is none or is covered (`NONE`, `NO_SUIT`)."""
    cut, what = [], []
    size = image.shape[0]

    def take(quad: NDArray[np.float64], numbers: tuple[int, int]) -> None:
        if (quad > -0.1 * size).all() and (quad < 1.1 * size).all():
            cut.append(face_patch(image, quad, FACE_CUT.stored, MARGIN))
            what.append(numbers)

    for label in labels:
        quad = lengthwise(label.points[2:])
        if label.cls == BACK or (label.cls == FACE and label.shown < HIDDEN):
            if rng.random() < 0.3:
                take(quad, (NONE, NO_SUIT))
        elif label.cls == FACE and label.code and label.shown > PLAIN:
            take(quad, _numbers(label.code))
            if rng.random() < 0.25:  # beside the card
                way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.22, 0.6) * np.hypot(*(quad[0] - quad[3]))
                take(quad + far * np.array([np.cos(way), np.sin(way)]), (NONE, NO_SUIT))
    return cut, what


_shared: list[Supplies] = []  # inherited by the forked workers: decks hold functions, which cannot be sent


def _write_shard(job: tuple[int, int, int, Path]) -> int:
    first, count, seed, out = job
    supplies = _shared[0]
    cuts: dict[str, list[NDArray[np.uint8]]] = {"index": [], "face": []}
    whats: dict[str, list[tuple[int, int]]] = {"index": [], "face": []}
    for number in range(first, first + count):
        rng = np.random.default_rng([seed, number])
        image, labels = compose(rng, SIZE, supplies)
        cv2.imwrite(str(out / "images" / f"{number:06d}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        (out / "labels" / f"{number:06d}.txt").write_text("".join(label_line(x, SIZE) + "\n" for x in labels))
        for kind, maker in (("index", patches), ("face", faces)):
            cut, what = maker(image, labels, rng)
            cuts[kind] += cut
            whats[kind] += what
    for kind in ("face", "index"):  # the index last: its file says that the shard is done
        file = out / kind / f"part{first:06d}.npz"
        np.savez(file, patches=np.array(cuts[kind], np.uint8), labels=np.array(whats[kind], np.uint8))
    return len(cuts["index"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs/data"))
    parser.add_argument("--art", type=Path, default=Path("runs/art"))
    parser.add_argument("--textures", type=Path, default=Path("runs/art/textures"))
    parser.add_argument("--pictures", type=int, default=8000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unseen", action="store_true", help="the decks kept for measuring, instead of the others")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    cv2.setNumThreads(1)  # before any picture is read: OpenCV's threads do not survive a fork
    for name in ("images", "labels", "index", "face"):
        (args.out / name).mkdir(parents=True, exist_ok=True)
    _shared.append(load_supplies(args.art, args.textures, fonts(), [d.name for d in DECKS if d.unseen == args.unseen]))
    starts = range(args.first, args.first + args.pictures, SHARD)
    jobs = [
        (s, min(SHARD, args.first + args.pictures - s), args.seed, args.out)
        for s in starts
        if not (args.out / "index" / f"part{s:06d}.npz").is_file()
    ]
    began = time.monotonic()
    with multiprocessing.get_context("fork").Pool(args.workers) as pool:
        for n, count in enumerate(pool.imap_unordered(_write_shard, jobs), 1):
            print(f"{n}/{len(jobs)} shards, {count} patches, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
