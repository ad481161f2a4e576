"""Gather readings of a quiet board into evidence, and compare it with counts, without any rules."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from device.table.parameters import JUDGEMENT, LAYING, WAITING
from engine.referee.parameters import THRESHOLDS
from vision.reading import COUNTS, Reading


class Window:
    """The quiet readings of one rest.

    frames: number of readings; began, t: seconds, of the first and the newest one. Of the newest reading of each pit:
    loglik: float64[pits, 26], 0 if the pit was never open; seen: bool[pits], whether it was; stays: int64[pits], the
    number of its stay, -1 for unknown; earlier, changed: as in `vision.reading.Reading`.
    """

    def __init__(self, pits: int) -> None:
        """pits: the board's number of pits."""
        self.frames, self.began, self.t = 0, 0.0, 0.0
        self.loglik = np.zeros((pits, COUNTS))
        self.seen = np.zeros(pits, np.bool_)
        self.stays = np.full(pits, -1, np.int64)
        self.earlier: NDArray[np.int64] = np.full((pits, 0), -1, np.int64)
        self.changed: NDArray[np.float64] = np.zeros((pits, 0))
        self._sum, self._open = np.zeros((pits, COUNTS)), np.zeros((pits, 1), np.int64)

    def add(self, reading: Reading) -> None:
        """Add a counted reading."""
        seen, self.t = reading.seen, reading.time_ns / 1e9
        self.began = self.began if self.frames else self.t
        self.frames += 1
        self.loglik[seen] = reading.loglik[seen]
        self._sum[seen] += reading.loglik[seen]
        self._open[seen] += 1
        self.seen |= seen
        if reading.stays is None or reading.earlier is None or reading.changed is None:
            return
        if self.earlier.shape != reading.earlier.shape:
            self.earlier, self.changed = np.full_like(reading.earlier, -1), np.zeros(reading.changed.shape)
        self.stays[seen], self.earlier[seen] = reading.stays[seen], reading.earlier[seen]
        self.changed[seen] = reading.changed[seen]

    @property
    def seconds(self) -> float:
        """Time from the first reading to the last, seconds."""
        return self.t - self.began

    @property
    def enough(self) -> bool:
        """Whether it holds enough readings for a decision."""
        return self.frames >= WAITING.settle_frames

    @property
    def mean(self) -> NDArray[np.float64]:
        """float64[pits, 26]: the mean log-likelihood of each count over all readings in which the pit was open. As the
        light changes a pit is misread now so, now otherwise."""
        return np.asarray(self._sum / np.maximum(self._open, 1))

    @property
    def counts(self) -> NDArray[np.int64]:
        """int64[pits]: the likeliest count of each pit by itself."""
        return np.asarray(self.mean.argmax(axis=1), np.int64)

    def clearly_otherwise(self, counts: Sequence[int]) -> list[int]:
        """The seen pits that clearly differ from `counts`."""
        loglik = self.mean
        expected = np.minimum(np.asarray(counts), COUNTS - 1)
        lag = loglik.max(axis=1) - loglik[np.arange(len(loglik)), expected]
        return [int(p) for p in np.flatnonzero(self.seen & (lag > JUDGEMENT.clear_lead))]

    def otherwise(self, counts: Sequence[int]) -> list[int]:
        """The pits that are not seen, or whose likeliest count differs from `counts`."""
        return [int(p) for p in np.flatnonzero(~self.seen | (self.counts != np.minimum(counts, COUNTS - 1)))]

    def lies(self, counts: Sequence[int], *, nearly: bool = False) -> bool:
        """Whether `counts` may lie there: no pit clearly differs; nearly: but one in `LAYING.pits_per_wrong` may."""
        return len(self.clearly_otherwise(counts)) <= nearly * (len(self.seen) // LAYING.pits_per_wrong)

    def agrees(self, counts: Sequence[int]) -> bool:
        """Whether most pits agree with `counts`. A hidden pit does not, though a shadow may pass for a hand. One with
        seeds that is off by one counts half, as it is easily misread; but if a pit that should hold seeds is empty,
        somebody may have sown it, and all count."""
        read, clearly = self.counts, self.clearly_otherwise(counts)
        sown = any(read[p] == 0 < counts[p] for p in clearly)
        amiss = [1 if sown or counts[p] == 0 or abs(int(read[p]) - counts[p]) > 1 else 0.5 for p in clearly]
        return int((~self.seen).sum()) + sum(amiss) <= (1 - LAYING.agreeing_share) * len(read)

    def correlation(self, counts: Sequence[int]) -> float:
        """Correlation of the likeliest counts with `counts` over the pits; 0 if either are all the same. Even on a
        badly read board, more is read where more lies."""
        read, there = self.counts, np.asarray(counts)
        return float(np.corrcoef(read, there)[0, 1]) if np.ptp(read) and np.ptp(there) else 0.0

    def unclear(self) -> list[int]:
        """The pits that are not seen, whose likeliest count is not sure, or that hold more than can be counted."""
        loglik = self.mean
        odds = np.exp(loglik - loglik.max(axis=1, keepdims=True))
        sure = (1 / odds.sum(axis=1)) >= THRESHOLDS.likely
        return [int(p) for p in np.flatnonzero(~(self.seen & sure & (self.counts < COUNTS - 1)))]
