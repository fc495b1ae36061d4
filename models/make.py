"""Remakes the shipped weights from nothing: `python -m models.make --out runs --seed 1`, hours on two cores.

Fetches the card art, writes the data set, trains the readers and the detector, exports and measures them. Each step
shows its progress, and goes on where it was stopped when the command is given again.
"""

import argparse
import subprocess
import sys
from pathlib import Path


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
    for module, argv in steps(args):
        print(f"== {module} {' '.join(argv)}", flush=True)
        done = subprocess.run([sys.executable, "-m", module, *argv], check=False)
        if done.returncode:
            sys.exit(f"{module} stopped with status {done.returncode}; give the same command again to go on from there")


if __name__ == "__main__":
    main()
