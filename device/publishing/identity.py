"""A table's identity at a hall: a permanent id, kept in the data folder, and a name for people."""

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
