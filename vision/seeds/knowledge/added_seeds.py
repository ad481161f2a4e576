"""What came to lie in a pit since it was last known what it held: that is counted more surely than all that lies there.

The counter adds up a map of seeds (see `vision.train.nets.Counter`), and errs in a heap by what it makes of its seeds:
of two that lie on one another, of a facet that shines. As long as these lie as they did, it errs alike. So the map of
now is held against the one of when it was known what lay there, where the pit looks otherwise since: their difference
is the number of seeds that came, or went.
"""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.counter import SPREAD_FLOOR_GREY, shrunk
from vision.seeds.crops import SIZE
from vision.seeds.parameters import ADDED

Crops = NDArray[np.uint8]
Maps = NDArray[np.float32]



class Added:
    """The pits of one board when it was known what they held, and how far such differences are off at this table.
    Before the first lesson nothing is said."""

    def __init__(self) -> None:
        """A board of no pit of which it is known what it holds."""
        self._then: Crops = np.zeros((0, SIZE, SIZE, 3), np.uint8)
        self._maps: Maps = np.zeros((0, 1, 1), np.float32)
        self._held: NDArray[np.int64] = np.zeros(0, np.int64)
        self._off, self._lessons = 0.0, 0

    @property
    def spread(self) -> float:
        """How many times as far as usual the differences are off here."""
        return math.sqrt((ADDED.usual_held + self._off) / (ADDED.usual_held + self._lessons))

    def learn(self, crops: Crops, maps: Maps, counts: NDArray[np.int64]) -> None:
        """In these pictures uint8[pits, s, s, 3], whose maps float32[pits, c, c] the counter has drawn, lie so many,
        int[pits]; -1 where that is not known."""
        if len(self._held) != len(crops):
            self._then, self._maps = np.zeros((len(crops), SIZE, SIZE, 3), np.uint8), np.zeros_like(maps)
            self._held = np.full(len(crops), -1)
        small = shrunk(crops)
        for k in np.flatnonzero((counts >= 0) & (counts < COUNTS - 1)):
            if (sums := self._sums(small[k], maps[k], int(k))) is not None:
                wrong = sums[0] - sums[1] - (counts[k] - self._held[k])
                self._off += min(ADDED.most_off, float(wrong / usual(*sums)) ** 2)
                self._lessons += 1
            self._then[k], self._maps[k], self._held[k] = small[k], maps[k], counts[k]

    def say(self, crops: Crops, maps: Maps, pits: NDArray[np.intp]) -> NDArray[np.float32]:
        """float32[len(pits), 26], what the differences say of each count, log-likelihoods up to a constant a pit;
        nothing of pits that look as they did, or that were empty or not known. crops, maps: of those pits now."""
        said = np.zeros((len(pits), COUNTS), np.float32)
        if not len(self._held):
            return said
        for k, (crop, pit) in enumerate(zip(shrunk(crops), pits, strict=True)):
            if (sums := self._sums(crop, maps[k], int(pit))) is not None:
                said[k] = ADDED.weight * likely(*sums, int(self._held[pit]), self.spread)
        return said

    def _sums(self, crop: Crops, seeds: Maps, pit: int) -> tuple[float, float] | None:
        """How many seeds lie where the pit looks otherwise, and lay there, as the counter has it; None where it looks
        as it did, or was empty, so that there is nothing in which the counter may err alike, or not known."""
        if self._held[pit] < 1:
            return None
        there = otherwise(crop, self._then[pit], len(seeds))
        return (float(seeds[there].sum()), float(self._maps[pit][there].sum())) if there.any() else None


def otherwise(now: Crops, then: Crops, cells: int) -> NDArray[np.bool_]:
    """bool[cells, cells]: where the pit uint8[s, s, 3] looks otherwise than then, and next to that; the whole pit's
    change of light taken out."""
    seen = now.astype(np.float32)
    spread = math.sqrt(float(seen.var())) + SPREAD_FLOOR_GREY
    change = (seen - then) / np.float32(spread)
    change -= np.median(change, axis=(0, 1))
    change = np.abs(change)
    most = np.maximum(np.maximum(change[..., 0], change[..., 1]), change[..., 2])
    much = cv2.resize(most, (cells, cells), interpolation=cv2.INTER_AREA) > ADDED.otherwise
    return np.asarray(cv2.dilate(much.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0, np.bool_)


def usual(now: float, then: float) -> float:
    """The standard deviation of the difference, in seeds, where so many lie and lay."""
    return math.sqrt(ADDED.sd**2 + ADDED.sd_each_now**2 * max(0.0, now) + ADDED.sd_each_then**2 * max(0.0, then))


def likely(now: float, then: float, held: int, spread: float = 1.0) -> NDArray[np.float64]:
    """float64[26], log-likelihoods of the counts where so many were held, and so many lie, and lay, where the pit looks
    otherwise. spread: how many times as far as usual differences are off."""
    sd = spread * usual(now, then)
    off = (now - then - (np.arange(COUNTS) - held)) / sd
    near = (1 - ADDED.anyhow) * np.exp(-0.5 * off**2) / (sd * math.sqrt(2 * math.pi))
    return np.asarray(np.log(near + ADDED.anyhow / ADDED.anyhow_range), np.float64)
