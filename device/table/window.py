"""Readings of a quiet board gathered into evidence, and what can be said of them without any rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from device.table.parameters import EVIDENCE
from vision.reading import COUNTS, Reading

Array = NDArray[np.float64]


class Window:
    """Quiet readings of one stretch.

    Frames that follow one another show the same seeds in the same light, so their errors are the same too: the
    log-likelihoods are averaged, not added up. That takes the camera's noise out and claims no more than one frame
    knows.
    """

    def __init__(self, pits: int) -> None:
        """pits: of the board."""
        self.frames = 0
        self.first_ns = self.last_ns = 0
        self._sum = np.zeros((pits, COUNTS))
        self._stays = np.full(pits, -1, np.int64)
        self._seen = np.zeros(pits, np.int64)

    def add(self, reading: Reading) -> None:
        """Take in a counted reading. One of another number of pits than the window's raises ValueError."""
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
        """From the first reading to the last."""
        return (self.last_ns - self.first_ns) / 1e9

    @property
    def seen(self) -> NDArray[np.bool_]:
        """bool[pits]: open in enough of the readings."""
        return (self._seen > 0) & (self._seen >= EVIDENCE.seen_share * self.frames)

    @property
    def loglik(self) -> Array:
        """float64[pits, 26]: the mean over the readings in which the pit was open; zero where it never was."""
        return np.asarray(self._sum / np.maximum(self._seen, 1)[:, None])

    @property
    def stays(self) -> NDArray[np.int64] | None:
        """int64[pits]: the number of each pit's stay, -1 where it was not seen; None where no reading told of it."""
        return np.where(self.seen, self._stays, -1) if (self._stays >= 0).any() else None

    @property
    def counts(self) -> NDArray[np.int64]:
        """int[pits]: the likeliest count of each pit, by itself."""
        return np.asarray(self.loglik.argmax(axis=1), np.int64)

    @property
    def read(self) -> tuple[int, ...]:
        """The same, to be held against another time's."""
        return tuple(self.counts.tolist())

    def clearly_otherwise(self, counts: Sequence[int]) -> list[int]:
        """The seen pits that are read clearly otherwise than `counts` says."""
        loglik = self.loglik
        expected = np.minimum(np.asarray(counts), COUNTS - 1)
        lag = loglik.max(axis=1) - loglik[np.arange(len(loglik)), expected]
        return [int(p) for p in np.flatnonzero(self.seen & (lag > EVIDENCE.clear_lead))]

    def otherwise(self, counts: Sequence[int]) -> list[int]:
        """The pits that are not seen, or whose likeliest count is another."""
        return [int(p) for p in np.flatnonzero(~self.seen | (self.counts != np.asarray(counts)))]

    def correlation(self, counts: Sequence[int]) -> float:
        """Correlation of the likeliest counts with `counts` over the pits; 0 where either are all the same. A table
        that is read badly all over has still more read in it where more lies."""
        read, there = self.counts, np.asarray(counts)
        return float(np.corrcoef(read, there)[0, 1]) if len(set(read.tolist())) > 1 < len(set(there.tolist())) else 0.0

    def clear(self) -> bool:
        """Every pit is seen, and each one's likeliest count is sure."""
        return not self.unclear()

    def unclear(self) -> list[int]:
        """The pits that are not seen, whose likeliest count is not sure, or that hold more than can be counted."""
        loglik = self.loglik
        odds = np.exp(loglik - loglik.max(axis=1, keepdims=True))
        sure = (1 / odds.sum(axis=1)) >= EVIDENCE.clear_odds
        return [int(p) for p in np.flatnonzero(~(self.seen & sure & (self.counts < COUNTS - 1)))]
