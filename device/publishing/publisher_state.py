"""What the publisher knows of its table, with or without a link: the journal, the game, the orders."""

import time
from dataclasses import dataclass
from pathlib import Path

from device.journal.pin import PIN_FILE, StoredPin, stored_pin
from device.publishing.journal_reader import AT_ONCE, JournalReader
from device.publishing.messages import Kind, Topic
from device.publishing.orders import Orders
from device.publishing.projections import GameProjections

JOURNAL, EVIDENCE, LIVE = "journal.sqlite3", "evidence", "live"
"""Names in the data folder, see `device.system.folder`."""
EVERY = ("0.0.0.0", "::")
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True)
class TableIdentity:
    """One table: its data folder, id, name for people, and its page's host and port ("" and 0 for no page)."""

    folder: Path
    table: str
    name: str
    host: str = ""
    port: int = 0

    def topic(self, kind: Kind) -> str:
        """The table's topic of that kind."""
        return str(Topic(self.table, kind))

    def page(self, reached_by: str) -> str:
        """The page's address for people at the hall; "" if only this machine can reach it and the hall is elsewhere.
        reached_by: this machine's address on the hall's network."""
        if not self.port:
            return ""
        host = reached_by if self.host in EVERY else self.host
        if host in LOOPBACK and reached_by not in LOOPBACK:
            return ""
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"


class PublisherState:
    """The journal, the game and the orders of one table; `follow` brings them up to date."""

    def __init__(self, place: TableIdentity) -> None:
        """Start without having read the journal."""
        self.place = place
        self.journal = JournalReader(place.folder / JOURNAL)
        self.projections = GameProjections()
        self.orders = Orders(place.folder, self.journal.path, place.table, self.pin)

    def pin(self) -> StoredPin | None:
        """The PIN set at the table; None if there is none."""
        return stored_pin(self.place.folder / PIN_FILE)

    def follow(self, now: float) -> bool:
        """Take in what was written since the last call; False if there may be more."""
        other, events = self.journal.look(now)
        if other:
            self.projections = GameProjections()
            self.orders.forget()
        for event in events:
            self.projections.enter(event)
            self.orders.enter(event)
        return len(events) < AT_ONCE

    def catch_up(self) -> None:
        """Take in everything that the journal holds."""
        while not self.follow(time.monotonic()):
            pass
