"""What the pits were known to hold, and in which stays: a pit that was not touched since holds it still.

The camera's reading of an unchanged picture is the one that it had before, right or wrong, and says nothing new: it
only tells which other count would be the next likeliest. But of a few seeds, and where it is sure, it is seldom wrong:
if it says otherwise then, it may be either.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.parameters import KNOWN


@dataclass(frozen=True, slots=True)
class KnownCounts:
    """counts: int64[pits], -1 where that is not known; stays: int64[pits], the numbers of the stays in which they were
    known."""

    counts: NDArray[np.int64]
    stays: NDArray[np.int64]

    @classmethod
    def none(cls, pits: int) -> KnownCounts:
        """Of no pit it is known what it holds."""
        return cls(np.full(pits, -1, np.int64), np.full(pits, -1, np.int64))


def with_unchanged_counts(
    loglik: NDArray[np.float32], same: NDArray[np.bool_], counts: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Log-likelihoods float32[pits, 26] with what the pits in `same`, bool[pits], tell, which held `counts`,
    int64[pits]; -1 for one of which that is not known."""
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
