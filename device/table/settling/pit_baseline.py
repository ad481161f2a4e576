"""How the pits looked when it was known what they held: a pit that still looks so still holds it.

To see that nothing was laid into a pit or taken out is much easier than to count what lies there, in a deep heap above
all: one seed more changes the picture plainly where fourteen and fifteen read alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from device.table.parameters import BASELINE
from engine.judge.pictures import with_unchanged_pictures


@dataclass(frozen=True, slots=True)
class PitBaseline:
    """How the pits looked at one time.

    cells: float32[pits, k, k], mean grey of each pit's parts (`vision.eye`). seen_then: bool[pits], pits that were seen
    then. counts: int64[pits], what they held, -1 where that is not known. aside: the board was found elsewhere since;
    what is cut out of the picture for a pit may be off by a little, and look otherwise for that alone.
    """

    cells: NDArray[np.float32]
    seen_then: NDArray[np.bool_]
    counts: NDArray[np.int64]
    aside: bool = False

    @classmethod
    def of(cls, cells: NDArray[np.float32], seen_then: NDArray[np.bool_], counts: Sequence[int]) -> PitBaseline:
        """As the pits look now, holding these counts."""
        return cls(cells, seen_then, np.asarray(counts, np.int64))

    def unchanged(self, cells: NDArray[np.float32], seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """bool[pits]: the pits that look as they did; none where the pictures are of another size or number."""
        most = self._most(cells, seen)
        return np.asarray(most <= min(BASELINE.same_grey, BASELINE.same_share * _greatest(most)), np.bool_)

    def changed(self, cells: NDArray[np.float32], seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """bool[pits]: the pits that plainly look otherwise, as `unchanged`."""
        if self.aside:
            return np.zeros(len(seen), np.bool_)
        most = self._most(cells, seen, within=BASELINE.pit_share)
        return np.asarray(most > max(BASELINE.changed_grey, BASELINE.changed_share * _greatest(most)), np.bool_)

    def _most(self, cells: NDArray[np.float32], seen: NDArray[np.bool_], within: float = 2.0) -> NDArray[np.float32]:
        """float32[pits], by how much some part of each pit differs at the most; not a number where that is not
        known. within: parts no farther from the picture's middle than this share of the way to its edges."""
        most = np.full(len(seen), np.nan, np.float32)
        if cells.shape == self.cells.shape and (both := seen & self.seen_then).any():
            change = cells - self.cells
            change = change - np.median(change[both])
            y, x = ((np.mgrid[: cells.shape[1], : cells.shape[2]] + 0.5).T * 2 / cells.shape[1:] - 1).T
            most[both] = np.abs(change[both][:, np.hypot(x, y) <= within]).max(axis=1, initial=0.0)
        return most

    def weigh(self, loglik: NDArray[np.float64], same: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Log-likelihoods float64[pits, 26] with what the pits in `same` tell (`engine.judge.pictures`)."""
        return with_unchanged_pictures(loglik, same, self.counts)

    def found_aside(self) -> PitBaseline:
        """The same, for the board where it was found since."""
        return replace(self, aside=True)

    def without_counts(self) -> PitBaseline:
        """The same looks, where it is not known any more what the pits hold."""
        return replace(self, counts=np.full_like(self.counts, -1))


def _greatest(change: NDArray[np.float32]) -> float:
    """The greatest change on the board, grey levels; 0 where none is known."""
    return float(change.max(initial=0.0, where=~np.isnan(change)))
