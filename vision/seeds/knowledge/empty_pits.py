"""How the pits of this table look when they are empty, so that grain, rim, varnish and light do not mislead the
counter. The counter gets the picture of the empty pit together with the picture to count (`vision.train.nets.Counter`).

Empty pictures come from the empty board before the game, and from pits that are later known to be empty. Every lesson
tests whether they help: pits with known counts are read with and without them, and if they make readings worse they are
not used. If the counter takes reflections of lamps for seeds, it does so in all bowls alike: a pit without an empty
picture then gets the median of the others' pictures.
"""

from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.seeds.parameters import EMPTY_PITS

Crops = NDArray[np.uint8]


def alike(cells: NDArray[np.float32]) -> bool:
    """Return whether the insides of pits, float32[n, k, k], look alike, whatever their light; True for fewer than two.
    """
    looks = np.array([_standing_out(pit) for pit in cells]).reshape(-1, *cells.shape[1:])
    if len(looks) < 2:
        return True
    usual = looks.mean(axis=0)
    near = (looks * usual).sum(axis=(1, 2)) / max(float(np.linalg.norm(usual)), 1e-9)
    return bool(near.min() >= EMPTY_PITS.alike)


def _standing_out(cells: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return float32[k, k], what stands out inside a pit."""
    y, x = (np.indices(cells.shape) + 0.5) * 2 / len(cells) - 1
    inner = np.hypot(x, y) < EMPTY_PITS.alike_within
    smooth = cv2.GaussianBlur(cells, (0, 0), EMPTY_PITS.alike_smoothing * len(cells))
    look = np.where(inner, smooth - np.median(smooth[inner]), 0)
    return np.asarray(look / max(float(np.linalg.norm(look)), 1e-9), np.float32)


class PitReader(Protocol):
    """A reader of pits, such as `vision.seeds.counter.Reader`."""

    def read(
        self, pictures: Crops, turns: int = 1, first: int = 0, empties: Crops | None = None, again: bool = True
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return log-likelihoods float32[n, 26], and float32[n], the probability that the pit is covered. again: with a
        second look where the first is doubtful, which costs the most."""


class EmptyPitReference:
    """The pictures of the empty pits of one board at its present place; none before the first call of `learn`."""

    def __init__(self, counter: PitReader) -> None:
        """counter: reads pits with and without their empty pictures."""
        self._counter = counter
        self._pictures: Crops | None = None
        self._usual: Crops | None = None
        self._worth, self._lessons = 0.0, 0
        self._asked = self._fooled = 0

    @property
    def known(self) -> NDArray[np.bool_]:
        """bool[pits]: the pits with an empty picture; of length 0 before the first lesson."""
        if self._pictures is None:
            return np.zeros(0, np.bool_)
        return np.asarray(self._pictures.reshape(len(self._pictures), -1).any(axis=1))

    @property
    def helpful(self) -> bool:
        """Whether the empty pictures do no harm; else they are not used."""
        return self._worth > EMPTY_PITS.harm

    @property
    def mirrors(self) -> bool:
        """Whether the counter reads seeds in most pictures of empty pits: what it takes for seeds, such as reflections,
        must then be in all pits."""
        return self._fooled >= max(EMPTY_PITS.mirrored_pits, EMPTY_PITS.mirrored_share * self._asked)

    def for_counter(self, pits: NDArray[np.intp]) -> Crops | None:
        """Return the empty pictures of these pits for the counter, uint8[len(pits), s, s, 3], black where unknown; None
        if none is known or they do harm."""
        if self._pictures is None or not self.helpful:
            return None
        pictures = self._beside(pits)
        return pictures if pictures.any() else None

    def pictures(self, crops: Crops, pits: NDArray[np.intp]) -> Crops:
        """Return the empty pictures of these pits, uint8[len(pits), s, s, 3], black where unknown. crops: the present
        pictures of all pits; empty pictures of another size count as unknown."""
        if self._pictures is None or self._pictures.shape != crops.shape:
            return np.zeros((len(pits), *crops.shape[1:]), np.uint8)
        return self._pictures[pits]

    def _beside(self, pits: NDArray[np.intp]) -> Crops:
        assert self._pictures is not None
        pictures = self._pictures[pits]
        if self.mirrors and self._usual is not None:
            pictures[~self.known[pits]] = self._usual
        return pictures

    def learn(self, crops: Crops, counts: NDArray[np.int64]) -> None:
        """Learn known counts, int[pits], -1 where unknown. crops: the pits' pictures, uint8[pits, s, s, 3]."""
        if self._pictures is None or len(self._pictures) != len(crops):
            self._pictures, self._usual, self._worth = np.zeros_like(crops), None, 0.0
            self._asked = self._fooled = 0
        self._try(crops, counts)
        empty = counts == 0
        new = np.flatnonzero(empty & ~self.known)[:EMPTY_PITS.tried_pits]
        if len(new):
            self._asked += len(new)
            self._fooled += int((self._counter.read(crops[new], again=False)[0].argmax(axis=1) > 0).sum())
        self._pictures[empty] = crops[empty]
        if self.mirrors:
            self._usual = np.median(self._pictures[self.known], axis=0).astype(np.uint8)

    def _try(self, crops: Crops, counts: NDArray[np.int64]) -> None:
        """Read pits with known counts with and without their empty pictures, and note which is better. Only the first
        look is made, since only that one uses them."""
        ask = np.flatnonzero((self.known | (self.mirrors and self._usual is not None)) & (counts >= 0))
        ask = np.roll(ask, -EMPTY_PITS.tried_pits * self._lessons)[:EMPTY_PITS.tried_pits]
        self._lessons += 1
        if not len(ask):
            return
        at = np.arange(len(ask))
        plain, _ = self._counter.read(crops[ask], again=False)
        with_them, _ = self._counter.read(crops[ask], empties=self._beside(ask), again=False)
        right = np.minimum(counts[ask], plain.shape[1] - 1)
        better = np.clip(with_them[at, right] - plain[at, right], EMPTY_PITS.worst_loglik, -EMPTY_PITS.worst_loglik)
        self._worth = EMPTY_PITS.kept * self._worth + float(better.sum())
