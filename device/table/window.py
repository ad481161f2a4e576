"""Gather readings of a quiet board into evidence, and compare it with counts, without any rules."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from device.table.parameters import EVIDENCE
from vision.reading import COUNTS, Reading

Array = NDArray[np.float64]


class Window:
    """The quiet readings of one rest.

    Successive frames show the same seeds in the same light, so they err alike: their log-likelihoods are averaged, not
    added. This removes the camera's noise and claims no more than one frame knows.
    """

    def __init__(self, pits: int) -> None:
        """pits: the board's number of pits."""
        self.frames = 0
        self.first_ns = self.last_ns = 0
        self._sum = np.zeros((pits, COUNTS))
        self._stays = np.full(pits, -1, np.int64)
        self._seen = np.zeros(pits, np.int64)

    def add(self, reading: Reading) -> None:
        """Add a counted reading. Raises ValueError for another number of pits than the window's."""
        if reading.loglik.shape != self._sum.shape:
            raise ValueError(f"a reading of {len(reading.loglik)} pits for a board of {len(self._sum)}")
        if not self.frames:
            self.first_ns = reading.time_ns
        self.last_ns = reading.time_ns
        self.frames += 1
        self._sum += np.where(reading.seen[:, None], reading.loglik, 0.0)
        self._seen += reading.seen
        if reading.stays is not None:
            self._stays = np.where(reading.seen, reading.stays, self._stays)

    @property
    def seconds(self) -> float:
        """Time from the first reading to the last, seconds."""
        return (self.last_ns - self.first_ns) / 1e9

    @property
    def seen(self) -> NDArray[np.bool_]:
        """bool[pits]: whether the pit was open in enough of the readings."""
        return (self._seen > 0) & (self._seen >= EVIDENCE.seen_share * self.frames)

    @property
    def loglik(self) -> Array:
        """float64[pits, 26]: the mean log-likelihood over the readings in which the pit was open; 0 if it never was."""
        return np.asarray(self._sum / np.maximum(self._seen, 1)[:, None])

    @property
    def stays(self) -> NDArray[np.int64] | None:
        """int64[pits]: the number of each pit's stay, -1 if it was not seen; None if no reading had stays."""
        return np.where(self.seen, self._stays, -1) if (self._stays >= 0).any() else None

    @property
    def counts(self) -> NDArray[np.int64]:
        """int64[pits]: the likeliest count of each pit by itself."""
        return np.asarray(self.loglik.argmax(axis=1), np.int64)

    @property
    def read(self) -> tuple[int, ...]:
        """The likeliest counts as a tuple, for comparisons."""
        return tuple(self.counts.tolist())

    def clearly_otherwise(self, counts: Sequence[int]) -> list[int]:
        """The seen pits that clearly differ from `counts`."""
        loglik = self.loglik
        expected = np.minimum(np.asarray(counts), COUNTS - 1)
        lag = loglik.max(axis=1) - loglik[np.arange(len(loglik)), expected]
        return [int(p) for p in np.flatnonzero(self.seen & (lag > EVIDENCE.clear_lead))]

    def otherwise(self, counts: Sequence[int]) -> list[int]:
        """The pits that are not seen, or whose likeliest count differs from `counts`."""
        return [int(p) for p in np.flatnonzero(~self.seen | (self.counts != np.asarray(counts)))]

    def correlation(self, counts: Sequence[int]) -> float:
        """Correlation of the likeliest counts with `counts` over the pits; 0 if either are all the same. Even on a
        badly read board, more is read where more lies."""
        read, there = self.counts, np.asarray(counts)
        return float(np.corrcoef(read, there)[0, 1]) if len(set(read.tolist())) > 1 < len(set(there.tolist())) else 0.0

    def clear(self) -> bool:
        """Whether every pit is seen and its likeliest count is sure."""
        return not self.unclear()

    def unclear(self) -> list[int]:
        """The pits that are not seen, whose likeliest count is not sure, or that hold more than can be counted."""
        loglik = self.loglik
        odds = np.exp(loglik - loglik.max(axis=1, keepdims=True))
        sure = (1 / odds.sum(axis=1)) >= EVIDENCE.clear_odds
        return [int(p) for p in np.flatnonzero(~(self.seen & sure & (self.counts < COUNTS - 1)))]
