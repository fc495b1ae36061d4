"""Compares ONNX Runtime with ncnn on the shipped detector: python -m models.runtimes (needs the extra `runtimes`).

Prints CPU milliseconds a picture on one thread, the smallest of several runs, and how far the two agree.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models import weights_path
from models.render.scene import PlacedCard, Scene
from models.render.table import TableRenderer
from table_state.layout import Layout, Seat
from vision.detector import open_session

Floats = NDArray[np.float32]
Run = Callable[[Floats], Floats]
TABLE = Layout(
    "one seat", (63.5, 88.9), 39.0, (0.0, 130.0), (-500.0, 60.0), (500.0, 60.0), {},
    (Seat(1, "", (0.0, 660.0, 60.0), (0.0, 480.0)),),
)  # fmt: skip
SCORES = slice(4, 8)  # rows of the network's output that are scores


def with_onnxruntime(path: Path) -> Run:
    """The network as the program runs it."""
    session = open_session(path)
    name = session.get_inputs()[0].name
    return lambda blob: np.asarray(session.run(None, {name: blob})[0][0], np.float32)


def with_ncnn(path: Path, size: int, folder: Path, pnnx: str) -> Run:
    """The same turned into ncnn's form for one picture size, in `folder`, by the program `pnnx`."""
    import ncnn  # of an extra

    model = shutil.copy(path, folder / "net.onnx")
    command = [pnnx, str(model), f"inputshape=[1,3,{size},{size}]", "fp16=0"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    net = ncnn.Net()
    net.opt.num_threads = 1
    net.load_param(str(folder / "net.ncnn.param"))
    net.load_model(str(folder / "net.ncnn.bin"))

    def run(blob: Floats) -> Floats:
        with net.create_extractor() as extractor:
            extractor.input("in0", ncnn.Mat(blob[0]).clone())
            return np.array(extractor.extract("out0")[1], np.float32)

    return run


def picture(size: int) -> Floats:
    """A hand on a table, as the network takes it: (1, 3, size, size)."""
    cards = tuple(PlacedCard(code, 14.0 * k, 480 - 18.0 * k, 0.0) for k, code in enumerate(("8s", "Kh", "3d")))
    seen = TableRenderer(TABLE, 3).frame(Scene(cards, (), ()))
    middle = seen[:, (seen.shape[1] - seen.shape[0]) // 2 :][:, : seen.shape[0]]
    return np.asarray(cv2.dnn.blobFromImage(cv2.resize(middle, (size, size)), 1 / 255, swapRB=True), np.float32)


def cpu_ms(run: Run, blob: Floats, times: int) -> float:
    """The least CPU time of some runs, which other programs disturb least."""
    spent = []
    for _ in range(times):
        began = time.process_time()
        run(blob)
        spent.append((time.process_time() - began) * 1000)
    return round(min(spent), 1)


def compare(size: int, times: int, pnnx: str) -> dict[str, float | int]:
    """Times of both, and the largest differences: of any score, and of places (px) where a score is over a quarter."""
    path, blob = weights_path() / "detector.onnx", picture(size)
    with tempfile.TemporaryDirectory(prefix="railbird-ncnn-") as folder:
        one, other = with_onnxruntime(path), with_ncnn(path, size, Path(folder), pnnx)
        a, b = one(blob), other(blob)
        sure = a[SCORES].max(0) > 0.25
        places = np.delete(np.abs(a - b), np.r_[SCORES], axis=0)[:, sure]
        return {
            "size": size,
            "onnxruntime_ms": cpu_ms(one, blob, times),
            "ncnn_ms": cpu_ms(other, blob, times),
            "found": int(sure.sum()),
            "score_difference": round(float(np.abs(a - b)[SCORES].max()), 5),
            "place_difference_px": round(float(places.max(initial=0.0)), 3),
        }


def main() -> int:
    """Print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=416, help="the picture's side, a multiple of 32")
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--pnnx", default=shutil.which("pnnx"), help="the converter, if it is not found on the path")
    args = parser.parse_args()
    if args.pnnx is None:
        print("pnnx is missing; pip install 'railbird[runtimes]' or name it with --pnnx", file=sys.stderr)
        return 1
    print(json.dumps(compare(args.size, args.times, args.pnnx)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
