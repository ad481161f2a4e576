"""A simulated Raspberry Pi: `inkeek watch` on a virtual clock, on which each thread's work takes as long as it would
there. The results are reproducible.

    python -m tests.bench.slow_table --made FOLDER      clips with their truth, see `tests.bench.watching`

It has four cores, as a Pi has, so as many worker processes count pits as the product starts there. Each piece of work
costs the milliseconds that it took on one core of the machine of the other figures, times the machine's factor. The
factors are estimates until somebody has measured a Pi (`inkeek doctor --speed`).
"""

import json
import math
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import click
import numpy as np
from numpy.typing import NDArray

from device.cameras.base import Camera, CameraError
from device.cameras.choose import camera_of_file
from device.cli.watch.watcher import Match, Watcher
from device.eyes.brightening import Brightening
from device.eyes.eyes import board_sizes, workers
from device.eyes.pipeline import CountingBudget
from device.eyes.table_eye import TableEye
from device.south import South
from engine.board import Board
from engine.rules import ruleset
from tests.bench import othermaking
from tests.bench.table import Row, print_rows, share
from tests.bench.watching import tally
from vision.board.lattice import NotFound
from vision.eye import Eye
from vision.reading import BoardView, Frame, Reading
from vision.seeds.counter import Reader

T = TypeVar("T")

FACTORS = {"Pi 5": 2.2, "Pi 4": 4.5}
"""How many times as long as on one core here; estimates."""
CLIPS, FIRST = 4, 900
"""The clips of `make bench`: how many, and the first number; nothing was chosen on them."""
FRAME_MS = 4.0
"""Cost of a frame of 1280×720: the hands, whether pits have changed, and the table's own work."""
COUNTING_MS = 7.0
"""Fixed cost of a count, whatever it looks at: cutting out, preparing, weighing."""
LOOK_MS, FINE_MS = 1.0, 2.4
"""Cost of the counter's look at one pit, and of a look of the network of seeds' middles."""
SENDING_MS, SENDING_FINE_MS = 0.2, 0.6
"""Cost of sending each picture to a worker process and back, one after the other, for the same two looks."""
WORKERS = workers(4)
"""Worker processes on a machine of four cores."""
WEIGHING_MS = 32.0
"""Cost of one observation for the referee, including the moves that may follow a position: 65 until half of the
continuations were no longer made; 0.48 of it on nine logs."""
FINDING_MS = 350.0
"""Cost of a search for the board. The first search is free: the clips begin with the first move, but at a table the
camera has been looking for a long time by then."""


@dataclass
class Clock:
    """Seconds of a recording on a machine that takes `factor` times as long as this one. late: frames that came while
    an earlier one was still being watched."""

    factor: float
    now: float = 0.0
    busy_until: float = -1.0
    late: int = 0

    def cost(self, milliseconds: float) -> float:
        """Return the seconds that work takes on the simulated machine. milliseconds: its time on this one."""
        return self.factor * milliseconds / 1000


class Later(Future[T]):
    """A result that becomes available at a given time."""

    def __init__(self, clock: Clock, at: float, result: T) -> None:
        super().__init__()
        self._clock, self._at = clock, at
        self.set_result(result)

    def done(self) -> bool:
        """Return whether it is available now."""
        return self._clock.now >= self._at


