"""Weights, and how they are made: synthetic tables, data sets, training, evaluation."""

from pathlib import Path


def weights_path() -> Path:
    """The folder of the shipped weights: detector.onnx, reader.onnx, manifest.json."""
    return Path(__file__).parent / "weights"
