"""Networks run by other processes, which divide the pictures of a call among them.

ncnn's binding holds Python's lock while a network runs, so threads of one process would wait for one another, and the
frames with them. The worker processes have a lower priority than the frames and the page. They end when the process
that started them ends, for whatever reason.
"""

import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.network import load

Pictures = NDArray[np.float32]

LESS_URGENT = 5
"""Added to a worker's niceness."""


@dataclass(frozen=True, slots=True)
class NetworkFile:
    """weights: an ONNX file; outputs: the names of its outputs."""

    weights: Path
    outputs: tuple[str, ...]


class Workers:
    """Several processes, each with the same networks. Threads that use them at the same time wait for one another."""

    def __init__(self, files: Sequence[NetworkFile], processes: int) -> None:
        """files: of the networks; processes: their number, at least one. Raises OSError if a network cannot be loaded.
        """
        self._files, self._lock = list(files), threading.Lock()
        self._workers = [_Worker(self._files) for _ in range(processes)]
        self._ending = weakref.finalize(self, _end, self._workers)
        for worker in self._workers:
            self.runtime = worker.began()

    def run(self, network: int, pictures: Pictures) -> tuple[NDArray[np.float32], ...]:
        """Return a network's outputs, each float32[n, …], for pictures float32[n, channels, h, w], n at least 1.
        network: its index. Raises OSError if a worker ended twice over the same pictures."""
        shares = [share for share in np.array_split(pictures, len(self._workers)) if len(share)]
        with self._lock:
            for worker, share in zip(self._workers, shares, strict=False):
                worker.ask(network, share)
            said = [self._answer(k, network, share) for k, share in enumerate(shares)]
        return tuple(np.concatenate(column) for column in zip(*said, strict=True))

    def close(self) -> None:
        """End the processes."""
        self._ending()

    def _answer(self, k: int, network: int, pictures: Pictures) -> tuple[NDArray[np.float32], ...]:
        """Return a worker's answer; if the worker has ended, start another and return that one's."""
        said = self._workers[k].answer()
        if said is None:
            self._workers[k].end()
            self._workers[k] = again = _Worker(self._files)
            again.began()
            again.ask(network, pictures)
            said = again.answer()
        if said is None:
            raise OSError("a worker process that counts seeds ended twice over the same pictures")
        return said


class WorkersNetwork:
    """One of the networks of `Workers`; a `vision.network.Network`."""

    def __init__(self, workers: Workers, number: int) -> None:
        """number: the index of the network among the workers' networks."""
        self._workers, self._number = workers, number

    @property
    def runtime(self) -> str:
        """See `Network.runtime`."""
        return self._workers.runtime

    def run(self, pictures: Pictures) -> tuple[NDArray[np.float32], ...]:
        """See `Network.run`."""
        return self._workers.run(self._number, pictures)


class _Worker:
    """One process, and the connection to it."""

    def __init__(self, files: Sequence[NetworkFile]) -> None:
        self._way, theirs = Pipe()
        named = [part for file in files for part in (str(file.weights), ",".join(file.outputs))]
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno()), *named], pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL, cwd=Path(__file__).parents[2])
        theirs.close()

    def began(self) -> str:
        """Wait until the networks are loaded; return the library that runs them. Raises OSError if they cannot be
        loaded."""
        with suppress(EOFError):
            runtime, wrong = self._way.recv()
            if not wrong:
                return str(runtime)
            raise OSError(wrong)
        raise OSError("a worker process that counts seeds did not start")

    def ask(self, network: int, pictures: Pictures) -> None:
        """Have a network run. A worker that has ended is noticed when its answer is waited for."""
        try:
            self._way.send((network, pictures))
        except OSError:
            self._way.close()

    def answer(self) -> tuple[NDArray[np.float32], ...] | None:
        """Return the network's outputs; None if the process has ended."""
        try:
            said: tuple[NDArray[np.float32], ...] = self._way.recv()
        except (EOFError, OSError):
            return None
        return said

    def end(self) -> None:
        """End the process."""
        self._way.close()
        self._process.terminate()
        self._process.wait()


def _end(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.end()


def serve(way: Connection, files: Sequence[NetworkFile]) -> None:
    """Answer requests until the other end of the connection is closed."""
    try:
        networks = [load(file.weights, file.outputs) for file in files]
    except Exception as error:  # each runtime raises its own; the text goes to whoever asked
        way.send(("", str(error)))
        return
    way.send((networks[0].runtime, ""))
    while True:
        try:
            network, pictures = way.recv()
            way.send(networks[network].run(pictures))
        except (EOFError, OSError):
            return


def main(arguments: Sequence[str]) -> None:
    """Run a worker. Arguments: the connection's file descriptor, then each network's file and its outputs' names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever is at the keyboard ends the program that asked for it
    os.nice(LESS_URGENT)
    with Connection(int(arguments[0])) as way:
        serve(way, [NetworkFile(Path(weights), tuple(outputs.split(",")))
                    for weights, outputs in zip(arguments[1::2], arguments[2::2], strict=True)])


if __name__ == "__main__":
    main(sys.argv[1:])
