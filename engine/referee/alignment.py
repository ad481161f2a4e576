"""Aligns looks under hands with the steps of moves: token passing, many moves in parallel.

A token stands at a step of a move. From look to look it stays or makes one or several steps, as a speech recogniser
passes tokens through the states of a word (Young, Russell and Thornton 1989). The fit of a look to the board at a step
is computed pit by pit. A pit still in the stay in which its count was known has not been touched; a pit in its final
stay will not be touched again; any other stay is read.
"""

from collections.abc import Sequence

import numpy as np

from engine.board import Side
from engine.referee.emission import change, stay
from engine.referee.observation import COUNTS, F64, I64, Look, Mask, Observation
from engine.referee.parameters import ALIGN

LEFT = COUNTS
"""Stands for the count of a pit after its last touch, which the following observation shows."""


def read_looks(looks: Sequence[Look], quiet: F64) -> F64:
    """Return float64[looks, pits, 27], the nats of each count and of `LEFT` in each look, by its reading alone. quiet:
    float64[pits, 26], the nats of each count in the observation that follows."""
    p = np.exp(stay(np.array([look.loglik for look in looks]), np.array([look.seen for look in looks])))
    p /= p.sum(axis=2, keepdims=True)
    left = np.exp(quiet) / np.exp(quiet).sum(axis=1, keepdims=True)
    p = np.concatenate((p, (p * left).sum(axis=2, keepdims=True)), axis=2)
    nats = np.log((1 - ALIGN.unreliable) * p + ALIGN.unreliable / COUNTS)
    return np.asarray(nats - nats[..., :COUNTS].max(axis=2, keepdims=True))


class Looks:
    """The looks between two observations, prepared for alignment with moves."""

    def __init__(self, looks: Sequence[Look], read: F64, seen: Observation, known: I64, before: Sequence[int]) -> None:
        """read: of `read_looks`; known: int64[pits], the stays in which the pits held `before`."""
        self.seen: Mask = np.array([look.seen for look in looks])
        self.stays: I64 = np.array([look.stays for look in looks])
        hands = np.array([look.hands for look in looks] + [(True, True)])
        self.absent: F64 = np.concatenate((np.where(hands, 0.0, -ALIGN.no_hand), np.zeros((len(hands), 1))), axis=1)
        self.table = self._table(read.copy(), seen, known, np.array(before))
        self.touches = self._touches()

    def _table(self, table: F64, after: Observation, known: I64, before: I64) -> F64:
        """float64[looks + 1, pits + 1, 27], nats of each count and of `LEFT`. The last look stands for the following
        observation and the last pit for no pit; both cost nothing. table: as read; it is changed."""
        unseen = change(np.full(len(before), -30.0), before)[0]
        as_before = np.repeat(unseen[:, None], COUNTS + 1, axis=1)
        as_before[np.arange(len(before)), np.minimum(before, COUNTS - 1)] = 0.0
        at_end = (self.stays == after.stays) & after.seen
        table[..., LEFT] = np.where(at_end, 0.0, np.minimum(table[..., LEFT], 0.0))
        at_known = (self.stays == known) & (known >= 0)
        table = np.where((at_known & ~at_end)[..., None], as_before, table)
        self.at_end = np.pad(at_end, ((0, 1), (0, 1)))
        both = at_known & at_end
        table = np.where(both[..., None], np.where(np.arange(COUNTS + 1) == LEFT, 0.0, as_before), table)
        table = np.where(self.seen[..., None], table, 0.0) * self._weights()[..., None]
        return np.pad(table, ((0, 1), (0, 1), (0, 0)))

    def _weights(self) -> F64:
        """float64[looks, pits]: 1 divided by the number of looks at the same stay."""
        weights = np.zeros(self.seen.shape)
        for pit in range(self.seen.shape[1]):
            looks = np.flatnonzero(self.seen[:, pit])
            if len(looks):
                _, at, many = np.unique(self.stays[looks, pit], return_inverse=True, return_counts=True)
                weights[looks, pit] = 1 / many[at]
        return weights

    def _touches(self) -> F64:
        """float64[looks + 1, pits + 1], nats of a touch of each pit since the look before; the last pit is none."""
        hidden, stays = ~self.seen, self.stays
        before = np.concatenate((hidden[:1], hidden[:-1]))
        near = hidden | before
        same = ~near & (stays == np.concatenate((stays[:1] - 1, stays[:-1])))
        nats = np.where(near, 0.0, np.where(same, -ALIGN.unnoticed, -ALIGN.open))
        nats = np.concatenate((nats, np.where(hidden[-1:], 0.0, -ALIGN.open)))
        return np.pad(nats, ((0, 0), (0, 1)), constant_values=-np.inf)


