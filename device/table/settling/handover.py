"""One hand leaves as the other side's comes. Between the two moves the board is never without a hand, but for a moment
the pits that the new hand does not cover can be read as the old one left them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from device.table.context import TableContext
from device.table.parameters import HANDS
from device.table.settling.disturbance import Disturbance, disturbance_now
from device.table.settling.judge_worker import Verdict
from device.table.settling.mid_move import fits_an_end
from device.table.settling.unfinished_move import may_be_mended
from engine.board import Side
from engine.judge.verdict import Explanation
from vision.reading import Reading


class Handover:
    """Watches a move's hands for the moment in which only the other side's is there, and has just come. coming: what
    that one does so far."""

    def __init__(self) -> None:
        """No hand was seen yet."""
        self.coming: Disturbance | None = None
        self.asked = self._glanced = False
        self._of: Disturbance | None = None
        self._touched: NDArray[np.bool_] | None = None
        self._away = [0.0, 0.0]

    def takes(self, context: TableContext, move: Disturbance, reading: Reading) -> bool:
        """Whether the hand in the reading is the newcomer's; else it is the move's, and so is all that was taken for
        the newcomer's."""
        if self._of is not move:
            self._of, self.coming, self._away = move, None, [context.t, context.t]
            self.asked = self._glanced = False
        there = [side for side in Side if reading.hands[side] > context.motion.hands_leave]
        for side in Side:
            if side not in there:
                self._away[side] = context.t
        if len(there) != 1 or not move.frames[there[0].other] or context.t - self._away[there[0]] > HANDS.newcomer_s:
            self.ends(move)
            return False
        if self.asked:
            return False
        if self.coming is None:
            self._touched = None
            self.coming = disturbance_now(context)
        self.coming.hands(reading, context.t, context.motion)
        if reading.counted:  # what it has been over it may have changed
            under = ~reading.seen
            self._touched = under if self._touched is None else self._touched | under
            self.coming.window.add(replace(reading, seen=~self._touched))
        return True

    def ends(self, move: Disturbance) -> None:
        """It was no newcomer: what it did is the move's."""
        coming, self.coming = self.coming, None
        self.asked = self._glanced = False
        if coming is not None:
            move.follow(coming)

    def may_ask(self, context: TableContext) -> bool:
        """Whether it is time to ask what the hand did that has left: at a glance where that may be seen, else later."""
        coming = self.coming
        if coming is None or not context.game.synced:
            return False
        rules, position = context.game.playing
        if rules.arranges(position) or (not position.ply and rules.races):
            return False  # both sides lay their seeds out, or sow, at the same time
        window = coming.window
        return window.frames >= HANDS.handover_readings or (
            window.frames >= HANDS.handover_glances and not self._glanced and fits_an_end(rules, position, window))

    def next_move(self, context: TableContext, move: Disturbance) -> Disturbance:
        """The newcomer's disturbance, and the move's window is what has been read since it came; of the pits that the
        newcomer has been over, as they were read just before."""
        coming = self.coming
        assert coming is not None, "no hand has come"
        move.window, coming.window = coming.window, context.new_window(touched=True)
        move.window.fill(*move.hand_readings.lately(len(move.window.seen)))
        self.coming, self.asked = None, True
        return coming

    def resumes(self, move: Disturbance, later: Disturbance) -> bool:
        """Whether no more than a glance was asked about, of which nothing follows: it is watched further."""
        if not self.asked or move.window.frames >= HANDS.handover_readings:
            return False
        self.coming, later.window = later, move.window
        self.asked, self._glanced = False, True
        return True

    def may_be_said(self, verdict: Verdict, move: Disturbance) -> bool:
        """Whether the verdict may be said of a moment between two hands.

        A legal move may, and a fault that the hand which has left cannot mend any more. A doubt may where every pit in
        doubt was seen and what was played is hardly in doubt; of any other doubt the two moves together may show more.
        """
        if not self.asked or verdict.kind in ("legal", "withdrawn", "unchanged"):
            return True
        likely = verdict.best[0] if verdict.kind == "not-sure" and verdict.best else None
        moved = likely is not None and likely.kind in ("legal", "illegal")
        hardly = likely is not None and moved and _by(likely, verdict.best) >= HANDS.same_move_odds
        told = verdict.kind == "illegal" or (hardly and bool(move.window.seen[list(verdict.pits)].all()))
        return told and not move.mid_move and not may_be_mended(verdict)


def _by(one: Explanation, best: Iterable[Explanation]) -> float:
    """Odds of all explanations by the same move."""
    return sum(e.p for e in best if (e.player, e.move, e.then) == (one.player, one.move, one.then))
