"""Play simulated rounds through a referee and judge what it says: one session is a table, a house and a few rounds."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hardware.simulator.compare import Verdict, compare
from hardware.simulator.dealer import Dealer, Played, random_rules
from hardware.simulator.observe import Observer
from hardware.simulator.tables import half_moon, random_table
from hardware.simulator.unseen import expected_at
from table_state.layout import Layout
from table_state.observation import Observation
from table_state.rules import PRESETS, HouseRules
from table_state.table import Table

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class House:
    """A table and its rules; `name` says which."""

    name: str
    layout: Layout
    rules: HouseRules


@dataclass(slots=True)
class Session:
    """Some rounds at one house: what happened, what was seen of it, what is due."""

    house: House
    played: list[Played]
    lines: list[Observation]
    expected: Json
    seconds: float
    said: list[Json] = field(default_factory=list)


def pick_house(seed: int | str) -> House:
    """One of the presets or, one time in three, a house of its own, at a table of four to seven seats."""
    rng = random.Random(f"house {seed}")
    name = rng.choice((*PRESETS, *PRESETS, "custom", "custom", "custom"))
    rules = random_rules(rng) if name == "custom" else PRESETS[name]
    layout = random_table(rng) if rng.random() < 0.7 else half_moon(7)
    return House(name, layout, rules)


def simulate(
    house: House,
    seed: int | str,
    rounds: int,
    mistakes: Callable[[int], int | Sequence[str]],
    level: str,
    rate: float,
    steady: bool = False,
) -> Session:
    """Deal rounds and report them; `mistakes` gives the number or the names of each round's.

    `steady`: lines come at the rate also while nothing moves, not once a second.
    """
    dealer = Dealer(house.layout, house.rules, seed)
    watch = Observer(dealer.stage, level, seed, rate, steady)
    played: list[Played] = []
    lines: list[Observation] = []
    for i in range(rounds):
        played.append(dealer.round(mistakes(i)))
        lines.extend(watch.lines(played[-1].end))
        dealer.stage.prune(watch.t - 3.0)
    dealer.stage.t += 8.0
    lines.extend(watch.lines(dealer.stage.t))
    expected = dealer.book.to_json("session", house.layout.name, house.name, level)
    return Session(house, played, lines, expected_at(expected, watch.level), dealer.stage.t)


def referee(house: House, lines: Iterable[Observation]) -> list[Json]:
    """What the referee says of observations."""
    table = Table(house.layout, house.rules)
    out: list[Json] = []
    for line in lines:
        out.extend(x.to_json() for x in table.step(line))
    return out


def judge(session: Session) -> Verdict:
    """Play a session through the referee and compare."""
    session.said = referee(session.house, session.lines)
    return compare(session.expected, session.said)


def cut(session: Session, first: int, last: int) -> Session:
    """Only rounds `first` to `last` (numbers from 1) of a session, with what is due in them; times stay."""
    chosen = [p for p in session.played if first <= p.number <= last]
    low = chosen[0].start
    high = chosen[-1].end if chosen[-1].number < len(session.played) else session.seconds
    e = session.expected

    def inside(row: Json, key: str = "t_evident") -> bool:
        return low <= float(row[key]) < high

    expected = e | {
        "rounds": [r for r in e["rounds"] if first <= r["round"] <= last],
        "results": [r for r in e["results"] if first <= r["round"] <= last],
        "insurance": [r for r in e["insurance"] if first <= r["round"] <= last],
        "truth": {k: [r for r in v if low - 1 <= r[0] < high + 1] for k, v in e["truth"].items()},
    }
    for key in ("alerts", "resolved", "totals", "phrases"):
        expected[key] = [r for r in e[key] if inside(r)]
    for key in ("allowed_alerts", "blackjacks"):
        expected[key] = [r for r in e[key] if r["t_until"] >= low and r["t_from"] < high]
    lines = [x for x in session.lines if low <= x.t < high]
    return Session(session.house, chosen, lines, expected, high)


def begun_late(session: Session, t: float) -> Session:
    """A session seen only from a time on, in its first round: nothing is due in that round, nothing may be wrong."""
    first = session.played[0]
    e = session.expected
    due = ("alerts", "resolved", "totals", "phrases")
    expected = e | {k: [x for x in e[k] if x["t_from"] > first.end] for k in due}
    expected |= {k: [x for x in e[k] if x["round"] > 1] for k in ("rounds", "results", "insurance")}
    return Session(
        session.house,
        session.played,
        [x for x in session.lines if x.t >= t],
        expected | {"partial_rounds": 1, "unfinished_rounds": 0},
        session.seconds,
    )


def same_story(a: Sequence[Json], b: Sequence[Json], within: float = 0.5) -> list[str]:
    """Where two outputs differ in what is said, or in when by more than `within` seconds."""
    import difflib

    left, right = [_key(x) for x in a], [_key(x) for x in b]
    out = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            pairs = zip(a[i1:i2], b[j1:j2], strict=True)
            out += [f"{x['t']} {y['t']} {_key(x)}: at other times" for x, y in pairs if abs(x["t"] - y["t"]) > within]
        else:
            near = a[i1]["t"] if i1 < len(a) else 0.0
            out.append(f"{near}: {left[i1:i2]} against {right[j1:j2]}")
    return out


def _key(line: Json) -> str:
    rest = {k: v for k, v in line.items() if k not in ("t", "text", "cards")}
    if line["type"] == "say":
        rest["text"] = line["text"]
    return str(sorted(rest.items(), key=lambda x: x[0]))
