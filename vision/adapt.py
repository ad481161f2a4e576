"""The rules teach the eye: pits whose count is known show how the counter errs at this table, with these seeds.

The counter adds up how much of a seed lies where (see `vision.train.nets.Counter`), so seeds that look larger, smaller
or fainter to it than they are make it err by a factor, the same in all pits of a table. One number a table puts that
right: the ridge regression, towards 1, of what was read on what lay there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS

Array = NDArray[np.float64]

STIFF = 0.2
"""Standard deviation of the factor among tables, before anything is known of one."""
SPREAD, GROWTH = 0.35, 0.12
"""Standard deviation of what is read of n seeds: SPREAD and GROWTH * n together."""
KEEP = 0.9
"""Share of what was learnt that is left at the next lesson: light and seeds change in a day."""
SLACK = 2.0
"""By how much, in log-likelihood, the adapted reader may do worse than the plain one before it is not believed."""


class Adaptation:
    """What is learnt of one table.

    factor: what is read of one seed; 1 before the first lesson, and while the lessons made nothing better.
    """

    def __init__(self) -> None:
        self._known, self._read = 1 / STIFF**2, 1 / STIFF**2
        self._gain = 0.0

    @property
    def factor(self) -> float:
        """Seeds read for one that lies there."""
        return self._read / self._known if self._gain > -SLACK else 1.0

    def learn(self, loglik: Array, seen: NDArray[np.bool_], counts: NDArray[np.int64]) -> None:
        """Take in a board whose counts int[pits] are known otherwise than by reading.

        loglik float64[pits, 26] is what the counter said, not adapted; pits that are not seen teach nothing.
        """
        told = seen & (counts < COUNTS - 1)
        if not told.any():
            return
        plain, true = loglik[told], counts[told]
        at = np.arange(len(true))
        better = _normal(scaled(plain, self._read / self._known))[at, true] - _normal(plain)[at, true]
        self._gain = KEEP * self._gain + float(better.sum())
        weight = true / (SPREAD**2 + (GROWTH * true) ** 2)
        read = np.exp(_normal(plain)) @ np.arange(COUNTS)
        prior = 1 / STIFF**2
        self._known = prior + KEEP * (self._known - prior) + float(weight @ true)
        self._read = prior + KEEP * (self._read - prior) + float(weight @ read)

    def apply(self, loglik: Array) -> Array:
        """Log-likelihoods float64[pits, 26] as they are to be read at this table."""
        return scaled(loglik, self.factor)


def scaled(loglik: Array, factor: float) -> Array:
    """Log-likelihoods [n, 26] of counts when `factor` times as many are read as lie there: linear between counts, the
    likeliest one's as before; that of "more" stays what it was."""
    if factor == 1.0:
        return loglik
    at = np.clip(np.arange(COUNTS - 1) * factor, 0, COUNTS - 2)
    low = np.minimum(at.astype(np.int64), COUNTS - 3)
    part = at - low
    out = loglik.copy()
    between = loglik[:, low] * (1 - part) + loglik[:, low + 1] * part
    top = loglik[:, : COUNTS - 1].max(axis=1, keepdims=True)
    out[:, : COUNTS - 1] = between + top - between.max(axis=1, keepdims=True)
    return out


def _normal(loglik: Array) -> Array:
    top = loglik.max(axis=1, keepdims=True)
    return np.asarray(loglik - top - np.log(np.exp(loglik - top).sum(axis=1, keepdims=True)))
