"""Looks laid against the boards that some moves pass through, all moves abreast (token passing; Young, Russell and
Thornton 1989).

A token that stands at a board at a look has come there from the same board at the look before, or from the board
before it by a step that was made since. Steps may follow each other with no look between them. What it costs to stay
depends on where in its move the token stands and whose hands are there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.board import Side
from engine.decoder.looks import F64, Looks
from engine.decoder.parameters import DWELL, TOUCH
from engine.judge.verdict import COUNTS

I64 = NDArray[np.int64]


@dataclass(frozen=True)
class Traces:
    """Moves from one board, side by side. last: int64[moves], the steps of each. pit, new, old: int64[steps, moves, k]:
    which pits a step changes, what they hold then, and before; where a step changes fewer than k, a pit that is none.
    """

    last: I64
    pit: I64
    new: I64
    old: I64

    @classmethod
    def of(cls, boards: Sequence[I64]) -> Traces:
        """boards: int64[steps + 1, pits] of each move, as of `engine.judge.timeline_likelihood.boards_passed`."""
        last = np.array([len(b) - 1 for b in boards])
        changes = [np.diff(b, axis=0) != 0 for b in boards]
        widest = max((int(c.sum(axis=1).max(initial=0)) for c in changes), default=0)
        shape = (int(last.max(initial=0)), len(boards), widest)
        pit, new, old = np.full(shape, boards[0].shape[1]), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for m, (board, change) in enumerate(zip(boards, changes, strict=True)):
            step, at = np.nonzero(change)
            slot = np.arange(len(step)) - np.searchsorted(step, step)
            pit[step, m, slot] = at
            new[step, m, slot] = np.minimum(board[step + 1, at], COUNTS - 1)
            old[step, m, slot] = np.minimum(board[step, at], COUNTS - 1)
        return cls(last, pit, new, old)


@dataclass(frozen=True)
class Tokens:
    """How well tokens fit, nats. standing: float64[steps, moves], the best that has made so many steps and no more,
    after the last look, from one step on; ended: float64[looks, moves], the best that has made the last one, at each
    look; entered, abreast: int64 and bool[steps, looks, moves], at which look the best token at a step and look made
    that step, and whether it made the one before with no look between them; best: float64[looks], the best of all at
    each look, those that rest before the first step among them."""

    standing: F64
    ended: F64
    best: F64
    entered: I64
    abreast: NDArray[np.bool_]

    def midway(self, last: I64) -> F64:
        """float64[moves], the best of each that has made a step of it and not the last. last: int64[moves]."""
        short = np.arange(1, len(self.standing) + 1)[:, None] < last
        return np.asarray(np.where(short, self.standing, -np.inf).max(axis=0, initial=-np.inf))

    def path(self, move: int, steps: int, look: int) -> I64:
        """int64[steps], the looks at which the best token made each step that has made so many at a look."""
        out = np.zeros(steps, np.int64)
        for step in range(steps - 1, -1, -1):
            out[step] = made = self.entered[step, look, move]
            look = made if self.abreast[step, made, move] else made - 1
        return out


def passed(looks: Looks, emissions: F64, traces: Traces, player: Side, rest: F64, board: F64, priors: F64) -> Tokens:
    """Pass tokens through some moves of one side.

    emissions: as of `Looks.emissions`. rest: float64[looks], nats of the best token that rests at the board before them
    at each look. board: float64[looks], how well each look fits that board. priors: float64[moves], nats.
    """
    steps, moves, _ = traces.pit.shape
    away = ~looks.hands[:, player]
    left = away & ~np.concatenate((away[:1], away[:-1]))
    midway = looks.seconds * np.where(away, DWELL.midway_away, DWELL.midway) + DWELL.midway_left_nats * left
    after = looks.seconds * np.where(away, 0.0, DWELL.after)
    hand = looks.present(player)[:, None]
    every = np.arange(len(looks))[:, None]
    stood, made = np.repeat(rest[:, None], moves, axis=1), np.full((len(looks), moves), -np.inf)
    fits = np.repeat(board[:, None], moves, axis=1)
    standing, ended = np.full((steps, moves), -np.inf), np.full((len(looks), moves), -np.inf)
    entered = np.zeros((steps, len(looks), moves), np.int64)
    abreast = np.zeros((steps, len(looks), moves), np.bool_)
    top = rest
    for step in range(steps):
        pit, final = traces.pit[step], traces.last == step + 1
        fits = fits + (emissions[:, pit, traces.new[step]] - emissions[:, pit, traces.old[step]]).sum(axis=2)
        waited = np.concatenate((np.full((1, moves), -np.inf), stood[:-1]))
        hurried = made - TOUCH.unseen_nats
        abreast[step] = hurried > waited
        made = np.maximum(waited, hurried) + hand + looks.touches[:, pit].max(axis=2) + (priors if step == 0 else 0.0)
        stays = fits - np.where(final, after[:, None], midway[:, None])
        total = np.cumsum(stays, axis=0)
        came = made - (total - stays)
        best = np.maximum.accumulate(came, axis=0)
        np.maximum.accumulate(np.where(came >= best, every, 0), axis=0, out=entered[step])
        stood = total + best
        ended = np.where(final, stood, ended)
        top = np.maximum(top, np.where(traces.last > step, stood, -np.inf).max(axis=1))
        standing[step] = np.where(traces.last > step, stood[-1], -np.inf)
    return Tokens(standing, ended, top, entered, abreast)
