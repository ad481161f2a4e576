"""The protocols of an eye: to find a board, to read it, and what only some eyes can do."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vision.reading import BoardView, Frame, Lesson, Reading, Watched


class Looking(Protocol):
    """Finds one board in frames and reads it."""

    @property
    def view(self) -> BoardView | None:
        """The board as found; None before."""

    def look(self, frame: Frame, *, count: bool = True, afresh: bool = True) -> Reading:
        """Read the frame. count: count the pits too, not only the hands; afresh: including pits whose stay is not
        settled, as in `vision.eye.Eye.look`."""


@runtime_checkable
class Watching(Protocol):
    """An eye that reads a frame's hands at once, and leaves the counting for later."""

    def watch(self, frame: Frame, *, count: bool = True, afresh: bool = True) -> Watched:
        """Read the frame's hands at once; arguments as in `Looking.look`."""


@runtime_checkable
class Placeable(Protocol):
    """An eye that takes people's word for where the board lies."""

    def place(self, view: BoardView) -> None:
        """Take this as the board's place until it moves."""


@runtime_checkable
class Teachable(Protocol):
    """An eye that learns from boards that are known."""

    def told(self, lesson: Lesson) -> None:
        """Learn the true counts of the pits as last counted: int[pits] along the ring, -1 for unknown."""


@runtime_checkable
class Renewable(Protocol):
    """An eye that compares the board with how it looked before."""

    def anew(self) -> None:
        """Forget how the board looked before."""


@runtime_checkable
class Showing(Protocol):
    """An eye that gets altered pictures, such as brightened ones."""

    @property
    def shown(self) -> NDArray[np.uint8] | None:
        """The last altered picture, uint8[h, w, 3]; None before the first."""


def renew(eye: Looking, anew: bool) -> None:
    """If `anew`, make the eye forget how the board looked, if it can."""
    if anew and isinstance(eye, Renewable):
        eye.anew()
