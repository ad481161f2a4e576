"""The journal's file: append-only SQLite with a hash chain over the events.

The table appends events and the page appends orders, from two processes, to the same chain; so an append takes SQLite's
write lock before it reads the last hash. With `synchronous=FULL` and a write-ahead log, an event that `append` returned
survives a power cut. Several threads may share one `Journal`.

Only `checkpoint` moves the log into the file.
"""

import logging
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from device.errors import UserError
from device.journal import full_disk
from device.journal.chain import (
    COLUMNS,
    GENESIS,
    BadEvent,
    decode,
    encode,
    event_hash,
    sound,
    utc_now,
    walk,
    whole,
)
from device.journal.events import Body, Event
from device.journal.head import (
    Damaged,
    Head,
    note_head,
    read_head,
    sync_folder,
)

log = logging.getLogger(__name__)

APPLICATION_ID = 0x696E6B6B
"""Stands in the file's header ("inkk") and tells a journal from other SQLite files."""

LONGEST = 4 << 20
"""Bytes of the longest value read from a file; the program writes nothing nearly as long."""

NOT_TAKEN = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
"""SQLite's codes for a write that the disk refused."""

CHECKPOINT_WAIT_MS = 300
"""How long a checkpoint waits for readers; if it fails, a later one will do."""

SCHEMA = (
    """CREATE TABLE event (
        number INTEGER PRIMARY KEY,
        at     TEXT NOT NULL,
        type   TEXT NOT NULL,
        body   TEXT NOT NULL,
        hash   TEXT NOT NULL
    ) STRICT""",
    "CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END",
    "CREATE TRIGGER event_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END",
)
VERSION = 1
"""SQLite's `user_version` of a file that has these tables."""


class JournalError(UserError):
    """The journal cannot be opened, read or written; the message is one sentence for people."""


class JournalTrouble(JournalError):
    """The disk refuses a write or a read: full, read-only, failing, damaged."""


@contextmanager
def plainly(what: str) -> Iterator[None]:
    """Turn SQLite's and system errors into a `JournalTrouble` that says what failed, and why."""
    try:
        yield
    except sqlite3.Error as error:
        raise JournalTrouble(f"{what}: {error}") from error
    except OSError as error:
        raise JournalTrouble(f"{what}: {error.strerror or error}") from error


