"""How each pit looked in its present stay and in earlier ones: a pit that looks as it did then holds the same seeds.

A shadow or a hand may interrupt a stay: it is the same stay again, with the same number, once the pit looks as before.
For two different stays, the log-odds are kept that the pit was touched between them.
"""

from __future__ import annotations

from copy import deepcopy

import numpy as np
from numpy.typing import NDArray

from vision.seeds.knowledge.changes import touched_log_odds, touched_since, within
from vision.seeds.knowledge.known_counts import KnownCounts
from vision.seeds.parameters import STAYS, TOUCH

Cells = NDArray[np.float32]
Mask = NDArray[np.bool_]


class EarlierLooks:
    """For every pit, its looks in some stays, and the stay in which its count was last known.

    number: int64[pits], the present stays; earlier: int64[pits, `STAYS.remembered`], the remembered stays, -1 for none;
    changed: float32[pits, `STAYS.remembered`], log-odds that the pit was touched between each of these and the present
    one. known: the known counts.
    """

    def __init__(self, cells: Cells) -> None:
        """cells: float32[pits, k, k], how the pits look; none counts as looked at yet."""
        many = (len(cells), STAYS.remembered)
        self.number = np.full(len(cells), -1, np.int64)
        self.earlier, self.changed = np.full(many, -1, np.int64), np.zeros(many, np.float32)
        self._cells = np.repeat(cells[:, None], STAYS.remembered, axis=1)
        self._at = np.zeros(len(cells), np.int64)
        self._often, self._last = np.zeros(many, np.int64), np.zeros(many, np.int64)
        self._aside = np.zeros(many, np.bool_)
        self._newest, self._clock = self.number.copy(), 0
        self.known = KnownCounts.none(len(cells))

    @property
    def present(self) -> Cells:
        """float32[pits, k, k], how each pit looked at its newest look."""
        return np.asarray(self._cells[np.arange(len(self._at)), self._at])

    def found_aside(self) -> EarlierLooks:
        """Return a copy for the same board found at another place. There a pit may be cut out a little beside its old
        place, and look different for that reason alone. Countings still under way at the old place keep numbers of
        their own."""
        other = deepcopy(self)
        other._aside[:] = True
        other._newest += STAYS.remembered
        return other

    @property
    def as_known(self) -> Mask:
        """bool[pits]: the pits that look as they did when their count was last known."""
        since = touched_since(self.known.stays, self.number, self.earlier, self.changed)
        return np.asarray(since <= TOUCH.same_log_odds)

    def last(self, pits: Mask) -> None:
        """Note that the present stays of these pits, bool[pits], were seen once more."""
        self._clock += 1
        at = self._at[pits]
        self._often[pits, at] += 1
        self._last[pits, at] = self._clock

    def take(self, pits: NDArray[np.intp], cells: Cells, even_grey: float) -> None:
        """Look at pits: each shows a remembered stay, or a new one. cells: float32[len(pits), k, k], how they look;
        even_grey: see `vision.seeds.knowledge.changes.even_odds_grey`."""
        odds = touched_log_odds(within(cells)[:, None], within(self._cells[pits]), even_grey)
        odds[self.earlier[pits] < 0] = np.inf
        for pit, now, row in zip(pits.tolist(), cells, odds, strict=True):
            slot = self._continued_slot(pit, row)
            if slot is None:
                slot = self._free(pit)
                self._newest[pit] += 1
                self.earlier[pit, slot], self._often[pit, slot] = self._newest[pit], 0
                row[slot] = 0.0
            row[self._aside[pit]] = np.minimum(row[self._aside[pit]], 0.0)
            self.changed[pit] = np.where(np.isinf(row), 0.0, row)
            self._at[pit], self.number[pit] = slot, self.earlier[pit, slot]
            self._cells[pit, slot], self._aside[pit, slot] = now, False

    def _continued_slot(self, pit: int, odds: NDArray[np.float32]) -> int | None:
        """Return the slot of the stay that a pit continues: the present one if possible, else the possible one that was
        seen most often; None for a new stay. odds: float32[`STAYS.remembered`], log-odds that the pit was touched since
        each."""
        possible = odds <= TOUCH.same_log_odds
        if possible[self._at[pit]]:
            return int(self._at[pit])
        return int(np.where(possible, self._often[pit], -1).argmax()) if possible.any() else None

    def _free(self, pit: int) -> int:
        """Return the slot for a new stay: that of the stay not seen for the longest time, preferably among those seen
        only once."""
        return int(np.where(self.earlier[pit] < 0, -1, self._last[pit] + (self._often[pit] > 1) * (1 << 40)).argmin())
