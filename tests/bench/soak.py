"""A day's load: a table referees move after move while spectators come and go.

    python -m tests.bench.soak [MOVES] [--films N] [--kept FOLDER] [--spectators N] [--seconds N]

The table's whole loop runs here as fast as it can: real referee, journal, stills, clips, live files and quota. The page
and the spectators are processes of their own; games are begun, and fouls let stand, by orders at the page. Memory, open
files, the delay of verdicts, the cost of a frame and the page's response time are sampled at each tenth of the way, and
printed for the first, the middle and the last sample.

Most games are shown as painted pictures, without the eye, whose work would take a real day. With --films a rendered
game of a few moves (`tests.libcamera.film`), one of them a foul, is shown that many times in between, and read by the
real eye from pictures of 1280×720, so that boards change and eyes come and go.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import msgspec
import numpy as np

from device.cameras.base import Camera, CameraGone
from device.evidence.clips import ACCUSING
from device.eyes.eyes import OpenEye, open_eye
from device.eyes.pipeline import InlineRunner
from device.eyes.table_eye import TableEye
from device.journal import Journal
from device.journal.events import EvidenceDropped, GameOver, LetStand, NewGame, VerdictGiven
from device.south import South
from device.system.folder import DataFolder
from device.system.table_process import Loop, Wanted
from engine.board import Board
from engine.position import Position
from engine.rules import ruleset
from tests.bench.table import Row, print_rows, share
from tests.device.painted import FPS, PaintedEye, painted
from tests.libcamera.shown import GAME, RATE, RULES, START
from tests.web.attack import JSON, Page, Spectator, machine_cookie
from vision.reading import Frame

MOVES = 150
SPECTATORS = 20
LONGEST_LAPS = 6
HANDS_S = 0.5
"""Seconds for which hands are over the board."""
REST_S = 0.8
"""Seconds for which the board rests afterwards."""
FOUL_S = 4.0
"""Seconds before people rule after a foul."""
FOULS = 25
"""Painted moves per foul: somebody empties two pits into a pocket."""
TAKEN = 3
"""The fewest seeds taken from each."""
EVIDENCE_MB = 10
"""The smallest possible quota, so that stills are dropped within the day."""
TENTHS = 10
ASKED = 15
"""Requests to the page for each median."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample: MiB and open files of table and page; for the frames since the last sample, the table's mean and
    longest processor time in seconds, over painted frames and over rendered ones (0.0 if there were none); the page's
    median response time in seconds."""

    move: int
    table_mb: float
    table_files: int
    page_mb: float
    page_files: int
    frame_s: float
    worst_s: float
    film_s: float
    film_worst_s: float
    page_s: float


@dataclass(frozen=True, slots=True)
class Soaked:
    """The result. moves: made; delays: of all verdicts, in seconds of the recording; right: moves whose verdict was
    right; dropped: files of evidence deleted by the quota."""

    moves: int
    samples: list[Sample]
    delays: list[float]
    right: int
    games: int
    fouls: int
    dropped: int


@dataclass(frozen=True, slots=True)
class Film:
    """A game in pictures. moves: kind, and the board after it as `lies` gives it."""

    pictures: list[Path]
    moves: list[tuple[str, str]]

    @classmethod
    def of(cls, folder: Path) -> Film:
        """Return the film that `tests.libcamera.film` has left in a folder."""
        truth = json.loads((folder / "truth.json").read_text())
        return cls(sorted(folder.glob("*.jpg"), key=lambda path: int(path.stem)),
                   [(move["kind"], lies(move["position"])) for move in truth["moves"]])


@dataclass(slots=True)
class Work:
    """Processor time of some frames, in seconds."""

    frames: int = 0
    all_s: float = 0.0
    worst_s: float = 0.0

    def add(self, seconds: float) -> None:
        """Add one frame."""
        self.frames, self.all_s, self.worst_s = self.frames + 1, self.all_s + seconds, max(self.worst_s, seconds)

    @property
    def mean_s(self) -> float:
        """Mean seconds per frame."""
        return self.all_s / max(1, self.frames)


def used(pid: int) -> tuple[float, int]:
    """Return the MiB in memory and the open files of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20), len(list(Path(f"/proc/{pid}/fd").iterdir()))


def lies(line: str) -> str:
    """Return the part of a position line with the board and who is to move."""
    return " ".join(line.split()[:2])


