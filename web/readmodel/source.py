"""The sources of a journal's events: the file at a table, or a copy kept elsewhere."""

from contextlib import suppress
from pathlib import Path
from typing import Protocol

from device.journal.events import Event
from device.journal.store import Journal, JournalError


class Source(Protocol):
    """A journal to follow. `read` raises `JournalError`."""

    def stamp(self) -> tuple[int, ...]:
        """Return a value that changes whenever something is written; cheap to call."""
        ...

    def which(self) -> int:
        """Return a number that identifies the journal, to notice when another takes its place; 0 if there is none."""
        ...

    def read(self, after: int = 0, limit: int = -1) -> list[Event]:
        """Return the events with numbers above `after`, in order, at most `limit` of them (-1: all)."""
        ...

    def close(self) -> None:
        """Close what is open; the next `read` opens it again."""
        ...


class FileSource:
    """The journal in a file, which need not exist."""

    def __init__(self, path: Path) -> None:
        """path: of the file."""
        self.path = path
        self._journal: Journal | None = None

    def stamp(self) -> tuple[int, ...]:
        """Return sizes, times and inode numbers of the journal's file and its write-ahead log."""
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
        """Return the file's inode number."""
        return self.path.stat().st_ino if self.path.is_file() else 0

    def read(self, after: int = 0, limit: int = -1) -> list[Event]:
        """Return events, as `Journal.read` does."""
        if self._journal is None:
            self._journal = Journal(self.path, readonly=True)
        return self._journal.read(after, limit)

    def close(self) -> None:
        """Close the file, if it is open."""
        if self._journal is not None:
            with suppress(JournalError):
                self._journal.close()
            self._journal = None
