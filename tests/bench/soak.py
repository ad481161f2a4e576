"""A day's load in short: a table referees move after move while spectators come and go.

    python -m tests.bench.soak [MOVES] [--spectators N]

The table's whole loop runs here over painted pictures, as fast as it can: real judge, journal, stills and live files;
the page runs in a process of its own. Memory, open files and the delay of verdicts are taken in the first tenth, in the
middle and in the last tenth. What it leaves out is the eye, whose pictures would take the day that they show.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from device.cameras.base import CameraGone
from device.folder import DataFolder
from device.journal import Journal
from device.journal.events import GameOver, NewGame, VerdictGiven
from device.judging import AtOnce
from device.loop import Loop, Wanted
from engine.rules import ruleset
from tests.bench.table import Row
from tests.device.painted import FPS, PaintedEye, painted
from tests.web.attack import Page
from vision.reading import Frame

MOVES, SPECTATORS = 150, 20
LONGEST_LAPS = 6
REST_S = 2.0


@dataclass(frozen=True, slots=True)
class Sample:
    """One look: MiB and open files of table and page, processor time a frame of the table's thread in seconds."""

    move: int
    table_mb: float
    table_files: int
    page_mb: float
    page_files: int
    frame_s: float


def used(pid: int) -> tuple[float, int]:
    """(MiB in memory, open files) of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20), len(list(Path(f"/proc/{pid}/fd").iterdir()))


class Evening:
    """A camera over games without end, each begun by an order as the page gives it."""

    name, live = "painted table", True

    def __init__(self, data: DataFolder, moves: int, page: Page, seed: int = 1) -> None:
        self.data, self.moves, self.page = data, moves, page
        self.rules = ruleset("enkeshui", "driedger")
        self.rng = np.random.default_rng(seed)
        self.played = 0
        self.samples: list[Sample] = []
        self._number = self._before = 0
        self._began = 0.0
        self._images = self._play()

    def open(self) -> None:
        """As any camera."""

    def close(self) -> None:
        """As any camera."""

    @property
    def done(self) -> bool:
        return self.played >= self.moves

    def read(self, timeout_s: float) -> Frame | None:
        image = next(self._images, None)
        if image is None:
            raise CameraGone("the evening is over")
        self._number += 1
        return Frame(image, round(self._number * 1e9 / FPS), self._number - 1)

    def _play(self) -> Iterator[np.ndarray]:
        self._began = time.thread_time()
        while not self.done:
            position = self.rules.setup()
            yield from [painted(position.counts)] * (5 * FPS)
            while not self.done and self.rules.over(position) is None:
                there = [m for m in self.rules.moves(position).moves if m.laps <= LONGEST_LAPS]
                if not there:
                    break
                after = there[int(self.rng.integers(len(there)))].position
                hands = (0.0, 0.1) if position.to_move else (0.1, 0.0)
                yield from [painted(position.counts, hands)] * FPS
                yield from [painted(after.counts, hands)] * 3
                yield from [painted(after.counts)] * round(REST_S * FPS)
                position = after
                self.played += 1
                if self.played in (self.moves // 10, self.moves // 2, self.moves):
                    self._sample()
            with Journal(self.data.journal) as journal:
                journal.append(NewGame(game="enkeshui", rules="driedger", board=str(position.board), by="page"))

    def _sample(self) -> None:
        now = time.thread_time()  # in the loop's own thread: a busy machine makes no difference
        frame_s = (now - self._began) / max(1, self._number - self._before)
        self._began, self._before = now, self._number
        self.samples.append(Sample(self.played, *used(os.getpid()), *used(self.page.process.pid), frame_s))


class Spectators:
    """So many people, each looking for a moment and coming back."""

    def __init__(self, page: Page, number: int) -> None:
        self.page, self.ended = page, threading.Event()
        self.threads = [threading.Thread(target=self._come_and_go, args=(n,), daemon=True) for n in range(number)]
        for thread in self.threads:
            thread.start()

    def end(self) -> None:
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def _come_and_go(self, seed: int) -> None:
        rng = random.Random(seed)
        while not self.ended.wait(rng.uniform(0.1, 1.0)):
            line = http.client.HTTPConnection("127.0.0.1", self.page.port, timeout=10)
            with suppress(OSError, http.client.HTTPException):
                line.request("GET", rng.choice(("/events", "/events", "/", "/table", "/live/frame.jpg")))
                line.getresponse().read(2000)
                self.ended.wait(rng.uniform(0.0, 3.0))
            line.close()


def soak(folder: Path, moves: int = MOVES, spectators: int = SPECTATORS) -> tuple[list[Sample], list[float], int, int]:
    """(samples at the beginning, the middle and the end, delays of all verdicts in seconds of the recording, legal
    verdicts, games ended). folder: an empty one."""
    data = DataFolder(folder / "data")
    data.make()
    page = Page(data.path)
    evening = Evening(data, moves, page)
    people = Spectators(page, spectators)
    try:
        Loop(Wanted(data, "enkeshui", "driedger"), lambda _game: evening, lambda: evening.done, PaintedEye,
             AtOnce()).run()
    finally:
        people.end()
        page.close()
    with Journal(data.journal, readonly=True) as journal:
        bad = journal.verify()
        bodies = [event.body for event in journal.read()]
    if bad is not None:
        raise RuntimeError(bad.reason)
    said = [body for body in bodies if isinstance(body, VerdictGiven)]
    legal = sum(body.kind == "legal" for body in said)
    return evening.samples, [b.t - b.hands_out for b in said], legal, sum(isinstance(b, GameOver) for b in bodies)


def rows(moves: int = MOVES, spectators: int = SPECTATORS) -> list[Row]:
    """The figures."""
    with tempfile.TemporaryDirectory(prefix="inkeek-soak-") as folder:
        samples, delays, legal, games = soak(Path(folder), moves, spectators)
    found: list[Row] = [(f"soak of {moves} moves, {spectators} spectators: legal moves called legal",
                         f"{legal} of {moves}, {games} games ended")]
    tenth = max(1, len(delays) // 10)
    middle = len(delays) // 2 - tenth // 2
    for name, sample, part in zip(("start", "middle", "end"), samples,
                                  (delays[:tenth], delays[middle:middle + tenth], delays[-tenth:]), strict=True):
        found.append((f"  {name}, move {sample.move}: table; page; delay",
                      f"{sample.table_mb:.0f} MiB, {sample.table_files} files; {sample.page_mb:.0f} MiB, "
                      f"{sample.page_files} files; {np.median(part):.2f} s of the recording, "
                      f"{1000 * sample.frame_s:.1f} ms of work a frame"))
    return found


def main() -> int:
    """Run it, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.soak")
    parser.add_argument("moves", type=int, nargs="?", default=MOVES)
    parser.add_argument("--spectators", type=int, default=SPECTATORS)
    given = parser.parse_args()
    for what, figure in rows(max(10, given.moves), given.spectators):
        print(f"| {what} | {figure} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
