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
        self._p = p
        self._table = np.where(timeline.seen[..., None], table, 0.0)
        self._seen = timeline.seen

    def hear(self, boards: NDArray[np.int64]) -> Heard:
        """The readings against a trace; boards int64[steps, pits] as of `passed`."""
        at = np.minimum(boards, COUNTS - 1).T
        pits = np.arange(len(at))[:, None]
        fits = self._table[:, pits, at]
        path = _aligned(fits.sum(axis=1))
        stays = np.zeros(at.shape, np.int64)
        np.cumsum(np.diff(at, axis=1) != 0, axis=1, out=stays[:, 1:])
        here = stays[:, path].T
        told = self._seen & (here != stays[:, -1])
        key = (here + pits.T * (stays.max() + 1))[told]
        looks = np.bincount(key)
        sums = np.bincount(key, weights=np.take_along_axis(fits, path[:, None, None], axis=2)[..., 0][told])
        fit = float((sums[looks > 0] / looks[looks > 0]).sum())
        late = self._seen & (here == stays[:, -1])
        clear = late & (self._p.max(axis=2) >= CLEAR)
        first = clear & (clear.cumsum(axis=0) <= CLEARLY)
        own = first & (self._p.argmax(axis=2) == at[:, -1])
        return Heard(fit, own.sum(axis=0) == CLEARLY)


def _aligned(fits: NDArray[np.float64]) -> NDArray[np.int64]:
    """int64[readings], the step of each, never going back; fits float64[readings, steps]."""
    total = np.zeros(fits.shape[1])
    came = np.empty(fits.shape, np.int64)
    steps = np.arange(fits.shape[1])
    for i, row in enumerate(fits):
        best = np.maximum.accumulate(total)
        came[i] = np.maximum.accumulate(np.where(total == best, steps, 0))
        total = best + row
    path = np.empty(len(fits), np.int64)
    at = int(total.argmax())
    for i in range(len(fits) - 1, -1, -1):
        path[i] = at
        at = int(came[i, at])
    return path
