"""Where the board lies, by what lies in it: its rims may be found a column aside, where paint, stores or wood look like
them, and then the seeds that the game begins from tell which of the places is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from device.eyes.brightening import brightened
from device.eyes.eyes import OpenEye
from device.eyes.looking import Looking, Placeable, Showing
from device.system.folder import South
from device.table.parameters import PLACING
from device.table.settling.evidence_window import Window
from device.table.table import Table
from vision.reading import BoardView, Frame

Elsewhere = Callable[[NDArray[np.uint8], BoardView], Iterable[BoardView]]


class Placing:
    """Looks for the board elsewhere as long as what the game begins from does not lie where it was found."""

    def __init__(self, open_eye: OpenEye, elsewhere: Elsewhere | None = None) -> None:
        """open_eye: makes an eye for a place; elsewhere: finds the places where the board may lie."""
        self._open_eye, self._elsewhere = open_eye, elsewhere or _elsewhere
        self._next, self._wait = 0.0, PLACING.again_s

    def look(self, frame: Frame, eye: Looking, table: Table, south: South) -> None:
        """Where the table says that the board is astray: place the eye where the start lies, if it lies anywhere."""
        seconds, position = frame.time_ns / 1e9, table.game.position
        if not table.astray or position is None or eye.view is None or not isinstance(eye, Placeable):
            return
        if seconds < self._next:
            return
        self._next, self._wait = seconds + self._wait, self._wait * PLACING.longer_factor
        if isinstance(eye, Showing) and eye.shown is not None:
            frame = replace(frame, image=eye.shown)
        pits, now = len(position.counts), len(table.window.otherwise(position.counts))
        best, least = None, min(pits // PLACING.pits_per_odd, now // PLACING.fewer_factor) + 1
        for view in islice(self._elsewhere(brightened(frame.image), eye.view), PLACING.most_places):
            unlike = self._unlike(frame, view, table, south)
            if unlike < least:
                best, least = view, unlike
            if least <= pits // PLACING.pits_per_wrong:
                break
        if best is not None:
            eye.place(_turned(best, south))
            table.placed()

    def _unlike(self, frame: Frame, view: BoardView, table: Table, south: South) -> int:
        """The pits in which another number than the game begins from would be read if the board lay there; or than its
        first move leaves, where that may have been made."""
        position = table.game.position
        assert position is not None
        eye = self._open_eye(position.board, south)
        assert isinstance(eye, Placeable)
        eye.place(_turned(view, south))
        window = Window(len(position.counts))
        window.add(eye.look(frame))
        return min(len(window.otherwise(counts)) for counts in table.possible_starts())


def _elsewhere(image: NDArray[np.uint8], view: BoardView) -> Iterable[BoardView]:
    from vision.board.find import elsewhere

    return elsewhere(image, view)


def _turned(view: BoardView, south: South) -> BoardView:
    from vision.board.lattice import oriented

    return oriented(view, south)
