"""Let the whole program watch the simulated table, seed by seed, and compare what it says with what was true.

    python -m hardware.simulator.watched --minutes 10 --seeds 1,2,3,4 [--mistakes] [--keep FOLDER] [--json]

The pictures are drawn and read as `railbird demo` does it; an unknown amount is right, a wrong one is not.
`--keep` leaves each seed's recording, words and truth behind, to look at or to replay; a seed that lies there whole
is compared and not played again.

Exit status 0 = no wrong total and no false alarm, 1 = some, 2 = bad arguments.
"""

import argparse
import contextlib
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hardware.cli import main as railbird
from hardware.simulator.compare import Problem, Verdict, compare
from hardware.simulator.observe import LEVELS
from hardware.simulator.unseen import expected_at

Json = dict[str, Any]
GRAVE = ("wrong total", "false alarm")


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    args = _arguments(argv)
    verdicts: dict[int, Verdict] = {}
    with tempfile.TemporaryDirectory() as passing:
        for seed in args.seeds:
            verdicts[seed] = _watch(args.keep or Path(passing), seed, args.minutes, args.mistakes)
            print(f"seed {seed}: {_line(verdicts[seed])}", file=sys.stderr, flush=True)
    print(json.dumps(to_json(verdicts)) if args.json else text(verdicts))
    return int(any(p.kind in GRAVE for v in verdicts.values() for p in v.problems))


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    p = argparse.ArgumentParser(prog="python -m hardware.simulator.watched", description=__doc__)
    p.add_argument("--minutes", type=float, default=10.0, help="simulated minutes of each seed")
    p.add_argument("--seeds", type=_numbers, default=[1], help="1 or 1,2,3")
    p.add_argument("--mistakes", action="store_true", help="the dealer errs in every other round")
    p.add_argument("--keep", type=Path, help="a folder for the recordings")
    p.add_argument("--json", action="store_true")
    return p.parse_args(argv)


def _numbers(text: str) -> list[int]:
    return [int(x) for x in text.split(",")]


def _watch(folder: Path, seed: int, minutes: float, mistakes: bool) -> Verdict:
    """Play one seed where its recording is not there yet, and compare."""
    name = f"{'erring-' * mistakes}{minutes:g}-{seed}"
    said, truth, recording = folder / f"{name}.said.jsonl", folder / f"{name}.truth.json", folder / name
    if not truth.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        play = ["demo", "--headless", "--minutes", str(minutes), "--seed", str(seed), "--truth", str(truth)]
        kept = ["--json", str(said), "--record", str(recording)]
        with contextlib.redirect_stdout(sys.stderr):  # the words while they are said; standard output has the figures
            status = railbird([*play, *kept, *["--mistakes"] * mistakes])
        if status:
            raise SystemExit(status)
    lines = [json.loads(line) for line in said.read_text(encoding="utf-8").splitlines()]
    expected = json.loads(truth.read_text(encoding="utf-8"))
    return compare(expected_at(expected, LEVELS["camera"]), lines)


def _line(verdict: Verdict) -> str:
    counts, kinds = verdict.counts, Counter(p.kind for p in verdict.problems)
    parts = [
        f"totals due {counts['totals due']}",
        f"missed {kinds['total missed']}",
        f"wrong {kinds['wrong total']}",
        f"false alarms {kinds['false alarm']}",
        f"results right {counts['results right']} of {counts['results due']}",
    ]
    if counts["alerts"]:
        parts.append(f"mistakes found {counts['alerts found']} of {counts['alerts']}")
    return ", ".join(parts)


def to_json(verdicts: dict[int, Verdict]) -> Json:
    """All figures, by seed and in all."""
    return {
        "all": _figures(_merged(verdicts)),
        "seeds": {str(seed): _figures(verdict) for seed, verdict in verdicts.items()},
    }


def _figures(verdict: Verdict) -> Json:
    kinds = Counter(p.kind for p in verdict.problems)
    return {"counts": dict(sorted(verdict.counts.items())), "problems": dict(sorted(kinds.items()))}


def text(verdicts: dict[int, Verdict]) -> str:
    """A line for each seed and one for each problem, for people."""
    out = [f"seed {seed}: {_line(v)}" for seed, v in verdicts.items()]
    out += [_problem(seed, p) for seed, v in verdicts.items() for p in sorted(v.problems, key=lambda p: p.t)]
    return "\n".join([*out, f"all: {_line(_merged(verdicts))}"])


def _merged(verdicts: dict[int, Verdict]) -> Verdict:
    whole = Verdict()
    for verdict in verdicts.values():
        whole.merge(verdict)
    return whole


def _problem(seed: int, p: Problem) -> str:
    return f"  seed {seed} at {p.t:.1f} s: {p.kind} {p.about}: {p.text}"


if __name__ == "__main__":
    sys.exit(main())
