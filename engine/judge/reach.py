"""Where the hands were: nobody lifts a pit or drops a seed into it but with a hand over it.

The readings of `engine.judge.timeline_likelihood` tell this, too: while pits are touched, one of them should be
covered, and there should be a reading of every touch. Hands cover other pits besides, and a pit may be read as open
with fingers over it, so one step says little. But that a seed was taken from a pit that nobody came near is hardly to
be believed, and of one where a hand lay last of all it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.judge.parameters import MEANWHILE


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands beside one trace. fits: float64[readings, steps], nats by which each reading's hands fit each step
    better than hands that are anywhere. visit: int64[steps], the same for steps on end that touch the same pits: a hand
    that drops two seeds into one pit is there once."""

    fits: NDArray[np.float64]
    visit: NDArray[np.int64]

    def said(self, path: NDArray[np.int64]) -> float:
        """Nats: every visit one look. path: int64[readings], the step of each."""
        readings, visits = len(path), int(self.visit[-1])
        if not visits:
            return 0.0
        at = self.visit[path]
        many = np.bincount(at, minlength=visits + 1)[1:]
        total = np.bincount(at, self.fits[np.arange(readings), path], visits + 1)[1:]
        # With less than half of the readings that are due it may have been put in for one that is a neighbour's.
        due = readings / visits
        few = np.clip(1 - many / max(1.0, due / 2), 0.0, 1.0)
        return float((total / np.maximum(many, max(1.0, due / 2)) - min(MEANWHILE.visit_unread_nats, due) * few).sum())


class Reach:
    """The covered pits of some readings. seen: bool[readings, pits]."""

    def __init__(self, seen: NDArray[np.bool_]) -> None:
        self._covered = (~seen).astype(np.float64)
        self._share = np.clip(self._covered.mean(axis=1), MEANWHILE.covered_least, MEANWHILE.covered_most)

    def beside(self, boards: NDArray[np.int64]) -> Hands | None:
        """The hands beside a trace, int64[steps, pits]; None where none were made out over any pit."""
        if not self._covered.any():
            return None
        touched = np.zeros(boards.shape)
        touched[1:] = boards[1:] != boards[:-1]
        pits = touched.sum(axis=1)
        there = self._covered @ touched.T > 0
        # The more pits a step changes, such as a capture, the likelier one of them is covered in any case.
        chance = 1 - (1 - self._share[:, None]) ** np.maximum(pits, 1)
        fits = np.where(
            there, np.log((1 - MEANWHILE.hand_unseen) / chance), np.log(MEANWHILE.hand_unseen / (1 - chance))
        )
        visit = np.zeros(len(boards), np.int64)
        np.cumsum((touched[1:] != touched[:-1]).any(axis=1), out=visit[1:])
        return Hands(np.asarray(np.where(pits > 0, fits, 0.0)), visit)
