"""Whether the board has plainly changed and nothing can be said of it: silence must never look like "all legal".

This asks about what the table says, whatever keeps it from saying something: a thing, a hand or a shade that lies still
over part of the board and is waited for, or a picture that never comes to rest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from device.journal.messages import message
from device.journal.states import State
from device.table.context import TableContext
from device.table.parameters import EVIDENCE, SIGHT
from device.table.sight import Trouble
from vision.reading import COUNTS, Reading

WAITING = (State.HANDS_IN, State.SETTLING, State.JUDGING, State.WATCHING)

LIES = Trouble(message("reason.lies", seconds=int(SIGHT.unsaid_s)), message("reason.lies.todo"), 0.0)
RESTLESS = Trouble(message("reason.restless", seconds=int(SIGHT.unsaid_s)), message("reason.restless.todo"), 0.0)


class UnjudgedChange:
    """Follows the readings of a game that is on."""

    def __init__(self) -> None:
        """No reading was seen yet."""
        self._otherwise: NDArray[np.float64] = np.zeros(0)
        self._moved = self._rested = 0.0

    def feed(self, reading: Reading, context: TableContext) -> Trouble | None:
        """Why nothing has been said of a changed board for too long; None while that is not so."""
        t, motion, counts = context.t, context.motion, context.game.playing[1].counts
        if motion.stirs(reading):
            self._moved = t
        quiet = not context.hand and reading.motion <= motion.quiet
        if quiet:
            self._rested = t
        begins = context.state not in WAITING or (quiet and context.state is State.WATCHING)
        if begins or len(self._otherwise) != len(counts):
            self._otherwise = np.full(len(counts), np.inf)
        if reading.counted:
            self._note(reading, counts, t)
        waited = t - max(float(self._otherwise.min()), context.said_at)
        if waited < SIGHT.unsaid_s:
            return None
        if t - self._moved < SIGHT.pause_s and waited < SIGHT.longest_relay_s:
            return None
        if context.hand:
            return LIES if reading.lain >= SIGHT.unsaid_s else None
        return RESTLESS if t - self._rested >= SIGHT.unsaid_s else None

    def _note(self, reading: Reading, counts: Sequence[int], t: float) -> None:
        """Since when each pit has been read otherwise than was said of it, in every picture in which it was open."""
        expected = np.minimum(np.asarray(counts), COUNTS - 1)
        lead = reading.loglik.max(axis=1) - reading.loglik[np.arange(len(counts)), expected]
        since = np.where(lead > EVIDENCE.clear_lead, np.minimum(self._otherwise, t), np.inf)
        self._otherwise = np.where(reading.seen, since, self._otherwise)
