"""A table that referees in the test's own process: painted hands play on command, faster than people; loop, table
and judge are the product's."""

import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from device.cameras.base import Camera
from device.eyes.pipeline import InlineRunner
from device.system.folder import DataFolder
from device.system.table_process import Loop, Wanted
from engine.board import Side
from engine.position import Position
from engine.referee.faults import Work, one_fault_outcomes
from engine.rules import Move, Rules, ruleset
from tests.device.painted import FPS, PaintedEye, painted
from vision.reading import Frame

HASTE = 5.0
"""Seconds of the table's clock in one of the test's."""


class Hands(Camera):
    """A live camera whose picture shows what was laid, with hands over it while somebody lays."""

    name = "painted table"
    live = True

    def __init__(self, counts: Sequence[int]) -> None:
        """Show a board with these counts, pit by pit."""
        self.counts = tuple(counts)
        self._coming: deque[np.ndarray] = deque()
        self._number = 0

    def open(self) -> None:
        """As any camera."""

    def close(self) -> None:
        """As any camera."""

    def read(self, timeout_s: float) -> Frame | None:
        """The next picture, in its time."""
        time.sleep(1 / FPS / HASTE)
        image = self._coming.popleft() if self._coming else painted(self.counts)
        self._number += 1
        return Frame(image, round(self._number * 1e9 / FPS), self._number - 1)

    def lay(self, counts: Sequence[int], side: Side = Side.SOUTH) -> None:
        """A hand from that side changes the board."""
        hands = (0.1, 0.0) if side is Side.SOUTH else (0.0, 0.1)
        before, self.counts = self.counts, tuple(counts)
        self._coming.extend([painted(before, hands)] * FPS + [painted(self.counts, hands)] * 3)


class Night:
    """One table over `folder`, and who plays at it."""

    def __init__(self, folder: Path, game: str = "enkeshui") -> None:
        """Start the table's loop over an empty board."""
        self.rules: Rules = ruleset(game)
        self.position: Position = self.rules.setup()
        self.hands = Hands([0] * self.position.board.pits)
        self._ended = threading.Event()
        wanted = Wanted(DataFolder(folder), game=game)
        loop = Loop(wanted, lambda _game: self.hands, self._ended.is_set, PaintedEye, InlineRunner())
        self._thread = threading.Thread(target=loop.run)
        self._thread.start()

    def end(self) -> None:
        """The table's process ends."""
        self._ended.set()
        self._thread.join(30)

    def lay(self) -> None:
        """The set-up is laid."""
        self.position = self.rules.setup()
        self.hands.lay(self.position.counts)

    def move(self, name: str = "") -> Move:
        """The named legal move, else the first, is made."""
        move = next(m for m in self.rules.moves(self.position).moves if name in ("", m.name))
        self.hands.lay(move.position.counts, self.position.to_move)
        self.position = move.position
        return move

    def cheat(self, name: str = "c") -> Position:
        """The named move with two seeds for one into a pit of its first lap; what should lie there is returned."""
        before = self.position
        due = next(m for m in self.rules.moves(before).moves if m.name == name).position
        start = before.board.pit(name[0])
        spoilt = next(o for o in one_fault_outcomes(self.rules, before, before.to_move, start, Work(2000))
                      if o.fault.code == "double" and o.fault.lap == 1 and o.sowing.counts != list(due.counts))
        self.hands.lay(spoilt.sowing.counts, before.to_move)
        return due

    def lay_back(self, position: Position) -> None:
        """A move is taken back."""
        self.position = position
        self.hands.lay(position.counts, position.to_move)