class Journal:
    """A journal in a file. `readonly` opens an existing one and never writes to it."""

    def __init__(self, path: Path | str, *, readonly: bool = False) -> None:
        """path: the file; readonly: open without writing. Raises `JournalError`."""
        self.path = Path(path)
        self.readonly = readonly
        self._lock = threading.Lock()
        if readonly and not self.path.is_file():
            raise JournalError(f"there is no journal at {self.path}")
        with self._plainly("open"):
            if not readonly:
                self._check_end()
            self._db = _connect(self.path, readonly)
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise

    def __enter__(self) -> Self:
        """The journal; the end of the block closes it."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        with self._lock:
            self._db.close()

    @property
    def last(self) -> int:
        """The last event's number; 0 when there is none."""
        with self._lock, self._plainly("read"):
            row = self._db.execute("SELECT max(number) FROM event").fetchone()
        return int(row[0] or 0)

    def append(self, body: Body) -> Event:
        """Write one event; return it, with its number and time, when it is on the disk."""
        return self.append_all([(body, "")])[0]

    def append_all(self, entries: Sequence[tuple[Body, str]]) -> list[Event]:
        """Write events in one transaction; on a full disk the reserve is given up for them. entries: (body, time),
        time "" for now."""
        if self.readonly:
            raise JournalError(f"the journal {self.path} was opened for reading only")
        with self._lock, self._plainly("write to"):
            try:
                written = self._write(entries)
            except sqlite3.OperationalError as error:
                if not _made_room(self.path, error):
                    raise
                written = self._write(entries)
            if written:
                with suppress(OSError):  # the events are on the disk; the note is only further proof
                    note_head(self.path, Head(written[-1].number, written[-1].hash))
        return written

    def _write(self, entries: Sequence[tuple[Body, str]]) -> list[Event]:
        """The transaction of `append_all`. Raises sqlite3.Error."""
        written: list[Event] = []
        self._db.execute("BEGIN IMMEDIATE")
        try:
            number, previous = self._end()
            for body, at in entries:
                kind, text = type(body).__name__, encode(body)
                number, at = number + 1, at or utc_now()
                previous = event_hash(previous, number, at, kind, text)
                self._db.execute(f"INSERT INTO event ({COLUMNS}) VALUES (?, ?, ?, ?, ?)",
                                 (number, at, kind, text, previous))
                written.append(Event(number=number, at=at, type=kind, body=decode(kind, text), hash=previous))
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise
        return written

    def checkpoint(self) -> bool:
        """Move the write-ahead log into the file; False if another process held it up. Only the table, which owns the
        file, calls this."""
        with self._lock, self._plainly("write to"):
            waits = int(self._db.execute("PRAGMA busy_timeout").fetchone()[0])
            self._db.execute(f"PRAGMA busy_timeout = {CHECKPOINT_WAIT_MS}")
            try:
                return not self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            except sqlite3.OperationalError as error:
                if "locked" in str(error) or "busy" in str(error):
                    return False
                raise
            finally:
                self._db.execute(f"PRAGMA busy_timeout = {waits}")

    def copy(self, target: Path) -> None:
        """Copy the journal as it is now to `target`, whole and synced to the disk; others may go on writing."""
        new = target.with_name(target.name + ".new")
        with self._lock, self._plainly("copy"):
            new.unlink(missing_ok=True)
            copy = sqlite3.connect(new, isolation_level=None)
            try:
                self._db.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, with no log beside it
            finally:
                copy.close()
            with new.open("rb+") as file:
                os.fsync(file.fileno())
            new.replace(target)
            sync_folder(target.parent)

    def read(self, after: int = 0, limit: int = -1) -> list[Event]:
        """The events with numbers above `after`, in order, at most `limit` of them (-1: all)."""
        return [_event(row) for row in self.rows(after, limit)]

    def rows(self, after: int = 0, limit: int = -1) -> list[tuple[int, str, str, str, str]]:
        """As `read`, but as stored: number, time, type, body (the exact JSON text) and hash."""
        with self._lock, self._plainly("read"):
            found: list[tuple[int, str, str, str, str]] = self._db.execute(
                f"SELECT {COLUMNS} FROM event WHERE number > ? ORDER BY number LIMIT ?", (after, limit)).fetchall()
        return found

    def sound(self) -> list[Event]:
        """The events before the first bad one: all of them if the journal is whole."""
        with self._lock:
            return [_event(row) for row in sound(self._db)]

    def get(self, number: int) -> Event | None:
        """The event of that number; None if there is none."""
        found = self.read(number - 1, 1)
        return found[0] if found and found[0].number == number else None

    def verify(self) -> BadEvent | None:
        """Check the chain and the file: the first event that is missing, changed or unreadable, or None if all is well.

        The note beside the file shows a cut-off end. If the note was cut as well, only the last hash, written down
        elsewhere, shows it.
        """
        try:
            head = read_head(self.path)  # before the chain, which may grow meanwhile
        except Damaged as damage:
            return BadEvent(0, str(damage))
        with self._lock:
            last, bad = walk(self._db, head)
            return bad or whole(self._db, last)

    def _end(self) -> tuple[int, str]:
        """Number and hash of the last event."""
        row = self._db.execute("SELECT number, hash FROM event ORDER BY number DESC LIMIT 1").fetchone()
        return (row[0], row[1]) if row else (0, GENESIS)

    def _prepare(self) -> None:
        """Check that the file is a journal, and make the tables of a new one."""
        db = self._db
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        marked = int(db.execute("PRAGMA application_id").fetchone()[0])
        empty = not db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if marked != APPLICATION_ID and not (empty and not self.readonly):
            raise JournalError(f"{self.path} is not a journal of inkeek")
        if version > VERSION:
            raise JournalError(f"{self.path} was written by a newer inkeek (version {version} of the journal, "
                               f"this one knows {VERSION})")
        if self.readonly:
            kind = db.execute("SELECT type FROM sqlite_schema WHERE name = 'event'").fetchone()
            if kind != ("table",):
                raise JournalError(f"{self.path} is a journal without its table of events")
            return
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        if version < VERSION or marked != APPLICATION_ID:
            self._make()

    def _make(self) -> None:
        """Make the tables, in one transaction; another process may have made them already."""
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        try:
            if db.execute("PRAGMA user_version").fetchone()[0] < VERSION:
                for statement in SCHEMA:
                    db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            raise

    def _check_end(self) -> None:
        """Check that the noted last event is there, before opening for writing: SQLite would then discard a log that it
        cannot read, with events that a person might still save. Raises `JournalTrouble`."""
        if not self.path.is_file():
            return
        try:
            head = read_head(self.path)
        except Damaged as damage:
            raise JournalTrouble(str(damage)) from damage
        if head is None:
            return
        db = _connect(self.path, True)
        try:
            row = db.execute("SELECT hash FROM event WHERE number = ?", (head.number,)).fetchone()
        finally:
            db.close()
        if row != (head.hash,):
            raise JournalTrouble(f"the journal {self.path} is damaged: event {head.number}, which was written, is not "
                                 "there")

    def _plainly(self, doing: str) -> AbstractContextManager[None]:
        return plainly(f"cannot {doing} the journal {self.path}")


