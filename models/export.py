"""Exports both networks to ONNX with a manifest; `python -m models.export --train runs/train --data runs/data`."""

import argparse
import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

from models import weights_path
from models.decks import CREDITS, DECKS


def export_detector(checkpoint: Path, out: Path) -> None:
    """Write `detector.onnx`, any size of picture, from ultralytics' checkpoint."""
    os.environ.update(YOLO_OFFLINE="1", YOLO_AUTOINSTALL="0")
    from ultralytics import YOLO

    made = YOLO(str(checkpoint), task="pose").export(format="onnx", dynamic=True, simplify=True, opset=17, imgsz=416)
    shutil.move(str(made), out / "detector.onnx")


def export_reader(train: Path, kind: str, out: Path) -> dict[str, Any]:
    """Write the reader of this kind of patch and return the figures kept with the checkpoint."""
    import torch

    from models.cuts import CUTS
    from models.train_reader import FILES, ReaderNet

    cut = CUTS[kind]
    saved = torch.load(train / FILES[kind])
    net = ReaderNet(cut)
    net.load_state_dict(saved["net"])
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(2, 3, cut.size[1], cut.size[0]),),
        str(out),
        input_names=["patches"],
        output_names=["ranks", "suits"],
        dynamic_axes={"patches": {0: "n"}, "ranks": {0: "n"}, "suits": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    return dict(saved["figures"])


FILES = ("detector.onnx", "reader.onnx", "face.onnx")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", type=Path, default=Path("runs/train"))
    parser.add_argument("--out", type=Path, default=weights_path())
    parser.add_argument("--checkpoint", default="best.pt")
    parser.add_argument(
        "--notes", default="", help="how the weights were made, for the manifest: pictures, epochs, seed"
    )
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    export_detector(args.train / "detector" / "weights" / args.checkpoint, args.out)
    reader = export_reader(args.train, "index", args.out / "reader.onnx")
    face = export_reader(args.train, "face", args.out / "face.onnx")
    manifest = {
        "data": "synthetic pictures alone, made by models.dataset; no photograph was trained on",
        "made": args.notes,
        "reader_held_out": reader,
        "face_held_out": face,
        "seen_decks": {d.name: CREDITS[d.name] for d in DECKS if not d.unseen},
        "unseen_decks": {d.name: CREDITS[d.name] for d in DECKS if d.unseen},
        "sha256": {n: digest(args.out / n) for n in FILES},
        "bytes": {n: (args.out / n).stat().st_size for n in FILES},
    }
    kept = args.out / "manifest.json"
    before = json.loads(kept.read_text()) if kept.is_file() else {}
    kept.write_text(json.dumps(before | manifest, indent=1) + "\n")
    print(f"wrote {args.out}")


if __name__ == "__main__":
    main()
