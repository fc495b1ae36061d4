"""Weights, and how they are made: synthetic tables, data sets, training, evaluation."""

from pathlib import Path

import vision  # noqa: F401 - silences ONNX Runtime before a training library loads it


def weights_path() -> Path:
    """The folder of the shipped weights: detector.onnx, reader.onnx, manifest.json."""
    return Path(__file__).parent / "weights"
