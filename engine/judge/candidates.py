"""All that a disturbance of a position can have been, worked out once and laid out for weighing.

What can follow a position does not depend on what is seen of it, and one position is often asked about again and again:
a nudge, a trial move, a move taken back. So the last few positions' moves and faults are remembered.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.games.base import Rules
from engine.judge import search
from engine.judge.faults import Work
from engine.judge.search import Candidate
from engine.position import Position

REMEMBERED = 4
"""Positions; the faults of one take some megabytes."""

Counts = tuple[int, ...]


class Ways:
    """Candidates and, beside each, its board int64[n, pits], its log-prior float64[n], and whether it accuses anybody,
    bool[n]."""

    def __init__(self, candidates: list[Candidate], boards: NDArray[np.int64], log_priors: NDArray[np.float64],
                 accuse: NDArray[np.bool_]) -> None:
        self.candidates = candidates
        self.boards = boards
        self.log_priors = log_priors
        self.accuse = accuse

    @classmethod
    def of(cls, candidates: list[Candidate], pits: int) -> Ways:
        """These candidates, on boards of so many pits."""
        boards = np.array([c.counts for c in candidates], np.int64).reshape(-1, pits)
        return cls(candidates, boards, np.array([c.log_prior for c in candidates], np.float64),
                   np.array([c.accuses for c in candidates], np.bool_))

    def __add__(self, other: Ways) -> Ways:
        return Ways(self.candidates + other.candidates, np.concatenate((self.boards, other.boards)),
                    np.concatenate((self.log_priors, other.log_priors)), np.concatenate((self.accuse, other.accuse)))

    @cached_property
    def leaving(self) -> dict[Counts, list[int]]:
        """Which of the candidates leave a board."""
        found: dict[Counts, list[int]] = {}
        for i, c in enumerate(self.candidates):
            found.setdefault(c.counts, []).append(i)
        return found

    def but(self, boards: Iterable[Counts]) -> Ways:
        """Those that leave none of these boards."""
        gone = [i for board in boards for i in self.leaving.get(board, ())]
        if not gone:
            return self
        keep = np.ones(len(self.candidates), np.bool_)
        keep[gone] = False
        left = [c for c, kept in zip(self.candidates, keep.tolist(), strict=True) if kept]
        return Ways(left, self.boards[keep], self.log_priors[keep], self.accuse[keep])


class Known:
    """What can follow a position; each part is worked out when it is first asked for."""

    def __init__(self, rules: Rules, before: Position) -> None:
        self._rules, self._before = rules, before
        self._faulty: dict[int, tuple[Ways, bool]] = {}

    @cached_property
    def legal(self) -> Ways:
        """Every legal move."""
        return self._of(search.legal(self._rules, self._before))

    @cached_property
    def answered(self) -> Ways:
        """Every legal move with every legal answer made with no pause."""
        return self._of(search.answered(self._rules, self.legal.candidates))

    def faulty(self, work: int) -> tuple[Ways, bool]:
        """Every move with one fault in it; and whether the search was broken off after so many laps."""
        if work not in self._faulty:
            left = Work(work)
            self._faulty[work] = self._of(search.illegal(self._rules, self._before, left)), left.done
        return self._faulty[work]

    def _of(self, candidates: list[Candidate]) -> Ways:
        return Ways.of(candidates, self._before.board.pits)


@lru_cache(maxsize=REMEMBERED)
def known(rules: Rules, before: Position) -> Known:
    """What can follow a position under these very rules, remembered."""
    return Known(rules, before)
