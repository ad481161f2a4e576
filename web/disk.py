"""How much room is left on the disk with the table's data."""

import shutil
import time
from pathlib import Path

LOOK_AGAIN_S = 10.0


class Disk:
    """The disk that holds `folder`, measured every `LOOK_AGAIN_S`."""

    def __init__(self, folder: Path) -> None:
        """See the class."""
        self._folder = folder
        self._looked = -LOOK_AGAIN_S
        self._free: float | None = None

    @property
    def free_gb(self) -> float | None:
        """Free gigabytes, in whole numbers from ten on, else in tenths; None if the folder does not exist."""
        if time.monotonic() >= self._looked + LOOK_AGAIN_S:
            self._looked = time.monotonic()
            try:
                free = shutil.disk_usage(self._folder).free / 1e9
            except OSError:
                self._free = None
            else:
                self._free = float(round(free)) if free >= 10 else round(free, 1)
        return self._free
