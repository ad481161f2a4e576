"""Which pits look otherwise than before the move: seeds that somebody sowed or lifted lie otherwise afterwards.

That a picture has changed is seen where a heap of fourteen is not told from one of fifteen. What by a trace nobody
touched should look as before, and what by it was touched should not; but a pit that was empty and is empty again looks
as it did, whatever passed through it meanwhile. How sure it is that a pit was touched is said by whoever sees it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.judge.parameters import PICTURES
from engine.judge.verdict import COUNTS, Evidence


@dataclass(frozen=True, slots=True)
class Pictures:
    """touched: float64[pits], log-odds that each pit was touched, 0 where that is not known."""

    touched: NDArray[np.float64]

    @classmethod
    def of(cls, evidence: Evidence) -> Pictures | None:
        """Those of this evidence, None where nothing is known of them."""
        return None if evidence.touched is None else cls(np.where(evidence.seen, evidence.touched, 0.0))

    @property
    def same(self) -> NDArray[np.bool_]:
        """bool[pits], those that look as before."""
        return np.asarray(self.touched <= PICTURES.same_log_odds)

    def of_counts(self, before: Sequence[int]) -> NDArray[np.float64]:
        """float64[pits, 26], nats at most 0 of each count: what looks as before holds what it held, these counts."""
        other = np.arange(COUNTS) != np.minimum(before, COUNTS - 1)[:, None]
        return np.asarray(self.touched.clip(-PICTURES.unchanged_nats, 0.0)[:, None] * other)

    def log_likelihood(self, boards: NDArray[np.int64]) -> float:
        """Nats, at most 0, of a trace by the boards that it passes through, int64[steps, pits], beside those of the
        counts that it leaves."""
        touched = (boards != boards[0]).any(axis=0)
        other = boards[0] != boards[-1]
        empty = ~other & (boards[0] == 0)
        odd = np.where(~touched | empty, self.touched, 0.0).clip(0.0, PICTURES.jostled_nats)
        alike = np.where(touched & ~empty & ~other, -self.touched, 0.0).clip(0.0, PICTURES.jostled_nats)
        return -min(PICTURES.most_pits * PICTURES.jostled_nats, float(odd.sum() + alike.sum()))
