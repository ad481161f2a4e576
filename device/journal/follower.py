"""Follow a journal as it grows, whoever writes it."""

from typing import Protocol

from device.journal.events import Event
from device.journal.store import JournalError

LOOK_AGAIN_S = 1.0
"""The journal is read at least this often, even if its files' times have not changed."""


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


class JournalFollower:
    """Reads what is written to a journal, which need not exist. which: identifies the journal, 0 without one; number:
    of the last event read; problem: why the journal cannot be read, "" while it can."""

    def __init__(self, source: Source) -> None:
        """source: the journal."""
        self._source = source
        self.which = self.number = 0
        self.problem = ""
        self._stamp: tuple[int, ...] | None = None
        self._looked = 0.0

    def look(self, now: float, limit: int) -> tuple[bool, list[Event]]:
        """Whether another journal has taken the place of the one that was read, and the events written since the last
        call, in order, at most `limit` of them. Cheap if there are none. now: seconds of a monotonic clock."""
        stamp = self._source.stamp()
        if stamp == self._stamp and now - self._looked < LOOK_AGAIN_S:
            return False, []
        self._stamp, self._looked = stamp, now
        which = self._source.which()
        other = which != self.which and bool(self.number)
        if which != self.which:
            self._source.close()
            self.which, self.number = which, 0
        events = self._events(limit) if which else []
        if len(events) == limit:
            self._stamp = None  # there may be more
        return other, events

    def close(self) -> None:
        """Close the journal; the next `look` opens it again."""
        self._source.close()
        self._stamp = None

    def _events(self, limit: int) -> list[Event]:
        try:
            events = self._source.read(self.number, limit)
        except JournalError as error:
            self._lose(error)
            return []
        self.problem = ""
        self.number = events[-1].number if events else self.number
        return events

    def _lose(self, error: JournalError) -> None:
        self.problem = str(error)
        self._source.close()
