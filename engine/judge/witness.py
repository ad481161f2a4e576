"""The drops bear witness: readings taken while hands were in play, laid against the steps of a trace.

The readings are aligned to the boards that a trace passes through, in order, as speech recognisers align sound to words
(Sakoe and Chiba 1978): each reading to the step that it fits best without going back. Then every stay of a pit, from
one touch to the next, is one look at its count, however many frames showed it: frames that show the same seeds err
alike. A pit's last stay is left out: the quiet board after the move has told of that already.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.judge.verdict import COUNTS, Timeline
from engine.trace import Capture, Drop, Lift, Step, Stray

CLEAR, CLEARLY = 0.9, 4
"""A pit was read clearly in a stay when the first so many looks that gave any count so much probability all gave its
own."""

UNRELIABLE = 0.12
"""Share of the looks between moving hands that are worth nothing: a blurred seed, a finger taken for wood."""

ABREAST = 2048
"""Steps of traces that are aligned side by side: more takes memory and no less time."""


def passed(counts: Sequence[int], trace: Iterable[Step]) -> NDArray[np.int64]:
    """int64[steps, pits], the boards that a trace passes through, the first before it; seeds in the hand are on none.

    Steps that change no pit add no board.
    """
    now, found = list(counts), [tuple(counts)]
    for step in trace:
        match step:
            case Lift(pit, n):
                now[pit] -= n
            case Drop(pit):
                now[pit] += 1
            case Capture(pits, n):
                rest = sum(now[p] for p in pits) - n
                for p in pits:
                    now[p] = 0
                now[pits[-1]] = rest
            case Stray(int(pit), n):
                now[pit] += n
            case _:
                continue
        found.append(tuple(now))
    return np.array(found, np.int64)


@dataclass(frozen=True, slots=True)
class Heard:
    """What the readings say of a trace. fit: how well they fit it, at most 0. kept: bool[pits], pits that were clearly
    read as holding what the trace leaves there, after its last touch and before the hands were gone."""

    fit: float
    kept: NDArray[np.bool_]


class Witness:
    """The readings of a timeline, ready to hear traces against."""

    def __init__(self, timeline: Timeline) -> None:
        loglik = timeline.loglik - timeline.loglik.max(axis=2, keepdims=True)
        p = np.exp(loglik)
        p /= p.sum(axis=2, keepdims=True)
        table = np.log((1 - UNRELIABLE) * p + UNRELIABLE / COUNTS)
        table -= table.max(axis=2, keepdims=True)
        self._read = p.argmax(axis=2)
        self._clear = timeline.seen & (p.max(axis=2) >= CLEAR)
        self._table = np.where(timeline.seen[..., None], table, 0.0)
        self._seen = timeline.seen

    def hear(self, traces: Sequence[NDArray[np.int64]]) -> list[Heard]:
        """The readings against each of some traces; of each its boards int64[steps, pits] as of `passed`."""
        steps = [np.minimum(boards, COUNTS - 1).T for boards in traces]
        pits = np.arange(self._seen.shape[1])[:, None]
        found: dict[int, Heard] = {}
        for some in _abreast([at.shape[1] for at in steps]):
            paths = _aligned([self._table[:, pits, steps[k]].sum(axis=1) for k in some])
            found |= {k: self._heard(steps[k], path) for k, path in zip(some, paths, strict=True)}
        return [found[k] for k in range(len(steps))]

    def _heard(self, at: NDArray[np.int64], path: NDArray[np.int64]) -> Heard:
        """at: int64[pits, steps], a trace's boards; path: int64[readings], the step of each reading."""
        pits, readings = np.arange(len(at)), np.arange(len(path))[:, None]
        stays = np.zeros(at.shape, np.int64)
        np.cumsum(np.diff(at, axis=1) != 0, axis=1, out=stays[:, 1:])
        here = stays[:, path].T
        told = self._seen & (here != stays[:, -1])
        key = (here + pits * (stays.max() + 1))[told]
        looks = np.bincount(key)
        sums = np.bincount(key, weights=self._table[readings, pits, at[:, path].T][told])
        fit = float((sums[looks > 0] / looks[looks > 0]).sum())
        clear = self._clear & (here == stays[:, -1])
        first = clear & (clear.cumsum(axis=0) <= CLEARLY)
        own = first & (self._read == at[:, -1])
        return Heard(fit, own.sum(axis=0) == CLEARLY)


def _abreast(lengths: Sequence[int]) -> list[list[int]]:
    """Which traces are aligned side by side: those of like length, and not too many at once."""
    found: list[list[int]] = []
    for k in sorted(range(len(lengths)), key=lengths.__getitem__):
        if found and (len(found[-1]) + 1) * lengths[k] <= ABREAST:
            found[-1].append(k)
        else:
            found.append([k])
    return found


def _aligned(fits: Sequence[NDArray[np.float64]]) -> list[NDArray[np.int64]]:
    """For each trace int64[readings], the step of each, never going back; fits float64[readings, steps], as many
    readings in each."""
    readings, longest = len(fits[0]), max(f.shape[1] for f in fits)
    rows = np.full((readings, len(fits), longest), -np.inf)
    for k, f in enumerate(fits):
        rows[:, k, : f.shape[1]] = f
    total = np.zeros(rows.shape[1:])
    came = np.empty(rows.shape, np.int64)
    steps = np.arange(longest)
    for i, row in enumerate(rows):
        best = np.maximum.accumulate(total, axis=1)
        np.maximum.accumulate(np.where(total == best, steps, 0), axis=1, out=came[i])
        total = best + row
    at = total.argmax(axis=1)
    paths = np.empty((len(fits), readings), np.int64)
    every = np.arange(len(fits))
    for i in range(readings - 1, -1, -1):
        paths[:, i] = at
        at = came[i, every, at]
    return list(paths)
