"""The protocol of a table's eye: it finds a board in frames and reads it."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.reading import BoardView, Frame, Lesson, Watched


class TableEye(Protocol):
    """Finds one board in frames and reads it, as `vision.eye.Eye` does."""

    @property
    def view(self) -> BoardView | None:
        """Where the board was found; None until it is found."""

    @property
    def shown(self) -> NDArray[np.uint8] | None:
        """The last picture as the networks saw it, such as brightened, uint8[h, w, 3]; None before the first."""

    def watch(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Watched:
        """Read the frame's hands at once, and leave the counting for later. count: the pits too, not only the hands;
        revisit: also pits whose stay is not settled."""

    def place(self, view: BoardView) -> None:
        """Take this as the board's place until it moves."""

    def learn(self, lesson: Lesson) -> None:
        """Learn a lesson's true counts, -1 for unknown ones: those of its stays, or without stays those of the pits as
        last counted."""

    def reset_reference(self) -> None:
        """Forget how the board looked before."""
