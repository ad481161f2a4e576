"""Note the last event beside the journal's file, and put small files in place whole.

`…-head` is one line: number and hash of the last acknowledged event. A journal whose end was cut off still has a sound
chain of hashes but does not match this line. Without the line only the chain is checked.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

HEAD = re.compile(r"(\d{20}) ([0-9a-f]{64})\n")
LONGEST = 1 << 10


class Damaged(Exception):
    """The line itself is damaged; the message is a sentence that names the file."""


@dataclass(frozen=True, slots=True)
class Head:
    """The last event that was acknowledged."""

    number: int
    hash: str


def head_path(journal: Path) -> Path:
    """The path of the file beside the journal that keeps its newest hash."""
    return journal.with_name(journal.name + "-head")


def note_head(journal: Path, head: Head) -> None:
    """Note the last event, in place and without a sync: after a power cut the note may be older than the journal, which
    does no harm, but never newer. Raises OSError."""
    line = f"{head.number:020d} {head.hash}\n".encode()
    handle = os.open(head_path(journal), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        os.pwrite(handle, line, 0)
    finally:
        os.close(handle)


def read_head(journal: Path) -> Head | None:
    """The last acknowledged event; None if none was noted. Raises `Damaged`."""
    path = head_path(journal)
    try:
        with path.open("rb") as file:
            data = file.read(LONGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Damaged(f"{path} cannot be read: {error.strerror or error}") from error
    if not data:  # the power went while the file was being made
        return None
    found = HEAD.fullmatch(data.decode("latin-1"))
    if not found:
        raise Damaged(f"{path} is damaged")
    return Head(int(found[1]), found[2])


@contextmanager
def put_in_place(path: Path) -> Iterator[Path]:
    """Replace a file atomically: yield the path to write to; at the end of the block that file is synced to the disk
    and renamed to `path`. If the disk refuses, it is removed. Raises OSError."""
    new = path.with_name(path.name + ".new")
    try:
        yield new
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise


def write_lasting(path: Path, data: bytes) -> None:
    """Write a file whole and synced to the disk, or not at all. Raises OSError."""
    with put_in_place(path) as new:
        new.write_bytes(data)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder's entries to the disk. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