class MeteredReader(Reader):
    """The product's reader, which also adds up its cost in milliseconds; workers share the pictures of a call."""

    spent = 0.0

    def look(self, pictures: NDArray[np.uint8], empties: NDArray[np.uint8] | None = None
             ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Look as the reader does."""
        self.spent += LOOK_MS * math.ceil(len(pictures) / WORKERS) + SENDING_MS * len(pictures)
        return super().look(pictures, empties)

    def heats(self, pictures: NDArray[np.uint8], empties: NDArray[np.uint8] | None = None) -> NDArray[np.float32]:
        """Do as the reader does."""
        self.spent += FINE_MS * math.ceil(len(pictures) / WORKERS) + SENDING_FINE_MS * len(pictures)
        return super().heats(pictures, empties)


@dataclass
class SlowCounting:
    """The counting thread of that machine."""

    clock: Clock
    reader: MeteredReader
    until: float = -1.0
    portions: CountingBudget = field(default_factory=CountingBudget)

    @property
    def free(self) -> bool:
        """Whether the last work would be done by now."""
        return self.clock.now >= self.until

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Do the work at once; its result becomes available when it would be done there."""
        before = self.reader.spent
        result = work()
        began = max(self.clock.now, self.until)
        self.until = began + self.clock.cost(COUNTING_MS + self.reader.spent - before)
        return Later(self.clock, self.until, result)

    def count(self, counting: Callable[[int | None], Reading]) -> Future[Reading]:
        """Count as many pits as that machine can count quickly."""
        began = max(self.clock.now, self.until)
        done = self.submit(lambda: counting(self.portions.most))
        self.portions.took(self.until - began, done.result().looks)
        return done

    def close(self) -> None:
        """Do nothing: there is nothing to end."""


@dataclass
class SlowWeighing:
    """The referee's thread of that machine. A work that has not begun may be cancelled. waiting: what has not begun,
    with the time when it was submitted."""

    clock: Clock
    until: float = -1.0
    waiting: deque[tuple[float, "Weighed[Any]", Callable[[], Any]]] = field(default_factory=deque)

    @property
    def free(self) -> bool:
        """Whether the last work would be done by now."""
        self.go_on()
        return not self.waiting and self.clock.now >= self.until

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Do the work when that machine would begin with it; its result becomes available when it would be done."""
        asked = Weighed[T](self)
        self.waiting.append((self.clock.now, asked, work))
        return asked

    def go_on(self, *, at_once: bool = False) -> None:
        """Do what that machine would have begun by now; everything if at_once."""
        while self.waiting and (at_once or max(self.until, self.waiting[0][0]) <= self.clock.now):
            came, asked, work = self.waiting.popleft()
            if asked.set_running_or_notify_cancel():
                self.until = asked.at = max(self.until, came) + self.clock.cost(WEIGHING_MS)
                asked.set_result(work())

    def count(self, counting: Callable[[int | None], Reading]) -> Future[Reading]:
        """Count all pits."""
        return self.submit(lambda: counting(None))

    def close(self) -> None:
        """Do nothing: there is nothing to end."""


class Weighed(Future[T]):
    """The result of a work of the referee's thread. at: when it would be done there."""

    def __init__(self, weighing: SlowWeighing) -> None:
        super().__init__()
        self._weighing, self.at = weighing, math.inf

    def cancel(self) -> bool:
        """Cancel it if it has not begun."""
        self._weighing.go_on()
        return super().cancel()

    def done(self) -> bool:
        """Return whether it is available now."""
        self._weighing.go_on()
        return self.cancelled() or self._weighing.clock.now >= self.at

    def result(self, timeout: float | None = None) -> T:
        """Return the result, with all the work before it done."""
        self._weighing.go_on(at_once=True)
        return super().result(timeout)


@dataclass
class SlowCamera(Camera):
    """A recording as that machine's camera would give it: frames that come while one is being watched are lost."""

    recording: Camera
    clock: Clock
    live = True

    def __post_init__(self) -> None:
        """Take the recording's name."""
        self.name = self.recording.name

    def open(self) -> None:
        """Open the recording."""
        self.recording.open()

    def close(self) -> None:
        """Close it."""
        self.recording.close()

    def read(self, timeout_s: float) -> Frame | None:
        """Return the next frame that is not lost. Raises what the recording raises."""
        while (frame := self.recording.read(timeout_s)) is not None:
            self.clock.now = frame.time_ns / 1e9
            if self.clock.now >= self.clock.busy_until:
                self.clock.busy_until = self.clock.now + self.clock.cost(FRAME_MS)
                return frame
            self.clock.late += 1
        return None


def watcher(recording: Camera, match: Match, emit: Callable[[dict[str, Any]], None], factor: float
            ) -> tuple[Watcher, Clock]:
    """Return the watcher of a recording on a machine that takes `factor` times as long, and its clock."""
    clock, reader = Clock(factor), MeteredReader()

    searches = count()

    def search(work: Callable[[], BoardView | NotFound]) -> Future[BoardView | NotFound]:
        return Later(clock, clock.now + clock.cost(FINDING_MS if next(searches) else 0.0), work())

    def eye(board: Board, south: South) -> TableEye:
        return Brightening(Eye(board.rows, board.cols, south, counter=reader, sizes=board_sizes(), search=search))

    camera = SlowCamera(recording, clock)
    watching = Watcher(camera, match, emit, eye=eye, weighing=SlowWeighing(clock), counting=SlowCounting(clock, reader))
    return watching, clock


@dataclass
class Played:
    """The results of some clips. n: counts by result (`tests.bench.watching.tally`); delays: of verdicts, seconds."""

    n: Counter[str] = field(default_factory=Counter)
    delays: list[float] = field(default_factory=list)
    late: int = 0

    def rows(self, basis: str, note: str = "") -> list[Row]:
        """Return the figures. basis: which clips and machine; note: what they depend on."""
        n, moves = self.n, self.n["legal"] + self.n["illegal"] + self.n["tampered"]
        delays = np.array(self.delays or [np.nan])
        delay = f"{np.median(delays):.2f} s; {np.quantile(delays, 0.9):.2f} s"
        return [share("verdict right", n["right"], moves, basis, note),
                share("false accusation, also before the verdict", n["false"], n["legal"], basis, note),
                share("not sure", n["not sure"], moves, basis, note),
                share("no verdict", n["silent"], moves, basis, note),
                Row("verdict delay, median; 90th percentile", basis, delay, len(self.delays), note=note)]


def played(clips: list[Path], factor: float) -> Played:
    """Referee clips, each with its truth NAME.truth.json beside it. factor: 0 for a machine that takes no time."""
    out = Played()
    for clip in clips:
        truth = json.loads(clip.with_suffix(".truth.json").read_text("utf-8"))
        events: list[dict[str, Any]] = []
        match = Match(ruleset(truth["game"], truth["rules"]), Board.parse(truth["board"]), truth["start"],
                      truth["south"])
        watching, clock = watcher(camera_of_file(clip), match, events.append, factor)
        with suppress(CameraError):
            watching.run()
        before = out.n.copy()
        tally(truth["moves"], [e for e in events if e["event"] == "verdict"], out.n, out.delays)
        out.late += clock.late
        gained = {key: out.n[key] - before[key] for key in ("right", "false", "not sure", "silent")}
        print(f"  {clip.stem} x{factor:g}: {gained}, {clock.late} frames late", flush=True)
    return out


def rows(clips: int = CLIPS, moves: int = 4) -> list[Row]:
    """Return the figures for `clips` clips of another making on each machine, and on one that takes no time."""
    with TemporaryDirectory(prefix="inkeek-slow-") as name:
        stems = [Path(name) / f"clip_{FIRST + k:04d}" for k in range(clips)]
        for k, stem in enumerate(stems):
            othermaking.make(FIRST + k, stem, moves)
        films, basis = [stem.with_suffix(".mp4") for stem in stems], f"{clips} clips of another making from {FIRST} on"
        found = played(films, 0.0).rows(f"{basis}, on the virtual clock of a machine that takes no time")
        for machine, factor in FACTORS.items():
            found += played(films, factor).rows(f"{basis}, on the virtual clock of a {machine}", as_on(machine))
    return found


def as_on(machine: str) -> str:
    """Return what the figures of a machine depend on."""
    return f"x {FACTORS[machine]:g}: the factor is an estimate until somebody measures one"


@click.command()
@click.option("--made", "folder", required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--factor", "factors", type=float, multiple=True, help="0, and those of the machines, unless given.")
def main(folder: Path, factors: tuple[float, ...]) -> None:
    """Referee the clips of a folder on slow machines."""
    clips = sorted(folder.rglob("*.mp4"))
    names = {factor: name for name, factor in FACTORS.items()} | {0.0: "a machine that takes no time"}
    for factor in factors or (0.0, *FACTORS.values()):
        print_rows(played(clips, factor).rows(f"{len(clips)} clips, {names.get(factor, f'x{factor:g}')}"))


if __name__ == "__main__":
    main()
