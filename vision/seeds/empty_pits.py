"""How the pits of this table look with nothing in them: grain, rim, varnish and light are then no riddle any more.

The counter takes such a picture beside the one that it counts in (`vision.train.nets.Counter`). They come from the
empty board before the game, and from pits that are known to be empty later. Whether they help is seen at every lesson:
what is known to lie there is read with and without them, and where that goes the worse for them they are not used.

Where lamps mirrored in the bowls pass for seeds, they do so in all of them alike: a pit of which no empty picture is
known is then read beside what is usual in those that have one.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Crops = NDArray[np.uint8]

KEEP = 0.8
"""Share of what earlier lessons said for or against the empty pictures that is left at the next one."""
WORST = -3.0
"""Nats by which one pit speaks against them, or the other way for them, at most: of one misread pit nothing follows."""
TRIED = 6
"""Pits that are read both ways at a lesson, each time others: reading costs, and there may be a lesson every move."""
HARM = -4.0
"""Nats in all from which on they are not used."""

FOOLED, MOSTLY = 3, 0.5
"""Empty pits that have to be read as holding something, and their share of all empty ones, for bowls to mirror."""


class Counts(Protocol):
    """What reads pits: `vision.seeds.counter.Reader`."""

    def read(
        self, pictures: Crops, turns: int = 1, first: int = 0, empties: Crops | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]: ...


class Empties:
    """The empty pictures of one board as it lies now. Before the first lesson there are none."""

    def __init__(self, counter: Counts) -> None:
        self._counter = counter
        self._bare: Crops | None = None
        self._usual: Crops | None = None
        self._worth, self._lessons = 0.0, 0
        self._asked = self._fooled = 0

    @property
    def known(self) -> NDArray[np.bool_]:
        """bool[pits]: which pits have one; of length 0 before the first."""
        if self._bare is None:
            return np.zeros(0, np.bool_)
        return np.asarray(self._bare.reshape(len(self._bare), -1).any(axis=1))

    @property
    def help(self) -> bool:
        """Whether they are used."""
        return self._worth > HARM

    @property
    def mirrors(self) -> bool:
        """Whether something is read in most pits that are empty, so that what is there has to be in all of them."""
        return self._fooled >= max(FOOLED, MOSTLY * self._asked)

    def of(self, pits: NDArray[np.intp]) -> Crops | None:
        """uint8[len(pits), s, s, 3], black for a pit that has none; None where none of them has, or they do harm."""
        if self._bare is None or not self.help:
            return None
        bare = self._beside(pits)
        return bare if bare.any() else None

    def bare(self, crops: Crops, pits: NDArray[np.intp]) -> Crops:
        """uint8[len(pits), s, s, 3], how these pits looked when they were empty, black where that is not known. crops:
        all pits' now, whose size they have to have."""
        if self._bare is None or self._bare.shape != crops.shape:
            return np.zeros((len(pits), *crops.shape[1:]), np.uint8)
        return self._bare[pits]

    def _beside(self, pits: NDArray[np.intp]) -> Crops:
        assert self._bare is not None
        bare = self._bare[pits]
        if self.mirrors and self._usual is not None:
            bare[~self.known[pits]] = self._usual
        return bare

    def learn(self, crops: Crops, counts: NDArray[np.int64]) -> None:
        """In these pictures uint8[pits, s, s, 3] lie so many, int[pits]; -1 where that is not known."""
        if self._bare is None or len(self._bare) != len(crops):
            self._bare, self._usual, self._worth = np.zeros_like(crops), None, 0.0
            self._asked = self._fooled = 0
        self._try(crops, counts)
        empty = counts == 0
        new = np.flatnonzero(empty & ~self.known)[:TRIED]
        if len(new):
            self._asked += len(new)
            self._fooled += int((self._counter.read(crops[new])[0].argmax(axis=1) > 0).sum())
        self._bare[empty] = crops[empty]
        if self.mirrors:
            self._usual = np.median(self._bare[self.known], axis=0).astype(np.uint8)

    def _try(self, crops: Crops, counts: NDArray[np.int64]) -> None:
        """What is known is read with the empty pictures and without."""
        ask = np.flatnonzero((self.known | (self.mirrors and self._usual is not None)) & (counts >= 0))
        ask = np.roll(ask, -TRIED * self._lessons)[:TRIED]
        self._lessons += 1
        if not len(ask):
            return
        at = np.arange(len(ask))
        plain, _ = self._counter.read(crops[ask])
        with_them, _ = self._counter.read(crops[ask], empties=self._beside(ask))
        right = np.minimum(counts[ask], plain.shape[1] - 1)
        better = np.clip(with_them[at, right] - plain[at, right], WORST, -WORST)
        self._worth = KEEP * self._worth + float(better.sum())
