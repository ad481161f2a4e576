"""Makes films and cards one at a time on a thread of low priority, and keeps the newest."""

import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

MOST_WAITING = 3
"""Most orders that may wait; further ones are refused for the moment."""
MOST_KEPT_BYTES = 32 << 20
"""Most bytes of finished films and cards kept in memory."""
NICENESS = 15
"""The thread's niceness, so that the table goes first, on Linux. If the system forbids it, the table's own priority
does the same (`device/service/inkeek-table.service`)."""


class Busy(Exception):
    """Too many orders are waiting."""


class Studio:
    """Makes each requested file once. Any number of threads may ask."""

    def __init__(self) -> None:
        """Start without files; the thread begins with the first order."""
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._on: dict[str, Future[bytes]] = {}
        self._maker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="studio", initializer=_stand_back)

    def made(self, key: str, make: Callable[[], bytes]) -> bytes:
        """Return the result of `make`, kept under `key`; wait while it is being made. Raises Busy, and as `make`."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            order = self._on.get(key)
            if order is None:
                if len(self._on) > MOST_WAITING:
                    raise Busy
                order = self._on[key] = self._maker.submit(make)
        try:
            data = order.result()
        finally:
            with self._lock:
                self._on.pop(key, None)
        self._keep(key, data)
        return data

    def _keep(self, key: str, data: bytes) -> None:
        with self._lock:
            self._kept[key] = data
            while sum(map(len, self._kept.values())) > MOST_KEPT_BYTES:
                self._kept.popitem(last=False)


def _stand_back() -> None:
    """Lower this thread's priority on Linux; elsewhere that would slow the whole process."""
    with suppress(AttributeError, OSError):
        if os.uname().sysname == "Linux":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
