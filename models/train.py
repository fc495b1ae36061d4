"""Trains the detector with ultralytics; `python -m models.train --data runs/data --epochs 4 --seed 1`.

It goes on from its last checkpoint when it was stopped (`--resume`), and shows ultralytics' own progress.
"""

import argparse
import math
import os
from pathlib import Path
from typing import Any

import yaml

# Distances are forgiven by these (fractions of the root of the box's area, as in OKS): a card's corners lie far outside
# the small box of its index, and with the usual sigmas their error would saturate and teach nothing.
SIGMAS = [0.15, 0.15, 0.8, 0.8, 0.8, 0.8]
NAMES = {0: "index", 1: "back", 2: "chip", 3: "face"}


def write_data_file(data: Path, held_out: int, newest: int | None) -> Path:
    """Split off the first `held_out` pictures for validation and write ultralytics' data file; returns its path.

    `newest` limits the training to that many pictures from the end. Raises FileNotFoundError without pictures.
    """
    pictures = sorted((data / "images").glob("*.jpg"))
    if len(pictures) <= held_out:
        raise FileNotFoundError(f"{data}/images: {len(pictures)} pictures; run python -m models.dataset first")
    for name, part in (("train", pictures[held_out:][-(newest or len(pictures)) :]), ("val", pictures[:held_out])):
        (data / f"{name}.txt").write_text("".join(f"{p.resolve()}\n" for p in part))
    file = data / "data.yaml"
    file.write_text(
        yaml.safe_dump(
            {
                "path": str(data.resolve()),
                "train": "train.txt",
                "val": "val.txt",
                "names": NAMES,
                "kpt_shape": [6, 3],
                "flip_idx": list(range(6)),
                "kpt_oks_sigmas": SIGMAS,
            }
        )
    )
    return file


def model_file(scale: str, folder: Path) -> Path:
    """Write models/detector.yaml with its scale's letter in the name, as ultralytics wants it."""
    content = yaml.safe_load((Path(__file__).parent / "detector.yaml").read_text())
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"detector{scale}-pose.yaml"
    path.write_text(yaml.safe_dump(content | {"scale": scale}, sort_keys=False))
    return path


class Course:
    """The learning rate by the step: a short rise, then half a cosine down to a fiftieth.

    Ultralytics changes it by the epoch, too coarse for trainings of a few epochs.
    """

    RISE = 80  # steps

    def __init__(self, peak: float) -> None:
        self.peak, self.step = peak, 0

    def __call__(self, trainer: Any) -> None:
        steps = len(trainer.train_loader)
        self.step = max(self.step, trainer.epoch * steps)
        done = min(1.0, self.step / max(1, trainer.epochs * steps))
        rate = self.peak * (0.02 + 0.98 * (1 + math.cos(math.pi * done)) / 2) * min(1.0, (self.step + 1) / self.RISE)
        for group in trainer.optimizer.param_groups:
            group["lr"] = rate
        self.step += 1


def train(args: argparse.Namespace) -> None:
    """Run or resume the training; the checkpoint is OUT/detector/weights/best.pt."""
    os.environ.update(YOLO_OFFLINE="1", YOLO_AUTOINSTALL="0")
    import torch
    from ultralytics import YOLO

    last = args.out / "detector" / "weights" / "last.pt"
    finished = args.out / "detector" / "finished"
    if args.resume and finished.is_file():
        print(f"{finished.parent}: trained already")
        return

    def on_train_start(trainer: Any) -> None:
        torch.set_num_threads(args.threads)  # ultralytics sets one on a two-core machine
        if args.device == "cpu":
            trainer.model.to(memory_format=torch.channels_last)  # a fifth faster

    model = YOLO(
        str(last if args.resume and last.is_file() else args.weights or model_file(args.scale, args.out)), task="pose"
    )
    model.add_callback("on_train_start", on_train_start)
    model.add_callback("on_train_batch_start", Course(args.lr))
    model.train(
        data=str(write_data_file(args.data, args.held_out, args.pictures)),
        imgsz=416,
        epochs=args.epochs,
        batch=args.batch,
        nbs=args.batch,  # a step a batch: ultralytics would gather 64 pictures a step, too few steps for hours of CPU
        seed=args.seed,
        project=str(args.out.resolve()),
        name="detector",
        exist_ok=True,
        resume=args.resume and last.is_file(),
        pretrained=bool(args.weights),
        amp=False,
        plots=False,
        workers=0 if args.device == "cpu" else 8,
        device=args.device,
        deterministic=True,
        optimizer="AdamW",
        lr0=args.lr,
        warmup_epochs=0.0,
        weight_decay=0.0005,
        mosaic=0.0,
        close_mosaic=0,
        fliplr=0.0,
        flipud=0.0,
        degrees=0.0,
        translate=0.08,
        scale=0.15,
        erasing=0.0,
        hsv_h=0.03,
        hsv_s=0.5,
        hsv_v=0.35,
        box=5.0,
        pose=10.0,
        kobj=0.3,
        cls=0.8,
        dfl=1.2,
        save_period=1,
    )
    finished.touch()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("runs/data"))
    parser.add_argument("--out", type=Path, default=Path("runs/train"))
    parser.add_argument("--scale", default="t")
    parser.add_argument("--weights", type=Path, help="start from a checkpoint")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--pictures", type=int, help="train on the newest N pictures alone")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--lr", type=float, default=0.0015)
    parser.add_argument("--held-out", type=int, default=200)
    parser.add_argument("--device", default="cpu", help="cpu, or a GPU's number")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
