"""The journal as the publisher reads it: follow it as it grows, and get its stored rows to send."""

from pathlib import Path

from device.journal.chain import GENESIS
from device.journal.events import Event
from device.journal.store import JournalError, JournalFile
from device.publishing.messages import JournalRecord

AT_ONCE = 2000
"""Most events read in one call, before the link gets its turn."""
LOOK_AGAIN_S = 1.0
"""The journal is read at least this often, even if its files' times have not changed."""


class JournalReader:
    """One table's journal, which need not exist. It is only read; an unreadable journal counts as missing."""

    def __init__(self, path: Path) -> None:
        """path: the journal's."""
        self.path = path
        self.problem = ""
        """Why the journal cannot be read; "" while it can."""
        self.id = ""
        """JOURNAL: the first 16 digits of the first event's hash; "" without one."""
        self._file = JournalFile(path)
        self._signature: tuple[int, ...] = ()
        self._inode = 0
        self._read = 0
        self._looked = 0.0

    def look(self, now: float) -> tuple[bool, list[Event]]:
        """Whether the journal was replaced since the last call, and the events written since then, in order, at most
        `AT_ONCE`. now: seconds of a monotonic clock."""
        signature = self._file.stamp()
        if signature == self._signature and now - self._looked < LOOK_AGAIN_S:
            return False, []
        self._looked = now
        inode = self._file.which()
        other = inode != self._inode and bool(self._read)
        if inode != self._inode:
            self.close()
            self._inode, self._read, self.id = inode, 0, ""
        events = self._events() if inode else []
        if len(events) < AT_ONCE and not self.problem:
            self._signature = signature
        return other, events

    def kept(self, number: int, limit: int) -> list[JournalRecord]:
        """The stored events from `number` on, at most `limit` of them."""
        if self.problem or not self.id or limit <= 0:
            return []
        try:
            rows = self._file.rows(max(0, number - 2), limit + (number > 1))
        except JournalError as error:
            self._lose(error)
            return []
        before = GENESIS if number == 1 else ""
        found = []
        for this, at, kind, body, digest in rows:
            if this >= number and before:
                found.append(JournalRecord(self.id, this, digest, before, at, kind, body))
            before = digest
        return found

    def hash_of(self, number: int) -> str:
        """The hash of event `number`; for 0 the 64 zeros before the first; "" if there is no such event."""
        if number == 0:
            return GENESIS
        found = self.kept(number, 1)
        return found[0].hash if found and found[0].number == number else ""

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self._file.close()
        self._signature = ()

    def _events(self) -> list[Event]:
        try:
            events = self._file.read(self._read, AT_ONCE)
        except JournalError as error:
            self._lose(error)
            return []
        self.problem = ""
        if events:
            self._read = events[-1].number
            self.id = self.id or events[0].hash[:16]
        return events

    def _lose(self, error: JournalError) -> None:
        self.problem = str(error)
        self.close()
