"""The libraries under the recogniser tell nobody that it runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OPENS = {
    "vision": "from vision.detector import open_session as o",
    "a library that loads it itself": "import models, onnxruntime; o = lambda p: onnxruntime.InferenceSession(str(p))",
}


@pytest.mark.parametrize("opens", OPENS.values(), ids=OPENS)
def test_opening_a_network_leaves_nothing_in_the_users_home(tmp_path: Path, opens: str) -> None:
    weights = ROOT / "models" / "weights" / "reader.onnx"
    if not weights.exists():
        pytest.skip("no weights here")
    script = f"from pathlib import Path; {opens}; o(Path({str(weights)!r}))"
    hidden = ("ORT_", "XDG_")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(hidden)} | {"HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.rglob("*")) == []
