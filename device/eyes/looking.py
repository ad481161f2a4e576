"""What the table asks of an eye: to find a board, to read it, and what only some eyes can."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vision.reading import BoardView, Frame, Lesson, Reading, Watched


class Looking(Protocol):
    """Finds one board in frames and reads it."""

    @property
    def view(self) -> BoardView | None:
        """The board as it was found; None before."""

    def look(self, frame: Frame, *, count: bool = True, afresh: bool = True) -> Reading:
        """What the frame says. count: the pits as well as the hands; afresh, as in `vision.eye.Eye.look`: those, too,
        whose stay is not settled."""


@runtime_checkable
class Watching(Protocol):
    """An eye that says at once what a frame shows of the hands, and leaves the counting for later."""

    def watch(self, frame: Frame, *, count: bool = True, afresh: bool = True) -> Watched:
        """What the frame says at once; the rest as in `Looking.look`."""


@runtime_checkable
class Placeable(Protocol):
    """An eye that takes people's word for where the board lies."""

    def place(self, view: BoardView) -> None:
        """From now on it lies there, until it moves."""


@runtime_checkable
class Teachable(Protocol):
    """An eye that learns from boards that are known."""

    def told(self, lesson: Lesson) -> None:
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
