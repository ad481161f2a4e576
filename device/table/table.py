"""The table: a state machine that takes readings and orders and gives events, without camera, clock, file or thread.

It joins the phases: sight and blindness here, the laying of the board in `device.table.laying`, moves in
`device.table.play`.
"""

import math
from concurrent.futures import Future

from device.eyes.pipeline import InlineRunner, JobRunner
from device.journal.events import (
    Blind,
    CorrectPit,
    LetStand,
    NewGame,
    NotAsSeen,
    Order,
    OrderAnswered,
    RulingUndone,
    Sighted,
    translatable,
)
from device.journal.game import Game
from device.journal.messages import message
from device.journal.states import State
from device.table.context import Append, TableContext
from device.table.laying import Laying
from device.table.orders import Answer, answer
from device.table.parameters import WAITING
from device.table.play import Play
from device.table.sight import PLAYING, Sight, Trouble, UnjudgedChange
from device.table.verdict_events import FOLLOWS, position_set
from device.table.window import Window
from device.turn import Turn
from engine.messages import Message
from engine.referee.finding import Finding
from vision.reading import BoardView, Lesson, Reading


class Table:
    """Takes readings by `reading` and orders by `order`; gives events to `append`, which returns them numbered.

    as_it_lies_at_start: a game may begin from the board as it lies if that is clearly not the set-up. start_is_sure:
    the game's start has been laid already, seen or not, so a different board is the result of the first move.
    """

    def __init__(self, game: Game, append: Append, work: JobRunner | None = None, *,
                 as_it_lies_at_start: bool = False, start_is_sure: bool = False) -> None:
        """work: runs the referee's long work; without it that is done at once. The other arguments are those of the
        class."""
        self.game = game
        self._context, self._work = TableContext(game, append), work or InlineRunner()
        self._sight, self._unjudged, self._reset_wanted = Sight(), UnjudgedChange(), False
        self._counted_at = -1e9
        self._recount: tuple[int, Future[Answer]] | None = None
        """The order to judge a move again, and its future answer."""
        self._play = Play(self._context, self._work)
        self._laying = Laying(self._context, self._play, self._work,
                              as_it_lies_at_start=as_it_lies_at_start, start_is_sure=start_is_sure)

    @property
    def state(self) -> State:
        """What the table is doing."""
        return self._context.state

    @property
    def words(self) -> Message | str:
        """A few words about the state, for people."""
        return self._play.clock.words(self._context) or self._context.why

    @property
    def why(self) -> str:
        """`words` in English."""
        return str(self.words)

    @property
    def window(self) -> Window:
        """The last quiet readings of the board."""
        return self._context.window

    def wants_count(self, time_ns: int) -> bool:
        """Whether to count the pits in the frame of this time, ns. Counting is the costliest step, so most frames go
        without."""
        context, state = self._context, self._context.state
        passed = time_ns / 1e9 - self._counted_at
        if state in (State.SETTING_UP, State.SETTLING, State.WITHDRAWING):
            return passed >= WAITING.count_still_s
        if state is State.JUDGING:  # the referee needs the machine, unless hands have come and gone meanwhile
            return passed >= (WAITING.count_still_s if self._play.awaits_rest else WAITING.count_quiet_s)
        if state is State.HANDS_IN:
            return passed >= WAITING.count_in_play_s
        if state in (State.WATCHING, State.OVER):
            otherwise = context.window.frames and context.window.clearly_otherwise(self.game.playing[1].counts)
            eager = self._play.waits or not self.game.synced or otherwise
            return passed >= (WAITING.count_still_s if eager else WAITING.count_quiet_s)
        return False

    @property
    def misplaced_starts(self) -> list[tuple[int, ...]]:
        """If the board lies still but does not show the game's start, so that it may lie elsewhere than it was found,
        the counts that it may hold there, int[pits] each: the game's start and, if that is sure, the board after each
        legal first move. Else none."""
        return self._laying.misplaced_starts if self._context.state is State.SETTING_UP else []

    @property
    def set_up_window(self) -> Window | None:
        """The quiet readings of a board that is still being set up; None if there are none or the game has begun."""
        context = self._context
        return context.window if context.state is State.SETTING_UP and context.window.frames else None

    @property
    def hand(self) -> bool:
        """Whether a hand is over the board in the newest reading."""
        return self._context.hand

    @property
    def missed(self) -> bool:
        """Whether somebody may have touched the board while the table was blind."""
        return self._play.unwatched

    def placed(self) -> None:
        """Forget what was read so far, as the eye was moved to another place of the board."""
        self.other_eye()
        self._laying.reset()

    def other_eye(self) -> None:
        """Note that readings come from another eye from now on, whose stays have other numbers."""
        self._play.forget_looks()
        self._context.restart_window()

    @property
    def revisit(self) -> bool:
        """Whether to look again at pits whose stay is not settled: this makes a quiet board surer, but there is no time
        for it while hands are in play."""
        return self._context.state is not State.HANDS_IN

    def reading(self, reading: Reading, view: BoardView | None = None) -> None:
        """Take in one frame's reading; one of a board of another size is ignored. view: where the board was found, None
        if unknown."""
        context, position = self._context, self.game.position
        if position is None or (reading.found and len(reading.loglik) != position.board.pits):
            return
        if context.state is State.STARTING:
            context.enter(State.SEARCHING, message("why.searching"))
        if self.recounts():
            self._sight.pass_over(reading)
            return
        self._sight.feed(reading)
        if self._sight.blind is not None:
            context.t = reading.time_ns / 1e9
            self._go_blind()
        elif self._sight.usable:
            self._follow(reading, view)

    def _follow(self, reading: Reading, view: BoardView | None) -> None:
        """Handle a usable reading according to the state."""
        context = self._context
        context.t = reading.time_ns / 1e9
        if view is not context.view:
            if context.view is not None:
                self.other_eye()
            context.view = view
        if reading.counted:
            self._counted_at = context.t
        found = self._play.observe(reading)
        context.hand = self._play.hand
        match context.state:
            case State.STARTING | State.SEARCHING | State.BLIND:
                self._sighted()
                self._announce(found)  # of what was seen before
            case State.SETTING_UP:
                self._laying.setting_up(reading, found)
            case State.WITHDRAWING:
                self._laying.withdrawing(reading)
            case State.OVER:
                self._laying.over(reading)
            case _:
                context.gather(reading)
                self._play.announce(found)
        self._nothing_said(reading)

    def takes_reference_reset(self) -> bool:
        """Whether the eye should forget how the board looked, because that look kept the table from a verdict; True
        only once."""
        wanted, self._reset_wanted = self._reset_wanted, False
        return wanted

    def turns(self) -> Turn:
        """How the pictures must be turned from now on, as moves or the start show; returned once. The table is blind
        until then."""
        turn, lies = self._play.turned or (self._laying.turned, self.game.position)
        if turn:
            self._laying.turned = Turn.NONE
            self._play.stop()
            self._lose(Trouble(turn.why, message("reason.turned-now"), 0.0))
            if lies is not None and lies != self.game.position:
                self._context.say(position_set(lies, FOLLOWS))
            self.other_eye()
        return turn

    def counts_to_teach(self) -> Lesson | None:
        """Return what the eye has to learn, or None. Each lesson is returned once."""
        told, self._context.to_teach = self._context.to_teach, None
        return told

    def camera_gone(self, why: Message | str, *, passing: bool = False) -> None:
        """Go blind, as the camera gives no more frames. passing: the same camera may soon go on."""
        self._sight.lose_camera(why)
        self._go_blind()
        if not passing:
            self._play.forget_looks()

    def order(self, number: int) -> bool:
        """Take up the pending order of that event or refuse it, with an answer; True if it was taken up. Judging a move
        again may take a while (`recounts`); the next order waits for it."""
        self._recounted(wait=True)
        given, game, window = self.game.pending[number], self.game, self._context.window
        if isinstance(given, NotAsSeen):
            self._recount = number, self._work.submit(lambda: answer(given, game, window))
            return self._recounted()
        return self._answered(number, answer(given, game, window))

    def recounts(self) -> bool:
        """Whether a move is still being judged again; if the referee is done, give the answer. Meanwhile the game
        stands still and readings are ignored."""
        self._recounted()
        return self._recount is not None

    def _recounted(self, *, wait: bool = False) -> bool:
        """Give the answer of a move that was judged again, if it is known; return whether the order was taken up."""
        if self._recount is None or not (wait or self._recount[1].done()):
            return False
        (number, judged), self._recount = self._recount, None
        return self._answered(number, judged.result())

    def _answered(self, number: int, reply: Answer) -> bool:
        """Append an order's answer and its events, and go on from there; return whether the order was taken up."""
        context, before = self._context, self.game.position
        given = self.game.pending[number]
        beside = _beside(reply, given, self.game)
        for body in reply.bodies:
            context.say(body)
        context.say(OrderAnswered(order=number, done=reply.done, sentence=reply.sentence,
                                  told=translatable(reply.message)))
        if not reply.done:
            return False
        if isinstance(given, NewGame):
            context.turn_known = given.position != "lies"  # from the board as it lies, either side may move next
        if before is not None and self.game.position is not None and before.board != self.game.position.board:
            self._sight = Sight()  # another board has to be found now
            self._play.stop()
            self._play.forget_looks()
        if reply.counts and context.window.frames:
            context.teach(reply.counts, context.window.stays)
        if not beside:
            self._resume()
        elif isinstance(given, LetStand):
            self._play.take_as_it_lies()
        return True

    def finish(self) -> None:
        """End the recording: announce what is known."""
        self._recounted(wait=True)
        self._announce(self._play.last_findings())

    def _announce(self, found: list[Finding]) -> None:
        """Announce findings, in a game or before its first move; the table may be blind by now."""
        if not self.game.begun:
            self._laying.moved_already(found)
        elif self._play.on and self._context.state in (*PLAYING, State.BLIND):
            self._play.announce(found)

    def _lose(self, trouble: Trouble) -> None:
        """Go blind for a reason that the frames themselves do not show."""
        self._sight.lose(trouble, self._context.t)
        self._go_blind()

    def _go_blind(self) -> None:
        context, trouble = self._context, self._sight.blind
        if trouble is None or (context.state is State.BLIND and trouble.why == context.why):
            return
        self._play.missed()
        since, lasted = self._sight.since, context.t - self._sight.since
        context.note_state(State.BLIND, trouble.why)
        context.say(Blind(why=str(trouble.why), todo=str(trouble.todo), told=translatable(trouble.why),
                       told_todo=translatable(trouble.todo), lasted=round(lasted, 3) if math.isfinite(since) else 0.0))

    def _nothing_said(self, reading: Reading) -> None:
        """Go blind if the board has plainly changed and no verdict is possible."""
        trouble = self._unjudged.feed(reading, self._context)
        if trouble is not None:
            self._lose(trouble)
            self._reset_wanted = True

    def _sighted(self) -> None:
        """The board is seen, for the first time or again: enter the state of the game."""
        context = self._context
        if context.state is State.BLIND:
            context.say(Sighted())
        elif self.game.begun:
            self._play.missed()  # the table was down
        self._go_on()

    def _resume(self) -> None:
        """Start anew from the game's changed state: forget the readings, and end the referee."""
        self._context.restart_window()
        self._play.stop()
        self._play.clock.stop()
        self._laying.reset()
        if self._sight.usable:
            self._go_on()
        elif self._context.state is not State.BLIND:
            self._context.enter(State.SEARCHING)

    def _go_on(self) -> None:
        context, game = self._context, self.game
        context.restart_window()
        if game.withdrawing is not None:
            self._play.stop()
            context.enter(State.WITHDRAWING, message("why.lay-back"))
        elif game.over:
            context.enter(State.OVER)
        elif not game.begun:
            context.enter(State.SETTING_UP)
        else:
            if not self._play.on:
                self._play.start()
            context.enter(State.WATCHING)


def _beside(reply: Answer, order: Order, game: Game) -> bool:
    """Whether the order does not change the state of the game, so that the current phase goes on."""
    undone = any(isinstance(body, RulingUndone) and body.kept for body in reply.bodies)
    counted = isinstance(order, CorrectPit) and not reply.bodies
    return undone or counted or (isinstance(order, LetStand) and game.withdrawing is None)
