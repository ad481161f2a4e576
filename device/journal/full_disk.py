"""What happens on a full disk: events come before evidence.

The journal keeps a reserve, a file beside it. The table makes the file. When the disk is full, table or page deletes
the file and writes its event into the freed room. While the file is missing, only events are written, and evidence
waits in memory. Anybody may delete the file.
"""

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
"""On a small disk the reserve takes at most 1 / SHARE of its size."""


def reserve_path(journal: Path) -> Path:
    """The path of a journal's reserve."""
    return journal.with_name(journal.name + "-reserve")


def give_up(journal: Path) -> bool:
    """Delete the reserve to free its room; False if there was none."""
    try:
        reserve_path(journal).unlink()
    except OSError:
        return False
    return True


def keep(journal: Path) -> None:
    """Make the reserve if it is missing and twice its room is free. Raises OSError if there is none afterwards."""
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
"""Most bytes held in memory; beyond them the oldest file is dropped."""


class HeldFiles:
    """Writes files while the journal's reserve exists, and holds them in memory otherwise. Thread-safe."""

    def __init__(self, journal: Path) -> None:
        """journal: the journal's path; files are written only while its reserve exists."""
        self._journal = journal
        self._lock = threading.Lock()
        self._files: OrderedDict[Path, bytes] = OrderedDict()
        self.error = ""
        """The system's message when a file last could not be written."""

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
        """Write the waiting files, oldest first, until the disk refuses one."""
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
