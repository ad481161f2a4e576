"""Processes that start fast, to be killed: each is forked from one that has imported everything once."""

import logging
import multiprocessing
import os
import traceback
from collections.abc import Callable
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from signal import SIGKILL

PRELOAD = ("device.system.table_process", "web.__main__", "tests.device.disks")
"""All modules except the benches: the bench is the main module of each process anyway."""
TROUBLE = "! "


@cache
def context() -> ForkServerContext:
    """Return the fork server that all processes come from, made at the first call."""
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(list(PRELOAD))
    return found


class Victim:
    """A process that runs `work(say, *arguments)`; `say` sends a line to this process in one piece."""

    def __init__(self, work: Callable[..., None], *arguments: object) -> None:
        """Start the process. work: a function of a module, called there with its own `say` and these arguments."""
        hears, says = context().Pipe(duplex=False)
        self.process = context().Process(target=_work, args=(says, work, *arguments), daemon=True)
        self.process.start()
        says.close()
        self._hears = hears
        self._heard = b""
        self._trouble = ""

    def wait_for_word(self) -> None:
        """Wait until the process has sent something or has ended."""
        self._heard += os.read(self._hears.fileno(), 1 << 16)

    def kill(self) -> None:
        """kill -9; harmless if repeated."""
        self.process.kill()

    def hear(self) -> list[str]:
        """Return all lines received so far."""
        while self._hears.poll():
            part = os.read(self._hears.fileno(), 1 << 16)
            self._heard += part
            if not part:
                break
        return self._told()

    def lines(self) -> list[str]:
        """Kill the process if it still runs; return all lines received."""
        self.kill()
        self.process.join()
        while part := os.read(self._hears.fileno(), 1 << 16):
            self._heard += part
        self._hears.close()
        told = self._told()
        ended = "" if self.process.exitcode == -SIGKILL else f"it ended with status {self.process.exitcode}"
        self._trouble = next((line[len(TROUBLE):] for line in told if line.startswith(TROUBLE)), ended)
        return [line for line in told if not line.startswith(TROUBLE)]

    def _told(self) -> list[str]:
        """Return the complete lines; the last one may be half written and does not count."""
        return self._heard.decode().rpartition("\n")[0].splitlines()

    @property
    def trouble(self) -> str:
        """Why the process ended by itself; "" if it was killed. Valid after `lines`."""
        return self._trouble


def _work(says: Connection, work: Callable[..., None], *arguments: object) -> None:
    logging.disable(logging.CRITICAL)  # full disks and cut connections would log too much

    def say(line: str) -> None:
        os.write(says.fileno(), f"{line}\n".encode())

    try:
        work(say, *arguments)
        say(f"{TROUBLE}it ended")
    except BaseException as error:
        say(TROUBLE + " | ".join(traceback.format_exception_only(error)).replace("\n", " "))
