"""Core cost: processor time of the table's whole process per second of recorded video, including finding the board.

    python -m tests.bench core

Clips of 1280x720 at 30 frames a second are rendered for each run: fast play on 2x12, and boards on which nothing
happens. They are watched as `inkeek watch` does, on one thread; nothing was tuned on them.
"""

import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.cameras.choose import camera_of_file
from device.cli.watch.watcher import Match, Watcher, nothing
from engine.board import Board
from engine.rules import ruleset
from tests.bench.frames import median_seconds
from tests.bench.simulated_clips import Clip, drawn, lead_in, write
from tests.bench.table import Row

GAME, RULES, BOARD = "enkeshui", "driedger", "2x12"
FPS, SIZE = 30.0, (1280, 720)
FAST, MOVES = range(9100, 9104), 4
"""Seeds of the clips of fast play, and turns in each."""
QUIET, QUIET_S = range(9200, 9202), 15
"""Seeds of the boards on which nothing happens, and seconds of each."""
BASIS = "{} drawn clips of 2x12, 1280x720, 30 frames a second; unpacking and finding the board are in it"


@dataclass(frozen=True, slots=True)
class Film:
    """A recording, its starting position and its length."""

    path: Path
    start: str
    seconds: float


def clip(seed: int, turns: int) -> Clip:
    """Return a clip of that seed, whose board has been played for `turns` turns before."""
    rules = ruleset(GAME, RULES)
    start = lead_in(rules, Board.parse(BOARD), turns, np.random.default_rng(seed))
    return Clip(rules, start, seed, "fast", moves=MOVES, fps=FPS, size=SIZE)


def fast(folder: Path) -> Iterator[Film]:
    """Yield the clips of fast play."""
    for k, seed in enumerate(FAST):
        stem = folder / f"fast_{seed}"
        truth: dict[str, Any] = write(clip(seed, 2 * k), stem)
        film = cv2.VideoCapture(str(stem.with_suffix(".mp4")))
        yield Film(stem.with_suffix(".mp4"), truth["start"], film.get(cv2.CAP_PROP_FRAME_COUNT) / FPS)
        film.release()


def quiet(folder: Path) -> Iterator[Film]:
    """Yield clips of boards on which nothing happens, with the camera's noise."""
    for k, seed in enumerate(QUIET):
        one = clip(seed, 3 * k)
        picture, noise = drawn(one), np.random.default_rng(seed)
        picture.show(one.start.counts)
        path = folder / f"quiet_{seed}.mp4"
        film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FPS, SIZE)
        for _ in range(int(QUIET_S * FPS)):
            film.write(picture.frame([], noise))
        film.release()
        yield Film(path, str(one.start), QUIET_S)


def cost(film: Film) -> float:
    """Return the processor seconds of watching a recording, per second of it."""
    match = Match(ruleset(GAME, RULES), Board.parse(BOARD), film.start, "bottom")
    watcher = Watcher(camera_of_file(film.path), match, nothing)
    began = time.process_time()
    watcher.run()
    return (time.process_time() - began) / film.seconds


def unpacking(film: Film) -> float:
    """Return the processor seconds of decoding a recording, per second of it."""
    pictures = cv2.VideoCapture(str(film.path))
    began = time.process_time()
    while pictures.read()[0]:
        pass
    return (time.process_time() - began) / film.seconds


def row(what: str, films: Iterable[Film], warp: float) -> Row:
    """Return the mean cost of watching these recordings."""
    costs = [(cost(film), unpacking(film)) for film in films]
    mean, read = (statistics.mean(each) for each in zip(*costs, strict=True))
    return Row(f"core cost, {what}", BASIS.format(len(costs)),
               f"{mean:.2f} core-seconds a second; {mean / warp:.0f} warps", len(costs),
               note=f"of these {read:.2f} core-seconds for unpacking the video")


def rows() -> list[Row]:
    """Return the figures."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        frame = np.random.default_rng(1).integers(0, 255, (*SIZE[::-1], 3), dtype=np.uint8)
        warp = median_seconds(lambda: cv2.warpPerspective(frame, np.eye(3) + 1e-4, SIZE), 60)
        with tempfile.TemporaryDirectory(prefix="inkeek-cost-") as folder:
            return [row("fast play", fast(Path(folder)), warp), row("a quiet board", quiet(Path(folder)), warp)]
    finally:
        cv2.setNumThreads(threads)
