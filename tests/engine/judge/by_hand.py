"""Moves played by hand, right or wrong, apart from the judge's own search, and what a good eye makes of a board.

`^c` lifts pit c, `^c-1` leaves one seed in it, a letter drops a seed, `xcF` captures pits c and F, `+cF` takes them up
to be sown on, `~-1` loses a seed from the hand. In a line the upper row reads H…A, the lower one a…h.
"""

from __future__ import annotations

import numpy as np

from engine.judge import COUNTS, Evidence
from engine.position import Position
from engine.trace import Capture, Drop, Lift, Step, Stray, apply

MIDDLE = "4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8"
SOUTHS, NORTHS = (0.3, 0.01), (0.01, 0.3)
"""Whose hand was over the board."""


def by_hand(line: str, play: str) -> Position:
    """The board after a move played by hand. Raises TraceError where seeds are asked for that are not there."""
    position, steps_ = Position.parse(line), list[Step]()
    board, counts = position.board, list(position.counts)
    lifted = -1
    for token in play.split():
        if token[0] == "^":
            lifted = pit = board.pit(token[1])
            left = int(token[3:] or 0)
            steps_.append(Lift(pit, counts[pit] - left))
            counts[pit] = left
        elif token[0] == "~":
            steps_.append(Stray(None, int(token[1:])))
        elif token[0] in "x+":
            pits = tuple(board.pit(p) for p in token[1:])
            steps_.append(Capture(pits, sum(counts[p] for p in pits), lifted if token[0] == "+" else None))
            for p in pits:
                counts[p] = 0
        else:
            steps_.append(Drop(board.pit(token)))
            counts[board.pit(token)] += 1
    after = apply(position, steps_)
    assert after.counts == tuple(counts)
    return after


def seen(counts: tuple[int, ...], hands: tuple[float, float] = (0.0, 0.0), sure: float = 0.999) -> Evidence:
    """What a good eye makes of a board."""
    loglik = np.full((len(counts), COUNTS), np.log((1 - sure) / (COUNTS - 1)))
    loglik[np.arange(len(counts)), counts] = np.log(sure)
    return Evidence(loglik, np.ones(len(counts), bool), 5, hands)


def misread(evidence: Evidence, pit: int, count: int, sure: float) -> None:
    """The eye takes a pit for another count."""
    evidence.loglik[pit] = np.log((1 - sure) / (COUNTS - 1))
    evidence.loglik[pit, count] = np.log(sure)
