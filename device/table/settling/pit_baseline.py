"""The stays in which the pits were when it was known what they held: a pit that is in that stay still holds it still.

How a pit looks is told by vision alone (`vision.seeds.knowledge.changes`): by the number of its stay, and how surely
it was touched between two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from device.table.parameters import EVIDENCE
from vision.reading import Reading
from vision.seeds.knowledge.changes import touched_since


@dataclass(frozen=True, slots=True)
class PitBaseline:
    """The pits at one time. stays: int64[pits], the numbers of their stays, -1 for a pit that was not seen; counts:
    int64[pits], what they held, -1 where that is not known."""

    stays: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, stays: NDArray[np.int64], counts: Sequence[int]) -> PitBaseline:
        """As the pits lie now, holding these counts."""
        return cls(stays, np.asarray(counts, np.int64))

    def without_counts(self) -> PitBaseline:
        """The same stays, where it is not known any more what the pits hold."""
        return replace(self, counts=np.full_like(self.counts, -1))


@dataclass
class NewestStays:
    """The stays in which the pits were in the newest readings that showed them. numbers: int64[pits], -1 where none
    did; earlier, changed: as of `vision.reading.Reading`."""

    numbers: NDArray[np.int64]
    earlier: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    changed: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))

    @classmethod
    def unseen(cls, pits: int) -> NewestStays:
        """Of pits that were not seen."""
        return cls(np.full(pits, -1, np.int64))

    def see(self, reading: Reading, pits: NDArray[np.bool_]) -> None:
        """Take these pits, bool[pits], from a reading; nothing from one that tells no stays."""
        if reading.stays is None or reading.earlier is None or reading.changed is None:
            return
        if self.earlier.shape != reading.earlier.shape:
            self.earlier, self.changed = np.full_like(reading.earlier, -1), np.zeros_like(reading.changed)
        self.numbers = np.where(pits, reading.stays, self.numbers)
        self.earlier = np.where(pits[:, None], reading.earlier, self.earlier)
        self.changed = np.where(pits[:, None], reading.changed, self.changed)

    @property
    def told(self) -> bool:
        """Whether any reading told of them."""
        return len(self.earlier) == len(self.numbers)

    def since(self, baseline: PitBaseline) -> NDArray[np.float64] | None:
        """float64[pits], log-odds that each pit was touched since; 0 where that is not known, None where it is of no
        pit."""
        if not self.told or len(baseline.stays) != len(self.numbers):
            return None
        return touched_since(baseline.stays, self.numbers, self.earlier, self.changed)


def untouched(log_odds: NDArray[np.float64]) -> NDArray[np.bool_]:
    """bool[pits]: those that look as they did, by the log-odds that they were touched."""
    return np.asarray(log_odds <= EVIDENCE.same_log_odds)


def plainly_touched(log_odds: NDArray[np.float64]) -> NDArray[np.bool_]:
    """bool[pits]: those that plainly look otherwise, by the same."""
    return np.asarray(log_odds >= EVIDENCE.touched_log_odds)
