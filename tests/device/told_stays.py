"""Stays as vision tells them, without pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.reading import Reading

REMEMBERED = 6
PLAINLY, HARDLY = 6.0, 0.0
"""Log-odds that a pit was touched that plainly looks otherwise, and of one of which that cannot be said."""


def in_stays(reading: Reading, numbers: Sequence[int] | NDArray[np.int64], odds: float | Sequence[float] = PLAINLY
             ) -> Reading:
    """The same reading of pits that are in these stays, of 0 to 5. odds: log-odds, of each pit or of all, that it was
    touched between its stay and every other."""
    stays = np.asarray(numbers, np.int64)
    shape = (len(stays), REMEMBERED)
    changed = np.broadcast_to(np.asarray(odds, np.float32).reshape(-1, 1), shape)
    return replace(reading, stays=stays, earlier=np.tile(np.arange(REMEMBERED), (len(stays), 1)), changed=changed)
