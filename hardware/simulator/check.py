"""Play random simulated rounds through the referee and report how often it was right.

    python -m hardware.simulator.check --rounds 2000 --mistakes 1-3 --level noisy --seed 1 [--json]

Exit status 0 = everything was right, 1 = something was not, 2 = bad arguments.
"""

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from hardware.simulator.compare import Problem, Verdict
from hardware.simulator.dealer import MISTAKES
from hardware.simulator.files import write
from hardware.simulator.observe import LEVELS
from hardware.simulator.play import Session, begun_late, cut, judge, pick_house, referee, same_story, simulate

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
    p.add_argument("--show", type=int, default=3, help="problems of a kind to print")
    p.add_argument("--json", action="store_true")
    args = p.parse_args(argv)
    try:
        planner(args.mistakes, "")
    except ValueError as e:
        print(f"check: --mistakes {args.mistakes}: {e}", file=sys.stderr)
        return None
    return args


def planner(text: str, seed: str) -> Callable[[int], int | list[str]]:
    """What `--mistakes` asks of the rounds of one session: a number, a range of numbers, or names."""
    names = text.split(",")
    if all(n in MISTAKES for n in names):
        return lambda i: list(names)
    low, _, high = text.partition("-")
    if not low.isdigit() or (high and not high.isdigit()):
        raise ValueError("neither a number, a range like 1-3, nor names of mistakes")
    first, last = int(low), int(high or low)
    return lambda i: Random(f"plan {seed} {i}").randint(first, last)


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
        told, session = time.monotonic(), 0
        while self.rounds < self.args.rounds:
            seed = f"{self.args.seed}.{session}"
            count = min(self.args.session, self.args.rounds - self.rounds)
            self._one(seed, count)
            session += 1
            if time.monotonic() - told > 5.0:
                told = time.monotonic()
                bad = len(self.verdict.problems)
                print(f"{self.rounds} of {self.args.rounds} rounds, {bad} problems", file=sys.stderr, flush=True)

    def _one(self, seed: str, count: int) -> None:
        house = pick_house(seed)
        session = simulate(house, seed, count, planner(self.args.mistakes, seed), self.args.level, self.args.rate)
        if self.args.midway:
            first = session.played[0]
            session = begun_late(session, first.start + Random(seed).uniform(0.2, 0.8) * (first.end - first.start))
        started = time.process_time()
        verdict = judge(session)
        self.spent += time.process_time() - started
        self.simulated += session.seconds
        self.rounds += count
        self.lines += len(session.lines)
        for played in session.played:
            self.made.update(played.made)
        self.verdict.merge(verdict)
        for problem in verdict.problems:
            self._note(seed, session, problem)
        if self.args.rates:
            self._other_rates(seed, session, count)

    def _note(self, seed: str, session: Session, problem: Problem) -> None:
        kind = problem.kind, problem.about.split()[0]
        self.kinds[kind] += 1
        if self.kinds[kind] <= self.args.show:
            self.shown.append((f"{seed} ({session.house.name}, {session.house.layout.name})", problem))
        if self.args.save and self.kinds[kind] <= self.args.show:
            save(self.args.save, f"{'-'.join('-'.join(kind).split())}-{self.kinds[kind]}", session, problem)

    def _other_rates(self, seed: str, session: Session, count: int) -> None:
        stories = []
        for rate in (5.0, 15.0, 30.0):
            plan = planner(self.args.mistakes, seed)
            again = simulate(session.house, seed, count, plan, self.args.level, rate, steady=True)
            stories.append(referee(again.house, again.lines))
        for rate, story in zip((15, 30), stories[1:], strict=True):
            self.rate_problems += [f"{seed} at {rate}: {x}" for x in same_story(stories[0], story)]

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
