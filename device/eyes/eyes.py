"""What the table asks of vision, and where it gets it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from device.system.folder import South
from engine.board import Board
from engine.rules import game, games
from vision.board.lattice import NotFound
from vision.reading import BoardView, Frame, Reading


class EyeError(Exception):
    """The program's networks cannot be loaded; one sentence."""


class Looking(Protocol):
    """Finds one board in frames and reads it."""

    @property
    def view(self) -> BoardView | None:
        """The board as it was found; None before."""

    def look(self, frame: Frame, *, count: bool = True, afresh: bool = True) -> Reading:
        """What the frame says; count: the pits as well as the hands; afresh: unchanged ones as well."""


@runtime_checkable
class Placeable(Protocol):
    """An eye that takes people's word for where the board lies."""

    def place(self, view: BoardView) -> None:
        """From now on it lies there, until it moves."""


@runtime_checkable
class Teachable(Protocol):
    """An eye that learns from boards that are known."""

    def told(self, counts: NDArray[np.int64]) -> None:
        """The pits, as they were counted last, hold so many, int[pits] along the ring; -1 where that is not known."""


@runtime_checkable
class Renewable(Protocol):
    """An eye that holds the board against how it looked before."""

    def anew(self) -> None:
        """How it looked before does not hold any more."""


@runtime_checkable
class Showing(Protocol):
    """An eye that is shown pictures otherwise than the camera took them."""

    @property
    def shown(self) -> NDArray[np.uint8] | None:
        """The last one as it was shown, uint8[h, w, 3]; None before the first."""


def renew(eye: Looking, anew: bool) -> None:
    """Let the eye begin anew with how the board looks, if that is wanted and it can."""
    if anew and isinstance(eye, Renewable):
        eye.anew()


def teach(eye: Looking, counts: Sequence[int] | None) -> None:
    """Tell the eye what the pits hold as it counted them last, if that is known and it can learn."""
    if counts is not None and isinstance(eye, Teachable):
        eye.told(np.asarray(counts, np.int64))


class OpenEye(Protocol):
    """Makes an eye for a board."""

    def __call__(self, board: Board, south: South) -> Looking: ...


def open_eye(board: Board, south: South) -> Looking:
    """The eye that the product uses; its networks are loaded now. Raises `EyeError`."""
    from device.eyes.brightening import Brightening
    from vision.eye import Eye

    with loading():
        return Brightening(Eye(board.rows, board.cols, south, sizes=board_sizes()))


def board_sizes() -> dict[int, range]:
    """The boards that are looked for in pictures: by rows, from the fewest columns of any game's board to the most."""
    cols: dict[int, list[int]] = {}
    for name in games():
        for board in game(name).boards:
            cols.setdefault(board.rows, []).append(board.cols)
    return {rows: range(min(found), max(found) + 1) for rows, found in cols.items()}


@contextmanager
def loading() -> Iterator[None]:
    """Turn what OpenCV says of a network's file into a sentence."""
    try:
        yield
    except cv2.error as error:
        reason = str(error).rsplit("error: ", 1)[-1].splitlines()[0]
        raise EyeError(f"a network of the program cannot be loaded, install inkeek again: {reason}") from error


def find_board(image: NDArray[np.uint8], board: Board | None = None, south: South = "bottom") -> BoardView | NotFound:
    """The board in one picture, be it dim, South's row at the edge `south`; board: its size, where known."""
    from device.eyes.brightening import brightened
    from vision.board.find import find
    from vision.board.lattice import oriented

    image = brightened(image)
    rows, cols = (board.rows, board.cols) if board is not None else (None, None)
    found = find(image, rows, cols, sizes=board_sizes())
    return oriented(found, south) if isinstance(found, BoardView) else found
