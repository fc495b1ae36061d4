"""Many sessions at once: each is played and judged by itself, in some processes, and kept so that a run can go on."""

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from hardware.simulator.dealer import MISTAKES
from hardware.simulator.play import Session, begun_late, judge, pick_house, referee, same_story, simulate
from hardware.simulator.verdict import Problem, Verdict

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Task:
    """One session to be played; `mistakes` as the command has it."""

    seed: str
    rounds: int
    mistakes: str
    level: str
    rate: float
    midway: bool = False
    rates: bool = False


@dataclass(slots=True)
class Part:
    """What came of one session, in plain values."""

    seed: str
    where: str
    rounds: int
    lines: int
    seconds: float
    spent: float
    made: list[str]
    counts: dict[str, int]
    alert_delays: list[float]
    say_delays: list[float]
    problems: list[tuple[str, str, float, str]] = field(default_factory=list)
    rate_problems: list[str] = field(default_factory=list)

    def verdict(self) -> Verdict:
        """As a comparison gives it."""
        out = Verdict([Problem(*p) for p in self.problems], list(self.alert_delays), list(self.say_delays))
        out.counts.update(self.counts)
        return out


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


def tasks(args: Any) -> list[Task]:
    """All sessions of a run."""
    out: list[Task] = []
    left = args.rounds
    while left > 0:
        count = min(args.session, left)
        seed = f"{args.seed}.{len(out)}"
        out.append(Task(seed, count, args.mistakes, args.level, args.rate, args.midway, args.rates))
        left -= count
    return out


def session_of(task: Task) -> Session:
    """The session that a task asks for, not yet judged; the same for the same task."""
    house = pick_house(task.seed)
    session = simulate(house, task.seed, task.rounds, planner(task.mistakes, task.seed), task.level, task.rate)
    if task.midway:
        first = session.played[0]
        start = first.start + Random(task.seed).uniform(0.2, 0.8) * (first.end - first.start)
        session = begun_late(session, start)
    return session


def play(task: Task) -> Part:
    """Play and judge one session."""
    session = session_of(task)
    started = time.process_time()
    verdict = judge(session)
    spent = time.process_time() - started
    house = session.house
    return Part(
        task.seed,
        f"{house.name}, {house.layout.name}",
        task.rounds,
        len(session.lines),
        session.seconds,
        spent,
        [name for played in session.played for name in played.made],
        dict(verdict.counts),
        verdict.alert_delays,
        verdict.say_delays,
        [(p.kind, p.about, p.t, p.text) for p in verdict.problems],
        _other_rates(task) if task.rates else [],
    )


def _other_rates(task: Task) -> list[str]:
    """Where the same rounds at 15 and 30 lines a second are told otherwise than at 5."""
    house = pick_house(task.seed)
    stories: list[list[Json]] = []
    for rate in (5.0, 15.0, 30.0):
        plan = planner(task.mistakes, task.seed)
        again = simulate(house, task.seed, task.rounds, plan, task.level, rate, steady=True)
        stories.append(referee(again.house, again.lines))
    out: list[str] = []
    for rate, story in zip((15, 30), stories[1:], strict=True):
        out += [f"{task.seed} at {rate}: {x}" for x in same_story(stories[0], story)]
    return out


def run(todo: list[Task], jobs: int, keep: Path | None) -> Iterator[Part]:
    """Every session's outcome as it comes; `keep` = a file of what is done already, that is read and added to."""
    done = _kept(keep) if keep is not None else {}
    for task in todo:
        if str(task) in done:
            yield done[str(task)]
    left = [task for task in todo if str(task) not in done]
    if jobs > 1:
        with ProcessPoolExecutor(jobs) as pool:
            yield from _noted(_spread(pool, left, jobs), keep)
    else:
        yield from _noted(((task, play(task)) for task in left), keep)


def _spread(pool: Executor, left: list[Task], jobs: int) -> Iterator[tuple[Task, Part]]:
    """A few sessions ahead at a time, in order, so that a run that is stopped has lost little."""
    ahead: list[tuple[Task, Future[Part]]] = []
    for task in left:
        ahead.append((task, pool.submit(play, task)))
        if len(ahead) > 2 * jobs:
            first, future = ahead.pop(0)
            yield first, future.result()
    for task, future in ahead:
        yield task, future.result()


def _noted(parts: Iterator[tuple[Task, Part]], keep: Path | None) -> Iterator[Part]:
    for task, part in parts:
        if keep is not None:
            with keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"task": str(task), "part": asdict(part)}) + "\n")
        yield part


def _kept(keep: Path) -> dict[str, Part]:
    """What an earlier run has done; a line that was cut short counts as not done."""
    out: dict[str, Part] = {}
    if not keep.exists():
        return out
    for line in keep.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        part = Part(**row["part"])
        part.problems = [(kind, about, t, text) for kind, about, t, text in part.problems]
        out[row["task"]] = part
    return out
