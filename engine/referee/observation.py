"""What the referee is told: how the pits show at one time, and what was seen of them since the time before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Mask = NDArray[np.bool_]

COUNTS = 26
"""Width of a count's distribution: 0…24, and the last for "more"."""


@dataclass(frozen=True)
class Look:
    """One counted reading while hands were in play.

    t: seconds. loglik: float64[pits, 26], log-likelihoods of each pit's count in its present stay, up to a constant a
    pit; seen: bool[pits], False under a hand; stays: int64[pits], the number of each pit's stay; hands: whether South's
    and North's were over the board since the look before.
    """

    t: float
    loglik: F64
    seen: Mask
    stays: I64
    hands: tuple[bool, bool]


@dataclass(frozen=True)
class Observation:
    """The board as it shows at a rest, or where one hand hands over to the other.

    t: seconds, of its newest reading. loglik, seen, stays: as of `Look`, of the newest reading of each pit. earlier:
    int64[pits, k], the numbers of earlier stays of each pit, -1 for none, and changed: float64[pits, k], log-odds that
    the pit was touched between each of these and the present one. hands:
    greatest share of the board that South's and North's hands covered since then. rest_s: seconds for which nobody has
    been there; 0 at a handover. began: seconds, when the first hand came since the observation before. looks: what was
    seen meanwhile, in order of time. last: nothing follows, for the recording ends.
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
    looks: tuple[Look, ...] = ()
    last: bool = False

    @property
    def disturbed(self) -> bool:
        """Whether any hand was there since the observation before."""
        return max(self.hands) > 0.0
