"""How much of its pit a heap takes up: at one table each seed takes up about as much as any other.

The counter looks at each pit by itself, and may take one seed with facets for a heap of tiny ones. Compared with the
same pit's empty picture, the share of the pit that looks different is nearly the share of one seed times the number of
seeds. The share of one seed, and the spread of heaps about that rule, are learnt from pits whose count is known
(`SeedAreaModel.learn`): two numbers per table. This helps most where there are few seeds, since seeds in heaps hide one
another.
"""

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.crops import MARGIN
from vision.seeds.parameters import SEED_AREA

Array = NDArray[np.float64]
Crops = NDArray[np.uint8]

SIDE = 40
"""Pixels of a side of the pictures that are held beside one another."""

_Y, _X = (np.indices((SIDE, SIDE)) + 0.5) * 2 * MARGIN / SIDE - MARGIN
_WITHIN, _ROUND = np.hypot(_X, _Y) < 1.0, np.hypot(_X, _Y) > 1.02
_ONES = np.exp(np.linspace(np.log(0.01), np.log(0.5), 80))
"""Shares that one seed may take up."""


class SeedAreaModel:
    """How much of a pit this table's seeds take up. Before the first lesson nothing is known, and every count is
    equally likely."""

    def __init__(self) -> None:
        """Start with no pit known."""
        self._known: deque[tuple[int, float]] = deque(maxlen=SEED_AREA.kept_pits)
        self._expected: Array | None = None
        self._spread = SEED_AREA.usual_sd

    def learn(self, crops: Crops, empties: Crops, counts: NDArray[np.int64]) -> None:
        """Learn known counts, int[pits], -1 where unknown. crops: the pits' pictures uint8[pits, s, s, 3]; empties: the
        same pits empty, black where unknown."""
        told = np.flatnonzero((counts >= 0) & (counts < COUNTS - 1) & _any(empties))
        self._known.extend((int(counts[k]), changed_share(crops[k], empties[k])) for k in told)
        few = np.array([one for one in self._known if 0 < one[0] <= SEED_AREA.plain_seeds]).reshape(-1, 2)
        if len(few) < SEED_AREA.fewest_pits:
            return
        nothing = float(np.median([share for n, share in self._known if n == 0] or [0.0]))
        off = _log_share(few[:, 1]) - _log_share(_expected(_ONES[:, None], few[:, 0], nothing))
        best = int(np.median(np.abs(off), axis=1).argmin())
        self._expected = _expected(_ONES[best], np.arange(COUNTS - 1.0), nothing)
        much = float((np.clip(off[best], -1, 1) ** 2).sum()) + SEED_AREA.usual_held * SEED_AREA.usual_sd**2
        self._spread = float(np.sqrt(much / (len(few) + SEED_AREA.usual_held)))

    def say(self, crops: Crops, empties: Crops) -> NDArray[np.float32]:
        """Return float32[n, 26], the evidence of the heaps' shares for each count: log-likelihoods up to a constant
        per pit; 0 for a pit whose empty picture, in `empties`, is black."""
        said = np.zeros((len(crops), COUNTS), np.float32)
        if self._expected is None:
            return said
        seeds = np.arange(COUNTS - 1.0)
        spread = np.hypot(self._spread, SEED_AREA.sd_each * np.sqrt(np.maximum(0.0, seeds - 3)))
        for k in np.flatnonzero(_any(empties)):
            off = _log_share(changed_share(crops[k], empties[k])) - _log_share(self._expected)
            said[k, :-1] = -0.5 * SEED_AREA.weight * np.minimum((off / spread) ** 2, SEED_AREA.most_off)
            said[k, -1] = said[k, -2]
        return said


def changed_share(crop: Crops, empty: Crops) -> float:
    """Return the share of the pit that looks different from the empty pit. The rim tells what light is on the pit now,
    so that a change of light does not count. crop, empty: uint8[s, s, 3]."""
    change = _logs(crop) - _logs(empty)
    change -= np.median(change[_ROUND], axis=0)
    return float((np.abs(change[_WITHIN]).max(axis=1) > SEED_AREA.otherwise).mean())


def _logs(crop: Crops) -> NDArray[np.float32]:
    """float32[side, side, 3], natural log of light."""
    small = cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(np.log(small.astype(np.float32) + np.float32(SEED_AREA.light_floor_grey)), np.float32)


def _expected(one: Array | float, seeds: Array, nothing: float) -> Array:
    """Return the share that so many seeds take up. one: the share of a single seed; nothing: the share that looks
    different in an empty pit."""
    return np.asarray(nothing + SEED_AREA.full_share * (1 - np.exp(-one * seeds / SEED_AREA.full_share)))


def _log_share(share: Array | float) -> Array:
    """Return the natural log of shares of a pit; a small share is added, so that 0 has one, too."""
    return np.asarray(np.log(share + SEED_AREA.nothing_share), np.float64)


def _any(empties: Crops) -> NDArray[np.bool_]:
    return np.asarray(empties.reshape(len(empties), -1).any(axis=1))
