"""The hall's copy of every table's journal: SQLite, each event checked against the hash before it and kept as it came.

A stream is one journal under one table's id. When `take` has returned, its events are on the disk; only then are they
confirmed to the table. Nothing that is kept is ever changed or deleted.
"""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from device.journal.chain import GENESIS, decode
from device.journal.events import Event, Unknown
from device.journal.store import JournalTrouble, plainly
from device.publishing.messages import JournalRecord

APPLICATION_ID = 0x696E6B68
"""Written into the file's header ("inkh")."""
VERSION = 2
SCHEMA = """
CREATE TABLE stream (
    id      INTEGER PRIMARY KEY,
    place   TEXT NOT NULL,
    journal TEXT NOT NULL,
    number  INTEGER NOT NULL,
    hash    TEXT NOT NULL,
    turn    INTEGER NOT NULL,
    forked  INTEGER NOT NULL DEFAULT 0,
    UNIQUE (place, journal)
) STRICT;
CREATE TABLE event (
    stream INTEGER NOT NULL REFERENCES stream (id),
    number INTEGER NOT NULL,
    at     TEXT NOT NULL,
    type   TEXT NOT NULL,
    body   TEXT NOT NULL,
    hash   TEXT NOT NULL,
    PRIMARY KEY (stream, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE sequence (place TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
"""
DISMISSED = "CREATE TABLE dismissed (place TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;"
"""What version 2 adds: tables that are hidden until their next message."""
MOST_STREAMS = 2000
"""Most journals kept, of all tables together, so that a stranger at the broker cannot fill the disk with names."""


class AppendResult(StrEnum):
    """What happened to an event."""

    NEW = "new"
    """It is on the disk."""
    KNOWN = "known"
    """It was on the disk already, with the same hash."""
    GAP = "gap"
    """Events before it are missing."""
    BROKEN = "broken"
    """Its hash does not fit its content."""
    FORK = "fork"
    """It is valid, but contradicts the history that is kept."""
    FULL = "full"
    """There are more journals than the hall keeps."""


@dataclass(slots=True)
class JournalCopy:
    """One journal of one table. number, hash: of the last event kept. turn: the table plays on its stream with the
    highest turn. forked: the table has sent a contradicting history for the same journal."""

    id: int
    table: str
    journal: str
    number: int
    hash: str
    turn: int
    forked: bool

    def takes(self, event: JournalRecord) -> AppendResult:
        """Return what would happen to an event that is not kept yet. For one that is kept, the caller compares the
        hashes instead."""
        if not event.stands or _misfiled(event):
            return AppendResult.BROKEN
        if event.number > self.number + 1:
            return AppendResult.GAP
        if event.before != self.hash or (event.number == 1 and not event.hash.startswith(self.journal)):
            return AppendResult.FORK
        return AppendResult.NEW


