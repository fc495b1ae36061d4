"""What a key asks for: the last words again, my hand, the dealer's cards, who is next, that was right."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from hardware.keys import ACTIONS
from hardware.wording import Wording
from table_state.observation import Correction
from table_state.view import HandView, TableView

BOUNCE = 0.3  # seconds within which the same action again is one press: a switch that bounces, a key seen twice
ENGLISH = Wording()


class Speaks(Protocol):
    """`hardware.speaker.Speaker` is the real one."""

    @property
    def last(self) -> str | None:
        """What was spoken last, nobody having asked for it; None before the first words."""
        ...

    def say(self, text: str) -> bool:
        """Let words be spoken next; False while nothing can be heard."""
        ...


class Talk:
    """Answers keys and buttons; every method is safe to call from any thread."""

    def __init__(
        self,
        correct: Callable[[Correction], object],
        my_seat: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`my_seat`: whose hand `my-hand` tells; None = whose turn it is or was last."""
        self.speaker: Speaks | None = None
        self._correct, self._seat, self._clock = correct, my_seat, clock
        self._view: TableView | None = None
        self._turn: int | None = None
        self._pressed: dict[str, float] = {}
        self._lock = threading.Lock()

    def see(self, view: TableView) -> None:
        """Take the newest view."""
        self._view = view
        if view.turn is not None and view.turn[0] > 0:
            self._turn = view.turn[0]

    def press(self, action: str) -> bool:
        """Do what a key stands for; False where nothing can be heard. ValueError for no action."""
        if action not in ACTIONS:
            raise ValueError(action)
        with self._lock:
            now = self._clock()
            before, self._pressed[action] = self._pressed.get(action, -BOUNCE), now
        if now - before < BOUNCE:
            return True
        return self._say(self._answer(action))

    def test(self) -> bool:
        """Say something, so that the sound can be tried; False where nothing can be heard."""
        return self._say(ENGLISH.word("spoken.test", total="17", seat=self._seat or 1))

    def _say(self, text: str) -> bool:
        return self.speaker is not None and self.speaker.say(text)

    def _answer(self, action: str) -> str:
        if action == "repeat":
            last = self.speaker.last if self.speaker is not None else None
            return last or ENGLISH.word("spoken.nothing")
        if action == "right":
            return self._take_back()
        if self._view is None:
            return ENGLISH.word("spoken.next-none")
        answers = {"my-hand": _my_hand, "dealer": _dealer, "next": _next}
        return answers[action](self._view, self._seat or self._turn)

    def _take_back(self) -> str:
        view = self._view
        if view is None or not view.alerts:
            return ENGLISH.word("spoken.right-none")
        newest = max(view.alerts, key=lambda alert: alert.t)
        self._correct(Correction(t=view.t, kind="not-a-mistake", alert=newest.code, seat=newest.seat))
        return ENGLISH.word("spoken.right")


def _my_hand(view: TableView, seat: int | None) -> str:
    if seat is None:
        return ENGLISH.word("spoken.next-none")
    hands = next((s.hands for s in view.seats if s.number == seat), ())
    return " ".join(_hands(seat, hands)) or ENGLISH.word("spoken.my-none", seat=seat)


def _hands(seat: int, hands: tuple[HandView, ...]) -> Iterator[str]:
    for hand in hands:
        if hand.check or hand.total is None:
            yield ENGLISH.word("spoken.my-unsure", seat=seat)
        else:
            yield ENGLISH.word("spoken.my-hand", seat=seat, total=hand.text)


def _dealer(view: TableView, seat: int | None) -> str:
    turned = [code for code in view.dealer.cards if code != "??"]
    if not turned:
        return ENGLISH.word("spoken.dealer-none")
    return ENGLISH.word("spoken.dealer-shows", cards=", ".join(turned))


def _next(view: TableView, seat: int | None) -> str:
    if view.turn is None or view.turn[0] == 0:
        return ENGLISH.word("spoken.next-none")
    after = [s for s in view.seats if s.number > view.turn[0] and any(h.state == "waiting" for h in s.hands)]
    if not after:
        return ENGLISH.word("spoken.next-dealer")
    return ENGLISH.word("spoken.next", who=after[0].name or f"seat {after[0].number}")
