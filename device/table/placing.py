"""Find the board's place by its seeds. By its rims alone the board may be found one column beside its place, if paint,
stores or wood look like rims; the seeds of the game's start then tell which place is right."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from device.eyes.brightening import brightened
from device.eyes.eyes import OpenEye
from device.eyes.pipeline import InlineRunner, JobRunner
from device.eyes.table_eye import TableEye
from device.south import South
from device.table.parameters import LAYING, PLACING
from device.table.table import Table
from device.table.window import Window
from engine.board import Board
from vision.board.lattice import oriented
from vision.reading import BoardView, Frame

Elsewhere = Callable[[NDArray[np.uint8], BoardView], Iterable[BoardView]]


@dataclass(frozen=True, slots=True)
class _Search:
    """A board that does not show the game's start at the place where it was found. frame: the picture; view: where it
    was found; board: its size; south: where South sits. may_lie: the possible counts, int[pits] each. most: most pits
    that may differ at the right place."""

    frame: Frame
    view: BoardView
    board: Board
    south: South
    may_lie: list[tuple[int, ...]]
    most: int


class Placing:
    """Looks for the board elsewhere while its place does not show the game's start."""

    def __init__(self, open_eye: OpenEye, elsewhere: Elsewhere | None = None,
                 counting: JobRunner | None = None) -> None:
        """open_eye: makes an eye for a place. elsewhere: finds possible places of the board. counting: executes the
        search, which takes long; unless given, the search runs at once, in the calling thread."""
        self._open_eye, self._elsewhere = open_eye, elsewhere or _elsewhere
        self._counting = counting or InlineRunner()
        self._next, self._wait = 0.0, PLACING.again_s
        self._asked: tuple[BoardView, Future[BoardView | None]] | None = None

    def look(self, frame: Frame, eye: TableEye, table: Table, south: South) -> bool:
        """If the table says that the board may lie elsewhere, move the eye to a place that shows the start, if there is
        one. Return whether it was moved now."""
        if not (starts := table.misplaced_starts):
            self._asked = None
            return False
        if self._asked is None:
            self._ask(frame, eye, table, south, starts)
        if self._asked is None or not self._asked[1].done():
            return False
        (view, found), self._asked = self._asked, None
        best = found.result()
        if best is None or eye.view is not view:
            return False
        eye.place(oriented(best, south))
        table.placed()
        return True

    def _ask(self, frame: Frame, eye: TableEye, table: Table, south: South, starts: list[tuple[int, ...]]) -> None:
        """Begin a search if it is due and nothing else is being counted. starts: what the board may hold."""
        seconds, position, view = frame.time_ns / 1e9, table.game.position, eye.view
        if position is None or view is None or seconds < self._next or not self._counting.free:
            return
        self._next, self._wait = seconds + self._wait, self._wait * PLACING.longer_factor
        if eye.shown is not None:
            frame = replace(frame, image=eye.shown)
        most = min(len(position.counts) // PLACING.pits_per_odd,
                   len(table.window.otherwise(position.counts)) // PLACING.fewer_factor)
        search = _Search(frame, view, position.board, south, starts, most)
        self._asked = view, self._counting.submit(lambda: self._best(search))

    def _best(self, search: _Search) -> BoardView | None:
        """The place that shows the game's start; None if there is none."""
        best, least = None, search.most + 1
        for view in islice(self._elsewhere(brightened(search.frame.image), search.view), PLACING.most_places):
            unlike = self._unlike(search, view)
            if unlike < least:
                best, least = view, unlike
            if least <= search.board.pits // LAYING.pits_per_wrong:
                break
        return best

    def _unlike(self, search: _Search, view: BoardView) -> int:
        """How many pits, read at this place, would differ from the game's start, or from the board after a possible
        first move."""
        eye = self._open_eye(search.board, search.south)
        eye.place(oriented(view, search.south))
        window = Window(search.board.pits)
        window.add(eye.watch(search.frame).counted())
        return min(len(window.otherwise(counts)) for counts in search.may_lie)


def _elsewhere(image: NDArray[np.uint8], view: BoardView) -> Iterable[BoardView]:
    from vision.board.find import elsewhere

    return elsewhere(image, view)
