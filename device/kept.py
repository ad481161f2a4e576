"""How the pits looked when it was known what they held: a pit that still looks so still holds it.

To see that nothing was laid into a pit or taken out is much easier than to count what lies there, in a deep heap above
all: one seed more changes the picture plainly where fourteen and fifteen read alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS

SAME = 6.0
"""Grey levels by which no part of an unchanged pit differs, the whole board's change of light taken out."""
PART = 0.15
"""Nor by more than this share of the greatest change on the board: in dim light seeds stand out less. So nothing is
said while nothing has changed."""
TELLS = 7.0
"""Nats by which an unchanged picture speaks against any other count: one seed in a thousand may come to lie unseen."""


@dataclass(frozen=True, slots=True)
class Kept:
    """cells: float32[pits, k, k], mean grey of each pit's parts (`vision.eye`). told: bool[pits], pits that were seen
    then; counts: int64[pits], what they held."""

    cells: NDArray[np.float32]
    told: NDArray[np.bool_]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, cells: NDArray[np.float32], told: NDArray[np.bool_], counts: Sequence[int]) -> Kept:
        """As the pits look now, holding these counts."""
        return cls(cells, told, np.asarray(counts, np.int64))

    def unchanged(self, cells: NDArray[np.float32], seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """bool[pits]: the pits that look as they did; none where the pictures are of another size or number."""
        if cells.shape != self.cells.shape:
            return np.zeros(len(seen), np.bool_)
        both = seen & self.told
        if not both.any():
            return both
        change = cells - self.cells
        change = change - np.median(change[both])
        most = np.abs(change).max(axis=(1, 2))
        return np.asarray(both & (most <= min(SAME, PART * float(most[both].max()))), np.bool_)

    def weigh(self, loglik: NDArray[np.float64], same: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Log-likelihoods float64[pits, 26] with what the pits in `same` tell. The camera's reading of an unchanged
        picture is the one that it had before, right or wrong, and says nothing new: it only tells which other count
        would be the next likeliest."""
        out = loglik.copy()
        for pit in np.flatnonzero(same & (self.counts < COUNTS - 1)):
            held = int(self.counts[pit])
            others = np.delete(out[pit], held)
            out[pit] += -TELLS - others.max()
            out[pit, held] = 0.0
        return out
