"""Keeps what happened at the table for the dealer, for a time: written in a thread of its own, the loop never waits."""

import json
import queue
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path

from hardware.app import Listener
from hardware.history_book import Book, Picture, Row, connect, evening_of
from hardware.notices import say
from table_state.observation import Correction
from table_state.output import Alert, Event, Output, Resolved, Result
from table_state.view import TableView

Job = Callable[[Book], None]
EXPORTS = {
    "rounds": "SELECT r.evening, r.id AS round, r.began, r.ended, h.seat, h.hand, h.cards, h.total, h.outcome, h.bet,"
    " h.pays, h.insurance, r.dealer, r.dealer_total FROM rounds r LEFT JOIN hands h ON h.round = r.id"
    " WHERE r.evening = :evening ORDER BY r.id, h.seat, h.hand, h.insurance",
    "alerts": "SELECT evening, id, round, at, code, seat, hand, text, moves, expected, seen, mended, dismissed,"
    " (SELECT count(*) FROM pictures p WHERE p.alert = alerts.id) AS pictures"
    " FROM alerts WHERE evening = :evening ORDER BY id",
    "corrections": "SELECT evening, id, round, at, kind, seat, x, y, code, amount, alert FROM corrections"
    " WHERE evening = :evening ORDER BY id",
}
WAIT = 10.0  # seconds that a deletion or the end may take
GOING = frozenset({"deal", "insurance", "play", "dealer"})
"""Phases in which a hand may lose a card by a correction; later ones only lose them to the rack."""


