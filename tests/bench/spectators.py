"""Twenty spectators with open feeds: how long a plain page takes meanwhile, and how the table's frame rate changes.

    python -m tests.bench.spectators [SPECTATORS] [--seconds N]

The whole product runs: a table that referees the simulated game, and its page. The spectators are a process of their
own; each holds a feed open and fetches every new picture, as a browser does. Measurements with and without them
alternate, so that other load on the machine affects both alike.
"""

import argparse
import http.client
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from tests.bench.table import Row, print_rows
from tests.ports import free_port

SPECTATORS = 20
SECONDS = 6.0
TURNS = 3
START_S = 240.0
PAGE = "/games"
"""A page without a feed, rendered by the server from the journal."""


class Product:
    """`inkeek run` with the simulated table, in its own processes."""

    def __init__(self, folder: Path) -> None:
        """folder: the table's data."""
        self.port = free_port()
        self.state = folder / "live" / "state.json"
        self.process = subprocess.Popen([sys.executable, "-m", "device.cli.main", "run", "--camera", "sim", "--data",
                                         str(folder), "--port", str(self.port)], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        end = time.monotonic() + START_S
        while not self.watching:
            if time.monotonic() > end or self.process.poll() is not None:
                self.end()
                raise RuntimeError("the simulated table does not begin to referee")
            time.sleep(0.5)

    @property
    def watching(self) -> bool:
        """Whether the set-up was seen and the page answers."""
        with suppress(OSError, ValueError):
            state = json.loads(self.state.read_text())["state"]
            return state in ("watching", "hands-in", "settling", "judging") and get(self.port, PAGE)[0] == 200
        return False

    def rate(self) -> float:
        """Return the table's recent pictures per second, as it reports them."""
        return float(json.loads(self.state.read_text())["fps"])

    def end(self) -> None:
        """Stop the program as Ctrl-C or a service manager does."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


def get(port: int, path: str) -> tuple[int, bytes]:
    """Return status and body of a page, over a new connection."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        line.request("GET", path)
        answer = line.getresponse()
        return answer.status, answer.read()
    finally:
        line.close()


def watch(port: int, number: int) -> None:
    """Let `number` people watch until the process is ended. Print a line once every feed has sent something."""
    heard = threading.Semaphore(0)
    for _ in range(number):
        threading.Thread(target=_look, args=(port, heard), daemon=True).start()
    for _ in range(number):
        heard.acquire()
    print("all see", flush=True)
    threading.Event().wait()


def _look(port: int, heard: threading.Semaphore) -> None:
    """Act as one person: the page, then its feed, and each new picture over a connection that stays open."""
    get(port, "/")
    feed = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    feed.request("GET", "/events")
    answer = feed.getresponse()
    pictures = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    told, last = False, ""
    for raw in answer:
        if not told:
            told = True
            heard.release()
        if not raw.startswith(b"data: "):
            continue
        frame = json.loads(raw[6:]).get("frame", "")
        if frame and frame != last:
            last = frame
            pictures.request("GET", f"/live/frame.jpg?{frame}")
            pictures.getresponse().read()


def turn(product: Product, seconds: float) -> tuple[list[float], float]:
    """Return the times of plain pages in seconds and the table's pictures per second, over `seconds`."""
    pages: list[float] = []
    rates: list[float] = []
    end = time.monotonic() + seconds
    while (now := time.monotonic()) < end:
        get(product.port, PAGE)
        pages.append(time.monotonic() - now)
        rates.append(product.rate())
        time.sleep(0.25)
    half = len(rates) // 2  # the rate covers the last two seconds: leave out what began before the turn
    return pages, statistics.mean(rates[half:])


def measure(folder: Path, spectators: int = SPECTATORS, seconds: float = SECONDS) -> dict[bool, tuple[float, float]]:
    """Return, with (True) and without spectators, a plain page's median time in seconds and pictures per second.
    folder: an empty one."""
    product = Product(folder)
    found: dict[bool, tuple[list[float], list[float]]] = {True: ([], []), False: ([], [])}
    try:
        for _ in range(TURNS):
            for beside in (False, True):
                people = _come(product.port, spectators) if beside else None
                pages, rate = turn(product, seconds)
                found[beside][0].extend(pages)
                found[beside][1].append(rate)
                if people is not None:
                    people.kill()
                    people.wait()
                    time.sleep(1.0)  # until their connections are closed
    finally:
        product.end()
    return {beside: (statistics.median(pages), statistics.mean(rates)) for beside, (pages, rates) in found.items()}


def _come(port: int, spectators: int) -> subprocess.Popen[bytes]:
    people = subprocess.Popen([sys.executable, "-m", "tests.bench.spectators", "--watch", str(port), str(spectators)],
                              stdout=subprocess.PIPE)
    assert people.stdout is not None
    if b"all see" not in people.stdout.readline():
        raise RuntimeError("not every spectator was let in")
    return people


def rows(spectators: int = SPECTATORS, seconds: float = SECONDS) -> list[Row]:
    """Return the figures."""
    with tempfile.TemporaryDirectory(prefix="inkeek-spectators-") as folder:
        found = measure(Path(folder), spectators, seconds)
    (page, rate), (alone, free) = found[True], found[False]
    basis = f"{spectators} open feeds, {len(os.sched_getaffinity(0))} processors for table, page and spectators"
    return [Row("a plain page, median", basis, f"{1000 * page:.0f} ms; without feeds {1000 * alone:.0f} ms"),
            Row("the table's pictures a second, with feeds over without", basis,
                f"{rate / free:.2f} ({rate:.1f}, {free:.1f})")]


def main() -> int:
    """Run the measurement and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.spectators")
    parser.add_argument("spectators", type=int, nargs="?", default=SPECTATORS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--watch", type=int, default=0, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.watch:
        watch(given.watch, given.spectators)
    print_rows(rows(given.spectators, given.seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
