"""A model of the eye at the level of readings, to try the judge without pictures, and Wilson's interval."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from engine.judge import COUNTS, Evidence

ERRS: tuple[tuple[int, float], ...] = ((0, 0.0005), (4, 0.001), (8, 0.005), (14, 0.03), (999, 0.1))
"""Up to so many seeds, how often the most likely count of a pit is wrong."""


def evidence(rng: random.Random, counts: Sequence[int], hands: tuple[float, float] = (0.0, 0.0), *,
             worse: float = 1.0) -> Evidence:
    """What an eye with these error rates, times `worse`, would make of a board: at times sure and wrong, or right and
    unsure."""
    loglik = np.empty((len(counts), COUNTS))
    for pit, true in enumerate(counts):
        err = min(0.5, worse * next(e for most, e in ERRS if true <= most))
        read, sure = min(true, COUNTS - 1), 1 - rng.uniform(0.0001, 0.003)
        if rng.random() < err:
            read = max(0, min(COUNTS - 1, true + rng.choice((-1, -1, -1, 1, 1, 1, -2, 2))))
            sure = 0.995 if rng.random() < 0.15 else rng.uniform(0.4, 0.95)
        elif rng.random() < 3 * err:
            sure = rng.uniform(0.45, 0.95)
        loglik[pit] = _around(read, sure, true if read != true else rng.choice((read - 1, read + 1)))
    return Evidence(loglik, np.ones(len(counts), bool), 6, hands)


def _around(read: int, sure: float, second: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    p = np.exp(-1.5 * np.abs(np.arange(COUNTS) - read) - 6)
    p[max(0, min(COUNTS - 1, second))] += 3
    p[read] = 0
    p *= (1 - sure) / p.sum()
    p[read] = sure
    return np.asarray(np.log(p / p.sum()))


def wilson(hits: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share; (0, 1) of nothing."""
    if not n:
        return (0.0, 1.0)
    p, zz = hits / n, z * z
    mid, half = p + zz / (2 * n), z * ((p * (1 - p) + zz / (4 * n)) / n) ** 0.5
    return (max(0.0, (mid - half) / (1 + zz / n)), min(1.0, (mid + half) / (1 + zz / n)))


def share(hits: int, n: int) -> str:
    """`3/200 = 1.5 % [0.5, 4.3]`."""
    low, high = wilson(hits, n)
    return f"{hits}/{n} = {100 * hits / max(1, n):.2f} % [{100 * low:.2f}, {100 * high:.2f}]"