def align(looks: Looks, passed: Sequence[I64], players: Sequence[Sequence[Side | None]]) -> F64:
    """float64[moves]: nats of the looks under each move at its best alignment.

    passed: for each move int64[steps + 1, pits], the boards it passes through; the first is the same for all. players:
    who makes each step, None for anybody.
    """
    last = np.array([len(b) - 1 for b in passed])
    steps, moves, longest = int(last.max(initial=0)), len(passed), len(looks.table)
    pit, new, old, who = _changes(passed, players, steps)
    start = passed[0][0]
    pits = np.arange(len(start))
    # A pit that a move never touches keeps its count; a pit that it touches is `LEFT` after the last touch.
    rest = looks.table[:, pits, np.minimum(start, COUNTS - 1)].sum(axis=1)
    fits = np.repeat(rest[:, None], moves, axis=1) - _told_afterwards(looks, passed)
    stood = np.cumsum(fits, axis=0)
    made = np.full((longest, moves), -np.inf)
    ended = np.where(last == 0, stood[-1], -np.inf)
    for step in range(steps):
        at = pit[step]
        fits = fits + (looks.table[:, at, new[step]] - looks.table[:, at, old[step]]).sum(axis=2)
        waited = np.concatenate((np.full((1, moves), -np.inf), stood[:-1]))
        if step == 0:
            waited[0] = 0.0
        touch = looks.touches[:, at].max(axis=2)
        touch = np.where(np.isfinite(touch), touch, 0.0)  # beyond the end of a move
        made = np.maximum(waited, made - ALIGN.unseen) + looks.absent[:, who[step]] + touch
        total = np.cumsum(fits, axis=0)
        stood = total + np.maximum.accumulate(made - (total - fits), axis=0)
        ended = np.where(last == step + 1, stood[-1], ended)
    return ended


def _told_afterwards(looks: Looks, passed: Sequence[I64]) -> F64:
    """float64[looks + 1, moves], nats of looks at pits that a move never touches and that are still in the same stay at
    the following observation, which covers that stay already; it must count only once."""
    start = passed[0][0]
    at = looks.table[:, np.arange(len(start)), np.minimum(start, COUNTS - 1)] * looks.at_end[:, :-1]
    untouched = np.array([~(b != b[0]).any(axis=0) for b in passed], np.float64)
    return np.asarray(at @ untouched.T)


def _changes(passed: Sequence[I64], players: Sequence[Sequence[Side | None]], steps: int
             ) -> tuple[I64, I64, I64, I64]:
    """The pits that each step changes, int64[steps, moves, k], to what and from what, and the players, int64[steps,
    moves]."""
    none = passed[0].shape[1]
    changes = [np.diff(b, axis=0) != 0 for b in passed]
    widest = max((int(c.sum(axis=1).max(initial=0)) for c in changes), default=0)
    shape = (steps, len(passed), max(1, widest))
    pit, new, old = np.full(shape, none), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    who = np.full(shape[:2], 2)
    for m, (board, other, by) in enumerate(zip(passed, changes, players, strict=True)):
        step, at = np.nonzero(other)
        slot = np.arange(len(step)) - np.searchsorted(step, step)
        final = np.zeros(none, np.int64) - 1
        final[at] = step  # the last write stands: steps are in order
        pit[step, m, slot] = at
        new[step, m, slot] = np.where(final[at] == step, LEFT, np.minimum(board[step + 1, at], COUNTS - 1))
        old[step, m, slot] = np.minimum(board[step, at], COUNTS - 1)
        who[: len(by), m] = [2 if side is None else int(side) for side in by]
    return pit, new, old, who
