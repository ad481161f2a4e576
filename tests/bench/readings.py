"""A model of the eye at the level of readings, to try the judge without pictures, and Wilson's interval."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.judge import COUNTS, Evidence, Timeline

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


FRAMES, HIDDEN, BLUR, SAME = 10.0, 0.3, 4.0, 0.8
"""While hands are in play: readings a second, share of the pits that a hand covers besides the one it is at, how many
times as often a pit is misread, and how often one that nobody touches any more is read as it is afterwards."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """How people play. drop_s: seconds a drop; answered: share of the legal moves that the opponent answers with his
    hand in before the last one is away, so that both are one disturbance."""

    name: str
    drop_s: float
    answered: float


NORMAL = Tempo("normal pace", 1 / 3, 0.02)
"""3 drops a second, a second between turns: now and then somebody does not wait."""
FAST = Tempo("fast", 1 / 6, 0.35)
"""6 drops a second, 0.2 s between turns, hands that overlap."""


def timeline(rng: random.Random, boards: NDArray[np.int64], final: Evidence, *, worse: float = 1.0,
             drop_s: float = NORMAL.drop_s) -> Timeline:
    """What the same eye would read while a move passes through these boards (`engine.judge.witness.passed`). A pit that
    nobody touches is misread in the same way in every frame, and mostly as in the `final` evidence. drop_s: seconds a
    drop."""
    pits = boards.shape[1]
    stays: dict[tuple[int, int], NDArray[np.float64]] = {}
    loglik, seen = [], []
    number = np.zeros(pits, np.int64)
    last = (np.diff(boards, axis=0) != 0).sum(axis=0)
    clock = 0.0
    for k, board in enumerate(boards):
        touched = [] if k == 0 else [int(p) for p in np.flatnonzero(board != boards[k - 1])]
        number[touched] += 1
        clock += drop_s * FRAMES * rng.uniform(0.6, 1.5)
        for _ in range(int(clock)):
            row = np.empty((pits, COUNTS))
            for pit in range(pits):
                key = (pit, int(number[pit]))
                if key not in stays and number[pit] == last[pit] and rng.random() < SAME:
                    stays[key] = final.loglik[pit]
                if key not in stays:
                    stays[key] = evidence(rng, (int(board[pit]),), worse=worse * BLUR).loglik[0]
                row[pit] = stays[key]
            first = rng.randrange(pits)
            hidden = [(first + i) % pits for i in range(round(HIDDEN * pits))] + touched
            loglik.append(row)
            seen.append([p not in hidden for p in range(pits)])
        clock %= 1
    return Timeline(np.array(loglik).reshape(-1, pits, COUNTS), np.array(seen, bool).reshape(-1, pits))


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
