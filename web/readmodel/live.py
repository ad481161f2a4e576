"""The table's live folder: the newest picture and what the table reads in it. It is no history, so not in the
journal."""

import math
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from device.journal.live_state import LiveState, read_state

MAX_PITS = 64


@dataclass(frozen=True, slots=True)
class LiveView:
    """What the folder holds now. running: whether the table wrote recently. frame: changes with every picture, 0:
    none."""

    running: bool
    frame: int
    state: LiveState | None


class Live:
    """Reads the live folder for any number of feeds, and the state file only when it has changed."""

    def __init__(self, folder: Path, stale_s: float = 5.0) -> None:
        """stale_s: if the state file does not change for this many seconds, the table counts as not running."""
        self.picture = folder / "frame.jpg"
        self._file = folder / "state.json"
        self._stale_s = stale_s
        self._lock = threading.Lock()
        self._stamp = 0
        self._fresh_until = -math.inf
        self._state: LiveState | None = None

    def look(self) -> LiveView:
        """Return what the table shows now; a half-written or broken file counts as missing."""
        with self._lock:
            stamp = _stamp(self._file)
            if stamp != self._stamp:
                self._take_up(stamp)
            running = bool(stamp) and time.monotonic() < self._fresh_until
            return LiveView(running, _stamp(self.picture), self._state if running else None)

    def _take_up(self, stamp: int) -> None:
        # The first look takes the file's age from the wall clock; later ones only check whether it changed, because a
        # small computer without a battery clock may jump by years when it first gets the time from the network.
        age = abs(time.time() - stamp / 1e9) if self._stamp == 0 else 0.0
        self._stamp = stamp
        self._fresh_until = time.monotonic() + self._stale_s - age
        state = read_state(self._file.parent)
        self._state = None if state is None or len(state.pits) > MAX_PITS else state


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
