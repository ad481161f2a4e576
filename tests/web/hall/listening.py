"""A hall in a process of its own, to be killed: it listens and keeps, and serves no page."""

import multiprocessing
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

from device.publishing.address import HallAddress
from web.hall.context import HallContext
from web.hall.receiver import ConfirmTimings

SAID = "said"
"""A file in its folder: what it logged."""

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload([__name__, "tests.device.publishing.quick"])


def listen(folder: Path, broker: HallAddress) -> None:
    """Keep what comes, until killed."""
    folder.mkdir(exist_ok=True)
    with (folder / SAID).open("a", buffering=1) as said:
        HallContext.open(folder, broker, lambda line: print(line, file=said),
                         ConfirmTimings(again=0.1, stalled=0.5)).start()
        time.sleep(3600)


def begun(folder: Path, broker: HallAddress) -> BaseProcess:
    """A hall that has been started; it may not hear anything yet."""
    process = _processes.Process(target=listen, args=(folder, broker), daemon=True)
    process.start()
    return process
