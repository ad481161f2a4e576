"""Room on the disk that is kept for the journal: a file beside it, which is given up when the disk is full.

The table makes the file; whoever appends an event that the disk does not take, table or page, deletes it and writes the
event into its room. As long as the file is missing, nothing but events may be written. It may be deleted by anybody.
"""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path

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
