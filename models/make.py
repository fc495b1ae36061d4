"""Remakes the shipped weights from nothing: `python -m models.make --out runs --seed 1`, hours on two cores.

Fetches the card art, writes the data set, trains the readers and the detector, exports and measures them. Each step
shows its progress, and goes on where it was stopped when the command is given again.
"""

import argparse
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ART = ("apt-get", "dpkg-deb", "npm", "rsvg-convert", "pdftoppm"), ("pip", "PySide6")
"""Programs and modules that fetch and draw the card art."""
TRAINING = ("fc-list",), ("torch", "torchvision", "ultralytics", "onnx", "onnxslim")
"""Those that every later step needs, one or the other."""


def missing(art: Path) -> list[str]:
    """What is not installed of what is still needed; the art is fetched but once."""
    needs = [TRAINING] if (art / "textures" / "000.jpg").is_file() else [ART, TRAINING]
    programs = [name for some, _ in needs for name in some if shutil.which(name) is None]
    return programs + [name for _, some in needs for name in some if find_spec(name) is None]


def steps(args: argparse.Namespace) -> list[tuple[str, list[str]]]:
    """The modules to run, in order, with their arguments."""
    out: Path = args.out
    art, textures, data, trained = (str(out / name) for name in ("art", "art/textures", "data", "train"))
    seed, threads = ["--seed", str(args.seed)], ["--threads", str(args.threads)]
    detector = ["--epochs", str(args.epochs), "--resume"]
    reader = ["--epochs", str(args.reader_epochs), "--resume"]
    epochs = f"{args.epochs} epochs of the detector, {args.reader_epochs} of the readers"
    notes = f"{args.pictures} pictures, {epochs}, seed {args.seed}"
    return [
        ("models.art", ["--out", art]),
        (
            "models.dataset",
            ["--out", data, "--art", art, "--textures", textures, "--pictures", str(args.pictures), *seed],
        ),
        ("models.train_reader", ["--data", data, "--out", trained, "--kind", "index", *reader, *threads, *seed]),
        ("models.train_reader", ["--data", data, "--out", trained, "--kind", "face", *reader, *threads, *seed]),
        ("models.train", ["--data", data, "--out", trained, *detector, *threads, *seed]),
        ("models.export", ["--train", trained, "--out", str(args.weights or out / "weights"), "--notes", notes]),
        (
            "models.evaluate",
            ["--art", art, "--textures", textures, "--weights", str(args.weights or out / "weights"), "--json"],
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs"))
    parser.add_argument("--weights", type=Path, help="where the weights go; default OUT/weights")
    parser.add_argument("--pictures", type=int, default=23000)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--reader-epochs", type=int, default=8)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if lacking := missing(args.out / "art"):
        sys.exit(f"models.make: not installed: {', '.join(lacking)}; see README, Weights")
    for module, argv in steps(args):
        print(f"== {module} {' '.join(argv)}", flush=True)
        done = subprocess.run([sys.executable, "-m", module, *argv], check=False)
        if done.returncode:
            sys.exit(f"{module} stopped with status {done.returncode}; give the same command again to go on from there")


if __name__ == "__main__":
    main()
