"""Films and cards are made one after the other on a thread that gives way to all else, and the newest are kept."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

MOST_WAITING = 3
"""What may wait to be made; whoever asks for more is told to come again."""
MOST_KEPT_BYTES = 32 << 20
"""Bytes of finished films and cards that are kept in memory."""
NICENESS = 15
"""How far the thread stands back behind the table, on Linux; where the system forbids that, the table has its own
precedence (`device/service/inkeek-table.service`)."""


class Busy(Exception):
    """Enough is waiting to be made."""


class Studio:
    """Makes what is asked for, unless it was made already. Any number of threads may ask."""

    def __init__(self) -> None:
        """Nothing is made yet; the thread begins with the first order."""
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._on: dict[str, Future[bytes]] = {}
        self._maker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="studio", initializer=_stand_back)

    def made(self, key: str, make: Callable[[], bytes]) -> bytes:
        """What `make` gives, waited for; key: names it. Raises Busy, and as `make`."""
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
    """On Linux a thread has a niceness of its own; elsewhere it would be the whole process's."""
    with suppress(AttributeError, OSError):
        if os.uname().sysname == "Linux":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
