"""Measure this machine's speed: the table's steps on a picture that comes with the program.

Each step runs as at the table, with as many threads and processes, and the median of several runs counts. Costs are
also given in warps (one `cv2.warpPerspective` of the whole picture), so that machines can be compared. The picture
shows the simulated table's board of 4 × 8, with about two seeds in each pit.
"""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from device.errors import UserError
from device.eyes.denoising import Denoiser
from device.eyes.eyes import EyeError, LiveEyes, find_board, workers
from device.eyes.parameters import PACE
from device.eyes.remembered import lies_there
from device.system.folder import DataFolder
from device.system.health import machine
from engine.board import Board
from vision.network import load
from vision.reading import BoardView, Frame
from vision.seeds.counter import WEIGHTS

PICTURE = Path(__file__).with_name("board.jpg")
BOARD = Board.parse("4x8")
QUICK_RUNS, SLOW_RUNS = 15, 3
"""Runs of a step that takes milliseconds, and of one that may take seconds."""
FRAME_NS = 33_000_000
"""Nanoseconds between two frames of a camera."""


class SpeedError(UserError):
    """The speed cannot be measured here; one sentence."""


class Speed(msgspec.Struct, frozen=True):
    """The measured times, milliseconds. machine: its kind, in words; cores: of its processor; networks: their runtime.
    warp_ms: one warp of the picture; hands_ms: detecting the hands in one picture; dim_ms: denoising a dim picture;
    count_ms: counting all pits once; place_ms: checking whether the board lies where it lay; find_ms: finding the board
    in the whole picture. pictures_per_second: how many one core can follow, by the hands alone."""

    machine: str
    cores: int
    networks: str
    warp_ms: float
    hands_ms: float
    dim_ms: float
    count_ms: float
    place_ms: float
    find_ms: float
    pictures_per_second: float
    pits_per_second: float

    def table(self) -> str:
        """The times as a table for people."""
        rows = (("one warp of a picture of 1280×720", self.warp_ms), ("a look at the hands", self.hands_ms),
                ("averaging the noise of a dim picture", self.dim_ms),
                (f"counting {BOARD.pits} pits", self.count_ms), ("looking where the board lay", self.place_ms),
                ("finding the board", self.find_ms))
        lines = [f"{what:<36}{ms:>9.1f} ms{ms / self.warp_ms:>9.1f} warps" for what, ms in rows]
        slow = ": too few for quick hands" if self.pictures_per_second < PACE.fewest else ""
        head = f"{self.machine}; {self.cores} core{'s' * (self.cores != 1)}; networks run by {self.networks}"
        return "\n".join([head, *lines,
                          f"In good light, and with nothing else to do, this machine can follow the hands in "
                          f"{self.pictures_per_second:.0f} pictures a second{slow}; it counts "
                          f"{self.pits_per_second:.0f} pits a second."])


def measured(folder: DataFolder) -> Speed:
    """Measure this machine. folder: that of a table which may be running. Raises `SpeedError`."""
    if folder.live.exists() and folder.lives():
        raise SpeedError("a table is running on this machine and would be measured with it: end it first, one that is "
                         "a service by 'sudo systemctl stop inkeek-table'")
    image = _picture()
    found = find_board(image, BOARD)
    if not isinstance(found, BoardView):
        raise SpeedError(f"no board was found in {PICTURE}: {found.reason}; install inkeek again")
    try:
        hands_s, count_s = _eye_seconds(image, found)
        networks = _networks()
    except (EyeError, OSError, ValueError) as error:  # errors of the networks' runtimes
        raise SpeedError(str(error)) from error
    size = (image.shape[1], image.shape[0])
    warp_s = _median(lambda: cv2.warpPerspective(image, np.eye(3) + 1e-4, size), QUICK_RUNS)
    denoiser = Denoiser()
    dim_s = _median(lambda: denoiser.look(image), QUICK_RUNS)
    place_s = _median(lambda: lies_there(image, found), QUICK_RUNS)
    find_s = _median(lambda: find_board(image, BOARD), SLOW_RUNS)
    warp, hands, dim, counting, place, find = (
        round(1000 * s, 2) for s in (warp_s, hands_s, dim_s, count_s, place_s, find_s))
    return Speed(next(iter(machine())).what, os.cpu_count() or 1, networks, warp, hands, dim, counting, place, find,
                 round(1 / hands_s, 1), round(BOARD.pits / count_s, 1))


def _networks() -> str:
    """The networks' runtime here, in words. Raises as `vision.network.load`."""
    beside = workers(os.cpu_count() or 1)
    return load(WEIGHTS, ("logits", "seeds")).runtime + (f" in {beside} processes" if beside else "")


def _eye_seconds(image: NDArray[np.uint8], view: BoardView) -> tuple[float, float]:
    """Return two times, seconds: to look for hands in a frame, and to count all pits of the board at `view`. Raises
    `EyeError`, OSError, ValueError."""
    eye = LiveEyes()(BOARD, "bottom")
    counts, frames = [], _frames(image)
    for _ in range(SLOW_RUNS):
        eye.place(view)
        counts.append(_seconds(eye.watch(Frame(image, 0, 0)).counted))
    return _median(lambda: eye.watch(next(frames), count=False), QUICK_RUNS), statistics.median(counts)


def _frames(image: NDArray[np.uint8]) -> Iterator[Frame]:
    """Yield frames of the picture without end, with a dark bar that moves over it like a hand."""
    height, width = image.shape[:2]
    for number in count():
        shown, left = image.copy(), (number * 24) % (width // 2)
        shown[height // 2:, left:left + width // 6] //= 3
        yield Frame(shown, number * FRAME_NS, number)


def _picture() -> NDArray[np.uint8]:
    """The stored picture, uint8[h, w, 3]. Raises `SpeedError`."""
    try:
        image = cv2.imdecode(np.fromfile(PICTURE, np.uint8), cv2.IMREAD_COLOR)
    except (OSError, cv2.error):
        image = None
    if image is None:
        raise SpeedError(f"the picture {PICTURE} cannot be read: install inkeek again")
    return np.asarray(image, np.uint8)


def _median(work: Callable[[], object], runs: int) -> float:
    """Median time of a call, seconds."""
    return statistics.median(_seconds(work) for _ in range(runs))


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
