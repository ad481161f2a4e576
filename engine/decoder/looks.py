"""What was seen since a board was known, laid out for the decoder."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.decoder.parameters import EMISSION, OTHERWISE, TOUCH
from engine.judge.verdict import COUNTS

F64 = NDArray[np.float64]


@dataclass(frozen=True)
class Looks:
    """Looks at a board in order of time.

    times: float64[looks], seconds. loglik: float64[looks, pits, 26], log-likelihoods of each pit's count, the mean over
    its stay so far. seen: bool[looks, pits], pits that were open. stays: int64[looks, pits], the number of each pit's
    stay. hands: bool[looks, 2], whose hands, South's and North's, were over the board since the look before. known:
    int64[pits], the stay in which it was known what the pit holds; -1 where no such stay is. Raises ValueError where
    the shapes do not fit.
    """

    times: F64
    loglik: F64
    seen: NDArray[np.bool_]
    stays: NDArray[np.int64]
    hands: NDArray[np.bool_]
    known: NDArray[np.int64]

    def __post_init__(self) -> None:
        """Hold the shapes against each other."""
        looks, pits = self.seen.shape
        shapes = (self.times.shape, self.loglik.shape, self.stays.shape, self.hands.shape, self.known.shape)
        if shapes != ((looks,), (looks, pits, COUNTS), (looks, pits), (looks, 2), (pits,)):
            raise ValueError(f"looks of shapes {shapes} at a board of {pits} pits, {looks} times")

    def __len__(self) -> int:
        """How many there are."""
        return len(self.times)

    @cached_property
    def seconds(self) -> F64:
        """float64[looks], since the look before; 0 of the first."""
        return np.diff(self.times, prepend=self.times[:1])

    def emissions(self, counts: NDArray[np.int64]) -> F64:
        """float64[looks, pits + 1, 26], nats at most 0: how well each look fits each count.

        counts: int64[pits], what was known to lie there. All looks at one stay weigh together as one. The last pit is
        none, and costs nothing: it fills arrays up.
        """
        table = self._fits(counts) * self._weights[..., None]
        return np.concatenate((table, np.zeros((len(self), 1, COUNTS))), axis=1)

    def best_since(self, counts: NDArray[np.int64], look: int) -> F64:
        """float64[pits, 26], nats at most 0: how well each pit fits each count at its best moment from a look on; 0
        where it was hidden all the time. counts: as of `emissions`."""
        seen = self.seen[look:, :, None]
        shown = np.where(seen, self._fits(counts)[look:], -np.inf).max(axis=0, initial=-np.inf)
        return np.asarray(np.where(np.any(seen, axis=0), shown, 0.0))

    def _fits(self, counts: NDArray[np.int64]) -> F64:
        """float64[looks, pits, 26], nats at most 0: how well each look fits each count, if it were the only one at its
        stay."""
        p = np.exp(self.loglik - self.loglik.max(axis=2, keepdims=True))
        p /= p.sum(axis=2, keepdims=True)
        table = np.log((1 - EMISSION.unreliable) * p + EMISSION.unreliable / COUNTS)
        table -= table.max(axis=2, keepdims=True)
        surely = np.maximum(EMISSION.untouched_nats, EMISSION.untouched_lone_nats / np.maximum(counts, 1))
        untouched = np.repeat(-surely[:, None], COUNTS, axis=1)
        untouched[np.arange(len(counts)), np.minimum(counts, COUNTS - 1)] = 0.0
        return np.asarray(np.where((self.stays == self.known)[..., None], untouched, table))

    @cached_property
    def _weights(self) -> F64:
        """float64[looks, pits]: one over the looks at the same stay; 0 where a pit was hidden."""
        weights = np.zeros(self.seen.shape)
        for pit in range(self.seen.shape[1]):
            looks = np.flatnonzero(self.seen[:, pit])
            _, stay, many = np.unique(self.stays[looks, pit], return_inverse=True, return_counts=True)
            weights[looks, pit] = 1 / many[stay]
        return weights

    @cached_property
    def begins(self) -> NDArray[np.bool_]:
        """bool[looks, pits]: looks that are the first at a stay which began since the board was known."""
        begins = np.zeros(self.seen.shape, np.bool_)
        for pit in range(self.seen.shape[1]):
            looks = np.flatnonzero(self.seen[:, pit])
            stays, first = np.unique(self.stays[looks, pit], return_index=True)
            begins[looks[first[stays != self.known[pit]]], pit] = True
        return begins

    def unexplained(self, counts: NDArray[np.int64]) -> F64:
        """float64[looks], nats of each look if nothing tells what it shows, but that pits may hold `counts`,
        int64[pits], as before."""
        as_before = -self._fits(counts)[:, np.arange(len(counts)), np.minimum(counts, COUNTS - 1)]
        return np.asarray((np.minimum(as_before, OTHERWISE.stay_nats) * self._weights).sum(axis=1))

    def otherwise(self, counts: NDArray[np.int64]) -> float:
        """Nats of anything but a move that can be named, on a board int64[pits]."""
        return math.log(OTHERWISE.share) - float(self.unexplained(counts).sum())

    def anything_after(self, side: int, counts: NDArray[np.int64]) -> F64:
        """float64[looks], nats of anything that the hand of that side does after each look to a board int64[pits].
        Minus infinity where no stay begins then."""
        each = self.begins.sum(axis=1)
        cost = self.unexplained(counts) + each * np.where(self.hands[:, side], 0.0, TOUCH.no_hand_nats)
        return np.where(_after(each) > 0, math.log(OTHERWISE.share) - _after(cost), -np.inf)

    @cached_property
    def touches(self) -> F64:
        """float64[looks, pits + 1], nats at most 0: how well a touch of each pit fits since the look before. The last
        pit is none, and never touched."""
        hidden = ~self.seen
        near = hidden | np.concatenate((hidden[:1], hidden[:-1]))
        same = ~near & (self.stays == np.concatenate((self.stays[:1] - 1, self.stays[:-1])))
        open_ = np.where(same, -TOUCH.unnoticed_nats, -TOUCH.open_nats)
        return np.concatenate((np.where(near, 0.0, open_), np.full((len(self), 1), -np.inf)), axis=1)

    def present(self, side: int) -> F64:
        """float64[looks], nats at most 0: how well a touch by that side fits since the look before."""
        return np.where(self.hands[:, side], 0.0, -TOUCH.no_hand_nats)


def _after(each: NDArray[np.int64] | F64) -> F64:
    """float64[looks], the sum over all looks after each."""
    return np.asarray(np.append(np.cumsum(each[::-1])[::-1][1:], 0.0))
