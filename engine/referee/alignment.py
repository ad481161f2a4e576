"""Aligns looks under hands with the steps of moves: token passing, many moves in parallel.

A token stands at a step of a move. From look to look it stays or makes one or several steps, as a speech recogniser
passes tokens through the states of a word (Young, Russell and Thornton 1989). The fit of a look to the board at a step
is computed pit by pit. A pit still in the stay in which its count was known has not been touched; a pit in its final
stay will not be touched again; any other stay is read.
"""

from collections.abc import Sequence

import numpy as np

from engine.board import Side
from engine.referee.emission import Emission, touch_nats
from engine.referee.observation import COUNTS, F64, I64, Mask
from engine.referee.parameters import ALIGN

LEFT = COUNTS
"""Stands for the count of a pit after its last touch, which the following observation shows."""


class Looks:
    """The looks between two observations, prepared for alignment with moves.

    table: float64[looks + 1, pits + 1, 27], nats of each count and of `LEFT`; the last look stands for the following
    observation and the last pit for no pit, and both cost nothing. at_end: bool[looks + 1, pits], the pits in the stay
    that the observation shows; touches: float64[looks + 1, pits + 1], nats of a touch of each pit since the look
    before; absent: float64[looks + 1, 3], nats of a step of South's, of North's and of anybody's.
    """

    def __init__(self, seen: Emission, before: Sequence[int]) -> None:
        """seen: the observation after the looks; before: the counts of the pits when they were last known."""
        known, after, held = seen.remembered.stays, seen.observation, np.array(before)
        shown, stays = np.array([look.seen for look in seen.looks]), np.array([look.stays for look in seen.looks])
        hands = np.array([(*look.hands, True) for look in seen.looks] + [(True, True, True)])
        self.absent: F64 = np.where(hands, 0.0, -ALIGN.no_hand)
        as_before = np.repeat(touch_nats(np.full(len(held), -30.0), held)[0][:, None], COUNTS + 1, axis=1)
        as_before[np.arange(len(held)), np.minimum(held, COUNTS - 1)] = 0.0
        at_end = (stays == after.stays) & after.seen
        table = np.where(((stays == known) & (known >= 0))[..., None], as_before, seen.looks_nats)
        table[..., LEFT] = np.where(at_end, 0.0, np.minimum(table[..., LEFT], 0.0))
        looks_at_stay = ((stays[:, None] == stays) & shown).sum(axis=1).clip(1)
        self.table: F64 = np.pad(table * (shown / looks_at_stay)[..., None], ((0, 1), (0, 1), (0, 0)))
        self.at_end: Mask = np.pad(at_end, ((0, 1), (0, 0)))
        hidden = ~shown
        near = np.concatenate((hidden, hidden[-1:])) | np.concatenate((hidden[:1], hidden))
        self.touches: F64 = np.pad(np.where(near, 0.0, -ALIGN.unseen), ((0, 0), (0, 1)), constant_values=-np.inf)


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
    # A pit that a move touches is `LEFT` after the last touch. One that it never touches keeps its count; where it is
    # still in the same stay at the following observation, that covers the stay already, and it must count only once.
    rest = looks.table[:, pits, np.minimum(start, COUNTS - 1)]
    untouched = np.array([~(b != b[0]).any(axis=0) for b in passed], np.float64)
    fits = rest.sum(axis=1)[:, None] - (rest * looks.at_end) @ untouched.T
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
