"""The shipped weights: where they are, and whether they are what they should be."""

import hashlib
import json
from pathlib import Path

import models
from hardware.errors import HardwareError

NETWORKS = frozenset(("detector.onnx", "reader.onnx", "face.onnx"))
FILES = (*sorted(NETWORKS), "manifest.json")
TO_DO = "get the whole repository again, or make them: see README, Weights"


def weights(folder: Path | None = None) -> Path:
    """The folder of the weights, whole. Raises HardwareError where one is missing or broken."""
    folder = folder or models.weights_path()
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise HardwareError(f"{folder}: the weights are missing ({', '.join(missing)}); {TO_DO}")
    _check(folder)
    return folder


def check_weights(folder: Path | None = None) -> str:
    """Compare each file with the hash in the manifest; returns the manifest's own. Raises HardwareError."""
    return _hash((weights(folder) / "manifest.json").read_bytes())


def _check(folder: Path) -> None:
    manifest = (folder / "manifest.json").read_bytes()
    try:
        hashes: dict[str, str] = dict(json.loads(manifest)["sha256"])
        hashes = {name: hashes[name] for name in hashes.keys() | NETWORKS}
    except (ValueError, KeyError, TypeError):
        raise HardwareError(f"{folder / 'manifest.json'}: is broken; {TO_DO}") from None
    for name, expected in hashes.items():
        if not (folder / name).is_file() or _hash((folder / name).read_bytes()) != expected:
            raise HardwareError(f"{folder / name}: is not the file that the manifest names; {TO_DO}")


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
