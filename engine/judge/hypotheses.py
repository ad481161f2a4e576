"""All hypotheses about a disturbance of a position, worked out once and laid out in arrays for weighing.

What can follow a position does not depend on what is seen of it, and one position is often asked about again and again:
a nudge, a trial move, a move taken back. So the last few positions' moves and faults are remembered, and those of the
position from which the next move is expected can be worked out ahead, beside everything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.games.base import Rules
from engine.judge import search
from engine.judge.faults import Work
from engine.judge.parameters import EFFORT
from engine.judge.search import Hypothesis
from engine.position import Position
from engine.trace import Trace

Counts = tuple[int, ...]


class Hypotheses:
    """Hypotheses in a list and, beside each, the board that it leaves, its log-prior and whether it accuses anybody."""

    def __init__(self, listed: list[Hypothesis], boards: NDArray[np.int64], log_priors: NDArray[np.float64],
                 accusing: NDArray[np.bool_]) -> None:
        """boards: int64[n, pits]; log_priors: float64[n]; accusing: bool[n]."""
        self.listed = listed
        self.boards = boards
        self.log_priors = log_priors
        self.accusing = accusing

    @classmethod
    def of(cls, listed: list[Hypothesis], pits: int) -> Hypotheses:
        """These hypotheses, on boards of so many pits."""
        boards = np.array([h.counts for h in listed], np.int64).reshape(-1, pits)
        return cls(listed, boards, np.array([h.log_prior for h in listed], np.float64),
                   np.array([h.accuses for h in listed], np.bool_))

    def __add__(self, other: Hypotheses) -> Hypotheses:
        """These and then the others."""
        return Hypotheses(
            self.listed + other.listed, np.concatenate((self.boards, other.boards)),
            np.concatenate((self.log_priors, other.log_priors)), np.concatenate((self.accusing, other.accusing)),
        )

    @cached_property
    def by_board(self) -> dict[Counts, list[int]]:
        """Which of them leave a board, by their places in the list."""
        found: dict[Counts, list[int]] = {}
        for i, h in enumerate(self.listed):
            found.setdefault(h.counts, []).append(i)
        return found

    def without(self, boards: Iterable[Counts]) -> Hypotheses:
        """Those that leave none of these boards."""
        gone = [i for board in boards for i in self.by_board.get(board, ())]
        if not gone:
            return self
        keep = np.ones(len(self.listed), np.bool_)
        keep[gone] = False
        left = [h for h, kept in zip(self.listed, keep.tolist(), strict=True) if kept]
        return Hypotheses(left, self.boards[keep], self.log_priors[keep], self.accusing[keep])


class Continuations:
    """What can follow a position; each part is worked out when it is first asked for. Two threads may ask at once: both
    work it out then, and get what is alike."""

    def __init__(self, rules: Rules, before: Position) -> None:
        """Of the position `before`, under these rules."""
        self._rules, self._before = rules, before
        self._one_fault: dict[int, tuple[Hypotheses, bool]] = {}
        self._traces: dict[int, tuple[Hypothesis, Trace | None]] = {}

    @cached_property
    def legal(self) -> Hypotheses:
        """Every legal move."""
        return self._of(search.legal_moves(self._rules, self._before))

    @cached_property
    def answered(self) -> Hypotheses:
        """Every legal move with every legal answer made with no pause."""
        return self._of(search.answered_moves(self._rules, self.legal.listed))

    def one_fault(self, laps: int = EFFORT.fault_laps) -> tuple[Hypotheses, bool]:
        """Every move with one fault in it; and whether the search was broken off after so many laps."""
        if laps not in self._one_fault:
            work = Work(laps)
            self._one_fault[laps] = self._of(search.faulty_moves(self._rules, self._before, work)), work.used_up
        return self._one_fault[laps]

    def trace(self, hypothesis: Hypothesis) -> Trace | None:
        """Every step of one of these; as of `engine.judge.search.trace_of`."""
        key = id(hypothesis)  # they are slow to compare; one that is kept here lives as long as this does
        if key not in self._traces:
            self._traces[key] = hypothesis, search.trace_of(self._rules, self._before, hypothesis)
        return self._traces[key][1]

    def _of(self, listed: list[Hypothesis]) -> Hypotheses:
        return Hypotheses.of(listed, self._before.board.pits)


@lru_cache(maxsize=EFFORT.remembered_positions)
def continuations(rules: Rules, before: Position) -> Continuations:
    """What can follow a position under these very rules, remembered."""
    return Continuations(rules, before)


def expect(rules: Rules, before: Position) -> None:
    """Work out ahead what can follow a position, so that the next question about it is answered sooner."""
    expected = continuations(rules, before)
    if expected.legal.listed:
        expected.one_fault()
