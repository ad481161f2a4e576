"""Whether the board fits the middle of a legal move, whose hand may rest with seeds that it has yet to sow; or the
middle of an answer that the other side began at once; or the end of a legal move."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from device.table.parameters import EVIDENCE, HANDS
from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import Window
from device.table.settling.judge_worker import Verdict
from engine.board import Side
from engine.judge.parameters import READING
from engine.position import Position
from engine.rules import Rules
from engine.trace import Capture, Drop, Lift, Step, Trace, Walk
from vision.reading import COUNTS


def note_mid_move(rules: Rules, verdict: Verdict, move: Disturbance) -> None:
    """Note in the disturbance whether what the verdict accuses somebody of, or doubts, may be the middle of a move, the
    mover's or the other side's answer."""
    move.answered = fits_mid_answer(rules, verdict, move)
    move.mid_move = move.answered or fits_mid_move(rules, verdict, move)


def fits_mid_move(rules: Rules, verdict: Verdict, move: Disturbance) -> bool:
    """Whether the board fits the middle of a legal move of the side that is accused, so that its hand may only rest.

    The move may be broken off with seeds in the hand or with some of the captured pits carried off, and between two
    laps where it was not that side's turn. "Fits" means that no pit that is seen is clearly read otherwise. Of a doubt
    this is asked only where it was not the side's turn: a heap that is hard to read fits the middle of some move.
    """
    before, mover = verdict.before, moving_side(verdict.player, move)
    turn = replace(before, to_move=mover)
    rest = verdict.kind in ("illegal", "tampered") or (verdict.kind == "not-sure" and turn != before)
    if not rest or rules.arranges(before):
        return False
    fits = _fits(move.window).tolist()
    return any(_meets(legal.trace, turn, fits, between=turn != before) for legal in rules.moves(turn).moves)


def fits_mid_answer(rules: Rules, verdict: Verdict, move: Disturbance) -> bool:
    """Whether the board fits a legal move and the middle of an answer that the other side began at once.

    Then the other side's hand was there as well and left last, and no pit that is seen is clearly read otherwise than
    some legal move leaves it with an answer broken off, within a lap or between two.
    """
    before = verdict.before
    mover, other = before.to_move, before.to_move.other
    if verdict.kind not in ("illegal", "tampered", "not-sure") or rules.arranges(before):
        return False
    if not reached_in(move, other) or not move.frames[mover] or move.last[other] <= move.last[mover]:
        return False
    fits = _fits(move.window).tolist()
    seeds = 1 + math.floor((move.last[other] - max(move.first)) / HANDS.quickest_drop_s)
    return any(_meets(answer.trace, legal.position, fits, between=True, seeds=seeds)
               for legal in rules.moves(before).moves if rules.over(legal.position) is None
               for answer in rules.moves(legal.position).moves)


def moving_side(player: Side | None, move: Disturbance) -> Side:
    """The side that a verdict names, unless its hand was not there: whose hands it mostly were."""
    return player if player is not None and reached_in(move, player) else move.side


def reached_in(move: Disturbance, side: Side) -> bool:
    """Whether that side's hand was more than a cuff or a shadow beside the other's, or a part of it."""
    hands = move.south, move.north
    if not move.frames[side] or hands[side] < READING.hand_seen:
        return False
    return hands[side] > min(max(READING.hand_absent * max(hands), READING.hand_plain), READING.hand_cuff * max(hands))


def _fits(window: Window) -> NDArray[np.bool_]:
    """bool[pits, 26]: the counts that a pit is not clearly read otherwise than."""
    loglik = window.loglik
    return np.asarray(~window.seen[:, None] | (loglik >= loglik.max(axis=1, keepdims=True) - EVIDENCE.clear_lead))


def _meets(trace: Trace, before: Position, fits: list[list[bool]], *, between: bool = False,
           seeds: int | None = None) -> bool:
    """Whether the board fits after some step with seeds still in the hand, or, `between`, none and more to be done;
    fits: [pit][count]. seeds: of these no more were laid, if so many."""
    board = _ReadBoard(before, fits)
    last = max(k for k, step in enumerate(trace) if isinstance(step, Lift | Drop | Capture))
    for k, step in enumerate(trace):
        if isinstance(step, Capture) and board.fits_partly_captured(step):
            return True
        if board.stops_before(step, seeds):
            return False
        rests = board.take(step) and between and k < last
        if not board.wrong and (board.walk.hand or rests):
            return True
    return False


class _ReadBoard:
    """A board on which a trace is done step by step, beside what is read. walk: the board and the hand over it; laid:
    seeds dropped so far; wrong: the pits that are clearly read otherwise than they hold now."""

    def __init__(self, before: Position, fits: list[list[bool]]) -> None:
        """before: the position before the first step; fits: [pit][count]."""
        self.walk, self._fits, self.laid = Walk(list(before.counts), before.board.name), fits, 0
        self.wrong = {pit for pit in range(before.board.pits) if self._off(pit)}

    def _off(self, pit: int) -> bool:
        return not self._fits[pit][min(self.walk.counts[pit], COUNTS - 1)]

    def take(self, step: Step) -> bool:
        """Do a step; whether it moves seeds."""
        changed = self.walk.take(step)
        self.laid += isinstance(step, Drop)
        self.wrong = self.wrong.difference(changed).union(pit for pit in changed if self._off(pit))
        return bool(changed)

    def stops_before(self, step: Step, seeds: int | None) -> bool:
        """Whether the hand is empty from here on, or had no time for the step. seeds: of these no more were laid, if so
        many."""
        ends = isinstance(step, Capture) and step.sown_from is None
        return ends or (isinstance(step, Drop) and self.laid == seeds)

    def fits_partly_captured(self, capture: Capture) -> bool:
        """Whether some of the captured pits, any of them first, fit being empty already, and all else what it holds."""
        return self.wrong <= set(capture.pits) and _emptied(capture, self.walk.counts, self._fits)


def _emptied(capture: Capture, counts: list[int], fits: list[list[bool]]) -> bool:
    """Whether some of the captured pits, any of them first, fit being empty already, and the others what they held."""
    empty = [fits[p][0] for p in capture.pits]
    full = [fits[p][min(counts[p], COUNTS - 1)] for p in capture.pits]
    return any(empty) and any(full) and all(e or f for e, f in zip(empty, full, strict=True))
