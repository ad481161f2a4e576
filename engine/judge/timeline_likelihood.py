"""The timeline: readings taken while hands were in play, laid against the steps of a trace.

The readings are aligned to the boards that a trace passes through, in order, as speech recognisers align sound to words
(Sakoe and Chiba 1978): each reading to the step that it fits best without going back, of two ways to weigh the looks
the one by which the trace fits better. Then every stay of a pit, from one touch to the next, is one look at its count,
however many frames showed it: frames that show the same seeds err alike. Of a pit's last stay the quiet board after the
move has told; a look says there only whether the same seeds lay there already. Without that a trace could have all
readings be of its end, where they would say nothing against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.judge.hands import CoveredPits, HandFits
from engine.judge.parameters import TIMELINE
from engine.judge.verdict import COUNTS, Timeline
from engine.trace import Step
from engine.trace import boards as boards_of

LAST_STAY = COUNTS
"""Stands for the count of a pit's last stay: as many as the quiet board shows."""


def boards_passed(counts: Sequence[int], trace: Iterable[Step]) -> NDArray[np.int64]:
    """int64[steps, pits], the boards that a trace passes through, the first before it; seeds in the hand are on none.

    Steps that change no pit add no board.
    """
    return np.array(list(boards_of(counts, trace)), np.int64)


@dataclass(frozen=True, slots=True)
class TraceLikelihood:
    """How likely the readings are by a trace.

    fit: how well they fit it up to each pit's last touch, nats, at most 0; last: float64[pits], and after it; stays:
    how many stays were looked at. kept: bool[pits], pits that were clearly read as holding what the trace leaves there,
    after its last touch and before the hands were gone. hands: how well the hands fit it, nats beside hands that are
    anywhere; 0 where none were made out.
    """

    fit: float
    last: NDArray[np.float64]
    stays: int
    kept: NDArray[np.bool_]
    hands: float = 0.0

    @property
    def total(self) -> float:
        """How well the readings fit it in all, nats; hands apart."""
        return self.fit + float(self.last.sum())


class TimelineLikelihood:
    """The readings of a timeline, ready to be laid against traces."""

    def __init__(self, timeline: Timeline, quiet: NDArray[np.float64], quiet_seen: NDArray[np.bool_]) -> None:
        """quiet: float64[pits, 26], probabilities of what lies there afterwards; quiet_seen: bool[pits], where it was
        seen."""
        readings = len(timeline.seen)
        some = np.linspace(0, readings - 1, min(readings, TIMELINE.readings)).round().astype(np.int64)
        loglik, seen = timeline.loglik[some], timeline.seen[some]
        p = np.exp(loglik - loglik.max(axis=2, keepdims=True))
        p /= p.sum(axis=2, keepdims=True)
        p = np.concatenate((p, np.where(quiet_seen, (p * quiet).sum(axis=2), p.max(axis=2))[..., None]), axis=2)
        table = np.log((1 - TIMELINE.unreliable) * p + TIMELINE.unreliable / COUNTS)
        table -= table[..., :COUNTS].max(axis=2, keepdims=True)
        self._seen = seen
        self._read = p[..., :COUNTS].argmax(axis=2)
        self._clear = seen & (p[..., :COUNTS].max(axis=2) >= TIMELINE.clear)
        # By pits and counts first: what a step changes is a few rows of these.
        self._table = np.ascontiguousarray(np.where(seen[..., None], table, 0.0).transpose(1, 2, 0))
        self._run_weighted = self._table * _look_weights(self._read, seen).T[:, None]
        self._covered = CoveredPits(seen)

    def of_traces(self, traces: Sequence[NDArray[np.int64]]) -> list[TraceLikelihood]:
        """How likely the readings are by each of some traces; of each its boards int64[steps, pits] as of
        `boards_passed`."""
        found: dict[int, TraceLikelihood] = {}
        for batch in _batches([len(boards) for boards in traces]):
            found.update(zip(batch, self._of_batch([traces[k] for k in batch]), strict=True))
        return [found[k] for k in range(len(traces))]

    def _of_batch(self, traces: Sequence[NDArray[np.int64]]) -> list[TraceLikelihood]:
        """The same, all of them side by side."""
        stays = [_Stays(boards) for boards in traces]
        hands = _hands_nats([self._covered.fits(boards) for boards in traces])
        # A heap that flickers weighs too much in the one, and one that is misread for long in the other.
        by_table = [_best_paths([_step_fits(trace.at, table) for trace in stays])
                    for table in (self._run_weighted, self._table)]
        return [max((self._along(trace, path, nats) for path in paths), key=lambda by: by.total)
                for trace, nats, *paths in zip(stays, hands, *by_table, strict=True)]

    def _along(self, trace: _Stays, path: NDArray[np.int64], hands: float) -> TraceLikelihood:
        """By a trace, where path, int64[readings], is the step of each reading; hands: nats, as of the result."""
        pits, readings = np.arange(len(trace.at)), np.arange(len(path))[:, None]
        here, ends, most = trace.number[:, path].T, trace.number[:, -1], int(trace.number.max()) + 1
        key = (here + pits * most)[self._seen]
        looks = np.bincount(key, minlength=len(pits) * most)
        sums = np.bincount(key, self._table[pits, trace.at[:, path].T, readings][self._seen], len(looks))
        means = (sums / np.maximum(looks, 1)).reshape(len(pits), most)
        last = means[pits, ends]
        clear = self._clear & (here == ends)
        own = clear & (clear.cumsum(axis=0) <= TIMELINE.clear_looks) & (self._read == trace.left)
        kept = own.sum(axis=0) == TIMELINE.clear_looks
        return TraceLikelihood(float(means.sum() - last.sum()), last, int((looks > 0).sum()), kept, hands)