class JournalFile:
    """A journal in a file that need not exist, to be read while others write it. It is opened at the first read."""

    def __init__(self, path: Path) -> None:
        """path: of the file."""
        self.path = path
        self._journal: Journal | None = None

    def stamp(self) -> tuple[int, ...]:
        """Sizes, times and inode numbers of the journal's file and its write-ahead log: they change with every write.
        """
        found: list[int] = []
        for file in (self.path, self.path.with_name(self.path.name + "-wal")):
            try:
                stat = file.stat()
            except OSError:
                found.append(0)
            else:
                found += (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        return tuple(found)

    def which(self) -> int:
        """The file's inode number, by which another journal in its place is noticed; 0 without a file."""
        try:
            return self.path.stat().st_ino if self.path.is_file() else 0
        except OSError:
            return 0

    def read(self, after: int = 0, limit: int = -1) -> list[Event]:
        """As `Journal.read`. Raises `JournalError`."""
        return self._opened().read(after, limit)

    def rows(self, after: int = 0, limit: int = -1) -> list[tuple[int, str, str, str, str]]:
        """As `Journal.rows`. Raises `JournalError`."""
        return self._opened().rows(after, limit)

    def close(self) -> None:
        """Close the file; the next read opens it again."""
        if self._journal is not None:
            with suppress(JournalError):
                self._journal.close()
            self._journal = None

    def _opened(self) -> Journal:
        if self._journal is None:
            self._journal = Journal(self.path, readonly=True)
        return self._journal


def _connect(path: Path, readonly: bool) -> sqlite3.Connection:
    """A connection without implicit transactions, which runs no code from an untrusted file's schema."""
    if path.is_dir():
        raise JournalError(f"{path} is a directory, not a journal")
    if not readonly:
        path.parent.mkdir(parents=True, exist_ok=True)
    mode = "ro" if readonly else "rwc"
    address = path.absolute().as_uri()
    try:
        db = _open(f"{address}?mode={mode}")
    except sqlite3.OperationalError as error:
        if _made_room(path, error):  # for the file of the memory that SQLite's processes share
            return _connect(path, readonly)
        # "ro" needs to make the shared memory of the write-ahead log, which fails on a read-only medium.
        if not readonly or Path(f"{path}-wal").exists():
            raise
        db = _open(f"{address}?immutable=1")
    return db


def _made_room(path: Path, error: sqlite3.OperationalError) -> bool:
    """Give up the journal's reserve if the disk refused a write; return whether there was a reserve."""
    if error.sqlite_errorcode & 0xFF not in NOT_TAKEN or not full_disk.give_up(path):
        return False
    log.warning("%s: the reserve of %s is given up", error, path)
    return True


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


def _event(row: tuple[int, str, str, str, str]) -> Event:
    number, at, kind, body, digest = row
    return Event(number=number, at=at, type=kind, body=decode(kind, body), hash=digest)


def last_hash(journal: Journal) -> str:
    """The hash of the journal's last event; written down elsewhere, it proves all events up to it."""
    events = journal.read(journal.last - 1)
    return events[-1].hash if events else GENESIS

