"""What the table asks of vision, and where it gets it."""

from __future__ import annotations

from typing import Protocol

from device.folder import South
from engine.board import Board
from vision.reading import BoardView, Frame, Reading


class Looking(Protocol):
    """Finds one board in frames and reads it."""

    @property
    def view(self) -> BoardView | None:
        """The board as it was found; None before."""

    def look(self, frame: Frame, *, count: bool = True) -> Reading:
        """What the frame says; count: the pits as well as the hands."""


class OpenEye(Protocol):
    """Makes an eye for a board."""

    def __call__(self, board: Board, south: South) -> Looking: ...


def open_eye(board: Board, south: South) -> Looking:
    """The eye that the product uses; its networks are loaded now."""
    from vision.eye import Eye

    return Eye(board.rows, board.cols, south)
