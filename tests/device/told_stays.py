"""Stays as vision tells them, without pictures."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.reading import Reading

REMEMBERED = 6
PLAINLY, SAME = 6.0, -7.0
"""Log-odds that a pit was touched that plainly looks otherwise, and of one that looks as before."""


class Stays:
    """The stays of some pits: one whose count changes, or that is touched, is in a new one."""

    def __init__(self) -> None:
        """No pit was seen yet."""
        self._counts: tuple[int, ...] = ()
        self.numbers: NDArray[np.int64] = np.zeros(0, np.int64)

    def show(self, counts: Sequence[int], touched: Collection[int] = ()) -> None:
        """The pits hold these counts now. touched: pits that look otherwise though they hold what they held."""
        if len(counts) != len(self._counts):
            self._counts, self.numbers = tuple(counts), np.zeros(len(counts), np.int64)
        new = [n != was or pit in touched for pit, (n, was) in enumerate(zip(counts, self._counts, strict=True))]
        self._counts, self.numbers = tuple(counts), self.numbers + np.array(new)

    def told(self, reading: Reading) -> Reading:
        """The same reading of the pits as they are now; of one that counts nothing nothing is told."""
        if not reading.counted:
            return reading
        earlier = np.maximum(self.numbers[:, None] - np.arange(REMEMBERED), -1)
        changed = np.where(np.arange(REMEMBERED) > 0, PLAINLY, SAME).astype(np.float32)
        return replace(reading, stays=self.numbers.copy(), earlier=earlier,
                       changed=np.broadcast_to(changed, earlier.shape))
