"""Where somebody who follows a journal reads its events from: the file at a table, or a copy kept elsewhere."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Protocol

from device.journal.events import Event
from device.journal.store import Journal, JournalError


class Source(Protocol):
    """A journal to be followed. `read` raises `JournalError`."""

    def stamp(self) -> tuple[int, ...]:
        """Something that changes with what is written; cheap to ask for."""
        ...

    def which(self) -> int:
        """Tells one journal from another that took its place; 0 where there is none."""
        ...

    def read(self, after: int = 0, limit: int = -1) -> list[Event]:
        """The events with numbers above `after`, in order, at most `limit` of them (-1: all)."""
        ...

    def close(self) -> None:
        """Let go of what is open; what is read afterwards opens it again."""
        ...


class FileSource:
    """The journal in a file, there or not."""

    def __init__(self, path: Path) -> None:
        """path: of the file."""
        self.path = path
        self._journal: Journal | None = None

    def stamp(self) -> tuple[int, ...]:
        """Sizes and times of the journal's file and of its write-ahead log."""
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
        """The file's number on its disk."""
        return self.path.stat().st_ino if self.path.is_file() else 0

    def read(self, after: int = 0, limit: int = -1) -> list[Event]:
        """See `Journal.read`."""
        if self._journal is None:
            self._journal = Journal(self.path, readonly=True)
        return self._journal.read(after, limit)

    def close(self) -> None:
        """Close the file; harmless when it is closed."""
        if self._journal is not None:
            with suppress(JournalError):
                self._journal.close()
            self._journal = None
