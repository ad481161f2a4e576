"""Evidence on its way to the disk: what the disk does not take waits in memory, and never stands before an event."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from pathlib import Path

from device.journal import reserve
from device.journal.seal import write_lasting

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
            reserve.keep(self._journal)
            write_lasting(path, data)
        except OSError as error:
            self.error = error.strerror or str(error)
            return False
        return True
