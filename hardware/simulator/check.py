"""Play random simulated rounds through the referee and report how often it was right.

    python -m hardware.simulator.check --rounds 2000 --mistakes 1-3 --level noisy --seed 1 [--json]
    python -m hardware.simulator.check --rounds 20000 --level noisy --jobs 2 --keep legal.jsonl

The second is the long measure: two processes, progress on standard error, and `--keep` remembers every session that
is done, so that the same command goes on where it was stopped.

Exit status 0 = everything was right, 1 = something was not, 2 = bad arguments.
"""

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from hardware.simulator.batch import Part, Task, planner, run, session_of, tasks
from hardware.simulator.compare import Problem, Verdict
from hardware.simulator.files import write
from hardware.simulator.observe import LEVELS
from hardware.simulator.play import Session, cut, judge

Json = dict[str, Any]


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    args = _arguments(argv)
    if args is None:
        return 2
    report = Report(args)
    report.run()
    print(json.dumps(report.to_json()) if args.json else report.text())
    return 0 if report.right() else 1


def _arguments(argv: list[str] | None) -> argparse.Namespace | None:
    p = argparse.ArgumentParser(prog="python -m hardware.simulator.check", description=__doc__)
    p.add_argument("--rounds", type=int, default=200)
    p.add_argument("--mistakes", default="0", help="how many a round: 0, 1, 1-3; or a name, or names with commas")
    p.add_argument("--level", choices=sorted(LEVELS), default="clean")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--rate", type=float, default=5.0, help="observations a second while something moves")
    p.add_argument("--session", type=int, default=8, help="rounds in a row at one table, then a new one")
    p.add_argument("--rates", action="store_true", help="compare the same rounds at 5, 15 and 30 lines a second")
    p.add_argument("--midway", action="store_true", help="begin watching in the middle of a session's first round")
    p.add_argument("--save", type=Path, help="a folder for a small recording of every kind of problem")
    p.add_argument("--jobs", type=int, default=1, help="processes to play in")
    p.add_argument("--keep", type=Path, help="a file that remembers what is done, to go on with later")
    p.add_argument("--show", type=int, default=3, help="problems of a kind to print")
    p.add_argument("--json", action="store_true")
    args = p.parse_args(argv)
    try:
        planner(args.mistakes, "")
    except ValueError as e:
        print(f"check: --mistakes {args.mistakes}: {e}", file=sys.stderr)
        return None
    return args


class Report:
    """All sessions of a run and what came of them."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.verdict = Verdict()
        self.shown: list[tuple[str, Problem]] = []
        self.kinds: Counter[tuple[str, str]] = Counter()
        self.made: Counter[str] = Counter()
        self.rounds = self.lines = 0
        self.simulated = self.spent = 0.0
        self.rate_problems: list[str] = []

    def run(self) -> None:
        """Play until there are rounds enough; progress goes to standard error."""
        todo, told = tasks(self.args), time.monotonic()
        by_seed = {task.seed: task for task in todo}
        for part in run(todo, self.args.jobs, self.args.keep):
            self._add(by_seed[part.seed], part)
            if time.monotonic() - told > 5.0:
                told = time.monotonic()
                bad = len(self.verdict.problems)
                print(f"{self.rounds} of {self.args.rounds} rounds, {bad} problems", file=sys.stderr, flush=True)

    def _add(self, task: Task, part: Part) -> None:
        self.spent += part.spent
        self.simulated += part.seconds
        self.rounds += part.rounds
        self.lines += part.lines
        self.made.update(part.made)
        self.rate_problems += part.rate_problems
        verdict = part.verdict()
        self.verdict.merge(verdict)
        for problem in verdict.problems:
            self._note(task, part.where, problem)

    def _note(self, task: Task, where: str, problem: Problem) -> None:
        kind = problem.kind, problem.about.split()[0]
        self.kinds[kind] += 1
        if self.kinds[kind] > self.args.show:
            return
        self.shown.append((f"{task.seed} ({where})", problem))
        if self.args.save:
            name = f"{'-'.join('-'.join(kind).split())}-{self.kinds[kind]}"
            save(self.args.save, name, session_of(task), problem)

    def right(self) -> bool:
        """Whether there was no problem at all."""
        return not self.verdict.problems and not self.rate_problems

    def to_json(self) -> Json:
        """All figures."""
        v, kinds = self.verdict, Counter(p.kind for p in self.verdict.problems)
        by_code: dict[str, Json] = {}
        for problem in v.problems:
            if problem.kind.startswith(("alert", "wrong moves", "false", "resolved")):
                row = by_code.setdefault(problem.about, {})
                row[problem.kind] = row.get(problem.kind, 0) + 1
        return {
            "rounds": self.rounds,
            "level": self.args.level,
            "mistakes": sum(self.made.values()),
            "made": dict(sorted(self.made.items())),
            "counts": {k: n for k, n in sorted(v.counts.items()) if not k.startswith("alerts ")},
            "due by code": {k[7:]: n for k, n in sorted(v.counts.items()) if k.startswith("alerts ")},
            "problems": dict(sorted(kinds.items())),
            "alerts by code": dict(sorted(by_code.items())),
            "alert seconds": _spread(v.alert_delays),
            "say seconds": _spread(v.say_delays),
            "simulated hours": round(self.simulated / 3600, 2),
            "times real time": round(self.simulated / self.spent) if self.spent else None,
            "lines a second": round(self.lines / self.spent) if self.spent else None,
            "differences between rates": len(self.rate_problems),
        }

    def text(self) -> str:
        """All figures and examples of every kind of problem, for people."""
        out = [f"{k}: {json.dumps(v)}" for k, v in self.to_json().items()]
        out += [f"{n:5d}  {kind}: {about}" for (kind, about), n in self.kinds.most_common()]
        out += [f"  {where} at {p.t:.2f}: {p.kind} {p.about}: {p.text}" for where, p in self.shown]
        return "\n".join(out + self.rate_problems[:20])


def _spread(values: list[float]) -> list[float] | None:
    """Median and worst, seconds."""
    return [round(statistics.median(values), 2), round(max(values), 2)] if values else None


def save(folder: Path, name: str, session: Session, problem: Problem) -> None:
    """Write the smallest stretch of a session that shows a problem."""
    last = max((p.number for p in session.played if p.start <= problem.t), default=1)
    kept = session
    for first in (last, max(1, last - 1)):
        part = cut(session, first, min(last, len(session.played)))
        if any(p.kind == problem.kind and p.about == problem.about for p in judge(part).problems):
            kept = part
            break
    note = {"problem": [problem.kind, problem.about, round(problem.t, 2), problem.text]}
    write(folder, name, kept, note | {"said": [x for x in kept.said if abs(x["t"] - problem.t) < 15]})


if __name__ == "__main__":
    sys.exit(main())
