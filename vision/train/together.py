"""Fits how the pits of a board are misread alike: some of the numbers of `vision.seeds.parameters.WholeBoardPriors`.

Of a table whose seeds look like its wood the counter misses many, in every pit; of one whose seeds have two faces it
sees too many. A third way, floors that look like seeds, is fitted as well, so that such tables do not pass for one of
the others. It is not used: with it any board of large heaps could be an empty one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.parameters import WHOLE_BOARD, WholeBoardPriors
from vision.seeds.whole_board import leads, log_ways, ways_of_seeing

F64 = NDArray[np.float64]
Image = NDArray[np.uint8]

LEAST = 14.0
"""Pits of a lesser radius, in pixels, are left out."""
FEWEST = 4
"""Pits that are known of a table at least."""
TURNS = 4
"""Positions that the pits are read in."""
STEPS = (0.4, 0.2, 0.1, 0.05, 0.02)
"""Steps of the search, one after the other; probabilities are moved on the scale of their logits."""


class LessonReader(Protocol):
    """What reads pits: `vision.seeds.counter.Reader`."""

    def read(self, pictures: Image, turns: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """See `vision.seeds.counter.Reader.read`."""


@dataclass(frozen=True, slots=True)
class SeenTable:
    """A table's pits. odds: float64[pits, 26], what each says alone; counts: int64[pits], what they hold."""

    odds: F64
    counts: NDArray[np.int64]


def tables(reader: LessonReader, pictures: Image, labels: NDArray[np.uint8], radii: NDArray[np.float32],
           ratios: NDArray[np.float32]) -> Iterator[SeenTable]:
    """Read the pits of lessons, table by table: neighbours with the same ratio. Arguments: see
    `vision.train.fine.fine_batch`."""
    ends = [*(np.flatnonzero(np.diff(ratios)) + 1).tolist(), len(ratios)]
    for first, end in zip([0, *ends[:-1]], ends, strict=True):
        some = np.arange(first, end)
        some = some[(labels[some] < COUNTS - 1) & (radii[some] >= LEAST)]
        if len(some) >= FEWEST:
            loglik, _ = reader.read(pictures[some], TURNS)
            odds = np.exp(loglik.astype(np.float64))
            yield SeenTable(odds / odds.sum(axis=1, keepdims=True), labels[some].astype(np.int64))


def fitted(seen: Sequence[SeenTable], steps: Sequence[float] = STEPS) -> dict[str, float | tuple[float, ...]]:
    """Return the values under which the true counts are likeliest, by name. steps: of the search, one after the
    other."""
    def log_likelihood(at: F64) -> float:
        priors, floor, log_odds_floor = _priors(at)
        return sum(_log_likelihood(table, priors, floor, log_odds_floor) for table in seen)

    start = np.array([0.0, -1.0, -1.0, -2.0, 0.5, 1.5, -2.0])
    priors, _, _ = _priors(_climbed(log_likelihood, start, steps))
    return {"missed": priors.missed, "doubled": priors.doubled, "log_odds": priors.log_odds,
            "for_each_nat": priors.for_each_nat}


def _priors(at: F64) -> tuple[WholeBoardPriors, float, float]:
    """The priors at a point of the search; besides, the mean number of seeds that floors look like, and the log-odds
    that they do."""
    missed, doubled = (round(float(1 / (1 + np.exp(-v))), 3) for v in at[:2])
    like_wood, twice, nat = (round(float(v), 3) for v in at[2:5])
    return (replace(WHOLE_BOARD, missed=missed, doubled=doubled, log_odds=(like_wood, twice), for_each_nat=nat),
            float(np.exp(at[5])), float(at[6]))


def _log_likelihood(table: SeenTable, priors: WholeBoardPriors, floor: float, log_odds_floor: float) -> float:
    """Log-probability of the true counts of a table."""
    share = np.exp(leads(table.odds) / priors.sure_nats)
    pits = np.arange(len(table.counts))
    each = ways_of_seeing(table.odds, priors)[:, pits, table.counts]
    like = np.exp(np.arange(COUNTS) * np.log(floor) - floor - _log_factorial())
    floored = np.array([odds[n:] @ like[: COUNTS - n] for odds, n in zip(table.odds, table.counts, strict=True)])
    each = np.concatenate((each, ((1 - share) * table.odds[pits, table.counts] + share * floored)[None]))
    ways = log_ways(table.odds, replace(priors, log_odds=(*priors.log_odds, log_odds_floor)))
    return float(np.logaddexp.reduce(ways + np.log(np.maximum(each, 0.002 / COUNTS)).sum(axis=1)))


def _log_factorial() -> F64:
    return np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, COUNTS)))))


def _climbed(value: Callable[[F64], float], at: F64, steps: Sequence[float]) -> F64:
    """The point where a function is greatest, by steps along one axis after the other (Hooke and Jeeves 1961)."""
    best = value(at)
    for step in steps:
        moved = True
        while moved:
            moved = False
            for k in range(len(at)):
                for by in (-step, step):
                    other = at.copy()
                    other[k] += by
                    if (found := value(other)) > best:
                        at, best, moved = other, found, True
    return at
