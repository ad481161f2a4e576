"""The journal's file: SQLite, append-only, each event's hash taken over the one before it.

The table appends events and the page appends orders, from two processes, into the same chain; so an append takes
SQLite's write lock before it looks at the last hash. `synchronous=FULL` with a write-ahead log: an event that was
returned from `append` is on the disk when the plug is pulled. One `Journal` may be used by several threads.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from device.journal.events import Any as AnyBody
from device.journal.events import Body, Event, Unknown

APPLICATION_ID = 0x696E6B6B
"""Written into the file's head ("inkk"): tells a journal from any other SQLite file."""

GENESIS = "0" * 64
"""Stands for the hash before the first event."""

LONGEST = 4 << 20
"""Bytes of the longest value that is read from a file; nothing the program writes comes near it."""

MIGRATIONS = (
    """
    CREATE TABLE event (
        number INTEGER PRIMARY KEY,
        at     TEXT NOT NULL,
        type   TEXT NOT NULL,
        body   TEXT NOT NULL,
        hash   TEXT NOT NULL
    ) STRICT;
    CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
    CREATE TRIGGER event_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
    """,
)
"""Migration n leads from `user_version` n to n + 1."""

_decoder: msgspec.json.Decoder[AnyBody] = msgspec.json.Decoder(AnyBody)
_COLUMNS = "number, at, type, body, hash"


class JournalError(Exception):
    """The journal cannot be opened, read or written; the message is one sentence for people."""


@dataclass(frozen=True, slots=True)
class BadEvent:
    """The first event that does not stand in the chain, and why."""

    number: int
    reason: str


def event_hash(previous: str, number: int, at: str, kind: str, body: str) -> str:
    """The hex SHA-256 that binds an event to the one before it."""
    content = "\n".join((previous, str(number), at, kind, body))
    return hashlib.sha256(content.encode()).hexdigest()


def decode(kind: str, body: str) -> AnyBody | Unknown:
    """An event's body from its JSON; `Unknown` for a type, or a form of one, that this version does not know."""
    try:
        return _decoder.decode(body)
    except (msgspec.ValidationError, msgspec.DecodeError):
        return Unknown(kind, body)


