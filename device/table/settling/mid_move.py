"""Whether the board fits the middle of a legal move, whose hand may rest with seeds that it has yet to sow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from device.table.parameters import HANDS
from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import Window
from device.table.settling.judge_worker import Verdict
from engine.board import Side
from engine.judge.parameters import READING
from engine.position import Position
from engine.rules import Rules
from engine.trace import Capture, Drop, Lift, Step, Trace, Walk
from vision.reading import COUNTS

DUE = ("stopped-short", "bull-missed", "short-capture")
"""Faults of somebody who has not done yet what is due: none if he does it."""


def may_be_mended(pending: Verdict) -> bool:
    """Whether the verdict that is about to be said accuses somebody only of what his hand may yet do."""
    return pending.kind == "illegal" and any(f.code in DUE for f in pending.faults)


def note_mid_move(rules: Rules, verdict: Verdict, move: Disturbance) -> None:
    """Note in the disturbance whether what the verdict accuses somebody of, or doubts, may be the middle of a move."""
    move.mid_move = fits_mid_move(rules, verdict, move)


def fits_mid_move(rules: Rules, verdict: Verdict, move: Disturbance) -> bool:
    """Whether the board fits the middle of a legal move of the side that is accused, so that its hand may only rest.

    The move may be broken off with seeds in the hand or with some of the captured pits carried off, and between two
    laps where it was not that side's turn. It "fits" where the pits speak for what is accused by no more than a fault
    is rarer than a hand that rests. Of a doubt this is asked only where it was not the side's turn: a heap that is hard
    to read fits the middle of some move.
    """
    before, mover = verdict.before, moving_side(verdict.player, move)
    turn = replace(before, to_move=mover)
    rest = verdict.accuses or (verdict.kind == "not-sure" and turn != before)
    if not rest:
        return False
    read = _Read.of(move.window, verdict)
    return any(_meets(legal.trace, turn, read, between=turn != before) for legal in rules.moves(turn).moves)


def moving_side(player: Side | None, move: Disturbance) -> Side:
    """The side that a verdict names, unless its hand was not there: whose hands it mostly were."""
    return player if player is not None and reached_in(move, player) else move.side


def reached_in(move: Disturbance, side: Side) -> bool:
    """Whether that side's hand was more than a cuff or a shadow beside the other's, or a part of it."""
    hands = move.south, move.north
    if not move.frames[side] or hands[side] < READING.hand_seen:
        return False
    return hands[side] > min(max(READING.hand_absent * max(hands), READING.hand_plain), READING.hand_cuff * max(hands))


@dataclass(frozen=True, slots=True)
class _Read:
    """What is read of a board. lags: [pit][count], nats at least 0 by which each count is less likely than the
    likeliest of its pit; none of a pit that is not seen. most: how many nats a board may lag by in all."""

    lags: list[list[float]]
    most: float

    @classmethod
    def of(cls, window: Window, verdict: Verdict) -> _Read:
        """The board that an accusation leaves lags by so much itself, and others may by `HANDS.rest_nats` more."""
        loglik = np.where(window.seen[:, None], window.loglik, 0.0)
        lags = (loglik.max(axis=1, keepdims=True) - loglik).tolist()
        accused = 0.0 if verdict.kind == "not-sure" else _lag(lags, verdict.position.counts)
        return cls(lags, accused + HANDS.rest_nats)


def _lag(lags: list[list[float]], counts: Iterable[int]) -> float:
    """Nats by which a board lags. lags: as of `_Read`."""
    return sum(each[min(n, COUNTS - 1)] for each, n in zip(lags, counts, strict=True))


def _meets(trace: Trace, before: Position, read: _Read, *, between: bool = False) -> bool:
    """Whether the board fits after some step with seeds still in the hand, or, `between`, none and more to be
    done."""
    board = _ReadBoard(before, read)
    last = max(k for k, step in enumerate(trace) if isinstance(step, Lift | Drop | Capture))
    for k, step in enumerate(trace):
        if isinstance(step, Capture) and board.fits_partly_captured(step):
            return True
        if isinstance(step, Capture) and step.sown_from is None:
            return False  # the hand is empty from here on
        rests = board.take(step) and between and k < last
        if board.lag <= read.most and (board.walk.hand or rests):
            return True
    return False


class _ReadBoard:
    """A board on which a trace is done step by step, beside what is read. walk: the board and the hand over it; lag:
    nats by which it lags now."""

    def __init__(self, before: Position, read: _Read) -> None:
        """before: the position before the first step."""
        self.walk, self._read = Walk(list(before.counts), before.board.name), read
        self.lag = _lag(read.lags, before.counts)

    def take(self, step: Step) -> bool:
        """Do a step; whether it moves seeds."""
        was = list(self.walk.counts)
        changed = self.walk.take(step)
        for pit in changed:
            self.lag += self._of(pit, self.walk.counts[pit]) - self._of(pit, was[pit])
        return bool(changed)

    def fits_partly_captured(self, capture: Capture) -> bool:
        """Whether some of the captured pits, any of them first, fit being empty already, and all else what it holds."""
        full = [self._of(pit, self.walk.counts[pit]) for pit in capture.pits]
        empty = [self._of(pit, 0) for pit in capture.pits]
        nearer = sum(min(pair) for pair in zip(full, empty, strict=True))
        taken = [e < f for e, f in zip(empty, full, strict=True)]
        return any(taken) and not all(taken) and self.lag - sum(full) + nearer <= self._read.most

    def _of(self, pit: int, count: int) -> float:
        return self._read.lags[pit][min(count, COUNTS - 1)]