class History(Listener):
    """Rounds, alerts and corrections in the file `path`; those of evenings over `keep_days` ago are deleted.

    A fault of the disk is said once and ends the keeping, not the program. `path` None: in memory, gone at the end.
    """

    def __init__(
        self,
        path: Path | None,
        keep_days: int,
        picture_bytes: int = 200_000_000,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.path = path
        self._file = path.as_uri() if path else f"file:railbird-{secrets.token_hex(8)}?mode=memory&cache=shared"
        self._keep_days, self._picture_bytes, self._wall = keep_days, picture_bytes, wall
        self._cards: dict[int, list[tuple[str, ...]]] = {}
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._opened = threading.Event()
        self._keeps = True
        self._thread = threading.Thread(target=self._write, name="history", daemon=True)
        self._thread.start()
        self._opened.wait(WAIT)

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Keep what is more than words."""
        now = self._wall()
        if any(isinstance(output, Event) and output.event == "round-started" for output in outputs):
            self._cards.clear()
        self._remember(view)
        for output in outputs:
            self._keep(output, now)

    def answer(self, correction: Correction, applied: bool) -> None:
        """Keep a person's correction, if it changed something."""
        if not applied:
            return
        now = self._wall()
        self._put(lambda book: book.correction(correction, now))

    def pictures(self, alert: Alert, pictures: Iterable[Picture]) -> None:
        """Keep the pictures of an alert that was published."""
        code, seat, kept = alert.code, alert.seat, tuple(pictures)
        self._put(lambda book: book.pictures(code, seat, kept, self._picture_bytes))

    def close(self, failed: bool) -> None:
        """Write the rest."""
        self._jobs.put(None)
        self._thread.join(WAIT)

    def _put(self, job: Job) -> None:
        if self._keeps:
            self._jobs.put(job)

    def _remember(self, view: TableView) -> None:
        """The cards as they lay before they were taken: a result names a hand that lies no more."""
        going = view.phase in GOING
        for number, hands in ((0, (view.dealer,)), *((seat.number, seat.hands) for seat in view.seats)):
            cards = [hand.cards for hand in hands if hand.cards]
            before = self._cards.get(number, [])
            if len(cards) < len(before) or not cards:
                continue  # a hand was taken; the others keep their numbers
            pairs = zip(cards, before + [()] * (len(cards) - len(before)), strict=True)
            self._cards[number] = [new if going or len(new) >= len(old) else old for new, old in pairs]

    def _keep(self, output: Output, now: float) -> None:
        match output:
            case Event(event="round-started"):
                self._put(lambda book: book.begin(now))
            case Event(event="round-ended"):
                dealer = (self._cards.get(0) or [()])[0]
                self._put(lambda book: book.end(now, dealer))
                self._put(lambda book: book.purge(now, self._keep_days))
            case Alert():
                self._put(lambda book: book.alert(output, now))
            case Resolved():
                self._put(lambda book: book.mended(output, now))
            case Result(seat=seat, hand=hand):
                hands = self._cards.get(seat, [])
                cards = hands[hand] if hand < len(hands) else ()
                self._put(lambda book: book.result(output, cards))

    # The writer's thread

    def _write(self) -> None:
        try:
            with closing(self._open()) as db:
                book = Book(db)
                book.purge(self._wall(), self._keep_days)
                self._opened.set()
                while (job := self._jobs.get()) is not None:
                    self._commit(book, [job, *self._waiting()])
        except (OSError, sqlite3.Error) as error:
            self._keeps = False  # nobody takes the jobs any more: they must not pile up
            say(f"history: {self.path or 'memory'}: {error}; what happens at the table is not kept")
        self._opened.set()

    def _open(self) -> sqlite3.Connection:
        if self.path is None:
            return connect(self._file)
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.path.touch(mode=0o600)
        try:
            return connect(self._file)
        except sqlite3.DatabaseError:
            broken = self.path.with_suffix(".broken")
            self.path.replace(broken)
            for more in ("-wal", "-shm"):
                self.path.with_name(self.path.name + more).unlink(missing_ok=True)
            say(f"history: {self.path}: is broken; it was moved to {broken} and a new one begun")
            return connect(self._file)

    def _waiting(self) -> list[Job]:
        """What else is to be written now; the end comes back as it was."""
        found: list[Job] = []
        with suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                if job is None:
                    self._jobs.put(None)
                    break
                found.append(job)
        return found

    def _commit(self, book: Book, jobs: Sequence[Job]) -> None:
        book.db.execute("BEGIN IMMEDIATE")
        try:
            for job in jobs:
                job(book)
        except sqlite3.Error:
            book.db.execute("ROLLBACK")
            raise
        book.db.execute("COMMIT")

    # The console's side

    def evenings(self) -> list[Row]:
        """The evenings that are kept, the newest first, with their rounds counted."""
        return self._read(
            "SELECT evening, sum(round) AS rounds, sum(alert) AS alerts, sum(fix) AS corrections FROM ("
            "SELECT evening, 1 AS round, 0 AS alert, 0 AS fix FROM rounds UNION ALL "
            "SELECT evening, 0, 1, 0 FROM alerts UNION ALL SELECT evening, 0, 0, 1 FROM corrections)"
            " GROUP BY evening ORDER BY evening DESC"
        )

    def rows(self, what: str, evening: str) -> list[Row]:
        """`rounds` (a row a hand), `alerts` or `corrections` of one evening. Raises KeyError for another."""
        rows = self._read(EXPORTS[what], evening=evening)
        for row in rows:
            if "moves" in row:
                row["moves"] = json.loads(row["moves"])
            if "insurance" in row:
                row["insurance"] = bool(row["insurance"])
        return rows

    def picture(self, alert: int, n: int) -> bytes | None:
        """The n-th picture of an alert, a JPEG."""
        found = self._read("SELECT jpeg FROM pictures WHERE alert = :alert AND n = :n", alert=alert, n=n)
        return bytes(found[0]["jpeg"]) if found else None

    def delete(self, evening: str) -> bool:
        """Delete an evening for good; whether that was done. Waits for the writer."""
        done = threading.Event()
        self._put(lambda book: book.delete_evening(evening))
        self._put(lambda book: done.set())
        if not self._keeps or not done.wait(WAIT):
            return False
        with suppress(sqlite3.Error):
            self._read("PRAGMA wal_checkpoint(TRUNCATE)")  # the log still holds what was deleted
        return evening not in {row["evening"] for row in self.evenings()}

    @property
    def evening(self) -> str:
        """This evening's date."""
        return evening_of(self._wall())

    def _read(self, sql: str, **values: object) -> list[Row]:
        try:
            with closing(sqlite3.connect(self._file, timeout=10.0, isolation_level=None, uri=True)) as db:
                db.row_factory = sqlite3.Row
                db.execute("PRAGMA read_uncommitted=ON")  # in memory readers and the writer would else lock each other
                return [dict(row) for row in db.execute(sql, values)]
        except sqlite3.Error:
            return []  # the writer has said what is wrong with the file
