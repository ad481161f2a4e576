"""How each pit looked in its present stay, and in those before it: a pit that looks as it did lies as it did.

A stay that was interrupted, by a shadow or a hand, is the same stay again once the pit looks as in it. So stays are
told apart by their numbers alone, and of two that differ it is kept how surely the pit was touched between them.
"""

from __future__ import annotations

from copy import deepcopy

import numpy as np
from numpy.typing import NDArray

from vision.seeds.knowledge.changes import touched_log_odds, touched_since, within
from vision.seeds.knowledge.known_counts import KnownCounts
from vision.seeds.parameters import CHANGE, STAYS

Cells = NDArray[np.float32]
Mask = NDArray[np.bool_]


class EarlierLooks:
    """Of every pit the looks of some stays, and the one in which it was last known what it holds.

    number: int64[pits], of the present one; earlier: int64[pits, `STAYS.remembered`], of those that are remembered, -1
    where there is none; changed: float32[pits, `STAYS.remembered`], log-odds that the pit was touched between each of
    these and the present one. known: what was known.
    """

    def __init__(self, cells: Cells) -> None:
        """cells: float32[pits, k, k], how the pits look, of which none was looked at."""
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
        """The same, of a board that was found elsewhere: what is cut out of the picture for a pit may be off by a
        little, and look otherwise for that alone. What is still counted where it lay has numbers of its own."""
        other = deepcopy(self)
        other._aside[:] = True
        other._newest += STAYS.remembered
        return other

    @property
    def as_known(self) -> Mask:
        """bool[pits]: those that look as when it was last known what they hold."""
        since = touched_since(self.known.stays, self.number, self.earlier, self.changed)
        return np.asarray(since <= CHANGE.same_log_odds)

    def last(self, pits: Mask) -> None:
        """The present stays of these pits, bool[pits], go on."""
        self._clock += 1
        at = self._at[pits]
        self._often[pits, at] += 1
        self._last[pits, at] = self._clock

    def take(self, pits: NDArray[np.intp], cells: Cells, even_grey: float) -> None:
        """These pits are looked at: each shows a stay that is remembered, or a new one. cells: float32[len(pits), k,
        k], how they look; even_grey: as of `vision.seeds.knowledge.changes.even_odds_grey`."""
        odds = touched_log_odds(within(cells)[:, None], within(self._cells[pits]), even_grey)
        odds[self.earlier[pits] < 0] = np.inf
        for pit, now, row in zip(pits.tolist(), cells, odds, strict=True):
            slot = self._alike(pit, row)
            if slot is None:
                slot = self._free(pit)
                self._newest[pit] += 1
                self.earlier[pit, slot], self._often[pit, slot] = self._newest[pit], 0
                row[slot] = 0.0
            row[self._aside[pit]] = np.minimum(row[self._aside[pit]], 0.0)
            self.changed[pit] = np.where(np.isinf(row), 0.0, row)
            self._at[pit], self.number[pit] = slot, self.earlier[pit, slot]
            self._cells[pit, slot], self._aside[pit, slot] = now, False

    def _alike(self, pit: int, odds: NDArray[np.float32]) -> int | None:
        """Where the stay is kept that a pit goes on with: the present one if it may be, or else the one of those that
        it may be that was seen the most often; None where it is a new one. odds: float32[`STAYS.remembered`], log-odds
        that it was touched since each."""
        alike = odds <= CHANGE.same_log_odds
        if alike[self._at[pit]]:
            return int(self._at[pit])
        return int(np.where(alike, self._often[pit], -1).argmax()) if alike.any() else None

    def _free(self, pit: int) -> int:
        """Where the next look is kept: in place of the one that was not seen for the longest time, of those that were
        seen but once if there are any."""
        return int(np.where(self.earlier[pit] < 0, -1, self._last[pit] + (self._often[pit] > 1) * (1 << 40)).argmin())
