"""The referee's input: how the pits look at one time, and what was seen of them since the time before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Mask = NDArray[np.bool_]

COUNTS = 26
"""Length of a count's distribution: 0…24, and the last entry for "more"."""


@dataclass(frozen=True)
class LookUnderHands:
    """One counted reading while hands were in play.

    t: seconds. loglik: float64[pits, 26], log-likelihoods of each pit's count in its present stay, up to a constant a
    pit; seen: bool[pits], False under a hand; stays: int64[pits], the number of each pit's stay; hands: whether South's
    and North's were over the board since the previous look.
    """

    t: float
    loglik: F64
    seen: Mask
    stays: I64
    hands: tuple[bool, bool]


@dataclass(frozen=True)
class Observation:
    """The board as it looks at a rest, or when one hand hands over to the other.

    t: seconds, of its newest reading. loglik, seen, stays: as in `LookUnderHands`, of the newest reading of each pit.
    earlier: int64[pits, k], the numbers of earlier stays of each pit, -1 for none, and changed: float64[pits, k],
    log-odds that the pit was touched between each of these and the present one. hands: greatest share of the board that
    South's and North's hands covered since the previous observation. rest_s: seconds without any hand; 0 while one is
    there. began, left: seconds, when the first hand since then came, and when the last one left. looks: what was seen
    meanwhile, in order of time. last: nothing follows, because the recording ends. together: of the time of the hand
    that was there less, the share in which the other side's was there, too; earlier_s: seconds by which South's hand
    left before North's, negative if it stayed longer. unwatched: seconds, until when nobody watched since the
    previous observation, 0 if somebody always did; lasts: when each side's hand was last seen since then.
    """

    t: float
    loglik: F64
    seen: Mask
    stays: I64
    earlier: I64
    changed: F64
    hands: tuple[float, float]
    rest_s: float
    began: float
    left: float
    looks: tuple[LookUnderHands, ...] = ()
    last: bool = False
    together: float = 0.0
    earlier_s: float = 0.0
    unwatched: float = 0.0
    lasts: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of_counts(cls, counts: Sequence[int], *, hands: tuple[float, float] = (0.001, 0.001),
                  sure_nats: float = 60.0, or_counts: Sequence[int] = ()) -> Observation:
        """Return an observation of counts that people counted or that were read. hands: as in the class, by default too
        faint to tell whose; sure_nats: against any other count; or_counts: for each pit another count that is as
        likely."""
        pits = np.arange(len(counts))
        loglik = np.full((len(counts), COUNTS), -sure_nats)
        for some in filter(len, (counts, or_counts)):
            loglik[pits, np.minimum(some, COUNTS - 1)] = 0.0
        none = np.zeros((len(counts), 0))
        return cls(0.0, loglik, np.ones(len(counts), np.bool_), pits, none.astype(np.int64), none, hands, 60.0, 0.0,
                   0.0, last=True)

    @property
    def disturbed(self) -> bool:
        """Whether a hand was there since the previous observation, or may have been."""
        return max(self.hands) > 0.0 or self.unwatched > 0.0

    def plainly_off(self, counts: Sequence[int]) -> Mask:
        """bool[pits], the pits that are read by two seeds or more otherwise than these counts, or as empty where one is
        full or the reverse."""
        read, held = self.loglik.argmax(axis=1), np.minimum(counts, COUNTS - 1)
        return np.asarray((np.abs(read - held) >= 2) | ((read == 0) != (held == 0)))
