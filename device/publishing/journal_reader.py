"""The journal as the publisher reads it: follow it as it grows, and get its stored rows to send."""

from pathlib import Path

from device.journal.chain import GENESIS
from device.journal.events import Event
from device.journal.follower import JournalFollower
from device.journal.store import JournalError, JournalFile
from device.publishing.messages import JournalRecord

AT_ONCE = 2000
"""Most events read in one call, before the link gets its turn."""


class JournalReader(JournalFollower):
    """One table's journal, which need not exist. It is only read; an unreadable journal counts as missing. id: JOURNAL,
    the first 16 digits of the first event's hash; "" without one."""

    def __init__(self, path: Path) -> None:
        """path: the journal's."""
        self.path = path
        self.id = ""
        self._file = JournalFile(path)
        super().__init__(self._file)

    def news(self, now: float) -> tuple[bool, list[Event]]:
        """As `look`, at most `AT_ONCE` events."""
        other, events = self.look(now, AT_ONCE)
        if events and events[0].number == 1:
            self.id = events[0].hash[:16]
        elif not self.number:
            self.id = ""
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
