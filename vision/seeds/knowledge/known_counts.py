"""Which counts of the pits were known, and in which stays: a pit that was not touched since still holds them.

An unchanged picture is read as before, rightly or wrongly. The reading adds nothing to the known count; it only tells
which other count would be next likeliest. But the counter is seldom wrong where there are few seeds and it is sure: if
it then contradicts the known count, either may be right.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.parameters import KNOWN


@dataclass(frozen=True, slots=True)
class KnownCounts:
    """counts: int64[pits], -1 where unknown; stays: int64[pits], the numbers of the stays in which they were known."""

    counts: NDArray[np.int64]
    stays: NDArray[np.int64]

    @classmethod
    def none(cls, pits: int) -> KnownCounts:
        """Return that no pit's count is known."""
        return cls(np.full(pits, -1, np.int64), np.full(pits, -1, np.int64))


def with_unchanged_counts(
    loglik: NDArray[np.float32], same: NDArray[np.bool_], counts: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Return log-likelihoods float32[pits, 26], combined with the known counts of unchanged pits. same: bool[pits], the
    unchanged ones; counts: int64[pits], -1 where unknown."""
    out = loglik.copy()
    for pit in np.flatnonzero(same & (counts >= 0) & (counts < COUNTS - 1)):
        held = int(counts[pit])
        others = np.delete(out[pit], held)
        against = others.max() - out[pit, held]
        lead = KNOWN.unchanged_nats
        if against >= 0 and held <= KNOWN.few:
            lead = 0.0
        elif against >= KNOWN.reader_sure_nats:
            lead = KNOWN.unchanged_beside_sure_nats
        out[pit] -= others.max() + lead
        out[pit, held] = 0.0
    return out
