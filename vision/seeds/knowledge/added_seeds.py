"""The seeds added to a pit since its count was known: they can be counted more surely than all its seeds.

The counter adds up a map of seeds (see `vision.train.nets.Counter`). In a heap it misjudges some seeds, such as two
that lie on one another, or one with a facet that shines. As long as these do not move, its error stays the same. So the
present map is compared with the map from when the count was known, in those parts of the pit that look different now:
the difference of the two sums is the number of seeds that came or went.
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



class AddedSeedModel:
    """The pits of one board at the time when their counts were known, and how far differences of maps are off at this
    table. Before the first lesson nothing is known, and every count is equally likely."""

    def __init__(self) -> None:
        """Start with no pit known."""
        self._then: Crops = np.zeros((0, SIZE, SIZE, 3), np.uint8)
        self._maps: Maps = np.zeros((0, 1, 1), np.float32)
        self._held: NDArray[np.int64] = np.zeros(0, np.int64)
        self._off, self._lessons = 0.0, 0

    @property
    def spread(self) -> float:
        """The spread of the differences at this table, relative to the usual one."""
        return math.sqrt((ADDED.usual_held + self._off) / (ADDED.usual_held + self._lessons))

    def learn(self, crops: Crops, maps: Maps, counts: NDArray[np.int64]) -> None:
        """Learn known counts, int[pits], -1 where unknown. crops: the pits' pictures uint8[pits, s, s, 3]; maps:
        float32[pits, c, c], the counter's maps of them."""
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
        """Return float32[len(pits), 26], the evidence of the differences for each count: log-likelihoods up to a
        constant per pit. They are 0 for pits that look unchanged, that were empty, or whose count was unknown. crops,
        maps: the pits' present pictures and maps."""
        said = np.zeros((len(pits), COUNTS), np.float32)
        if not len(self._held):
            return said
        for k, (crop, pit) in enumerate(zip(shrunk(crops), pits, strict=True)):
            if (sums := self._sums(crop, maps[k], int(pit))) is not None:
                said[k] = ADDED.weight * likely(*sums, int(self._held[pit]), self.spread)
        return said

    def _sums(self, crop: Crops, seeds: Maps, pit: int) -> tuple[float, float] | None:
        """Return the number of seeds now and then by the counter's maps, where the pit looks different; None if it
        looks unchanged, if its count was unknown, or if it was empty: then it had no seeds that the counter would
        misjudge in the same way now."""
        if self._held[pit] < 1:
            return None
        there = otherwise(crop, self._then[pit], len(seeds))
        return (float(seeds[there].sum()), float(self._maps[pit][there].sum())) if there.any() else None


def otherwise(now: Crops, then: Crops, cells: int) -> NDArray[np.bool_]:
    """Return bool[cells, cells]: the cells in which a pit uint8[s, s, 3] looks different from `then`, and their
    neighbours. A change of light on the whole pit does not count."""
    seen = now.astype(np.float32)
    spread = math.sqrt(float(seen.var())) + SPREAD_FLOOR_GREY
    change = (seen - then) / np.float32(spread)
    change -= np.median(change, axis=(0, 1))
    change = np.abs(change)
    most = np.maximum(np.maximum(change[..., 0], change[..., 1]), change[..., 2])
    much = cv2.resize(most, (cells, cells), interpolation=cv2.INTER_AREA) > ADDED.otherwise
    return np.asarray(cv2.dilate(much.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0, np.bool_)


def usual(now: float, then: float) -> float:
    """Return the standard deviation, in seeds, that is usual for the difference between two maps' numbers of seeds,
    `now` and `then`."""
    return math.sqrt(ADDED.sd**2 + ADDED.sd_each_now**2 * max(0.0, now) + ADDED.sd_each_then**2 * max(0.0, then))


def likely(now: float, then: float, held: int, spread: float = 1.0) -> NDArray[np.float64]:
    """Return float64[26], log-likelihoods of the counts. now, then: the seeds by the maps where the pit looks
    different; held: the known count then; spread: see `AddedSeedModel.spread`."""
    sd = spread * usual(now, then)
    off = (now - then - (np.arange(COUNTS) - held)) / sd
    near = (1 - ADDED.anyhow) * np.exp(-0.5 * off**2) / (sd * math.sqrt(2 * math.pi))
    return np.asarray(np.log(near + ADDED.anyhow / ADDED.anyhow_range), np.float64)
