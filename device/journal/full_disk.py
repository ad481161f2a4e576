"""What a full disk makes wait: events come before evidence.

A reserve is kept for the journal, a file beside it. The table makes the file; whoever appends an event that the disk
does not take, table or page, deletes it and writes the event into its room. As long as the file is missing, nothing
but events is written: evidence waits in memory. The file may be deleted by anybody.
"""

from __future__ import annotations

import errno
import logging
import os
import shutil
import threading
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path

from device.journal.head import write_lasting

MOST_BYTES = 8 << 20
"""About 800 events, each of which takes some 10 KB of the write-ahead log."""
SHARE = 16
"""Of a small disk no more than this part is kept."""


def reserve_path(journal: Path) -> Path:
    """Where a journal's reserve lies."""
    return journal.with_name(journal.name + "-reserve")


def give_up(journal: Path) -> bool:
    """Make the reserve's room free; whether there was any."""
    try:
        reserve_path(journal).unlink()
    except OSError:
        return False
    return True


def keep(journal: Path) -> None:
    """Make the reserve where it is missing and twice its room is free. Raises OSError where it does not stand then."""
    path = reserve_path(journal)
    if path.exists():
        return
    disk = shutil.disk_usage(path.parent)
    size = min(MOST_BYTES, disk.total // SHARE)
    if disk.free < 2 * size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
    try:
        with path.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, size)
    except OSError:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        raise


log = logging.getLogger(__name__)

MOST_HELD = 64 << 20
"""Bytes that are held in memory; beyond them the oldest file is given up."""


class HeldFiles:
    """Writes files while the journal's reserve stands, and holds them otherwise. Any thread may use it."""

    def __init__(self, journal: Path) -> None:
        """journal: the file whose reserve has to stand."""
        self._journal = journal
        self._lock = threading.Lock()
        self._files: OrderedDict[Path, bytes] = OrderedDict()
        self.error = ""
        """What the system said when it last did not take a file."""

    def __len__(self) -> int:
        """How many files wait."""
        with self._lock:
            return len(self._files)

    def put(self, path: Path, data: bytes) -> None:
        """Write a file whole, or hold it."""
        with self._lock:
            if path in self._files or path.exists():
                return
            if not self._files and self._written(path, data):
                return
            self._files[path] = data
            while sum(map(len, self._files.values())) > MOST_HELD:
                lost, _ = self._files.popitem(last=False)
                log.error("the picture %s is lost: memory is full of later ones", lost.name)

    def flush(self) -> None:
        """Write those that wait, the oldest first, as far as the disk takes them."""
        with self._lock:
            while self._files:
                path, data = next(iter(self._files.items()))
                if not self._written(path, data):
                    return
                del self._files[path]

    def _written(self, path: Path, data: bytes) -> bool:
        try:
            keep(self._journal)
            write_lasting(path, data)
        except OSError as error:
            self.error = error.strerror or str(error)
            return False
        return True
