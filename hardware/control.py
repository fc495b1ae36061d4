"""What the dealer has set while it runs: a pause, the camera off or on, the seats' names."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from hardware.names import Names
from table_state.layout import Layout
from table_state.output import Alert, Output, Resolved, Say
from table_state.view import TableView

Heard = Callable[[], None]
Key = tuple[str, int | None]


class Control:
    """Two switches and the names; safe to call from any thread, listeners are called in the thread that switches."""

    def __init__(self, names: Names | None = None) -> None:
        self._changed = threading.Condition()
        self._names = names or Names()
        self._layout: Layout | None = None
        self._paused, self._camera_on = False, True
        self._listeners: list[Heard] = []
        self._alive: list[Heard] = []

    @property
    def paused(self) -> bool:
        """Whether words and alerts are kept back."""
        return self._paused

    @property
    def camera_on(self) -> bool:
        """Whether the camera may be looked through."""
        return self._camera_on

    def pause(self, on: bool) -> None:
        """Keep words and alerts back, or no longer."""
        self._switch(paused=on)

    def camera(self, on: bool) -> None:
        """Let the camera see, or not."""
        self._switch(camera_on=on)

    def named(self, layout: Layout) -> Layout:
        """The layout that is played on, as its file has it, with the names that the dealer gave."""
        self._layout = layout
        return self._names.applied(layout)

    @property
    def layout(self) -> Layout | None:
        """The layout that is played on, with the names of now; None before the first."""
        return None if self._layout is None else self._names.applied(self._layout)

    def rename(self, names: Mapping[int, str]) -> None:
        """Give seats other names, "" = none; kept for the next evening."""
        if self._layout is not None:
            self._names.change(self._layout, names)
            self._switch()

    def _switch(self, paused: bool | None = None, camera_on: bool | None = None) -> None:
        with self._changed:
            self._paused = self._paused if paused is None else paused
            self._camera_on = self._camera_on if camera_on is None else camera_on
            self._changed.notify_all()
        for hears in list(self._listeners):
            hears()

    def listen(self, hears: Heard) -> None:
        """Let `hears` be called after every switch."""
        self._listeners.append(hears)

    def while_off(self, alive: Heard) -> None:
        """Let `alive` be called from time to time while the camera is off: nothing else shows that all is well."""
        self._alive.append(alive)

    def wait(self, seconds: float) -> bool:
        """Wait so long for the camera to be on; whether it is."""
        for alive in list(self._alive):
            alive()
        with self._changed:
            return self._changed.wait_for(lambda: self._camera_on, timeout=seconds)


class Quiet:
    """Keeps words and alerts back while paused; an alert that arose meanwhile is not told afterwards either.

    The referee goes on following the cards, so that everything is right when the pause ends.
    """

    def __init__(self, control: Control) -> None:
        self._control = control
        self._unsaid: set[Key] = set()
        self._told: set[Key] = set()

    def heard(self, view: TableView, outputs: Sequence[Output]) -> tuple[TableView, list[Output]]:
        """What of a step is shown and said."""
        paused = self._control.paused
        told = [output for output in outputs if self._may_be_told(output, paused)]
        if not paused and not self._unsaid:
            return view, told
        alerts = () if paused else tuple(a for a in view.alerts if (a.code, a.seat) not in self._unsaid)
        return replace(view, alerts=alerts), told

    def _may_be_told(self, output: Output, paused: bool) -> bool:
        match output:
            case Say():
                return not paused
            case Alert(code=code, seat=seat):
                return self._alert((code, seat), paused)
            case Resolved(code=code, seat=seat):
                told = (code, seat) in self._told
                self._told.discard((code, seat))
                self._unsaid.discard((code, seat))
                return told
        return True

    def _alert(self, key: Key, paused: bool) -> bool:
        if paused and key not in self._told:
            self._unsaid.add(key)
        if paused or key in self._unsaid:
            return False
        self._told.add(key)
        return True
