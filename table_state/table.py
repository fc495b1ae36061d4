"""The referee's front door: observations and corrections in, what is newly said out."""

from table_state.layout import Layout
from table_state.observation import Correction, Observation
from table_state.output import Alert, Event, Output, Resolved, Result, Say
from table_state.rules import HouseRules
from table_state.view import HandView, SeatView, TableView

__all__ = ["Alert", "Event", "HandView", "Output", "Resolved", "Result", "Say", "SeatView", "Table", "TableView"]


class Table:
    """One table over time; `step` is the only way in, a line that goes back in time is ignored."""

    def __init__(self, layout: Layout, rules: HouseRules) -> None:
        self.layout = layout
        self.rules = rules
        self._t = 0.0

    def step(self, line: Observation | Correction) -> list[Output]:
        """Take one line; returns what is newly said, in order."""
        if line.t < self._t:
            return []
        self._t = line.t
        return []

    def view(self) -> TableView:
        """What a display may show now."""
        seats = tuple(SeatView(s.number, s.name) for s in self.layout.seats)
        return TableView(self._t, "idle", None, seats, HandView(), ())
