"""What the publisher knows of its table, with or without a link: the journal, the game, the orders."""

import re
import secrets
import socket
import string
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec

from device.journal.head import write_lasting
from device.journal.pin import PIN_FILE, StoredPin, stored_pin
from device.publishing.address import HallError
from device.publishing.journal_reader import AT_ONCE, JournalReader
from device.publishing.messages import Kind, TableId, Topic
from device.publishing.orders import Orders
from device.publishing.projections import GameProjections

FILE = "hall-table.json"
LETTERS = string.ascii_lowercase + string.digits
LONGEST_NAME = 80


class Identity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `hall-table.json`. table: the permanent id."""

    table: TableId


def table_id(folder: Path, user: str = "", host: str = "") -> str:
    """This table's id, made and kept at the first call: the broker's user name if that is a valid id, else the
    machine's name and four random letters or digits. host: a name to use instead of the machine's. Raises HallError if
    the id can be neither read nor kept."""
    path = folder / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Identity).table
    except FileNotFoundError:
        pass
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise HallError(f"{path} does not hold a table's id: delete it, and the table gets a new one") from None
    except OSError as error:
        raise HallError(f"{path} cannot be read: {error.strerror or error}") from error
    made = user if re.fullmatch("[a-z0-9-]{1,32}", user) else _random_id(host or socket.gethostname())
    try:
        write_lasting(path, msgspec.json.encode(Identity(made)))
    except OSError as error:
        raise HallError(f"the table's id cannot be kept in {path}: {error.strerror or error}") from error
    return made


def _random_id(host: str) -> str:
    stem = re.sub("[^a-z0-9]+", "-", host.partition(".")[0].lower()).strip("-")[:27].rstrip("-")
    return f"{stem or 'table'}-{''.join(secrets.choice(LETTERS) for _ in range(4))}"


def table_name(asked: str, host: str = "") -> str:
    """The name that a hall shows: `asked`, or else the machine's name. Raises HallError for an unprintable or too long
    name."""
    name = asked.strip() or (host or socket.gethostname()).partition(".")[0]
    if not name.isprintable() or len(name) > LONGEST_NAME:
        raise HallError(f"--table-name is {name[:40]!r}: up to {LONGEST_NAME} printable characters")
    return name


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
        other, events = self.journal.news(now)
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
