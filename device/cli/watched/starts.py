"""`inkeek watch --start auto`: the game's beginning, read off the board as it lies before the first hand comes.

It is what the page's "Start from this position" does at a table: any board that can be one of that game, with all its
seeds, South to move. What lies there after a hand may be what a move left, and then it would be another's turn: after a
hand nothing is taken but the set-up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from device.cameras.base import CameraError
from device.cli.refereed import FIRST_S, Refereed
from device.evidence.reading_log import Header
from device.eyes.eyes import OpenEye
from device.eyes.pipeline import AtOnce, Pipeline
from device.journal.states import State
from device.system.folder import South
from device.table.orders import game_started, lying_position
from device.table.parameters import EVIDENCE
from device.table.placing import Placing
from device.table.settling.evidence_window import Window
from device.table.settling.judge_worker import JudgeAtOnce
from engine.board import Board
from engine.position import Position
from engine.rules import Rules
from vision.reading import COUNTS, Frame

AUTO = "auto"
"""The word for `--start`."""
LONGEST_LOOK_S = 30.0
"""Seconds of the recording in which the board has to lie still and be read once."""
BEFORE = (State.STARTING, State.SEARCHING, State.BLIND, State.SETTING_UP)
"""States of a table whose game has not begun."""
PITS_PER_UNCLEAR = 8
"""A board on which a hand came too soon has at most one unclear pit for so many."""
INSTEAD = "name the position with --start LINE"


@dataclass(frozen=True, slots=True)
class _Rest:
    """A board at rest before the first hand. unclear: pits that are not clearly read; set_up: those are few, and none
    clearly holds another number than in the set-up."""

    unclear: tuple[int, ...] = ()
    set_up: bool = False


def start_read(frames: Iterable[Frame], open_eye: OpenEye, rules: Rules, board: Board | None,
               south: South) -> Position:
    """The position in which the board lies still and is clearly read before the first hand comes, or the set-up.
    frames: of the recording, from its first; board: its size, None for the game's usual one; south: where South sits.
    Raises `CameraError` where there is none, or where a game cannot begin so."""
    setup = rules.setup(board=board)
    header = Header("", game_started(rules, setup, "table"), as_it_lies_at_start=False, start_is_sure=False)
    game = Refereed(header, lambda _form: None, JudgeAtOnce())
    eye, counting = open_eye(setup.board, south), AtOnce()
    pipeline, placing = Pipeline(eye, counting), Placing(open_eye, counting=counting)
    rest, handled = _Rest(), False
    for frame in frames:
        if frame.time_ns / 1e9 > LONGEST_LOOK_S or game.table.state not in BEFORE:
            break
        game.now = frame.time_ns / 1e9
        _read(frame, pipeline, game)
        placing.look(frame, eye, game.table, south)
        handled |= game.table.hand or game.table.state is State.SETTLING
        found = _start(game, rules, setup, handled)
        if found is not None:
            return found
        if not handled:
            rest = _rest(game.table.set_up_window, setup) or rest
    if game.table.state not in BEFORE and rest.set_up:
        return setup
    pits = ", ".join(map(setup.board.name, rest.unclear))
    why = f"{pits} could not be read clearly" if pits else "the board was never seen at rest"
    until = "before the first hand came" if handled else f"in {LONGEST_LOOK_S:.0f} seconds"
    raise CameraError(f"the start could not be read off the board {until}: {why}; {INSTEAD}")


def _start(game: Refereed, rules: Rules, setup: Position, handled: bool) -> Position | None:
    """What the board lies as, if that is known by now: the set-up, or what was read for long enough and was not
    handled. Raises `CameraError` where no game begins so."""
    if game.table.state is State.WATCHING:
        return setup
    window = game.table.set_up_window
    if handled or window is None or window.seconds < FIRST_S:
        return None
    if not window.clear():
        return _complete(window, rules, setup.board)
    try:
        return lying_position(rules, setup.board, window)
    except ValueError as error:
        raise CameraError(f"no game can begin from the board as it lies: {error}; {INSTEAD}") from None


def _read(frame: Frame, pipeline: Pipeline, game: Refereed) -> None:
    """Give the table what is read in the frame."""
    pipeline.look(frame, count=game.table.wants_count(frame.time_ns), afresh=game.table.afresh)
    for looked in pipeline.ready(wait=False):
        game.reading(looked.reading, looked.view)


def _rest(window: Window | None, setup: Position) -> _Rest | None:
    """How a board at rest reads now; None where there is none. A table begins where most of the set-up lies when a hand
    comes, and learns from it how to read; so this is asked before."""
    if window is None:
        return None
    unclear = window.unclear()
    few = len(unclear) <= len(setup.counts) // PITS_PER_UNCLEAR
    return _Rest(tuple(unclear), few and not window.clearly_otherwise(setup.counts))


def _complete(window: Window, rules: Rules, board: Board) -> Position | None:
    """What is read where some pit by itself is not clear, but the likeliest counts are all the game's seeds together:
    a pit that held another number would have to be made up for by another pit. None where that is not sure either."""
    counts, due = window.counts, rules.seeds(board)
    if not window.seen.all() or int(counts.sum()) != due or (counts >= COUNTS - 1).any():
        return None
    loglik = window.loglik
    odds = np.exp(loglik - loglik.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    together = np.ones(1)  # of each total of the pits so far; the last count stands for "more", and is no number
    for row in odds[:, :-1]:
        together = np.convolve(together, row)
    if odds.max(axis=1).prod() / together[due] < EVIDENCE.clear_odds:
        return None
    position = Position(board, tuple(int(n) for n in counts))
    return None if rules.wrong(position) else position
