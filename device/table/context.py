"""What all phases of a table share: the game, facts of the newest reading, known counts, and the appending of events.
"""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from device.journal.events import Body, Event, GameStarted, PositionSet, StateEntered, translatable
from device.journal.game import Game
from device.journal.states import State
from device.table.parameters import MOTION, WAITING
from device.table.window import Window
from engine.messages import Message
from vision.reading import BoardView, Lesson, Reading

Append = Callable[[Body], Event]


class TableContext:
    """Shared by the phases of one table.

    state, why: what the table is doing, and a few words about it. t: time of the last reading, seconds. hand: a hand is
    over the board. window: quiet readings of the board. to_teach: newly known counts, until the eye has been taught
    them. turn_known: False after the board was taken as it lies, until somebody has moved. view: where the
    board was found, None if unknown. said_at: when an event other than a state was last appended, seconds.
    """

    def __init__(self, game: Game, append: Append) -> None:
        """game: the table's; append: writes an event and returns it numbered."""
        self.game = game
        self.state = State.STARTING
        self.why: Message | str = ""
        self.t = 0.0
        self.hand = False
        self.to_teach: Lesson | None = None
        self.turn_known = True
        self.view: BoardView | None = None
        self.said_at = 0.0
        self._append = append
        self._said: tuple[State | None, Message | str] = (None, "")
        self.restart_window()

    def say(self, body: Body) -> Event:
        """Append an event to the journal, and fold it into the game."""
        position = self.game.position
        if isinstance(body, GameStarted | PositionSet) and position is not None:
            unknown = (-1,) * position.board.pits  # earlier knowledge of the pits no longer holds
            self.teach(unknown, np.asarray(unknown))
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
        """Set the state without writing `StateEntered`, because the caller appends an event of its own (`Blind`)."""
        self.state, self.why = state, why
        self._said = (state, why)

    def gather(self, reading: Reading) -> bool:
        """Add a quiet reading to the window; return whether that is enough for a decision now. A hand or motion
        restarts the window, and so does time, as light and shade change slowly."""
        if self.hand or MOTION.shows_motion(reading) or self.window.seconds > 2 * WAITING.laid_s:
            self.restart_window()
        elif reading.counted and reading.motion <= MOTION.quiet:
            self.window.add(reading)
            return self.window.enough
        return False

    def teach(self, counts: Sequence[int], stays: NDArray[np.int64], *, supposed: bool = False,
              errors: bool = False) -> None:
        """Have the eye taught what the pits hold, -1 for unknown; arguments as in `vision.reading.Lesson`."""
        self.to_teach = Lesson(tuple(counts), stays.copy(), supposed, errors)

    def restart_window(self) -> None:
        """Forget the quiet readings."""
        self.window = Window(self.game.position.board.pits if self.game.position is not None else 0)
