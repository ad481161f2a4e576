"""`inkeek watch --start auto`: the position that a recording begins from, read off the board before a hand comes.

A board cannot show who captured what, whose turn it is, or which pits are bulls: `MidGame` has what people say of that.
Where they say nothing, any board that can be one of that game, with all its seeds, begins a game, South to move. What
lies there after a hand may be what a move left, and then it would be another's turn: after a hand nothing is taken but
the set-up. Where the board cannot be read, what was made out of it is said as a line for `--start`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from device.cameras.base import CameraError
from device.cli.refereed import FIRST_S, Refereed
from device.evidence.reading_log import Header
from device.eyes.eyes import OpenEye
from device.eyes.pipeline import AtOnce, Pipeline
from device.journal.states import State
from device.system.folder import South
from device.table.orders import game_started
from device.table.parameters import EVIDENCE
from device.table.placing import Placing
from device.table.window import Window
from engine.board import Board, Side
from engine.position import Position
from engine.rules import Rules
from vision.reading import Frame

AUTO = "auto"
"""The word for `--start`."""
LONGEST_LOOK_S = 30.0
"""Seconds of the recording in which the board has to lie still and be read once."""
BEFORE = (State.STARTING, State.SEARCHING, State.BLIND, State.SETTING_UP)
"""States of a table whose game has not begun."""
PITS_PER_UNCLEAR = 8
"""A board on which a hand came too soon has at most one unclear pit for so many."""
INSTEAD = "name the position with --start"


UNKNOWN = "?"
"""Stands in a line for what is doubtful or not known."""
LATER_PLY = 2
"""The number of moves of a game that is on: both sides have made their first."""


@dataclass(frozen=True, slots=True)
class MidGame:
    """What people say of a game that is on when the recording begins. captured: South's and North's seeds; to_move:
    whose turn it is; None for what nobody said."""

    captured: tuple[int, int] | None = None
    to_move: Side | None = None

    @property
    def midway(self) -> bool:
        """Whether the game is said to be on already."""
        return self.captured is not None or self.to_move is not None

    def position(self, board: Board, counts: Sequence[int]) -> Position:
        """The position in which so many seeds lie in the pits."""
        return Position(board, tuple(map(int, counts)), (), self.to_move or Side.SOUTH, self.captured or (0, 0),
                        LATER_PLY if self.midway else 0)


NOTHING = MidGame()


@dataclass(frozen=True, slots=True)
class _Rest:
    """A board at rest before the first hand. counts: the likeliest; unclear: pits that are not clearly read; set_up:
    those are few, and none clearly holds another number than in the set-up."""

    counts: tuple[int, ...] = ()
    unclear: tuple[int, ...] = ()
    set_up: bool = False


class StartReader:
    """Reads the position in which a board lies still, and is clearly read, before the first hand comes; or the set-up.
    """


    def __init__(self, open_eye: OpenEye, rules: Rules, board: Board | None, south: South, known: MidGame) -> None:
        """board: its size, None for the game's usual one; south: where South sits; known: what people say of the game.
        """
        self._rules, self._known, self._south = rules, known, south
        self._setup = setup = rules.setup(board=board)
        header = Header("", game_started(rules, setup, "table"), as_it_lies_at_start=False, start_is_sure=False)
        self._game, counting = Refereed(header, lambda _form: None), AtOnce()
        self._eye, self._placing = open_eye(setup.board, south), Placing(open_eye, counting=counting)
        self._pipeline = Pipeline(self._eye, counting)

    def read(self, frames: Iterable[Frame]) -> Position:
        """The position. frames: of the recording, from its first. Raises `CameraError` where there is none, or where
        the game cannot stand so."""
        game, rest, handled = self._game, _Rest(), False
        for frame in frames:
            if frame.time_ns / 1e9 > LONGEST_LOOK_S or game.table.state not in BEFORE:
                break
            game.now = frame.time_ns / 1e9
            self._look(frame)
            self._placing.look(frame, self._eye, game.table, self._south)
            handled |= game.table.hand or game.table.missed
            found = self._found(handled)
            if found is not None:
                return found
            window = game.table.set_up_window
            if not handled and window is not None:  # a table learns to read from the start that it begins from
                rest = self._made_out(window)
        if game.table.state not in BEFORE and rest.set_up and not self._known.midway:
            return self._setup
        raise self._unread(rest, handled)

    def _look(self, frame: Frame) -> None:
        """Give the table what is read in the frame."""
        game = self._game
        self._pipeline.look(frame, count=game.table.wants_count(frame.time_ns), afresh=game.table.afresh)
        for looked in self._pipeline.ready(wait=False):
            game.reading(looked.reading, looked.view)

    def _found(self, handled: bool) -> Position | None:
        """What the board lies as, if that is known by now: the set-up, or what was read for long enough and was not
        handled. Raises `CameraError` where the game cannot stand so."""
        table = self._game.table
        if table.state is State.WATCHING and not (table.hand or self._known.midway):
            return self._setup
        window = table.set_up_window
        if handled or window is None or window.seconds < FIRST_S:
            return None
        read = self._made_out(window)
        position = self._known.position(self._setup.board, read.counts)
        if read.unclear:
            return None
        problems = self._rules.check(position)
        if problems:
            how = "" if self._known.midway else "; in mid-game, --captured and --to-move say what no board shows"
            raise CameraError(f"no game can stand as the board lies: {problems[0]}{how}; "
                              f"{INSTEAD} {self._line(read, unfit=True)}")
        return position

    def _unread(self, rest: _Rest, handled: bool) -> CameraError:
        """The error that the start was not read, with what was made out of it."""
        pits = ", ".join(map(self._setup.board.name, rest.unclear))
        why = f"{pits} could not be read clearly" if pits else "the board was never seen at rest"
        until = "before the first hand came" if handled else f"in {LONGEST_LOOK_S:.0f} seconds"
        line = f" {self._line(rest)}, each {UNKNOWN} put right" if rest.counts else " LINE"
        return CameraError(f"the start could not be read off the board {until}: {why}; {INSTEAD}{line}")

    def _line(self, read: _Rest, *, unfit: bool = False) -> str:
        """What was read, for a command line: each doubtful number has a ? behind it. unfit: no game stands so."""
        known, board = self._known, self._setup.board
        rows, side, captured, ply = str(known.position(board, read.counts)).split(" ")
        cells = [row.split(",") for row in rows.split("/")]
        for pit in read.unclear:
            row, col = board.place(pit)
            cells[row][col] += UNKNOWN
        if known.captured is None and (unfit or sum(read.counts) != self._rules.seeds(board)):
            captured, ply = f"{UNKNOWN}-{UNKNOWN}", f"ply={LATER_PLY}"
            side = UNKNOWN if known.to_move is None else side
        return shlex.quote(f"{'/'.join(map(','.join, cells))} {side} {captured} {ply}")

    def _made_out(self, window: Window) -> _Rest:
        """How a board at rest reads. Where it is known how many seeds lie there, pits that are not clear by themselves
        may be so by the others: another number in one would have to be made up for by another pit."""
        counts, unclear, few = window.counts, window.unclear(), len(self._setup.counts) // PITS_PER_UNCLEAR
        set_up = len(unclear) <= few and not window.clearly_otherwise(self._setup.counts)
        due = self._rules.seeds(self._setup.board) - sum(self._known.captured or (0, 0))
        if unclear and window.seen.all() and (self._known.captured is not None or int(counts.sum()) == due):
            odds = given_total(window.loglik, due)
            likeliest = odds.argmax(axis=1)
            if int(likeliest.sum()) == due and bool((odds.max(axis=1) >= EVIDENCE.clear_odds).all()):
                counts, unclear = likeliest, []
        return _Rest(tuple(counts.tolist()), tuple(unclear), set_up)


def given_total(loglik: NDArray[np.float64], total: int) -> NDArray[np.float64]:
    """float64[pits, 25]: how likely each count of a pit is, where so many seeds lie in all of them. loglik:
    float64[pits, 26]; its last column stands for "more", and is no number."""
    odds = np.exp(loglik - loglik.max(axis=1, keepdims=True))[:, :-1]
    before, after = [np.ones(1)], [np.ones(1)]  # of each total of the pits before one, and of those after it
    for row, last in zip(odds, odds[::-1], strict=True):
        before.append(np.convolve(before[-1], row))
        after.append(np.convolve(after[-1], last))
    given = np.zeros(odds.shape)
    for pit, row in enumerate(odds):
        others = np.convolve(before[pit], after[len(odds) - 1 - pit])
        left = total - np.arange(row.size)
        there = (left >= 0) & (left < others.size)
        given[pit, there] = row[there] * others[left[there]]
    every = given.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(given, every, out=np.zeros_like(given), where=every > 0))
