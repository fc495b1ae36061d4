"""A readable report of rounds from what was said."""

from collections.abc import Iterable

from table_state.amounts import words
from table_state.output import Alert, Event, Output, Resolved, Result, Say


def report(outputs: Iterable[Output], notes: Iterable[str] = ()) -> str:
    """The report as text, one line for each thing; notes = the rounds' lines of notation, in order."""
    lines: list[str] = []
    rounds = 0
    left = list(notes)
    for output in outputs:
        if isinstance(output, Event) and output.event == "round-started":
            rounds += 1
            lines += ["", f"Round {rounds}"] if lines else [f"Round {rounds}"]
        text = _line(output)
        if text:
            lines.append(f"{output.t:9.2f}  {text}")
        if isinstance(output, Event) and output.event == "round-ended" and left:
            lines.append(f"           {left.pop(0)}")
    return "\n".join([*lines, ""])


def _line(output: Output) -> str:
    if isinstance(output, Say):
        where = "" if output.seat is None else " (dealer)" if output.seat == 0 else f" (seat {output.seat})"
        return f'says "{output.text}"{where}'
    if isinstance(output, Alert):
        moves = "; ".join(f"{m.card} from {m.source} to {m.target}" for m in output.moves)
        return f"ALERT {output.code}: {output.text}" + (f" [{moves}]" if moves else "")
    if isinstance(output, Resolved):
        return f"resolved {output.code}" + (f" (seat {output.seat})" if output.seat else "")
    if isinstance(output, Result):
        return _result(output)
    return _event(output)


def _result(r: Result) -> str:
    bet = "unknown bet" if r.bet is None else f"bet {words(r.bet)}"
    pays = "" if r.pays is None else f", pays {words(r.pays)}"
    what = "insurance" if r.insurance else f"hand {r.hand + 1}"
    totals = "" if r.total is None else f" with {r.total}"
    against = "" if r.dealer_total is None else f" against {r.dealer_total}"
    return f"seat {r.seat}, {what}: {r.outcome}{totals}{against}, {bet}{pays}"


def _event(e: Event) -> str:
    if e.event in ("round-started", "turn"):
        return ""
    parts = [e.event]
    if e.seat is not None:
        parts.append("dealer" if e.seat == 0 else f"seat {e.seat}")
    if e.card is not None:
        parts.append(e.card)
    if e.amount is not None:
        parts.append(words(e.amount))
    return " ".join(parts)
