"""The whole product with the shipped weights: from pictures to words. Skipped where there are no weights."""

import json
from pathlib import Path

import pytest

import models
from hardware.cli import main
from hardware.simulator.compare import compare
from hardware.weights import FILES

WEIGHTS = models.weights_path()
RENDERS = Path(__file__).parents[3] / "shared" / "renders"
pytestmark = pytest.mark.skipif(
    not all((WEIGHTS / name).is_file() for name in FILES), reason="the weights are not here; see README, Weights"
)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_simulated_table_is_seen_and_no_total_is_wrong(tmp_path: Path) -> None:
    out, truth, rec = tmp_path / "said.jsonl", tmp_path / "truth.json", tmp_path / "rec"
    arguments = ["--headless", "--minutes", "0.7", "--seed", "3", "--truth", str(truth)]
    assert main(["demo", *arguments, "--json", str(out), "--record", str(rec)]) == 0
    verdict = compare(json.loads(truth.read_text()), lines(out))
    assert [p for p in verdict.problems if p.kind.startswith("wrong total")] == []
    assert [line for line in lines(out) if line["type"] == "say"]
    assert len(lines(rec / "observations.jsonl")) == 421


@pytest.mark.skipif(not RENDERS.is_dir(), reason="the rendered rounds are not beside the project")
def test_a_rendered_round_is_played_and_its_recording_says_the_same(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = RENDERS / "ordinary-green"
    out, rec = tmp_path / "said.jsonl", tmp_path / "rec"
    house = ["--layout", str(folder / "layout.toml"), "--rules", "charity"]
    assert (
        main(["run", "--camera", f"images:{folder}", *house, "--headless", "--json", str(out), "--record", str(rec)])
        == 0
    )
    capfd.readouterr()
    assert main(["replay", str(rec / "observations.jsonl"), *house, "--json"]) == 0
    assert capfd.readouterr().out == out.read_text()
    assert [line for line in lines(out) if line["type"] == "say" and line.get("total")]


def test_photographs_are_read(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from PIL import Image

    Image.new("RGB", (600, 400), (20, 90, 40)).save(tmp_path / "empty.jpg")
    assert main(["read", str(tmp_path / "empty.jpg"), "--json"]) == 0
    row = json.loads(capfd.readouterr().out)
    assert (row["cards"], row["backs"], row["width"], row["height"]) == ([], 0, 600, 400)
