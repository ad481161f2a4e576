"""Finds the likeliest board of a given number of seeds, from log-likelihoods of each pit's counts.

There are far too many boards to try them all. But the likeliest board of the first k pits holding n seeds extends a
likeliest board of the first k - 1 pits (dynamic programming, Bellman 1957), so one pass over the pits finds the best
board of every total.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class LikeliestBoards:
    """The likeliest board of every total up to a maximum.

    log_likelihoods: float64[totals], of the likeliest board with 0, 1, 2 … seeds; minus infinity where there is none.
    """

    def __init__(self, table: NDArray[np.float64], most: int, least: Sequence[int] | None = None) -> None:
        """table: float64[pits, counts], log-likelihoods; the last count stands for "more" and is never taken. most:
        greatest total, seeds. least: least seeds of each pit, 0 by default."""
        self._least = [0] * len(table) if least is None else list(least)
        self._fewest = sum(self._least)
        self._more: list[NDArray[np.int64]] = []
        self.log_likelihoods = np.full(most + 1, -np.inf)
        width, spare = table.shape[1] - 1, most - self._fewest
        if spare < 0 or any(low >= width for low in self._least):
            return
        best = np.full(width + spare + 1, -np.inf)  # the first `width` entries stand for negative totals
        best[width] = 0.0
        left = np.arange(width, len(best)) - np.arange(width)[:, None]
        for row, low in zip(table[:, :width], self._least, strict=True):
            more = row[low : low + spare + 1]
            options = best[left[: len(more)]] + more[:, None]
            self._more.append(options.argmax(axis=0))
            best[width:] = options.max(axis=0)
        self.log_likelihoods[self._fewest :] = best[width:]

    def of(self, total: int) -> tuple[int, ...] | None:
        """Return the counts of the likeliest board with `total` seeds; None if there is no such board."""
        if not 0 <= total < len(self.log_likelihoods) or not np.isfinite(self.log_likelihoods[total]):
            return None
        spare = total - self._fewest
        counts = []
        for low, more in zip(reversed(self._least), reversed(self._more), strict=True):
            counts.append(low + int(more[spare]))
            spare -= int(more[spare])
        return tuple(reversed(counts))


def likeliest_of_total(
    table: NDArray[np.float64], total: int, least: Sequence[int] | None = None
) -> tuple[int, ...] | None:
    """Return the likeliest counts that add up to `total`, or None; other arguments as for `LikeliestBoards`."""
    return LikeliestBoards(table, total, least).of(total)
