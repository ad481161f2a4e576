"""Hands that lie still over the board, of people who lean on it while the others play, or leave a hand there after
their move. As long as nothing moves, the pits that they do not cover can be read, and may show the end of a legal move.
"""

from __future__ import annotations

import numpy as np

from device.table.context import TableContext
from device.table.parameters import HANDS
from device.table.settling.disturbance import Disturbance, disturbance_now
from device.table.settling.evidence_window import Window
from device.table.settling.judge_worker import Verdict
from engine.board import Side
from vision.reading import Reading


class RestingHands:
    """Watches a move's hands for the moments in which none of them moves."""

    def __init__(self) -> None:
        """No hand was seen yet."""
        self.asked = False
        self._of: Disturbance | None = None
        self._window: Window | None = None
        self._there: list[Side] = []

    def may_ask(self, context: TableContext, move: Disturbance, reading: Reading) -> bool:
        """Whether it is time to ask what was played. Each time that the hands come to rest it is asked once."""
        if self._of is not move or reading.motion > context.motion.quiet:
            self._of, self._window, self.asked = move, None, False
            return False
        if self.asked or not context.game.synced or not reading.counted:
            return False
        rules, position = context.game.playing
        if rules.arranges(position) or (not position.ply and rules.races):
            return False
        self._window = self._window or context.new_window(touched=True)
        self._window.add(reading)
        long = self._window.frames >= HANDS.still_readings and self._window.seconds >= HANDS.still_s
        return long and bool(self._window.clearly_otherwise(position.counts))

    def next_move(self, context: TableContext, move: Disturbance, reading: Reading) -> Disturbance:
        """A disturbance for what the hands do next; the move's window is what was read while they lay still."""
        assert self._window is not None, "no hand has come to rest"
        move.window, self._window, self.asked = self._window, None, True
        most = (move.south, move.north)
        self._there = [side for side in Side if reading.hands[side] > HANDS.at_work_share * most[side]]
        later = disturbance_now(context)
        later.hands(reading, context.t, context.motion)
        return later

    def may_be_said(self, verdict: Verdict, move: Disturbance) -> bool:
        """Whether the verdict may be said while hands rest over the board: only a legal move, and only where the
        mover's own hand hides no pit that the move changes. From any other board the hands may go on."""
        if not (self.asked and self._of is move):
            return True
        return verdict.kind == "legal" and not (verdict.player in self._there and _beneath(verdict, move.window))


def _beneath(verdict: Verdict, window: Window) -> bool:
    """Whether a pit that nobody has seen holds otherwise than before the move."""
    changed = np.array(verdict.before.counts) != np.array(verdict.position.counts)
    return bool((changed & ~window.seen).any())