@dataclass
class Evening(Camera):
    """A camera over an endless series of games, begun by orders at the page. film: shown `films` times in between.
    seconds: no move begins later. happened: kind and board of each move made. told: called with each sample."""

    data: DataFolder
    moves: int
    page: Page
    film: Film | None = None
    films: int = 0
    told: Callable[[Sample], None] = lambda _: None
    seconds: float = float("inf")
    seed: int = 1
    happened: list[tuple[str, str]] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)

    name, live = "painted table", True

    def __post_init__(self) -> None:
        """Derive the other attributes."""
        self._rules, self._rng = ruleset("enkeshui", "driedger"), np.random.default_rng(self.seed)
        self._referee = Spectator(self.page, machine_cookie(self.page.folder))
        self._noise = self._rng.integers(60, 200, (64, 40, 64, 3), np.uint8)
        self._looks = [self.moves * tenth // TENTHS for tenth in range(1, TENTHS + 1)]
        self._number, self._t, self._returned = 0, 0.0, -1.0
        self._foul_at, self._ends = FOULS, time.monotonic() + self.seconds
        self._painted, self._rendered = Work(), Work()
        self._work = self._painted
        self._frames = self._play()

    def open(self) -> None:
        """Do nothing: nothing needs opening."""

    def close(self) -> None:
        """Do nothing: nothing is open."""

    @property
    def played(self) -> int:
        """The number of moves made."""
        return len(self.happened)

    @property
    def done(self) -> bool:
        """Whether all moves are made or the time is over."""
        return self.played >= self.moves or time.monotonic() > self._ends

    def read(self, timeout_s: float) -> Frame | None:
        """See `Camera.read`."""
        if self._returned >= 0:  # processor time of this thread: other load makes no difference
            self._work.add(time.thread_time() - self._returned)
        image, rate = next(self._frames, (None, 1.0))
        if image is None or self.done:
            raise CameraGone("the evening is over")
        self._work = self._painted if rate == FPS else self._rendered
        if rate == FPS:
            image = image.copy()
            image[8:] = self._noise[self._number % len(self._noise)]  # every sensor has noise
        self._number, self._t = self._number + 1, self._t + 1 / rate
        self._returned = time.thread_time()
        return Frame(image, round(self._t * 1e9), self._number - 1)

    def _play(self) -> Iterator[tuple[np.ndarray, float]]:
        """Yield pictures, each with the number per second of its kind."""
        shown = games = 0
        while not self.done:
            if self.film is not None and shown < self.films and self.played * self.films >= self.moves * shown:
                shown += 1
                with Journal(self.data.journal) as journal:  # starts in mid-game, which the page would not order
                    journal.append(NewGame(game=GAME, rules=RULES, board="", position=START, by="page"))
                yield from self._show(self.film)
                continue
            if shown or games:  # the table begins its first game by itself
                self._order(NewGame(game="enkeshui", rules="driedger", board="2x8"))
            games += 1
            yield from self._game()

    def _show(self, film: Film) -> Iterator[tuple[np.ndarray, float]]:
        for path in film.pictures:
            image = cv2.imread(str(path))
            if image is None:
                raise RuntimeError(f"{path} is no picture")
            yield image, RATE
        for move in film.moves:
            self._made(*move)

    def _game(self) -> Iterator[tuple[np.ndarray, float]]:
        """Yield one game in painted pictures, to its end."""
        position = self._rules.setup()
        yield from self._still(position, 5.0)
        while not self.done and self._rules.over(position) is None:
            there = [m for m in self._rules.moves(position).moves if m.laps <= LONGEST_LAPS]
            if not there:
                break
            after = there[int(self._rng.integers(len(there)))].position
            due = self.played >= self._foul_at and after.bulls == position.bulls
            short = self._short(after) if due else None
            yield from self._turn(position, short or after)
            position = short or after
            if short is None:
                yield from self._still(position, REST_S)
                self._made("legal", lies(str(position)))
            else:
                yield from self._foul(position)

    def _turn(self, before: Position, after: Position) -> Iterator[tuple[np.ndarray, float]]:
        """Yield the mover's hand over the board, and the board that it leaves."""
        hands = (0.0, 0.1) if before.to_move else (0.1, 0.0)
        yield from [(painted(before.counts, hands), FPS)] * round(HANDS_S * FPS)
        yield from [(painted(after.counts, hands), FPS)] * 3

    def _foul(self, position: Position) -> Iterator[tuple[np.ndarray, float]]:
        """Yield the pause after a foul, then let the foul stand."""
        yield from self._still(position, FOUL_S)
        self._made("illegal", lies(str(position)))
        self._foul_at = self.played + FOULS
        if ruled := json.loads(self.page.ask("GET", "/api/v1/table")[1])["ruling"]:
            self._order(LetStand(verdict=ruled))
            yield from self._still(position, 0.5)

    def _still(self, position: Position, seconds: float) -> Iterator[tuple[np.ndarray, float]]:
        yield from [(painted(position.counts), FPS)] * round(seconds * FPS)

    def _short(self, position: Position) -> Position | None:
        """Return the position with its two fullest pits emptied; None if they hold too few."""
        full = [pit for pit in range(position.board.pits)
                if position.bulls[pit] is None and position.counts[pit] >= TAKEN]
        if len(full) < 2:
            return None
        gone = sorted(full, key=lambda pit: position.counts[pit])[-2:]
        return position.with_counts(tuple(0 if pit in gone else n for pit, n in enumerate(position.counts)))

    def _order(self, order: NewGame | LetStand) -> None:
        """Give an order as somebody at the page does."""
        status = self._referee.post("/orders", msgspec.json.encode(order).decode(), JSON)
        if status != 201:
            raise RuntimeError(f"the page answers {status} to the order {order}")

    def _made(self, kind: str, board: str) -> None:
        self.happened.append((kind, board))
        if self.played in self._looks:
            self._sample()

    def _sample(self) -> None:
        took = []
        for _ in range(ASKED):
            began = time.monotonic()
            self.page.ask("GET", "/table")
            took.append(time.monotonic() - began)
        self.samples.append(Sample(self.played, *used(os.getpid()), *used(self.page.process.pid), self._painted.mean_s,
                                   self._painted.worst_s, self._rendered.mean_s, self._rendered.worst_s,
                                   float(np.median(took))))
        self._painted, self._rendered = Work(), Work()
        self._work = self._painted
        self.told(self.samples[-1])


def as_it_was(said: VerdictGiven, kind: str, board: str) -> bool:
    """Return whether the verdict suits the move; a foul may also be questioned instead of called."""
    if kind == "legal":
        return said.kind == "legal" and lies(said.position) == board
    return said.kind in ACCUSING and (said.kind != "illegal" or lies(said.position) == board)


# ---- the spectators ----------------------------------------------------------------------------------------------

def watch(port: int, number: int) -> None:
    """Let `number` people look for a moment and come back, until the input's other end is closed."""
    for seed in range(number):
        threading.Thread(target=_come_and_go, args=(port, seed), daemon=True).start()
    sys.stdin.read()


def _come_and_go(port: int, seed: int) -> None:
    rng = random.Random(seed)
    while True:
        time.sleep(rng.uniform(0.1, 1.0))
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        with suppress(OSError, http.client.HTTPException):
            line.request("GET", rng.choice(("/events", "/events", "/", "/table", "/games", "/live/frame.jpg")))
            line.getresponse().read(2000)
            time.sleep(rng.uniform(0.0, 3.0))
        line.close()


# ---- the whole run -------------------------------------------------------------------------------------------------

def shot(folder: Path) -> Film:
    """Return the film in a folder. If it is missing, render it there in another process, so that rendering does not
    count as the table's memory."""
    if (folder / "truth.json").exists():
        return Film.of(folder)
    folder.mkdir(parents=True, exist_ok=True)
    maker = multiprocessing.get_context("spawn").Process(target=_shoot, args=(folder,))
    maker.start()
    maker.join()
    if maker.exitcode:
        raise RuntimeError(f"the film was not rendered: status {maker.exitcode}")
    return Film.of(folder)


def _shoot(folder: Path) -> None:
    from tests.libcamera.film import shoot

    shoot(folder, narrow=False)


def soak(folder: Path, moves: int = MOVES, spectators: int = SPECTATORS, film: Film | None = None, films: int = 0,
         told: Callable[[Sample], None] = lambda _: None, eye: OpenEye = open_eye,
         seconds: float = float("inf")) -> Soaked:
    """Play `moves` moves, or fewer if `seconds` are over first. folder: an empty one; told: called with each sample;
    eye: reads the film."""
    data = DataFolder(folder / "data")
    data.make()
    (data.path / "inkeek.toml").write_text(f"evidence_mb = {EVIDENCE_MB}\n")
    page = Page(data.path)
    evening = Evening(data, moves, page, film, films, told, seconds)
    people = subprocess.Popen([sys.executable, "-m", "tests.bench.soak", "--watch", str(page.port), "--spectators",
                               str(spectators)], stdin=subprocess.PIPE)

    def looking(board: Board, south: South) -> TableEye:
        return PaintedEye(board, south) if film is None or str(board) == "2x8" else eye(board, south)

    try:
        Loop(Wanted(data, "enkeshui", "driedger"), lambda _game: evening, lambda: evening.done, looking,
             InlineRunner()).run()
    finally:
        people.communicate()
        page.close()
    with Journal(data.journal, readonly=True) as journal:
        bad = journal.verify()
        bodies = [event.body for event in journal.read()]
    if bad is not None:
        raise RuntimeError(bad.reason)
    said = [body for body in bodies if isinstance(body, VerdictGiven)]
    right = sum(as_it_was(body, *happened) for body, happened in zip(said, evening.happened, strict=False))
    return Soaked(evening.played, evening.samples, [b.t - b.hands_out for b in said], right,
                  sum(isinstance(b, GameOver) for b in bodies), sum(kind != "legal" for kind, _ in evening.happened),
                  sum(b.files for b in bodies if isinstance(b, EvidenceDropped)))


def looked(sample: Sample, delays: list[float], basis: str) -> list[Row]:
    """Return the rows of one sample. delays: of the verdicts since the sample before, seconds of the recording."""
    at = f"at move {sample.move}"
    found = [
        Row(f"table {at}: memory; open files", basis, f"{sample.table_mb:.0f} MiB; {sample.table_files}"),
        Row(f"page {at}: memory; open files; answers in", basis,
            f"{sample.page_mb:.0f} MiB; {sample.page_files}; {1000 * sample.page_s:.0f} ms"),
        Row(f"verdict delay {at}, in the recording: median; worst", basis,
            f"{np.median(delays):.2f} s; {max(delays):.2f} s", len(delays)),
        Row(f"work a painted frame {at}: mean; worst", basis,
            f"{1000 * sample.frame_s:.2f} ms; {1000 * sample.worst_s:.0f} ms")]
    if sample.film_s:
        found.append(Row(f"work a rendered frame {at}: mean; worst", basis,
                         f"{1000 * sample.film_s:.1f} ms; {1000 * sample.film_worst_s:.0f} ms"))
    return found


def rows(moves: int = MOVES, spectators: int = SPECTATORS, films: int = 0, kept: Path | None = None,
         told: Callable[[Sample], None] = lambda _: None, seconds: float = float("inf")) -> list[Row]:
    """Return the figures. kept: folder where the film is or will stay."""
    with tempfile.TemporaryDirectory(prefix="inkeek-soak-") as folder:
        film = shot(kept or Path(folder) / "film") if films else None
        found = soak(Path(folder), moves, spectators, film, films, told, seconds=seconds)
    basis = f"{moves} painted moves in a row, {spectators} spectators"
    made = [share("verdicts as it was", found.right, found.moves, basis,
                  f"{found.fouls} of them fouls, in {found.games} games"),
            Row("pictures dropped by the quota", basis, str(found.dropped))]
    looks = found.samples
    for at in (0, (len(looks) - 1) // 2, len(looks) - 1) if looks else ():
        before = looks[at - 1].move if at else 0
        made += looked(looks[at], found.delays[before:looks[at].move], basis)
    return made


def main() -> int:
    """Run the load and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.soak")
    parser.add_argument("moves", type=int, nargs="?", default=MOVES)
    parser.add_argument("--films", type=int, default=0, help="how often the rendered game is shown")
    parser.add_argument("--kept", type=Path, help="folder in which the rendered game stays for the next time")
    parser.add_argument("--spectators", type=int, default=SPECTATORS)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no move is begun after so many")
    parser.add_argument("--watch", type=int, default=0, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.watch:
        watch(given.watch, given.spectators)
        return 0
    print_rows(rows(max(TENTHS, given.moves), given.spectators, given.films, given.kept,
                    lambda sample: print(sample, file=sys.stderr, flush=True), given.seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
