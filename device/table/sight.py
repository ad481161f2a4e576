"""Decide whether the table can see. Silence must never look like "all legal", and a passing shadow is not blindness."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from device.journal.messages import MESSAGES, message
from device.journal.states import State
from device.table.context import TableContext
from device.table.parameters import JUDGEMENT, MOTION, SIGHT
from engine.messages import Message
from vision.reading import COUNTS, Reading

USUAL_FRAMES = 8
"""Frames over which the usual interval is averaged."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A reason for not seeing. after_s: how long it must last before it is reported."""

    why: Message | str
    todo: Message
    after_s: float


def _trouble(key: str, after_s: float) -> Trouble:
    return Trouble(message(f"reason.{key}"), message(f"reason.{key}.todo"), after_s)


LOST = _trouble("lost", SIGHT.trouble_s)
DARK = _trouble("dark", SIGHT.trouble_s)
HIDDEN = _trouble("hidden", SIGHT.trouble_s)
MOVED = _trouble("moved", 0.0)
BLURRED = _trouble("blurred", SIGHT.trouble_s)
NO_CAMERA = _trouble("no-camera", 0.0)
NOT_FOUND = _trouble("not-found", SIGHT.not_found_s)


def _todo(why: Message | str) -> Message:
    """What people can do if the camera gives no pictures: the reason's own advice if it has some."""
    own = f"{why.key}.todo" if isinstance(why, Message) else ""
    return message(own) if own in MESSAGES else NO_CAMERA.todo


def trouble(reading: Reading, ever: bool) -> Trouble | None:
    """What keeps this frame from being read, None for nothing. ever: the board was found before."""
    if reading.dark:
        return DARK
    if not reading.found:
        return LOST if ever else NOT_FOUND
    if sum(reading.hands) > SIGHT.no_hands_share:
        return HIDDEN
    if reading.moved:
        return MOVED
    return BLURRED if reading.blurred else None


class Sight:
    """Follows the frames' troubles. usable: this frame can be used; blind: the trouble that has lasted too long, None
    for none; since: when it began, seconds. Time without frames is a trouble, too."""

    def __init__(self) -> None:
        """Start without any frame."""
        self.blind: Trouble | None = None
        self.since = 0.0
        self._last, self._usual_s = math.inf, 0.0
        self.usable = False
        self.ever = False
        self._now: Trouble | None = None
        self._since = 0.0

    def feed(self, reading: Reading) -> None:
        """Take in a frame's reading."""
        t = reading.time_ns / 1e9
        now, hole_s = trouble(reading, self.ever), self._hole_s(t)
        if hole_s and self.blind is None:
            self.blind = Trouble(message("reason.hole", seconds=f"{hole_s:.1f}"), message("reason.hole.todo"), 0.0)
            self.since = t - hole_s
        if now != self._now or self._since == 0.0 or hole_s:
            self._now, self._since = now, t
        lasted = t - self._since
        if now is None:
            self.ever = True
            if self.blind is not None and lasted >= SIGHT.trouble_s:
                self.blind = None
        elif lasted >= now.after_s:
            if self.blind is None:
                self.since = self._since
            self.blind = now
        self.usable = now is None and self.blind is None

    def pass_over(self, reading: Reading) -> None:
        """Note only the time of a frame."""
        self._last = reading.time_ns / 1e9

    def _hole_s(self, t: float) -> float:
        """Length of the gap before the frame at `t` seconds; 0 if it came after a usual interval."""
        took, self._last = t - self._last, t
        usual, hole = self._usual_s, took > max(SIGHT.hole_s, SIGHT.hole_factor * self._usual_s)
        if took > 0:
            self._usual_s = took if not usual else usual + (took - usual) / USUAL_FRAMES
        return took if hole else 0.0

    def lose(self, trouble: Trouble, t: float) -> None:
        """Go blind at `t` seconds for a reason that the frames themselves do not show."""
        self.blind = self._now = trouble
        self._since = self.since = t
        self.usable = False

    def lose_camera(self, why: Message | str) -> None:
        """Go blind at once, as the camera is gone."""
        since = self._last if self.blind is None else self.since
        self.lose(Trouble(why or NO_CAMERA.why, _todo(why), 0.0), since)


PLAYING = (State.WATCHING, State.HANDS_IN, State.SETTLING, State.JUDGING)
"""The states during a game."""

LIES = Trouble(message("reason.lies", seconds=int(SIGHT.unsaid_s)), message("reason.lies.todo"), 0.0)
RESTLESS = Trouble(message("reason.restless", seconds=int(SIGHT.unsaid_s)), message("reason.restless.todo"), 0.0)


class UnjudgedChange:
    """Notices a change of the board that has had no verdict for long. A thing, a hand or a shadow may lie still over
    the board, or the picture may never come to rest."""

    def __init__(self) -> None:
        """Start without any reading."""
        self._otherwise: NDArray[np.float64] = np.zeros(0)
        self._moved = self._rested = 0.0

    def feed(self, reading: Reading, context: TableContext) -> Trouble | None:
        """Take in a reading; return the trouble if a changed board has had no verdict for too long, else None."""
        t, counts = context.t, context.game.playing[1].counts
        if MOTION.shows_motion(reading):
            self._moved = t
        quiet = not context.hand and reading.motion <= MOTION.quiet
        if quiet:
            self._rested = t
        begins = context.state not in PLAYING or (quiet and context.state is State.WATCHING)
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
        """Note since when each pit has differed from the game's position in all readings that showed it."""
        expected = np.minimum(np.asarray(counts), COUNTS - 1)
        lead = reading.loglik.max(axis=1) - reading.loglik[np.arange(len(counts)), expected]
        since = np.where(lead > JUDGEMENT.clear_lead, np.minimum(self._otherwise, t), np.inf)
        self._otherwise = np.where(reading.seen, since, self._otherwise)