def _step_fits(at: NDArray[np.int64], table: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[readings, steps], how well each reading fits each step of a trace. at: as of `_Stays`; table:
    float64[pits, 27, readings], how well each fits each count."""
    step, pit = np.nonzero(np.diff(at, axis=1).T)
    first = table[np.arange(len(at)), at[:, 0]].sum(axis=0)
    by = table[pit, at[pit, step + 1]] - table[pit, at[pit, step]]
    total = np.cumsum(np.concatenate((first[None], by)), axis=0)
    return np.asarray(total[np.searchsorted(step, np.arange(at.shape[1]))].T)


def _hands_nats(hands: Sequence[HandFits | None]) -> list[float]:
    """Nats by which the hands fit each of some traces, every one laid against its steps as fits best, whatever was read
    of the pits: a heap that is misread must not seem to put a hand elsewhere."""
    each = [h for h in hands if h is not None]
    if not each:
        return [0.0] * len(hands)
    return [h.along(path) for h, path in zip(each, _best_paths([h.fits for h in each]), strict=True)]


class _Stays:
    """A trace's boards by the stays of its pits. left: int64[pits], what it leaves; number: int64[pits, steps], how
    often a pit has been touched; at: int64[pits, steps], its count, and `LAST_STAY` in its last stay."""

    def __init__(self, boards: NDArray[np.int64]) -> None:
        at = np.minimum(boards, COUNTS - 1).T
        self.left = at[:, -1]
        self.number = np.zeros(at.shape, np.int64)
        np.cumsum(np.diff(boards.T, axis=1) != 0, axis=1, out=self.number[:, 1:])
        self.at = np.where(self.number == self.number[:, -1:], LAST_STAY, at)


def _look_weights(read: NDArray[np.int64], seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """float64[readings, pits], what each look weighs in aligning: looks on end that read a pit alike weigh one
    together, or a misread heap would outweigh all that is seen to happen beside it."""
    weight = np.zeros(read.shape)
    for pit in range(read.shape[1]):
        looks = np.flatnonzero(seen[:, pit])
        run = np.cumsum(np.diff(read[looks, pit], prepend=-1) != 0) - 1
        weight[looks, pit] = 1 / np.bincount(run)[run] if len(looks) else 0.0
    return weight


def _batches(lengths: Sequence[int]) -> list[list[int]]:
    """Which traces are aligned side by side: those of like length, and not too many at once."""
    found: list[list[int]] = []
    for k in sorted(range(len(lengths)), key=lengths.__getitem__):
        if found and (len(found[-1]) + 1) * lengths[k] <= TIMELINE.steps_abreast:
            found[-1].append(k)
        else:
            found.append([k])
    return found


def _best_paths(fits: Sequence[NDArray[np.float64]]) -> list[NDArray[np.int64]]:
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
