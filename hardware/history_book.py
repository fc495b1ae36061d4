"""The file of the evenings: rounds, hands, alerts, corrections and the pictures of alerts, in SQLite."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from table_state.amounts import plain
from table_state.observation import Correction
from table_state.output import Alert, Resolved, Result

Row = dict[str, Any]
Picture = tuple[float, bytes]
"""Wall time, seconds since 1970, and a JPEG."""

NOON = 12 * 3600.0
"""Seconds after midnight at which one evening ends and the next begins."""
VERSION = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS rounds (id INTEGER PRIMARY KEY, evening TEXT NOT NULL, began REAL NOT NULL, ended REAL,
  dealer TEXT, dealer_total INTEGER);
CREATE TABLE IF NOT EXISTS hands (round INTEGER NOT NULL REFERENCES rounds ON DELETE CASCADE, seat INTEGER NOT NULL,
  hand INTEGER NOT NULL, cards TEXT, total INTEGER, outcome TEXT NOT NULL, bet TEXT, pays TEXT,
  insurance INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS alerts (id INTEGER PRIMARY KEY, evening TEXT NOT NULL, round INTEGER, at REAL NOT NULL,
  code TEXT NOT NULL, seat INTEGER, hand INTEGER, text TEXT NOT NULL, moves TEXT NOT NULL, expected TEXT, seen TEXT,
  mended REAL, dismissed REAL);
CREATE TABLE IF NOT EXISTS corrections (id INTEGER PRIMARY KEY, evening TEXT NOT NULL, round INTEGER, at REAL NOT NULL,
  kind TEXT NOT NULL, seat INTEGER, x REAL, y REAL, code TEXT, amount TEXT, alert TEXT);
CREATE TABLE IF NOT EXISTS pictures (alert INTEGER NOT NULL REFERENCES alerts ON DELETE CASCADE, n INTEGER NOT NULL,
  at REAL NOT NULL, jpeg BLOB NOT NULL, PRIMARY KEY (alert, n)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS hands_of ON hands (round);
"""


def evening_of(wall: float) -> str:
    """The evening that a wall time belongs to, as its date: it lasts from noon to the next noon, local time."""
    return datetime.fromtimestamp(wall - NOON).date().isoformat()


def connect(file: str) -> sqlite3.Connection:
    """The evenings at an SQLite URI, made where there are none. Raises sqlite3.Error."""
    made = sqlite3.connect(file, timeout=10.0, isolation_level=None, uri=True)
    made.row_factory = sqlite3.Row
    # What was committed outlives a power cut (FULL), and what was deleted is overwritten, not only forgotten.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON", "foreign_keys=ON"):
        made.execute(f"PRAGMA {pragma}")
    if made.execute("PRAGMA user_version").fetchone()[0] != VERSION:
        made.executescript(SCHEMA)
        made.execute(f"PRAGMA user_version={VERSION}")
    return made


class Book:
    """Writes into the file; one thread alone uses it. Times are wall times, seconds since 1970."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self._round: int | None = None

    def begin(self, at: float) -> None:
        """A round began."""
        self._round = self._insert("rounds", evening=evening_of(at), began=at)

    def end(self, at: float, dealer: Sequence[str]) -> None:
        """The round is cleared."""
        self.db.execute("UPDATE rounds SET ended=?, dealer=? WHERE id=?", (at, " ".join(dealer), self._round))

    def result(self, result: Result, cards: Sequence[str]) -> None:
        """One hand of the round, or an insurance bet, as it ended."""
        if self._round is None:
            return
        self._insert(
            "hands",
            round=self._round,
            seat=result.seat,
            hand=result.hand,
            cards=" ".join(cards),
            total=result.total,
            outcome=result.outcome,
            bet=_amount(plain(result.bet)),
            pays=_amount(plain(result.pays)),
            insurance=int(result.insurance),
        )
        self.db.execute("UPDATE rounds SET dealer_total=? WHERE id=?", (result.dealer_total, self._round))

    def alert(self, alert: Alert, at: float) -> None:
        """An alert was raised; said again while it stands, it stays one."""
        moves = json.dumps([move.to_json() for move in alert.moves])
        standing = self._standing(alert.code, alert.seat)
        if standing is not None:
            self.db.execute("UPDATE alerts SET text=?, moves=? WHERE id=?", (alert.text, moves, standing))
            return
        self._insert(
            "alerts",
            evening=evening_of(at),
            round=self._round,
            at=at,
            code=alert.code,
            seat=alert.seat,
            hand=alert.hand,
            text=alert.text,
            moves=moves,
            expected=_amount(plain(alert.expected)),
            seen=_amount(plain(alert.seen)),
        )

    def mended(self, resolved: Resolved, at: float) -> None:
        """An alert no longer holds."""
        standing = self._standing(resolved.code, resolved.seat)
        self.db.execute("UPDATE alerts SET mended=? WHERE id=?", (at, standing))

    def correction(self, correction: Correction, at: float) -> None:
        """A person overruled the camera or the referee."""
        c = correction
        if c.kind == "not-a-mistake" and c.alert is not None:
            self.db.execute("UPDATE alerts SET dismissed=? WHERE id=?", (at, self._standing(c.alert, c.seat)))
        about: Row = {"kind": c.kind, "seat": c.seat, "x": c.x, "y": c.y, "code": c.code, "alert": c.alert}
        about["amount"] = _amount(plain(c.amount))
        self._insert("corrections", evening=evening_of(at), round=self._round, at=at, **about)

    def pictures(self, code: str, seat: int | None, pictures: Iterable[Picture], most_bytes: int) -> None:
        """Keep the pictures of the newest such alert; the oldest alerts' pictures go where all would be too many."""
        found = self.db.execute("SELECT max(id) FROM alerts WHERE code=? AND seat IS ?", (code, seat)).fetchone()[0]
        if found is None:
            return
        rows = [(found, n, at, jpeg) for n, (at, jpeg) in enumerate(pictures)]
        self.db.executemany("INSERT OR REPLACE INTO pictures VALUES (?, ?, ?, ?)", rows)
        sizes = self.db.execute("SELECT alert, sum(length(jpeg)) FROM pictures GROUP BY alert ORDER BY alert DESC")
        total = 0
        for alert, size in sizes.fetchall():
            total += size
            if total > most_bytes:
                self.db.execute("DELETE FROM pictures WHERE alert=?", (alert,))

    def purge(self, at: float, days: int) -> None:
        """Delete the evenings that are more than `days` old."""
        self._delete("evening < ?", (date.fromisoformat(evening_of(at)) - timedelta(days=days)).isoformat())

    def delete_evening(self, evening: str) -> None:
        """Delete all that was kept of one evening, its pictures included; what goes on is a round without a record."""
        self._delete("evening = ?", evening)

    def _delete(self, where: str, value: str) -> None:
        for table in ("alerts", "corrections", "rounds"):
            self.db.execute(f"DELETE FROM {table} WHERE {where}", (value,))
        kept = self.db.execute("SELECT 1 FROM rounds WHERE id=?", (self._round,)).fetchone()
        self._round = self._round if kept else None

    def _standing(self, code: str, seat: int | None) -> int | None:
        found = self.db.execute(
            "SELECT max(id) FROM alerts WHERE code=? AND seat IS ? AND mended IS NULL AND round IS ?",
            (code, seat, self._round),
        ).fetchone()
        return None if found[0] is None else int(found[0])

    def _insert(self, table: str, **row: object) -> int:
        marks = ", ".join("?" * len(row))
        made = self.db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))
        return int(made.lastrowid or 0)


def _amount(value: object) -> str | None:
    return None if value is None else str(value)
