"""The events of the hall's tournaments on the disk: SQLite, one row per event, never changed and never deleted.

A *cup* is one tournament; cups are numbered from 1, and the last is the current one.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec

from device.journal.store import JournalTrouble, plainly
from engine.tournaments import events as ev

APPLICATION_ID = 0x696E6B74
"""Written into the file's header ("inkt")."""
VERSION = 1
SCHEMA = """
CREATE TABLE event (
    cup    INTEGER NOT NULL,
    number INTEGER NOT NULL,
    kind   TEXT NOT NULL,
    body   TEXT NOT NULL,
    spent  TEXT NOT NULL,
    PRIMARY KEY (cup, number)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER changed BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
CREATE TRIGGER deleted BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;
"""
KINDS: dict[str, type[ev.TournamentEvent]] = {kind.__name__: kind for kind in (
    ev.TournamentBegun, ev.Entered, ev.Renamed, ev.TablesNamed, ev.Withdrew, ev.RoundMade, ev.Moved,
    ev.Reported, ev.Corrected, ev.Undone)}

Row = tuple[ev.TournamentEvent, tuple[str, ...]]
"""An event, and the keys of the matches that had ended by then: these cannot belong to a round that the event makes."""


class Log:
    """The file of the tournaments' events. The caller makes sure that only one thread uses it at a time."""

    def __init__(self, path: Path) -> None:
        """path: of the file, created if missing. Raises `JournalTrouble`, one sentence."""
        self.path = path
        with self._plainly():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
            self._prepare()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def last(self) -> int:
        """Return the number of the current cup; 0 if there is none yet. Raises `JournalTrouble`."""
        with self._plainly():
            return int(self._db.execute("SELECT coalesce(max(cup), 0) FROM event").fetchone()[0])

    def read(self, cup: int) -> list[Row]:
        """Return all events of a cup, in order. Raises `JournalTrouble`, also for a row that cannot be read."""
        with self._plainly():
            rows = self._db.execute("SELECT number, kind, body, spent FROM event WHERE cup = ? ORDER BY number",
                                    (cup,)).fetchall()
        return [self._decoded(*row) for row in rows]

    def append(self, cup: int, after: int, rows: Sequence[Row]) -> None:
        """Add events to a cup, all or nothing, numbered from `after` + 1; they are on the disk on return. Raises
        `JournalTrouble`."""
        with self._plainly():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?)", [
                    (cup, number, type(event).__name__, msgspec.json.encode(event).decode(),
                     msgspec.json.encode(spent).decode()) for number, (event, spent) in enumerate(rows, after + 1)])
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    # ---- inside ------------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        mark = self._db.execute("PRAGMA application_id").fetchone()[0]
        if mark not in (0, APPLICATION_ID):
            raise sqlite3.DatabaseError("it is another program's")
        if self._db.execute("PRAGMA user_version").fetchone()[0] > VERSION:
            raise sqlite3.DatabaseError("a newer inkeek has written it")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        if mark == 0:
            self._db.executescript(f"BEGIN; {SCHEMA} PRAGMA application_id = {APPLICATION_ID}; "
                                   f"PRAGMA user_version = {VERSION}; COMMIT;")

    def _decoded(self, number: int, kind: str, body: str, spent: str) -> Row:
        try:
            event: Any = msgspec.json.decode(body, type=KINDS[kind])
            return event, msgspec.json.decode(spent, type=tuple[str, ...])
        except (KeyError, msgspec.MsgspecError) as error:
            raise JournalTrouble(f"event {number} ({kind}) in {self.path} cannot be read: {error}") from error

    def _plainly(self) -> AbstractContextManager[None]:
        return plainly(f"the tournament's file {self.path} cannot be used")