class Journal:
    """A journal in a file. `readonly` opens an existing one and never writes to it."""

    def __init__(self, path: Path | str, *, readonly: bool = False) -> None:
        self.path = Path(path)
        self.readonly = readonly
        self._lock = threading.Lock()
        if readonly and not self.path.is_file():
            raise JournalError(f"there is no journal at {self.path}")
        with self._plainly("open"):
            self._db = _connect(self.path, readonly)
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._db.close()

    @property
    def last(self) -> int:
        """The last event's number; 0 when there is none."""
        with self._lock, self._plainly("read"):
            row = self._db.execute("SELECT max(number) FROM event").fetchone()
        return int(row[0] or 0)

    def append(self, body: Body) -> Event:
        """Write one event and return it, with its number and time, once it is on the disk."""
        if self.readonly:
            raise JournalError(f"the journal {self.path} was opened for reading only")
        kind = type(body).__name__
        text = msgspec.json.encode(body, order="sorted").decode()
        with self._lock, self._plainly("write to"):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                row = self._db.execute("SELECT number, hash FROM event ORDER BY number DESC LIMIT 1").fetchone()
                number, previous = (row[0] + 1, row[1]) if row else (1, GENESIS)
                at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
                digest = event_hash(previous, number, at, kind, text)
                self._db.execute(f"INSERT INTO event ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)",
                                 (number, at, kind, text, digest))
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise
        return Event(number=number, at=at, type=kind, body=decode(kind, text), hash=digest)

    def read(self, after: int = 0, limit: int = -1) -> list[Event]:
        """The events with numbers above `after`, in order, at most `limit` of them (-1: all)."""
        with self._lock, self._plainly("read"):
            rows = self._db.execute(
                f"SELECT {_COLUMNS} FROM event WHERE number > ? ORDER BY number LIMIT ?", (after, limit)).fetchall()
        return [Event(number=n, at=at, type=kind, body=decode(kind, body), hash=digest)
                for n, at, kind, body, digest in rows]

    def get(self, number: int) -> Event | None:
        """The event of that number, if there is one."""
        found = self.read(number - 1, 1)
        return found[0] if found and found[0].number == number else None

    def verify(self) -> BadEvent | None:
        """Walk the chain; the first event that is missing, changed or unreadable, or None when all stand.

        A chain cannot show that its end was cut off: compare the last hash with one noted elsewhere for that.
        """
        previous, expected = GENESIS, 1
        with self._lock, self._plainly("read"):
            for number, at, kind, body, digest in self._db.execute(f"SELECT {_COLUMNS} FROM event ORDER BY number"):
                reason = _fault(previous, expected, (number, at, kind, body, digest))
                if reason:
                    return BadEvent(min(number, expected), reason)
                previous, expected = digest, expected + 1
        return None

    def _prepare(self) -> None:
        """Check whose file it is and bring an older one to this version's tables."""
        db = self._db
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        marked = int(db.execute("PRAGMA application_id").fetchone()[0])
        empty = not db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if marked != APPLICATION_ID and not (empty and not self.readonly):
            raise JournalError(f"{self.path} is not a journal of inkeek")
        if version > len(MIGRATIONS):
            raise JournalError(f"{self.path} was written by a newer inkeek (version {version} of the journal, "
                               f"this one knows {len(MIGRATIONS)})")
        if self.readonly:
            kind = db.execute("SELECT type FROM sqlite_schema WHERE name = 'event'").fetchone()
            if kind != ("table",):
                raise JournalError(f"{self.path} is a journal without events' table")
            return
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        if version < len(MIGRATIONS) or marked != APPLICATION_ID:
            self._migrate()

    def _migrate(self) -> None:
        """Run the migrations still due, all in one transaction; another process may have been quicker."""
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        try:
            version = int(db.execute("PRAGMA user_version").fetchone()[0])
            for step in MIGRATIONS[version:]:
                for statement in _statements(step):
                    db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
            db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            raise

    @contextmanager
    def _plainly(self, doing: str) -> Iterator[None]:
        """Turn SQLite's errors into a sentence that names the file."""
        try:
            yield
        except sqlite3.Error as error:
            raise JournalError(f"cannot {doing} the journal {self.path}: {error}") from error
        except OSError as error:
            raise JournalError(f"cannot {doing} the journal {self.path}: {error.strerror or error}") from error


def _connect(path: Path, readonly: bool) -> sqlite3.Connection:
    """A connection without implicit transactions; nothing in a foreign file's schema is trusted to run."""
    if path.is_dir():
        raise JournalError(f"{path} is a directory, not a journal")
    if not readonly:
        path.parent.mkdir(parents=True, exist_ok=True)
    mode = "ro" if readonly else "rwc"
    address = path.absolute().as_uri()
    try:
        db = _open(f"{address}?mode={mode}")
    except sqlite3.OperationalError:
        # A write-ahead log's journal cannot be opened "ro" where its shared memory may not be made: a read-only medium.
        if not readonly or Path(f"{path}-wal").exists():
            raise
        db = _open(f"{address}?immutable=1")
    return db


def _open(uri: str) -> sqlite3.Connection:
    db = sqlite3.connect(uri, uri=True, timeout=10.0, isolation_level=None, check_same_thread=False)
    try:
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # the file is opened only now
    except BaseException:
        db.close()
        raise
    return db


def _statements(script: str) -> Iterator[str]:
    """The single statements of a migration: `executescript` would commit before it begins."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _fault(previous: str, expected: int, row: tuple[int, str, str, str, str]) -> str:
    """What is wrong with one row of the chain; "" when nothing is."""
    number, at, kind, body, digest = row
    if number != expected:
        return f"event {expected} is missing: {number} follows {expected - 1}" if expected > 1 else "event 1 is missing"
    if not all(isinstance(value, str) for value in (at, kind, body, digest)):
        return f"event {number} holds something other than text"
    if event_hash(previous, number, at, kind, body) != digest:
        return f"event {number} ({kind}) was changed: its hash does not fit its content and the event before it"
    read = decode(kind, body)
    if not isinstance(read, Unknown) and type(read).__name__ != kind:
        return f"event {number} is filed as {kind} but holds {type(read).__name__}"
    return ""


def last_hash(journal: Journal) -> str:
    """The hash of the journal's last event, worth noting elsewhere: it vouches for all before it."""
    events = journal.read(journal.last - 1)
    return events[-1].hash if events else GENESIS

