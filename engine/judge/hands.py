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

from engine.judge.parameters import TIMELINE


@dataclass(frozen=True, slots=True)
class HandFits:
    """How the hands of some readings fit the steps of one trace.

    fits: float64[readings, steps], nats by which each reading's hands fit each step better than hands that are
    anywhere. visit: int64[steps], the number of the visit to a pit that a step belongs to: steps on end that touch the
    same pits are one, since a hand that drops two seeds into one pit is there once.
    """

    fits: NDArray[np.float64]
    visit: NDArray[np.int64]

    def along(self, path: NDArray[np.int64]) -> float:
        """Nats by which they fit the trace, where path, int64[readings], is the step of each; every visit is one
        look."""
        readings, visits = len(path), int(self.visit[-1])
        if not visits:
            return 0.0
        at = self.visit[path]
        many = np.bincount(at, minlength=visits + 1)[1:]
        total = np.bincount(at, self.fits[np.arange(readings), path], visits + 1)[1:]
        # With less than so much of the readings that are due it may have been put in for one that is a neighbour's.
        due = readings / visits
        least = max(1.0, due * TIMELINE.visit_due_share)
        few = np.clip(1 - many / least, 0.0, 1.0)
        return float((total / np.maximum(many, least) - min(TIMELINE.visit_unread_nats, due) * few).sum())


class CoveredPits:
    """The pits that the hands of some readings cover."""

    def __init__(self, seen: NDArray[np.bool_]) -> None:
        """seen: bool[readings, pits], those that are open."""
        self._covered = (~seen).astype(np.float64)
        self._share = np.clip(self._covered.mean(axis=1), TIMELINE.covered_least, TIMELINE.covered_most)

    def fits(self, boards: NDArray[np.int64]) -> HandFits | None:
        """How they fit the boards of a trace, int64[steps, pits]; None where no pit was covered in any reading."""
        if not self._covered.any():
            return None
        touched = np.zeros(boards.shape)
        touched[1:] = boards[1:] != boards[:-1]
        pits = touched.sum(axis=1)
        there = self._covered @ touched.T > 0
        # The more pits a step changes, such as a capture, the likelier one of them is covered in any case.
        chance = 1 - (1 - self._share[:, None]) ** np.maximum(pits, 1)
        fits = np.where(
            there, np.log((1 - TIMELINE.hand_unseen) / chance), np.log(TIMELINE.hand_unseen / (1 - chance))
        )
        visit = np.zeros(len(boards), np.int64)
        np.cumsum((touched[1:] != touched[:-1]).any(axis=1), out=visit[1:])
        return HandFits(np.asarray(np.where(pits > 0, fits, 0.0)), visit)
