"""What all phases of a table share: the game, the newest reading's facts, what is known of the pits, and the saying."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from device.journal.events import Body, Event, GameStarted, PositionSet, StateEntered, VerdictGiven, told
from device.journal.game import Game
from device.journal.states import State
from device.table.parameters import Motion, Waiting
from device.table.settling.evidence_window import Window
from device.table.settling.hand_readings import HandReadings
from device.table.settling.pit_baseline import PitBaseline
from engine.messages import Message
from engine.position import Position
from vision.reading import Lesson, Reading

Append = Callable[[Body], Event]


class TableContext:
    """Shared by the phases of one table.

    state, why: what the table is doing, and a few words to it. t: seconds, of the last reading. hand: a hand is
    over the board. last_call: the recording is at its end, nothing is waited for.
    window: quiet readings of the board as it lies. counted: pits that people, or the rules, have counted (see
    `Window`). baseline: the pits when it was last known what they held. hidden: pits that were not seen when the
    board lay still last. to_teach: what the pits hold, when that has just become known, until the eye has been
    taught it. turn_known: False once the board was taken as it lies, until somebody has moved.
    pit_px: radius of a pit in the picture, pixels; infinite where that is not known. found_elsewhere_since: the
    board was found elsewhere than it was when it was last known how its pits look. unwatched: seconds, when it could be
    seen again after a time in which nobody watched, as long as it is not known that the board lies as before; else 0.
    said_at: seconds, when something other than its state was said last.
    motion, waiting: the table's tuned numbers (`device.table.parameters`).
    """

    def __init__(self, game: Game, append: Append) -> None:
        """game: what is played; append: takes an event down and numbers it."""
        self.game = game
        self.motion, self.waiting = Motion(), Waiting()
        self.state = State.STARTING
        self.why: Message | str = ""
        self.t = 0.0
        self.hand = False
        self.last_call = False
        self.counted: dict[int, tuple[int, int]] = {}
        self.baseline: PitBaseline | None = None
        self.to_teach: Lesson | None = None
        self.turn_known = True
        self.hidden: frozenset[int] = frozenset()
        self.pit_px, self.found_elsewhere_since = math.inf, False
        self.said_at = self.unwatched = 0.0
        self._append = append
        self._there, self._motion = 0, 0.0
        self._said: tuple[State | None, Message | str] = (None, "")
        self.window = self.new_window()

    def say(self, body: Body) -> Event:
        """An event into the journal and into the game."""
        if isinstance(body, GameStarted | PositionSet):
            self._forget_counts(anew=isinstance(body, GameStarted))
        if not isinstance(body, StateEntered):
            self.said_at = self.t
        if isinstance(body, GameStarted | PositionSet | VerdictGiven):
            self.unwatched = 0.0  # it is said how the board lies now
        event = self._append(body)
        self.game.fold(event)
        if isinstance(body, GameStarted):
            self._said = (None, "")
        return event

    def _forget_counts(self, *, anew: bool) -> None:
        """What the pits hold is known otherwise now, or not at all. anew: another game begins."""
        baseline = self.baseline
        if baseline is not None:
            self.to_teach = Lesson((-1,) * len(baseline.counts))
            self.baseline = None if anew else baseline.without_counts()

    def enter(self, state: State, why: Message | Literal[""] = "") -> None:
        """Go to a state; passing ones are not written down, nor is a return to the one written last."""
        self.state, self.why = state, why
        if not state.passing and (state is not self._said[0] or (why and why != self._said[1])):
            self._said = (state, why)
            self.say(StateEntered(state=str(state), why=str(why), told=told(why)))

    def note_state(self, state: State, why: Message | str) -> None:
        """The state has an event of its own type (blindness)."""
        self.state, self.why = state, why
        self._said = (state, why)

    def follow(self, reading: Reading, radius: float = math.inf) -> None:
        """Take the time and the hands of a reading. radius: of the board's pits in the picture, pixels."""
        self.pit_px = radius
        self.t = reading.time_ns / 1e9
        covered, motion = sum(reading.hands), self.motion
        there = covered > (motion.hands_leave if self.hand else motion.hands_enter)
        self._there = self._there + 1 if there else 0
        comes = max(reading.motion, self._motion) > motion.comes or self._there >= motion.stays
        self.hand, self._motion = there and (self.hand or comes), reading.motion

    def stirs(self, reading: Reading) -> bool:
        """Whether something moves that is no noise and no lamp, known for a hand or not."""
        return self.motion.stirs(reading)

    def quiet(self, reading: Reading) -> bool:
        """Whether the reading is one to gather: counted, no hand, nothing moving."""
        return reading.counted and not self.hand and reading.motion <= self.motion.quiet

    def enough(self, window: Window) -> bool:
        """Whether so many readings carry a decision."""
        return window.frames >= (1 if self.last_call else self.waiting.settle_frames)

    def new_window(self, touched: bool = False) -> Window:
        """An empty window for this board; touched: since the pits were last known."""
        position = self.game.position
        return Window(position.board.pits if position is not None else 0, self.counted, touched=touched,
                      baseline=self.baseline)

    def forget_changed(self, before: Position) -> None:
        """What people counted holds only until the pit is played; before: the position before the move."""
        _, position = self.game.playing
        for pit in [p for p in self.counted if before.counts[p] != position.counts[p]]:
            del self.counted[pit]

    def new_hand_readings(self) -> HandReadings:
        """For the readings of a disturbance that begins."""
        return HandReadings()

    def note_baseline(self, window: Window, position: Position | None, but: Sequence[int] = (), *,
                      errors: bool = False) -> None:
        """The board in a window holds this, as far as can be known, so the pits look that hold it; None where it is not
        known what they hold, but for those that look as when it was known: what follows is still held against how they
        look. but: pits of which it is not known what they hold all the same. errors: as of `vision.reading.Lesson`."""
        seen, stays = window.seen, window.stays
        self.hidden = frozenset(np.flatnonzero(~seen).tolist()) if window.frames else frozenset()
        if position is not None:
            counts: Sequence[int] = [-1 if p in but else n for p, n in enumerate(position.counts)]
        elif self.baseline is not None and len(self.baseline.counts) == len(seen):
            counts = np.where(window.unchanged, self.baseline.counts, -1).tolist()
        else:
            counts = [-1] * len(seen)
        self.baseline = None if stays is None or not seen.any() else PitBaseline.of(stays, counts)
        if position is not None:
            self.to_teach = self.lesson(counts, window, errors=errors)

    def lesson(self, counts: Sequence[int], window: Window, *, supposed: bool = False, errors: bool = False) -> Lesson:
        """For the eye: the board in a window holds these counts, as of `vision.reading.Lesson`."""
        return Lesson(tuple(counts), window.stays, supposed, errors)

    def found_elsewhere(self) -> None:
        """The board was found at another place: forget how its pits looked at the old one."""
        self.found_elsewhere_since = True
        self.restart_window()

    def renew_baseline(self, window: Window, position: Position, *, known: bool) -> None:
        """Where the board was found elsewhere, and nobody has touched it since: those pits look so now that read as
        they should. known: it is known what they hold."""
        if self.found_elsewhere_since and known and self.enough(window) and window.seen.all():
            self.found_elsewhere_since = False
            self.note_baseline(window, position, but=window.otherwise(position.counts))

    def restart_window(self, touched: bool = False) -> None:
        """Forget the quiet readings. touched: as in `new_window`."""
        self.window = self.new_window(touched)

    def names(self, pits: Sequence[int]) -> str:
        """Pits by their letters."""
        _, position = self.game.playing
        return ", ".join(position.board.name(p) for p in pits)
