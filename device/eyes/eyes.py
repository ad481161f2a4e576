"""Make the table's eye, and find the board in single pictures."""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from device.errors import UserError
from device.eyes.brightening import Brightening, brightened
from device.eyes.parameters import COUNTING
from device.eyes.table_eye import TableEye
from device.south import South
from engine.board import Board
from engine.rules import game, games
from vision.board.lattice import NotFound
from vision.reading import BoardView
from vision.seeds.counter import Reader, reader


class EyeError(UserError):
    """The program's networks cannot be loaded; one sentence."""


class OpenEye(Protocol):
    """Makes an eye for a board."""

    def __call__(self, board: Board, south: South) -> TableEye:
        """Make an eye for a board of that size, with South at that edge of the picture. Raises `EyeError`."""


def open_eye(board: Board, south: South) -> TableEye:
    """Make the product's eye and load its networks. Raises `EyeError`."""
    from vision.eye import Eye

    with loading():
        return Brightening(Eye(board.rows, board.cols, south, sizes=board_sizes()))


class LiveEyes:
    """Makes eyes for a live camera: as `open_eye`, but a thread searches the board beside the frames, and worker
    processes count the pits if the machine has cores for them."""

    def __init__(self, waited: Callable[[float], None] | None = None) -> None:
        """waited: if given, the frames wait for the search until a board is first found, and this is called with the
        seconds waited; None for no waiting."""
        self._finder = ThreadPoolExecutor(1, "finder")
        self._waited = waited

    def __call__(self, board: Board, south: South) -> TableEye:
        """Make an eye for a board. Raises `EyeError`."""
        from vision.eye import Eye

        with loading():
            return Brightening(Eye(board.rows, board.cols, south, counter=self._reader, sizes=board_sizes(),
                                   search=self._search))

    @cached_property
    def _reader(self) -> Reader:
        """The counter that all these eyes share. Raises as `Reader`."""
        return Reader(processes=count) if (count := workers(cores())) else reader()

    def _search(self, search: Callable[[], BoardView | NotFound]) -> Future[BoardView | NotFound]:
        if self._waited is None:
            return self._finder.submit(search)
        from vision.eye import at_once

        began = time.monotonic()
        found = at_once(search)
        self._waited(time.monotonic() - began)
        if isinstance(found.result(), BoardView):
            self._waited = None
        return found


def cores() -> int:
    """How many of the machine's cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Linux only
        return os.cpu_count() or 1


def workers(cores: int) -> int:
    """How many worker processes to use on a machine of that many cores; 0 if one process does as well."""
    most = min(COUNTING.most_workers, cores - COUNTING.cores_left)
    return most if most > 1 else 0


def board_sizes() -> dict[int, range]:
    """The board sizes to look for: by rows, the range of columns of all games' boards."""
    cols: dict[int, list[int]] = {}
    for name in games():
        for board in game(name).boards:
            cols.setdefault(board.rows, []).append(board.cols)
    return {rows: range(min(found), max(found) + 1) for rows, found in cols.items()}


@contextmanager
def loading() -> Iterator[None]:
    """Turn a runtime's error about a network's file into an `EyeError`."""
    try:
        yield
    except (cv2.error, OSError) as error:
        reason = str(error).rsplit("error: ", 1)[-1].splitlines()[0]
        raise EyeError(f"a network of the program cannot be loaded, install inkeek again: {reason}") from error


def find_board(image: NDArray[np.uint8], board: Board | None = None, south: South = "bottom") -> BoardView | NotFound:
    """Find the board in one picture, which may be dim. board: its size, None to detect it; south: the edge where South
    sits."""
    from vision.board.find import find
    from vision.board.lattice import oriented

    image = brightened(image)
    rows, cols = (board.rows, board.cols) if board is not None else (None, None)
    found = find(image, rows, cols, sizes=board_sizes())
    return oriented(found, south) if isinstance(found, BoardView) else found
