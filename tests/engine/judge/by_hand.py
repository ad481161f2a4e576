"""Moves played by hand, right or wrong, apart from the judge's own search, and what a good eye makes of a board.

`^c` lifts pit c, `^c-1` leaves one seed in it, a letter drops a seed, `xcF` captures pits c and F, `+cF` takes them up
to be sown on, `~-1` loses a seed from the hand. In a line the upper row reads H…A, the lower one a…h.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.board import Board
from engine.judge import COUNTS, Evidence
from engine.position import Position
from engine.trace import Capture, Drop, Lift, Step, Stray, apply

MIDDLE = "4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8"
SOUTHS, NORTHS = (0.3, 0.01), (0.01, 0.3)
"""Whose hand was over the board."""


def by_hand(line: str, play: str) -> Position:
    """The board after a move played by hand. Raises TraceError where seeds are asked for that are not there."""
    position, trace, lifted = Position.parse(line), list[Step](), -1
    counts = list(position.counts)
    for token in play.split():
        step = _step(position.board, counts, token, lifted)
        lifted = step.pit if isinstance(step, Lift) else lifted
        trace.append(step)
        counts = list(_after(counts, step))
    after = apply(position, trace)
    assert after.counts == tuple(counts)
    return after


def _step(board: Board, counts: list[int], token: str, lifted: int) -> Step:
    """The step that a word stands for. lifted: the pit that was lifted last."""
    pits = tuple(board.pit(p) for p in token[1:] if p.isalpha())
    match token[0]:
        case "^":
            return Lift(pits[0], counts[pits[0]] - int(token[3:] or 0))
        case "~":
            return Stray(None, int(token[1:]))
        case "x":
            return Capture(pits, sum(counts[p] for p in pits))
        case "+":
            return Capture(pits, sum(counts[p] for p in pits), lifted)
    return Drop(board.pit(token))


def _after(counts: list[int], step: Step) -> Iterator[int]:
    """What lies in each pit after a step of `_step`."""
    for pit, n in enumerate(counts):
        match step:
            case Lift(at, lifted) if at == pit:
                yield n - lifted
            case Drop(at) if at == pit:
                yield n + 1
            case Capture(taken) if pit in taken:
                yield 0
            case _:
                yield n


def seen(counts: tuple[int, ...], hands: tuple[float, float] = (0.0, 0.0), sure: float = 0.999) -> Evidence:
    """What a good eye makes of a board."""
    loglik = np.full((len(counts), COUNTS), np.log((1 - sure) / (COUNTS - 1)))
    loglik[np.arange(len(counts)), counts] = np.log(sure)
    return Evidence(loglik, np.ones(len(counts), bool), 5, hands)


def misread(evidence: Evidence, pit: int, count: int, sure: float) -> None:
    """The eye takes a pit for another count."""
    evidence.loglik[pit] = np.log((1 - sure) / (COUNTS - 1))
    evidence.loglik[pit, count] = np.log(sure)
