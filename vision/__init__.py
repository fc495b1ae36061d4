"""Pixels to felt: what lies on the table, seen in one frame."""

import os

# ONNX Runtime reads it when it is loaded; without it, it looks up its maker's host and keeps a device id in ~/.cache.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
