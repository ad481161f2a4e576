"""How much room the disk of the table's data has left."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

LOOK_AGAIN_S = 10.0


class Disk:
    """The disk on which `folder` lies, looked at now and then."""

    def __init__(self, folder: Path) -> None:
        """See the class."""
        self._folder = folder
        self._looked = -LOOK_AGAIN_S
        self._free: float | None = None

    @property
    def free_gb(self) -> float | None:
        """Free gigabytes, whole from ten on, else tenths; None where the folder is not there."""
        if time.monotonic() >= self._looked + LOOK_AGAIN_S:
            self._looked = time.monotonic()
            try:
                free = shutil.disk_usage(self._folder).free / 1e9
            except OSError:
                self._free = None
            else:
                self._free = float(round(free)) if free >= 10 else round(free, 1)
        return self._free
