"""Processes that begin in a blink, to be killed: each is forked from one that has imported everything, once."""

from __future__ import annotations

import logging
import multiprocessing
import os
import traceback
from collections.abc import Callable
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from signal import SIGKILL

PRELOAD = ("device.system.table_process", "device.cameras.sim", "web.__main__", "tests.device.painted_sim",
           "tests.device.disks")
"""All but the benches themselves: one is the main module of each process anyway."""
TROUBLE = "! "


@cache
def context() -> ForkServerContext:
    """The one that all come from; made when first asked for."""
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(list(PRELOAD))
    return found


class Victim:
    """A process that runs `work(say, *arguments)`; `say` tells us a line, in one piece."""

    def __init__(self, work: Callable[..., None], *arguments: object) -> None:
        """Start it. work: a function of a module, called there with a `say` of its own and these arguments."""
        hears, says = context().Pipe(duplex=False)
        self.process = context().Process(target=_work, args=(says, work, *arguments), daemon=True)
        self.process.start()
        says.close()
        self._hears = hears
        self._heard = b""
        self._trouble = ""

    def wait_for_word(self) -> None:
        """Until it has told us something, or has ended."""
        self._heard += os.read(self._hears.fileno(), 1 << 16)

    def kill(self) -> None:
        """kill -9, as often as one likes."""
        self.process.kill()

    def hear(self) -> list[str]:
        """All that it told us so far."""
        while self._hears.poll():
            part = os.read(self._hears.fileno(), 1 << 16)
            self._heard += part
            if not part:
                break
        return self._told()

    def lines(self) -> list[str]:
        """Kill it if it still runs: all that it told us."""
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
        """Its last line may be half written; what that says was not heard."""
        return self._heard.decode().rpartition("\n")[0].splitlines()

    @property
    def trouble(self) -> str:
        """Why it ended by itself; "" when it was killed. After `lines`."""
        return self._trouble


def _work(says: Connection, work: Callable[..., None], *arguments: object) -> None:
    logging.disable(logging.CRITICAL)  # of full disks and cut connections there is too much to read

    def say(line: str) -> None:
        os.write(says.fileno(), f"{line}\n".encode())

    try:
        work(say, *arguments)
        say(f"{TROUBLE}it ended")
    except BaseException as error:
        say(TROUBLE + " | ".join(traceback.format_exception_only(error)).replace("\n", " "))
