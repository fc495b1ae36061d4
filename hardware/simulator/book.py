"""What is true and what is due: totals, words, alerts, results, in the form of the recorded rounds' expectations."""

import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Json = dict[str, Any]
ALERT_TIME = 3.0
"""Seconds from evident that an alert has."""
TURN_TIME, TOTAL_TIME, OPEN_TIME = 4.0, 3.0, 6.0


def number(value: Fraction | None) -> int | float | None:
    """An amount as JSON has it."""
    if value is None:
        return None
    return value.numerator if value.denominator == 1 else float(value)


@dataclass(slots=True)
class Due:
    """An alert that must come: what and when; `moves` are (from, until, moves) in their time."""

    code: str
    seats: list[int | None]
    t_from: float
    t_evident: float
    hand: int | None = None
    moves: list[tuple[float, float, list[tuple[str, str, str]]]] | None = None
    expected: list[Fraction | None] | None = None
    seen: list[Fraction | None] | None = None
    other: list[tuple[str, list[int | None]]] = field(default_factory=list)
    mended: float | None = None
    needs: str = ""
    """What it is only known by: `count` = the number of chips, `sweep` = the hand that opens and closes insurance."""

    def to_json(self) -> Json:
        """As the expectations of a recorded round have it."""
        row: Json = {"code": self.code, "seat": self.seats, "t_from": self.t_from, "t_evident": self.t_evident}
        row["t_until"] = self.t_evident + ALERT_TIME
        if self.hand is not None:
            row["hand"] = self.hand
        if self.other:
            row["or"] = [{"code": c, "seat": s} for c, s in self.other]
        if self.needs:
            row["needs"] = self.needs
        if self.moves is not None:
            row["moves"] = [
                {"t_from": a, "t_until": b, "moves": [{"card": c, "from": f, "to": t} for c, f, t in m]}
                for a, b, m in self.moves
            ]
        for key, value in (("expected", self.expected), ("seen", self.seen)):
            if value is not None:
                row[key] = [number(v) for v in value]
        return row | ({"mended": self.mended} if self.mended is not None else {})


@dataclass(slots=True)
class Book:
    """The truth of a stretch of play, written by the script as it goes."""

    rounds: list[Json] = field(default_factory=list)
    alerts: list[Due] = field(default_factory=list)
    allowed: list[Json] = field(default_factory=list)
    resolved: list[Json] = field(default_factory=list)
    totals: list[Json] = field(default_factory=list)
    phrases: list[Json] = field(default_factory=list)
    blackjacks: list[Json] = field(default_factory=list)
    results: list[Json] = field(default_factory=list)
    insurance: list[Json] = field(default_factory=list)
    truth: dict[str, list[list[Any]]] = field(default_factory=dict)
    injected: list[str] = field(default_factory=list)

    @property
    def round(self) -> int:
        """The number of the round being played."""
        return len(self.rounds)

    def start(self, t: float) -> None:
        """A round's first card is on its way."""
        self.rounds.append({"round": self.round + 1, "t_from": t, "t_cleared": None, "t_until": None, "loose": False})

    def cleared(self, t: float) -> None:
        """The last card of the round has left its place."""
        self.rounds[-1]["t_cleared"] = t

    def loose(self) -> None:
        """An error was left as it was: the results of this round are open."""
        self.rounds[-1]["loose"] = True

    def holds(self, seat: int, hand: int, t: float, total: int | None, soft: bool, seen: float) -> None:
        """A place holds this from t on, seen by all from `seen` on."""
        self.truth.setdefault(f"{seat}/{hand}", []).append([t, total, soft, seen])

    def total(
        self, seat: int, hand: int | None, total: int, soft: bool, t_from: float, evident: float, **more: Any
    ) -> None:
        """A total that must be said; `seconds`, `name` and `required` may be given."""
        row: Json = {"round": self.round, "seat": seat, "hand": hand, "total": total, "soft": soft}
        row |= {"t_from": t_from, "t_evident": evident, "t_until": evident + more.pop("seconds", TOTAL_TIME)}
        self.totals.append(row | {"required": True} | more)

    def phrase(self, text: str, seat: int | None, t_from: float, evident: float, seconds: float = TOTAL_TIME) -> None:
        """Words that must be said."""
        self.phrases.append(
            {"text": text, "seat": seat, "t_from": t_from, "t_evident": evident, "t_until": evident + seconds}
        )

    def allow(self, code: str, seat: Any, t_from: float, t_until: float) -> None:
        """An alert that may come; `seat` a list or "any"."""
        self.allowed.append({"code": code, "seat": seat, "t_from": t_from, "t_until": t_until})

    def mend(self, due: Due, t_from: float, evident: float) -> None:
        """An alert's cause is put right: it must be resolved."""
        due.mended = evident
        self.resolved.append(
            {
                "code": [due.code] + [c for c, _ in due.other],
                "seat": sorted({s for s in due.seats if s is not None} | {s for _, x in due.other for s in x if s}),
                "t_from": t_from,
                "t_evident": evident,
                "t_until": evident + 4.0,
                "needs": due.needs,
            }
        )

    def to_json(self, name: str, layout: str, rules: str, level: str) -> Json:
        """The whole as an expectations file has it."""
        return {
            "name": name,
            "about": "; ".join(self.injected) or "legal play",
            "layout": layout,
            "rules": rules,
            "level": level,
            "observations": f"{name}.obs.jsonl",
            "rounds": [r | {"t_until": r["t_until"] or (r["t_cleared"] or r["t_from"]) + 60.0} for r in self.rounds],
            "partial_rounds": 0,
            "unfinished_rounds": 0,
            "alerts": [a.to_json() for a in self.alerts],
            "allowed_alerts": self.allowed,
            "resolved": self.resolved,
            "totals": self.totals,
            "phrases": self.phrases,
            "blackjacks": self.blackjacks,
            "results": self.results,
            "insurance": self.insurance,
            "truth": self.truth,
        }

    def text(self, name: str, layout: str, rules: str, level: str) -> str:
        """The expectations as JSON text, times to the hundredth."""
        return json.dumps(rounded(self.to_json(name, layout, rules, level)), indent=1)


def rounded(value: Any) -> Any:
    """Expectations with their times to the hundredth of a second."""
    if isinstance(value, float):
        return round(value, 2)
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return [rounded(v) for v in value] if isinstance(value, list | tuple) else value
