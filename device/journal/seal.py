"""What lies beside a journal's file so that damage is found which the chain of hashes cannot show.

`…-head` names the last event that was acknowledged, by number and hash: a journal whose end is missing, whoever or
whatever cut it off, does not fit it. `…-seal` holds a checksum of every page of the file as it lay on the disk when the
write-ahead log was last folded into it: between two foldings no byte of it may change, not in the unused ends of its
pages either, but for what a folding that was broken off has brought over from the log. Both are one line; without them
a journal is checked by its chain alone.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import struct
import subprocess
import sys
import zlib
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

HEAD = re.compile(r"(\d{20}) ([0-9a-f]{64})\n")
SEAL = re.compile(r"(\d{20}) ([0-9a-f]{64}) (\d+) ((?:[0-9a-f]{8})*) ([0-9a-f]{16})\n")
LONGEST = 64 << 20
LOG_HEAD = struct.Struct(">8I")
FRAME_HEAD = struct.Struct(">6I")
"""Heads of SQLite's write-ahead log and of each page in it (sqlite.org/fileformat2.html, section 4)."""


class Damaged(Exception):
    """One of the two lines is itself not whole; a sentence that names the file."""


@dataclass(frozen=True, slots=True)
class Head:
    """The last event that was acknowledged."""

    number: int
    hash: str


@dataclass(frozen=True, slots=True)
class Seal:
    """The file as it lay on the disk when event `number` was the last in it. pages: the CRC-32 of each of its pages, of
    `size` bytes."""

    number: int
    hash: str
    size: int
    pages: tuple[int, ...]


def head_path(journal: Path) -> Path:
    """Where the journal's newest hash is kept beside it."""
    return journal.with_name(journal.name + "-head")


def seal_path(journal: Path) -> Path:
    """Where the journal's seal is kept beside it."""
    return journal.with_name(journal.name + "-seal")


def note_head(journal: Path, head: Head) -> None:
    """Note the last event. It is written in place and not forced onto the disk: after the plug was pulled it may be
    older than the journal, which does no harm, and never newer. Raises OSError."""
    line = f"{head.number:020d} {head.hash}\n".encode()
    handle = os.open(head_path(journal), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        os.pwrite(handle, line, 0)
    finally:
        os.close(handle)


def read_head(journal: Path) -> Head | None:
    """The last event that was acknowledged; None where it was never noted. Raises `Damaged`."""
    found = _line(head_path(journal), HEAD)
    return Head(int(found[1]), found[2]) if found else None


def set_seal(journal: Path, number: int, last: str) -> None:
    """Seal the file as it lies there; nobody may write to it meanwhile. Raises OSError and
    sqlite3.Error."""
    size, pages = file_pages(journal)
    text = f"{number:020d} {last} {size} {''.join(f'{page:08x}' for page in pages)}"
    write_lasting(seal_path(journal), f"{text} {_check(text)}\n".encode())


def break_seal(journal: Path) -> None:
    """The file is going to change. Whoever opens it, and the table, may do so at the same time. Raises OSError."""
    path = seal_path(journal)
    try:
        path.unlink()
    except FileNotFoundError:
        return
    sync_folder(path.parent)


def read_seal(journal: Path) -> Seal | None:
    """The seal; None where there is none. Raises `Damaged`."""
    found = _line(seal_path(journal), SEAL)
    if not found:
        return None
    if _check(found[0].rsplit(" ", 1)[0]) != found[5]:
        raise Damaged(f"{seal_path(journal)} was changed")
    return Seal(int(found[1]), found[2], int(found[3]),
                tuple(int(found[4][i:i + 8], 16) for i in range(0, len(found[4]), 8)))


def file_pages(journal: Path) -> tuple[int, list[int]]:
    """The size of the pages of a journal's file, and the CRC-32 of each, without its log. Raises sqlite3.Error.

    It is read through SQLite: a process that opens and closes the file by itself loses the locks that it has on it,
    and the next to close the journal would believe itself alone and delete the log that is being written to.
    """
    db = sqlite3.connect(f"{journal.absolute().as_uri()}?immutable=1", uri=True)
    try:
        data, size = db.serialize(), int(db.execute("PRAGMA page_size").fetchone()[0])
    finally:
        db.close()
    return size, [zlib.crc32(data[at:at + size]) for at in range(0, len(data), size)]


def _pages_elsewhere(journal: Path, size: int) -> list[int]:
    """The CRC-32 of each page, read byte by byte, where SQLite does not read the file: in a process of its own, which
    has no locks to lose. Raises OSError."""
    code = ("import sys, zlib\nwith open(sys.argv[1], 'rb') as file:\n"
            "    while page := file.read(int(sys.argv[2])):\n        print(zlib.crc32(page))")
    done = subprocess.run([sys.executable, "-I", "-c", code, str(journal), str(size)], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise OSError(f"{journal} cannot be read: {done.stderr.strip().splitlines()[-1:]}")
    return [int(line) for line in done.stdout.split()]


def log_pages(journal: Path) -> dict[int, set[int]]:
    """The CRC-32s of what a journal's write-ahead log holds for each page, whole or not. Raises OSError."""
    found: dict[int, set[int]] = defaultdict(set)
    try:
        with journal.with_name(journal.name + "-wal").open("rb") as log:
            head = log.read(LOG_HEAD.size)
            if len(head) < LOG_HEAD.size:
                return found
            size = LOG_HEAD.unpack(head)[2]
            while 512 <= size <= 65536 and len(frame := log.read(FRAME_HEAD.size + size)) == FRAME_HEAD.size + size:
                found[FRAME_HEAD.unpack_from(frame)[0]].add(zlib.crc32(frame[FRAME_HEAD.size:]))
    except FileNotFoundError:
        pass
    return found


def unexplained(journal: Path, seal: Seal) -> list[int]:
    """The pages, from 1, that are neither as they were sealed nor as the log has them. Raises OSError."""
    log = log_pages(journal)
    try:
        size, pages = file_pages(journal)
    except sqlite3.Error:  # a folding that broke off may have named pages that are not there yet
        size, pages = seal.size, _pages_elsewhere(journal, seal.size)
    if size != seal.size:
        return [1]
    sealed = dict(enumerate(seal.pages, 1))
    there = dict(enumerate(pages, 1))
    return [number for number in sorted(sealed | there)
            if there.get(number) != sealed.get(number) and there.get(number) not in log.get(number, ())]


def write_lasting(path: Path, data: bytes) -> None:
    """Put a file in place, whole and on the disk, or not at all. Raises OSError."""
    new = path.with_name(path.name + ".new")
    try:
        with new.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Force a folder's names onto the disk. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _line(path: Path, form: re.Pattern[str]) -> re.Match[str] | None:
    try:
        with path.open("rb") as file:
            data = file.read(LONGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Damaged(f"{path} cannot be read: {error.strerror or error}") from error
    if not data:  # the plug was pulled while it was being made
        return None
    found = form.fullmatch(data.decode("latin-1"))
    if not found:
        raise Damaged(f"{path} is damaged")
    return found


def _check(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
