"""Publishers in processes of their own, quick enough for tests: as `inkeek run` starts them, with shorter pauses."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path

from device.publishing.address import HallAddress
from device.publishing.link_state import only_publisher
from device.publishing.publisher import Publisher
from device.publishing.publisher_state import TableIdentity
from device.publishing.session import LinkTimings

QUICK = LinkTimings(back_off=(0.02, 0.1), steady=5.0, settle=0.1, turn=0.01, tell=0.05, beat=2.0, again=0.1, stall=1.0,
              keepalive=3)

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload([__name__])


def place(folder: Path, table: str) -> TableIdentity:
    """A table of that id."""
    return TableIdentity(folder, table, table.replace("-", " ").capitalize(), "127.0.0.1", 8000)


def publish(where: TableIdentity, hall: HallAddress, timings: LinkTimings) -> None:
    """What the process does, until it is asked to end."""
    ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: ending.set())
    with only_publisher(where.folder):
        Publisher(where, hall, timings).run(ending.is_set)


class Running:
    """A publisher that runs, and can be killed."""

    def __init__(self, where: TableIdentity, hall: HallAddress, timings: LinkTimings = QUICK) -> None:
        """Start it."""
        self._given = where, hall, timings
        self.process: BaseProcess = _processes.Process(target=publish, args=self._given, daemon=True)
        self.process.start()

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End it in order."""
        self.process.terminate()
        self.process.join(10)
        assert not self.process.is_alive(), "it does not end"

    def again(self) -> Running:
        """Kill it, at whatever it is, and start another one."""
        self.kill()
        return Running(*self._given)

    def kill(self) -> None:
        """As a power cut would."""
        with suppress(ProcessLookupError):
            self.process.kill()
        self.process.join(10)
