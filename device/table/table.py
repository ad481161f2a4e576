"""The table: a state machine that readings and orders go into and events come out of. No camera, clock, file, thread.

It holds the phases together: seeing and blindness here, the board being laid in `device.table.laying`, moves in
`device.table.play`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Future

import numpy as np

from device.journal.events import Blind, LetStand, NewGame, NotAsSeen, Order, OrderAnswered, RulingUndone, Sighted, told
from device.journal.game import Game
from device.journal.messages import message
from device.journal.states import State
from device.table.context import Append, TableContext
from device.table.laying import Laying
from device.table.orders import Answer, answer
from device.table.parameters import SIGHT
from device.table.play import Play
from device.table.settling.evidence_window import Window
from device.table.settling.judge_worker import Judge
from device.table.settling.turned_picture import Turn, TurningJudge
from device.table.sight import Sight, Trouble
from device.table.silence import UnjudgedChange
from engine.messages import Message
from vision.reading import BoardView, Lesson, Reading

__all__ = ["Append", "Table"]

PLAYING = (State.WATCHING, State.HANDS_IN, State.SETTLING, State.JUDGING)


class Table:
    """Feed it `reading` and `order`; it says events through `append`, which returns them numbered.

    as_it_lies_at_start: a game may begin from what lies on the board where that is clearly not the set-up.
    start_is_sure: what the game begins from has been laid already, seen or not, so that something else on the board
    comes of the first move.
    """

    def __init__(self, game: Game, append: Append, judge: Judge, *,
                 as_it_lies_at_start: bool = False, start_is_sure: bool = False) -> None:
        """game: what is played; append: takes an event down and numbers it; judge: is asked about moves; the others
        as in the class."""
        self.game = game
        self._context, self._judge = TableContext(game, append), TurningJudge(judge)
        judge = self._judge
        self._sight, self._unjudged, self._anew = Sight(), UnjudgedChange(), False
        self._missed = False
        self._counted_at = self._seen_at = -1e9
        self._left: State | None = None
        self._blinked = False
        self._view: BoardView | None = None
        self._recount: tuple[int, Future[Answer]] | None = None
        """The order by which a move is judged again, and where its answer will be."""
        self._play = Play(self._context, judge)
        self._laying = Laying(self._context, self._play, judge, as_it_lies_at_start, start_is_sure)
        self._steps: dict[State, Callable[[Reading], None]] = {
            State.STARTING: self._sighted, State.SEARCHING: self._sighted, State.BLIND: self._sighted,
            State.SETTING_UP: self._laying.setting_up,
            State.WATCHING: self._watching, State.HANDS_IN: self._play.hands_in, State.SETTLING: self._play.settling,
            State.JUDGING: self._play.judging, State.WITHDRAWING: self._laying.withdrawing,
            State.OVER: self._laying.over}

    @property
    def state(self) -> State:
        """What the table is doing."""
        return self._context.state

    @property
    def words(self) -> Message | str:
        """A few words to the state, for people."""
        return self._play.clock_words or self._context.why

    @property
    def why(self) -> str:
        """The same in English."""
        return str(self.words)

    @property
    def window(self) -> Window:
        """The last quiet readings of the board."""
        return self._context.window

    def wants_count(self, time_ns: int) -> bool:
        """Whether the pits are to be counted in the frame of that time: counting costs most, and is seldom needed."""
        state = self._context.state
        passed, waiting = time_ns / 1e9 - self._counted_at, self._context.waiting
        if state in (State.SETTING_UP, State.SETTLING, State.WITHDRAWING):
            return passed >= waiting.count_still_s
        if state is State.HANDS_IN:
            return passed >= waiting.count_in_play_s
        if state in (State.WATCHING, State.OVER):
            eager = self._play.eager or not self.game.synced
            return passed >= (waiting.count_still_s if eager else waiting.count_quiet_s)
        return False

    @property
    def astray(self) -> bool:
        """Whether a board lies still that does not hold what the game begins from: it may lie elsewhere than it was
        found."""
        return self._context.state is State.SETTING_UP and self._laying.astray

    def possible_starts(self) -> list[tuple[int, ...]]:
        """What may lie on a board that is astray, int[pits] each: what the game begins from, and, where that lay there
        for sure, what each legal first move leaves."""
        return self._laying.possible_starts()

    @property
    def set_up_window(self) -> Window | None:
        """What is read on a board that does not lie as the game begins, as far as the quiet readings go; else None."""
        context = self._context
        return context.window if context.state is State.SETTING_UP and context.window.frames else None

    @property
    def hand(self) -> bool:
        """Whether a hand is over the board in the newest reading."""
        return self._context.hand

    @property
    def unwatched(self) -> bool:
        """Whether somebody may have touched the board while nobody watched."""
        return self._context.unwatched > 0

    def placed(self) -> None:
        """The eye has been told that the board lies elsewhere: what was read so far is of other places."""
        self._context.restart_window()
        self._laying.reset()

    def other_eye(self) -> None:
        """Readings come from another eye from now on: the numbers of stays that the last one gave say nothing."""
        self._context.baseline = None
        self._play.looks.forget()
        self._context.restart_window()

    @property
    def afresh(self) -> bool:
        """Whether pits whose stay is not settled are to be looked at again: on a quiet board that makes surer; while
        hands are in play there is no time for it."""
        return self._context.state is not State.HANDS_IN

    def reading(self, reading: Reading, view: BoardView | None = None) -> None:
        """Take in what one frame says. A reading of another board than the game's is passed over. view: where the board
        was found, if that is known."""
        context, position = self._context, self.game.position
        if position is None or (reading.found and len(reading.loglik) != position.board.pits):
            return
        if context.state is State.STARTING:
            context.enter(State.SEARCHING, message("why.searching"))
        if self.recounts():
            self._sight.pass_over(reading)
            self._blinked = True
            return
        self._sight.feed(reading)
        if self._sight.blind is not None:
            context.t = reading.time_ns / 1e9
            self._go_blind()
        elif self._sight.usable:
            self._follow(reading, view)
        else:
            self._blinked = True

    def _follow(self, reading: Reading, view: BoardView | None) -> None:
        """Do with a reading of which use can be made what the state asks for."""
        context = self._context
        context.follow(reading, math.inf if view is None else float(np.median(view.radii)))
        if view is not self._view:
            if self._view is not None:
                context.found_elsewhere()
            self._view = view
        if reading.counted:
            self._counted_at = context.t
        if self._blinked:
            self._play.blinked(reading)
        if context.state in PLAYING:
            self._play.looks.add(reading, context)
        self._steps[context.state](reading)
        self._nothing_said(reading)
        if context.state in PLAYING and self.game.synced:
            self._judge.expect(*self.game.playing)
        lesson = context.to_teach
        if lesson is not None and lesson.stays is None and (context.hand or context.stirs(reading)):
            context.to_teach = None  # the eye may have counted since with a hand in the picture
        self._seen_at, self._blinked = context.t, False

    def begins_anew(self) -> bool:
        """Whether what the eye holds the board against is to begin anew, since it kept the table from saying anything;
        it is said once."""
        anew, self._anew = self._anew, False
        return anew

    def turns(self) -> Turn:
        """By what the pictures are to be turned from now on, since moves or the start show them to be turned; it is
        said once, and nothing is seen until then."""
        turn, self._judge.found = self._judge.found or self._laying.turned, Turn.NONE
        self._laying.turned = Turn.NONE
        if turn:
            self._sight.lose(Trouble(turn.why, message("reason.turned-now"), 0.0), self._context.t)
            self._go_blind()
            self._left = None
            self.other_eye()
        return turn

    def counts_to_teach(self) -> Lesson | None:
        """What the pits hold, if that has just become known; it is said once."""
        told, self._context.to_teach = self._context.to_teach, None
        return told

    def camera_gone(self, why: Message | str, *, passing: bool = False) -> None:
        """The camera gives no frames any more. passing: the same one may soon go on with them."""
        self._sight.lose_camera(why)
        self._go_blind()
        self._left = self._left if passing else None

    def order(self, number: int) -> bool:
        """Take up the pending order of that event, or refuse it; either is said. True when it was taken up. A move that
        people want judged again may take the judge a while (`recounts`); the next order waits for it."""
        self._recounted(wait=True)
        given, game, window = self.game.pending[number], self.game, self._context.window
        if isinstance(given, NotAsSeen):
            self._recount = number, self._judge.submit(lambda: answer(given, game, window))
            return self._recounted()
        return self._answered(number, answer(given, game, window))

    def recounts(self) -> bool:
        """Whether a move is still being judged again, as people ordered; if the judge is done, the answer is said.
        Meanwhile the game stands still and no reading is taken in."""
        self._recounted()
        return self._recount is not None

    def _recounted(self, *, wait: bool = False) -> bool:
        """Say what has come of a move that was judged again, if that is known; whether the order was taken up."""
        if self._recount is None or not (wait or self._recount[1].done()):
            return False
        (number, judged), self._recount = self._recount, None
        return self._answered(number, judged.result())

    def _answered(self, number: int, reply: Answer) -> bool:
        """Say what is made of an order, and go on from there."""
        context, before = self._context, self.game.position
        given = self.game.pending[number]
        beside = _beside(reply, given, self.game)
        for body in reply.bodies:
            context.say(body)
        context.say(OrderAnswered(order=number, done=reply.done, sentence=reply.sentence, told=told(reply.message)))
        if not reply.done:
            return False
        if not self.game.begun:
            context.counted.clear()
        if isinstance(given, NewGame):
            context.turn_known = given.position != "lies"  # as the board lies, either side may move next
        context.counted.update(reply.counted)
        if before is not None and self.game.position is not None and before.board != self.game.position.board:
            self._sight = Sight()  # it is another board that has to be found now
        if not beside:
            self._resume()
        return True

    def finish(self) -> None:
        """The recording is at its end: say what is known."""
        self._recounted(wait=True)
        self._context.last_call = True
        self._play.finish()

    def _go_blind(self) -> None:
        context, trouble = self._context, self._sight.blind
        if trouble is None or (context.state is State.BLIND and trouble.why == context.why):
            return
        if context.state is not State.BLIND:
            self._left = context.state
        since, lasted = self._sight.since, context.t - self._sight.since
        context.note_state(State.BLIND, trouble.why)
        context.say(Blind(why=str(trouble.why), todo=str(trouble.todo), told=told(trouble.why),
                       told_todo=told(trouble.todo), lasted=round(lasted, 3) if math.isfinite(since) else 0.0))

    def _nothing_said(self, reading: Reading) -> None:
        """A board that has plainly changed and of which nothing can be said is said to be unseen, and why."""
        trouble = self._unjudged.feed(reading, self._context)
        if trouble is not None:
            self._sight.lose(trouble, self._context.t)
            self._go_blind()
            self._left, self._anew, self._missed = None, True, True

    def _sighted(self, reading: Reading) -> None:
        context, left = self._context, self._left
        if context.state is State.BLIND:
            context.say(Sighted())
        if (self.game.begun or self._seen_at >= 0) and not self._missed:  # else pictures came, and showed the hands
            context.unwatched = context.t
        if left in PLAYING and 0 <= context.t - self._seen_at <= SIGHT.short_blindness_s:
            self._left = None
            context.enter(State.WATCHING)
            self._play.go_on(reading, left, self._seen_at)
        else:
            self._resume(blind=True)

    def _watching(self, reading: Reading) -> None:
        if self.game.synced:
            self._play.watching(reading)
        else:
            self._laying.resync(reading)

    def _resume(self, *, blind: bool = False) -> None:
        """Go to where the game stands; what lies on the board is looked at anew. blind: nothing could be seen."""
        context, game = self._context, self.game
        self._left = None
        context.restart_window(touched=game.withdrawing is not None)
        self._play.reset(blind=blind, missed=blind and self._missed)
        self._missed = False
        self._laying.reset()
        if not self._sight.usable:
            if context.state is not State.BLIND:
                context.enter(State.SEARCHING)
        elif game.withdrawing is not None:
            context.enter(State.WITHDRAWING, message("why.lay-back"))
        elif game.over:
            context.enter(State.OVER)
        else:
            context.enter(State.WATCHING if game.begun else State.SETTING_UP)


def _beside(reply: Answer, order: Order, game: Game) -> bool:
    """Whether the order changes nothing on the board, so that what is on goes on."""
    undone = any(isinstance(body, RulingUndone) and body.kept for body in reply.bodies)
    return undone or (isinstance(order, LetStand) and game.withdrawing is None)