class Store:
    """The file. Several threads may use it; only one process may write it."""

    def __init__(self, path: Path) -> None:
        """path: of the file, created if missing. Raises `JournalTrouble`, one sentence."""
        self.path = path
        self._write_lock, self._read_lock = threading.Lock(), threading.Lock()
        with self._plainly():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
            self._prepare()
            self._reader = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        self._streams: dict[tuple[str, str], JournalCopy] = {}
        self._now: dict[str, JournalCopy] = {}
        self._dismissed: set[str] = set()
        self._kept: dict[int, int] = {}
        """The last number of each stream that is certainly on the disk."""
        with self._plainly():
            self._load()

    def close(self) -> None:
        """Close the file."""
        with self._write_lock, self._read_lock:
            self._db.close()
            self._reader.close()

    def take(self, events: Sequence[tuple[str, JournalRecord]]) -> list[AppendResult]:
        """Keep events, each with its table's id, in one transaction; return what happened to each. On return they are
        on the disk. Raises `JournalTrouble`: then none was kept."""
        with self._write_lock, self._plainly():
            with self._written():
                found = [self._take(table, event) for table, event in events]
            self._kept = {s.id: s.number for s in self._streams.values()}
            return found

    def turn_to(self, table: str, journal: str) -> bool:
        """Note that the table now plays on this journal; return whether that is new. Raises `JournalTrouble`."""
        with self._write_lock, self._plainly():
            now, found = self.current(table), self._streams.get((table, journal))
            if found is not None and found is now:
                return False
            with self._written():
                found = found or self._begin(table, journal)
                if found is not None:
                    found.turn = (now.turn if now is not None else 0) + 1
                    self._db.execute("UPDATE stream SET turn = ? WHERE id = ?", (found.turn, found.id))
                    self._now[table] = found
            return found is not None

    def current(self, table: str) -> JournalCopy | None:
        """Return the journal that the table plays on, as far as is known."""
        return self._now.get(table)

    def tables(self) -> list[str]:
        """Return the ids of all known tables that are not dismissed."""
        return sorted(self._now.keys() - self._dismissed)

    def dismissed(self, table: str) -> bool:
        """Return whether a director has dismissed the table and it has sent nothing since."""
        return table in self._dismissed

    def dismiss(self, table: str, so: bool = True) -> None:
        """Hide the table until its next message, or show it again (`so` False); the copies of its journals stay. Raises
        `JournalTrouble`."""
        with self._write_lock, self._plainly(), self._written():
            if so:
                self._db.execute("INSERT OR IGNORE INTO dismissed VALUES (?)", (table,))
                self._dismissed.add(table)
            else:
                self._db.execute("DELETE FROM dismissed WHERE place = ?", (table,))
                self._dismissed.discard(table)

    def kept(self, stream: JournalCopy) -> int:
        """Return the last number of a stream that is certainly on the disk."""
        return self._kept.get(stream.id, 0)

    def stream(self, table: str, journal: str) -> JournalCopy | None:
        """Return one journal of a table; None if it is unknown."""
        return self._streams.get((table, journal))

    def read(self, stream: int, after: int = 0, limit: int = -1) -> list[Event]:
        """Return the events of a stream, as `Journal.read` does."""
        return [Event(number=number, at=at, type=kind, body=decode(kind, body), hash=digest)
                for number, at, kind, body, digest in self.rows(stream, after, limit)]

    def rows(self, stream: int, after: int = 0, limit: int = -1) -> list[tuple[int, str, str, str, str]]:
        """Return the events as stored: number, time, kind, body and hash."""
        with self._read_lock, self._plainly():
            return self._reader.execute(
                "SELECT number, at, type, body, hash FROM event WHERE stream = ? AND number > ? ORDER BY number "
                "LIMIT ?", (stream, after, limit)).fetchall()

    def ends_otherwise(self, table: str, journal: str, number: int, digest: str) -> bool:
        """Return whether the table's journal and the copy have different events at that number, and note such a fork.
        False where the copy does not reach that number. Raises `JournalTrouble`."""
        stream = self._streams.get((table, journal))
        if stream is None or stream.forked or not 0 < number <= stream.number:
            return False
        kept = self.rows(stream.id, number - 1, 1)
        if kept and kept[0][4] == digest:
            return False
        with self._write_lock, self._plainly(), self._written():
            self._fork(stream)
        return True

    def set_aside(self, table: str) -> None:
        """Begin a new copy of the table's journal, from its first event; the old copy stays under another name. Raises
        `JournalTrouble`."""
        with self._write_lock, self._plainly(), self._written():
            old = self._now.get(table)
            if old is None:
                return
            self._db.execute("UPDATE stream SET journal = ? WHERE id = ?", (f"{old.journal}-{old.id}", old.id))
            del self._streams[table, old.journal]
            self._streams[table, f"{old.journal}-{old.id}"] = old
            new = self._begin(table, old.journal)
            if new is None:
                raise JournalTrouble("the hall keeps as many journals as it can")
            old.journal = f"{old.journal}-{old.id}"
            new.turn = old.turn + 1
            self._db.execute("UPDATE stream SET turn = ? WHERE id = ?", (new.turn, new.id))
            self._now[table] = new

    def next_sequence(self, table: str, above: int = 0) -> int:
        """Return the number of the table's next order, higher than all before it and than `above`; it is on the disk on
        return. Raises `JournalTrouble`."""
        with self._write_lock, self._plainly(), self._written():
            row = self._db.execute("SELECT number FROM sequence WHERE place = ?", (table,)).fetchone()
            number = max(int(row[0]) if row else 0, above) + 1
            self._db.execute("INSERT OR REPLACE INTO sequence VALUES (?, ?)", (table, number))
            return number

    # ---- inside ------------------------------------------------------------------------------------------------

    def _take(self, table: str, event: JournalRecord) -> AppendResult:
        stream = self._streams.get((table, event.journal)) or self._begin(table, event.journal)
        if stream is None:
            return AppendResult.FULL
        if event.number <= stream.number and event.stands:
            kept = self._db.execute("SELECT hash FROM event WHERE stream = ? AND number = ?",
                                    (stream.id, event.number)).fetchone()
            found = AppendResult.KNOWN if kept == (event.hash,) else AppendResult.FORK
        else:
            found = stream.takes(event)
        if found is AppendResult.FORK and not stream.forked:
            self._fork(stream)
        if found is AppendResult.NEW:
            self._db.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)",
                             (stream.id, event.number, event.at, event.type, event.body, event.hash))
            self._db.execute("UPDATE stream SET number = ?, hash = ? WHERE id = ?",
                             (event.number, event.hash, stream.id))
            stream.number, stream.hash = event.number, event.hash
        return found

    def _fork(self, stream: JournalCopy) -> None:
        stream.forked = True
        self._db.execute("UPDATE stream SET forked = 1 WHERE id = ?", (stream.id,))

    def _begin(self, table: str, journal: str) -> JournalCopy | None:
        """Return a new stream without events; None if there are too many."""
        if len(self._streams) >= MOST_STREAMS:
            return None
        row = self._db.execute("INSERT INTO stream (place, journal, number, hash, turn) VALUES (?, ?, 0, ?, 0)",
                               (table, journal, GENESIS))
        made = JournalCopy(int(row.lastrowid or 0), table, journal, 0, GENESIS, 0, False)
        self._streams[table, journal] = made
        self._now.setdefault(table, made)
        return made

    @contextmanager
    def _written(self) -> Iterator[None]:
        """Run one transaction; if it fails, read what is in memory from the disk again."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._load()
            raise

    def _prepare(self) -> None:
        marked = int(self._db.execute("PRAGMA application_id").fetchone()[0])
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if marked not in (0, APPLICATION_ID) or version > VERSION:
            raise JournalTrouble(f"{self.path} is not a hall's file, or one of a newer inkeek")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        if version < VERSION:
            made = "" if version else f"{SCHEMA} PRAGMA application_id = {APPLICATION_ID};"
            self._db.executescript(f"BEGIN; {made} {DISMISSED} PRAGMA user_version = {VERSION}; COMMIT;")

    def _load(self) -> None:
        rows = self._db.execute("SELECT id, place, journal, number, hash, turn, forked FROM stream ORDER BY turn, id")
        streams = [JournalCopy(number, table, journal, last, digest, turn, bool(forked))
                   for number, table, journal, last, digest, turn, forked in rows.fetchall()]
        self._streams = {(s.table, s.journal): s for s in streams}
        self._now = {s.table: s for s in streams}
        self._kept = {s.id: s.number for s in streams}
        self._dismissed = {str(table) for table, in self._db.execute("SELECT place FROM dismissed").fetchall()}

    def _plainly(self) -> AbstractContextManager[None]:
        return plainly(f"the hall's file {self.path} cannot be used")


def _misfiled(event: JournalRecord) -> bool:
    """Return whether the body of an event of a known kind has another kind, or is nested too deep to be read."""
    try:
        body = decode(event.type, event.body)
    except RecursionError:
        return True
    return not isinstance(body, Unknown) and type(body).__name__ != event.type


class TableSource:
    """The journal that a table plays on, as a source for `web.readmodel.book.Book`."""

    def __init__(self, store: Store, table: str) -> None:
        """store: holds the journal; table: the table's id."""
        self._store, self._table = store, table

    def stamp(self) -> tuple[int, ...]:
        """Return which journal this is, and how far the copy of it goes."""
        now = self._store.current(self._table)
        return (now.id, self._store.kept(now)) if now is not None else ()

    def which(self) -> int:
        """Return the stream's number; 0 while the table is unknown."""
        now = self._store.current(self._table)
        return now.id if now is not None else 0

    def read(self, after: int = 0, limit: int = -1) -> list[Event]:
        """Return events, as `Store.read` does."""
        now = self._store.current(self._table)
        return self._store.read(now.id, after, limit) if now is not None else []

    def close(self) -> None:
        """Do nothing: nothing is open."""
