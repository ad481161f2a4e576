"""Who a table is for a hall: an id that stays, kept in the data folder, and the name that people read."""

from __future__ import annotations

import re
import secrets
import socket
import string
from pathlib import Path

import msgspec

from device.journal.head import write_lasting
from device.publishing.address import HallError
from device.publishing.messages import TableId

FILE = "hall-table.json"
LETTERS = string.ascii_lowercase + string.digits
LONGEST_NAME = 80


class Identity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`hall-table.json`. table: the id, which stays as long as the file does."""

    table: TableId


def table_id(folder: Path, user: str = "", host: str = "") -> str:
    """This table's id. At the first call it is made: the user at the broker, which is to have the same name, where that
    can be an id; else the machine's name and four letters by lot. host: the machine's name, if not its own. Raises
    HallError where it can be neither read nor kept."""
    path = folder / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Identity).table
    except FileNotFoundError:
        pass
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise HallError(f"{path} does not hold a table's id: delete it, and the table gets a new one") from None
    except OSError as error:
        raise HallError(f"{path} cannot be read: {error.strerror or error}") from error
    made = user if re.fullmatch("[a-z0-9-]{1,32}", user) else _by_lot(host or socket.gethostname())
    try:
        write_lasting(path, msgspec.json.encode(Identity(made)))
    except OSError as error:
        raise HallError(f"the table's id cannot be kept in {path}: {error.strerror or error}") from error
    return made


def _by_lot(host: str) -> str:
    stem = re.sub("[^a-z0-9]+", "-", host.partition(".")[0].lower()).strip("-")[:27].rstrip("-")
    return f"{stem or 'table'}-{''.join(secrets.choice(LETTERS) for _ in range(4))}"


def table_name(asked: str, host: str = "") -> str:
    """The name that a hall shows: what was asked for, else the machine's name. Raises HallError for one that cannot be
    shown."""
    name = asked.strip() or (host or socket.gethostname()).partition(".")[0]
    if not name.isprintable() or len(name) > LONGEST_NAME:
        raise HallError(f"--table-name is {name[:40]!r}: up to {LONGEST_NAME} printable characters")
    return name
