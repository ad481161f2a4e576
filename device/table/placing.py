"""Where the board lies, by what lies in it: its rims may be found a column aside, where paint, stores or wood look like
them, and then the seeds that the game begins from tell which of the places is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from device.eyes.brightening import brightened
from device.eyes.eyes import OpenEye
from device.eyes.looking import Looking, Placeable, Showing
from device.eyes.pipeline import AtOnce, Counting
from device.system.folder import South
from device.table.parameters import PLACING
from device.table.table import Table
from device.table.window import Window
from engine.board import Board
from vision.reading import BoardView, Frame

Elsewhere = Callable[[NDArray[np.uint8], BoardView], Iterable[BoardView]]


@dataclass(frozen=True, slots=True)
class _Astray:
    """A board that does not hold what the game begins from where it was found. frame: what is seen; view: where it was
    found; board: its size; south: where South sits. may_lie: int[pits] each, what may lie there. most: pits that may be
    read otherwise at most, where it lies instead."""

    frame: Frame
    view: BoardView
    board: Board
    south: South
    may_lie: list[tuple[int, ...]]
    most: int


class Placing:
    """Looks for the board elsewhere as long as what the game begins from does not lie where it was found. counting: who
    does that, since it takes long."""

    def __init__(self, open_eye: OpenEye, elsewhere: Elsewhere | None = None, counting: Counting | None = None) -> None:
        """open_eye: makes an eye for a place; elsewhere: finds the places where the board may lie; counting: who does
        that, at once unless given."""
        self._open_eye, self._elsewhere = open_eye, elsewhere or _elsewhere
        self._counting = counting or AtOnce()
        self._next, self._wait = 0.0, PLACING.again_s
        self._asked: tuple[BoardView, Future[BoardView | None]] | None = None

    def look(self, frame: Frame, eye: Looking, table: Table, south: South) -> bool:
        """Where the table says that the board is astray: place the eye where the start lies, if it lies anywhere.
        Whether it was just placed."""
        if not table.astray or not isinstance(eye, Placeable):
            self._asked = None
            return False
        if self._asked is None:
            self._ask(frame, eye, table, south)
        if self._asked is None or not self._asked[1].done():
            return False
        (view, found), self._asked = self._asked, None
        best = found.result()
        if best is None or eye.view is not view:
            return False
        eye.place(_turned(best, south))
        table.placed()
        return True

    def _ask(self, frame: Frame, eye: Looking, table: Table, south: South) -> None:
        """Have it looked for, if it is time and nothing else is being counted."""
        seconds, position, view = frame.time_ns / 1e9, table.game.position, eye.view
        if position is None or view is None or seconds < self._next or not self._counting.free:
            return
        self._next, self._wait = seconds + self._wait, self._wait * PLACING.longer_factor
        if isinstance(eye, Showing) and eye.shown is not None:
            frame = replace(frame, image=eye.shown)
        most = min(len(position.counts) // PLACING.pits_per_odd,
                   len(table.window.otherwise(position.counts)) // PLACING.fewer_factor)
        astray = _Astray(frame, view, position.board, south, table.possible_starts(), most)
        self._asked = view, self._counting.submit(lambda: self._best(astray))

    def _best(self, astray: _Astray) -> BoardView | None:
        """Where what the game begins from lies; None where it is not found."""
        best, least = None, astray.most + 1
        for view in islice(self._elsewhere(brightened(astray.frame.image), astray.view), PLACING.most_places):
            unlike = self._unlike(astray, view)
            if unlike < least:
                best, least = view, unlike
            if least <= astray.board.pits // PLACING.pits_per_wrong:
                break
        return best

    def _unlike(self, astray: _Astray, view: BoardView) -> int:
        """The pits in which another number than the game begins from would be read if the board lay there; or than its
        first move leaves, where that may have been made."""
        eye = self._open_eye(astray.board, astray.south)
        assert isinstance(eye, Placeable)
        eye.place(_turned(view, astray.south))
        window = Window(astray.board.pits)
        window.add(eye.look(astray.frame))
        return min(len(window.otherwise(counts)) for counts in astray.may_lie)


def _elsewhere(image: NDArray[np.uint8], view: BoardView) -> Iterable[BoardView]:
    from vision.board.find import elsewhere

    return elsewhere(image, view)


def _turned(view: BoardView, south: South) -> BoardView:
    from vision.board.lattice import oriented

    return oriented(view, south)
