"""What all phases of a table share: the game, facts of the newest reading, known counts, and the appending of events.
"""

import math
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from device.journal.events import Body, Event, GameStarted, PositionSet, StateEntered, translatable
from device.journal.game import Game
from device.journal.states import State
from device.table.parameters import JUDGEMENT, Motion, Waiting
from device.table.window import Window
from engine.messages import Message
from vision.reading import Lesson, Reading

Append = Callable[[Body], Event]


class TableContext:
    """Shared by the phases of one table.

    state, why: what the table is doing, and a few words about it. t: time of the last reading, seconds. hand: a hand is
    over the board. last_call: the recording has ended, so do not wait for anything. window: quiet readings of the
    board. to_teach: newly known counts, until the eye has been taught them. turn_known: False after the board was taken
    as it lies, until somebody has moved. pit_px: radius of a pit in the picture, pixels; infinite if unknown. said_at:
    when an event other than a state was last appended, seconds. motion, waiting: the table's tuned numbers
    (`device.table.parameters`).
    """

    def __init__(self, game: Game, append: Append) -> None:
        """game: the table's; append: writes an event and returns it numbered."""
        self.game = game
        self.motion, self.waiting = Motion(), Waiting()
        self.state = State.STARTING
        self.why: Message | str = ""
        self.t = 0.0
        self.hand = False
        self.last_call = False
        self.to_teach: Lesson | None = None
        self.turn_known = True
        self.pit_px = math.inf
        self.said_at = 0.0
        self._append = append
        self._there, self._motion = 0, 0.0
        self._said: tuple[State | None, Message | str] = (None, "")
        self.window = self._new_window()

    def say(self, body: Body) -> Event:
        """Append an event to the journal, and fold it into the game."""
        position = self.game.position
        if isinstance(body, GameStarted | PositionSet) and position is not None:
            self.to_teach = Lesson((-1,) * position.board.pits)  # earlier knowledge of the pits no longer holds
        if not isinstance(body, StateEntered):
            self.said_at = self.t
        event = self._append(body)
        self.game.fold(event)
        if isinstance(body, GameStarted):
            self._said = (None, "")
        return event

    def enter(self, state: State, why: Message | Literal[""] = "") -> None:
        """Enter a state; passing ones are not written to the journal, nor is a return to the one written last."""
        self.state, self.why = state, why
        if not state.passing and (state is not self._said[0] or (why and why != self._said[1])):
            self._said = (state, why)
            self.say(StateEntered(state=str(state), why=str(why), told=translatable(why)))

    def note_state(self, state: State, why: Message | str) -> None:
        """Enter a state that has an event of its own type (blindness)."""
        self.state, self.why = state, why
        self._said = (state, why)

    def follow(self, reading: Reading, radius: float = math.inf) -> None:
        """Take the time and the hands from a reading. radius: the pits' in the picture, pixels."""
        self.pit_px = radius
        self.t = reading.time_ns / 1e9
        covered, motion = sum(reading.hands), self.motion
        there = covered > (motion.hands_leave if self.hand else motion.hands_enter)
        self._there = self._there + 1 if there else 0
        comes = max(reading.motion, self._motion) > motion.comes or self._there >= motion.stays
        self.hand, self._motion = there and (self.hand or comes), reading.motion

    def shows_motion(self, reading: Reading) -> bool:
        """Whether something moves, a hand or not, beyond noise and changes of light."""
        return self.motion.shows_motion(reading)

    def quiet(self, reading: Reading) -> bool:
        """Whether the reading is quiet: counted, no hand, nothing moving."""
        return reading.counted and not self.hand and reading.motion <= self.motion.quiet

    def enough(self, window: Window) -> bool:
        """Whether the window holds enough readings for a decision."""
        return window.frames >= (1 if self.last_call else self.waiting.settle_frames)

    def gather(self, reading: Reading) -> None:
        """Add a quiet reading to the window. Restart the window first if a hand or motion shows, or if it has lasted
        for longer than `JUDGEMENT.quiet_window_s`."""
        if self.hand or self.shows_motion(reading) or self.window.seconds > JUDGEMENT.quiet_window_s:
            self.restart_window()
        if self.quiet(reading):
            self.window.add(reading)

    def teach(self, counts: Sequence[int], stays: NDArray[np.int64] | None, *, supposed: bool = False,
              errors: bool = False) -> None:
        """Have the eye taught what the pits hold, -1 for unknown; arguments as in `vision.reading.Lesson`."""
        self.to_teach = Lesson(tuple(counts), stays, supposed, errors)

    def restart_window(self) -> None:
        """Forget the quiet readings."""
        self.window = self._new_window()

    def _new_window(self) -> Window:
        return Window(self.game.position.board.pits if self.game.position is not None else 0)

    def names(self, pits: Sequence[int]) -> str:
        """The pits' letters, separated by commas."""
        _, position = self.game.playing
        return ", ".join(position.board.name(p) for p in pits)
