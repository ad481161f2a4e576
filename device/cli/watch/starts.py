"""`inkeek watch --start auto`: read the position that a recording begins from off the board, before a hand comes.

A board does not show who captured what, whose turn it is, or which pits are bulls: `MidGame` holds what people say of
that. If they say nothing, any possible board of the game with all its seeds begins a game, South to move. After a hand
the board may show the result of a move, and the turn would be wrong: so after a hand only the set-up is accepted. If
the board cannot be read, the error gives what was read as a line for `--start`.
"""

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from device.cameras.base import CameraError
from device.cli.watch.recorded_game import FIRST_S, RecordedGame
from device.evidence.reading_log import Header
from device.eyes.eyes import OpenEye
from device.eyes.pipeline import InlineRunner, Pipeline
from device.journal.states import State
from device.south import South
from device.table.orders import game_started
from device.table.placing import Placing
from device.table.window import Window
from engine.board import Board, Side
from engine.position import Position
from engine.referee.parameters import THRESHOLDS
from engine.rules import Rules
from vision.reading import Frame

AUTO = "auto"
"""The word for `--start`."""
LONGEST_LOOK_S = 30.0
"""The board must lie still and be read within this much of the recording."""
BEFORE = (State.STARTING, State.SEARCHING, State.BLIND, State.SETTING_UP)
"""States before the game has begun."""
PITS_PER_UNCLEAR = 8
"""A board on which a hand came too soon may have one unclear pit in this many."""
INSTEAD = "name the position with --start"


UNKNOWN = "?"
"""Marks in a position line what is doubtful or unknown."""
LATER_PLY = 2
"""The number of moves assumed in mid-game: both sides have made their first."""


@dataclass(frozen=True, slots=True)
class MidGame:
    """What people say of a game that is under way when the recording begins. captured: South's and North's seeds;
    to_move: whose turn it is; None for what nobody said."""

    captured: tuple[int, int] | None = None
    to_move: Side | None = None

    @property
    def midway(self) -> bool:
        """Whether people say that the game is under way already."""
        return self.captured is not None or self.to_move is not None

    def position(self, board: Board, counts: Sequence[int]) -> Position:
        """The position with these counts, along the ring."""
        return Position(board, tuple(map(int, counts)), (), self.to_move or Side.SOUTH, self.captured or (0, 0),
                        LATER_PLY if self.midway else 0)


NOTHING = MidGame()


@dataclass(frozen=True, slots=True)
class _Rest:
    """A board at rest before the first hand. counts: the likeliest; unclear: pits that are not clearly read; set_up:
    whether few pits are unclear and none clearly differs from the set-up."""

    counts: tuple[int, ...] = ()
    unclear: tuple[int, ...] = ()
    set_up: bool = False


class StartReader:
    """Reads the position of a board that lies still before the first hand comes, or recognises the set-up."""


    def __init__(self, open_eye: OpenEye, rules: Rules, board: Board | None, south: South, known: MidGame) -> None:
        """board: its size, None for the game's default; south: where South sits; known: what people say of the game."""
        self._rules, self._known, self._south = rules, known, south
        self._setup = setup = rules.setup(board=board)
        header = Header("", game_started(rules, setup, "table"), as_it_lies_at_start=False, start_is_sure=False)
        self._game, counting = RecordedGame(header, lambda _form: None), InlineRunner()
        self._eye, self._placing = open_eye(setup.board, south), Placing(open_eye, counting=counting)
        self._pipeline = Pipeline(self._eye, counting)

    def read(self, frames: Iterable[Frame]) -> Position:
        """Read the position. frames: the recording's, from the first. Raises `CameraError` if it cannot be read or is
        impossible in the game."""
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
            if not handled and window is not None:  # the table learns its reading from this board
                rest = self._rest_of(window)
        if game.table.state not in BEFORE and rest.set_up and not self._known.midway:
            return self._setup
        raise self._unread(rest, handled)

    def _look(self, frame: Frame) -> None:
        """Pass the frame's reading to the table."""
        game = self._game
        self._pipeline.look(frame, count=game.table.wants_count(frame.time_ns), revisit=game.table.revisit)
        for looked in self._pipeline.ready(wait=False):
            game.reading(looked.reading, looked.view)

    def _found(self, handled: bool) -> Position | None:
        """Return the start: the set-up, or the counts that were read for long enough before a hand came. None while
        neither is known. Raises `CameraError` if the game has no such position."""
        table = self._game.table
        if table.state is State.WATCHING and not (table.hand or self._known.midway):
            return self._setup
        window = table.set_up_window
        if handled or window is None or window.seconds < FIRST_S:
            return None
        read = self._rest_of(window)
        position = self._known.position(self._setup.board, read.counts)
        if read.unclear:
            return None
        problems = self._rules.problem_sentences(position)
        if problems:
            how = "" if self._known.midway else "; in mid-game, give --captured and --to-move, which no board shows"
            raise CameraError(f"the board as it lies is no position of the game: {problems[0]}{how}; "
                              f"{INSTEAD} {self._line(read, unfit=True)}")
        return position

    def _unread(self, rest: _Rest, handled: bool) -> CameraError:
        """The error for a start that was not read, with what was read of it."""
        pits = ", ".join(map(self._setup.board.name, rest.unclear))
        why = f"{pits} could not be read clearly" if pits else "the board was never seen at rest"
        until = "before the first hand came" if handled else f"in {LONGEST_LOOK_S:.0f} seconds"
        line = f" {self._line(rest)}, with each {UNKNOWN} corrected" if rest.counts else " LINE"
        return CameraError(f"the start could not be read off the board {until}: {why}; {INSTEAD}{line}")

    def _line(self, read: _Rest, *, unfit: bool = False) -> str:
        """What was read, quoted for a command line, with a ? after each doubtful number. unfit: whether the position is
        impossible."""
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

    def _rest_of(self, window: Window) -> _Rest:
        """What is read of a board at rest. If the total of its seeds is known, the other pits can settle an unclear
        pit: a different count there would need another pit to make up for it."""
        counts, unclear, few = window.counts, window.unclear(), len(self._setup.counts) // PITS_PER_UNCLEAR
        set_up = len(unclear) <= few and not window.clearly_otherwise(self._setup.counts)
        due = self._rules.seeds(self._setup.board) - sum(self._known.captured or (0, 0))
        if unclear and window.seen.all() and (self._known.captured is not None or int(counts.sum()) == due):
            odds = given_total(window.mean, due)
            likeliest = odds.argmax(axis=1)
            if int(likeliest.sum()) == due and bool((odds.max(axis=1) >= THRESHOLDS.likely).all()):
                counts, unclear = likeliest, []
        return _Rest(tuple(counts.tolist()), tuple(unclear), set_up)


def given_total(loglik: NDArray[np.float64], total: int) -> NDArray[np.float64]:
    """float64[pits, 25]: the probability of each pit's counts, given that all pits hold `total` seeds. loglik:
    float64[pits, 26]; its last column, "more", is left out."""
    odds = np.exp(loglik - loglik.max(axis=1, keepdims=True))[:, :-1]
    before, after = [np.ones(1)], [np.ones(1)]  # weights of each total of the pits before, and after, a pit
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
