"""The state of the link to the hall, for the page and the doctor: a small file, and a lock that the publisher holds
while it runs."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from device.publishing.address import HallError

FILE = "hall-link.json"
LOCK = "hall-link.lock"
PATIENCE_S = 1.0
"""How long a publisher waits for the lock: one that is just ending may hold it, or a process that only checks it."""


class LinkState(msgspec.Struct, frozen=True):
    """The state of the link. hall: its address, without a password; table: this table's id. since: ISO 8601 UTC.
    linked: the link is up. sentence: why it is down, "" if it is up or nothing is known yet. fault: why the hall cannot
    take the journal's events, "" if it can."""

    hall: str
    table: str
    since: str
    linked: bool = False
    sentence: str = ""
    fault: str = ""


def read_link(folder: Path) -> LinkState | None:
    """The link state of that data folder's publisher; None if no publisher runs."""
    if not _runs(folder):
        return None
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode((folder / FILE).read_bytes(), type=LinkState)
    return None


def write_link(folder: Path, state: LinkState) -> None:
    """Write the link state; a disk that refuses it is ignored."""
    new = folder / (FILE + ".new")
    with suppress(OSError):
        new.write_bytes(msgspec.json.encode(state))
        new.replace(folder / FILE)


@contextmanager
def only_publisher(folder: Path) -> Iterator[None]:
    """Lock the folder for one publisher, as two would carry out an order twice. Raises HallError."""
    try:
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise HallError(f"the data folder {folder} cannot be used for a hall: {error.strerror or error}") from error
    try:
        end = time.monotonic() + PATIENCE_S
        while not _locked(lock, fcntl.LOCK_EX):
            if time.monotonic() > end:
                raise HallError(f"another program publishes {folder} to a hall: end it")
            time.sleep(0.02)
        yield
    finally:
        os.close(lock)


def _runs(folder: Path) -> bool:
    """Whether a publisher holds the folder."""
    try:
        asking = os.open(folder / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _locked(asking, fcntl.LOCK_SH)
    finally:
        os.close(asking)


def _locked(file: int, how: int) -> bool:
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
