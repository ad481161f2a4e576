"""The eye: from a frame to a reading. Finds the board, keeps it, follows the hands, counts the pits that can be
seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.crops import crop_view
from vision.find import find
from vision.hands import Hands, HandWatch
from vision.lattice import NotFound, oriented
from vision.reader import Reader, reader
from vision.reading import COUNTS, BoardView, Frame, Reading

SEARCH_EVERY = 0.4
"""Seconds between two searches for a board that is not known, or has moved."""
COVERED = 0.5
"""Probability from which on the counter's word that a pit is covered holds."""


class Eye:
    """Reads one board under one camera, frame by frame, in order.

    rows, cols: the board's, or None to find out. south: the picture's edge at which South sits, bottom, top, left or
    right.
    """

    def __init__(
        self, rows: int | None, cols: int | None, south: str = "bottom", counter: Reader | None = None
    ) -> None:
        self._rows, self._cols, self._south = rows, cols, south
        self._counter = counter or reader()
        self._watch: HandWatch | None = None
        self._next_search = -1.0
        self._counted = 0
        self.view: BoardView | None = None
        """The board as it was found; None before."""
        self.why = ""
        """Why no board was found, for people; empty once one is."""

    def look(self, frame: Frame, *, count: bool = True) -> Reading:
        """What one frame says. count: the pits, too, which costs the most."""
        seconds = frame.time_ns / 1e9
        if self.view is not None and self.view.size != (frame.image.shape[1], frame.image.shape[0]):
            self._forget()
        if self.view is None or self._watch is None:
            self._search(frame.image, seconds)
        if self.view is None or self._watch is None:
            return self._nothing(frame)
        hands = self._watch.look(frame.image, seconds)
        # A board that lies elsewhere looks like hands, too, so these are not asked about.
        if hands.moved and hands.quiet and self._search(frame.image, seconds):
            hands = self._watch.look(frame.image, seconds)
        return self._reading(frame, hands, count)

    def _reading(self, frame: Frame, hands: Hands, count: bool) -> Reading:
        assert self.view is not None
        pits = self.view.rows * self.view.cols
        loglik: NDArray[np.float32] = np.zeros((pits, COUNTS), np.float32)
        seen = np.zeros(pits, np.bool_)
        if count and not hands.dark:
            loglik, covered = self._counter.read(crop_view(frame.image, self.view), first=self._counted)
            self._counted += 1
            seen = ~hands.covered & (covered < COVERED)
        return Reading(
            frame.time_ns,
            loglik,
            seen,
            hands.shares,
            moved=hands.moved,
            blurred=hands.blurred,
            dark=hands.dark,
            counted=count,
            motion=hands.motion,
        )

    def _search(self, image: NDArray[np.uint8], seconds: float) -> bool:
        if seconds < self._next_search:
            return False
        self._next_search = seconds + SEARCH_EVERY
        found = find(image, self._rows, self._cols)
        if isinstance(found, NotFound):
            self.why = found.reason
            return False
        self.view, self.why = oriented(found, self._south), ""
        self._watch = HandWatch(self.view)
        return True

    def _forget(self) -> None:
        self.view, self._watch, self._next_search = None, None, -1.0

    def _nothing(self, frame: Frame) -> Reading:
        pits = (self._rows or 0) * (self._cols or 0)
        dark = float(np.median(frame.image[::8, ::8])) < 8
        return Reading(
            frame.time_ns,
            np.zeros((pits, COUNTS), np.float32),
            np.zeros(pits, np.bool_),
            found=False,
            dark=dark,
            counted=False,
        )
