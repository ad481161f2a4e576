"""The game in play: hands come, hands leave, the board settles, and the judge is asked.

A legal move is said at once. An accusation, and a "not sure", wait a moment longer: the hand may only have been lifted
between two laps, and more frames make surer. A board that changed with no hand seen is weighed too, once it stays so.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec

from device.journal.messages import message
from device.journal.states import State
from device.table.board_knowledge import BoardKnowledge
from device.table.context import TableContext
from device.table.orders import game_over, position_set
from device.table.parameters import JUDGEMENT
from device.table.settling.disturbance import Disturbance
from device.table.settling.handover import Handover
from device.table.settling.judge_worker import Judge, Question, Verdict
from device.table.settling.mid_move import note_mid_move
from device.table.settling.provisional_verdict import ProvisionalVerdict
from device.table.settling.resting_hands import RestingHands
from device.table.settling.returning_hands import (
    glance_suffices,
    is_next_move,
    looks_touched,
    no_board_but_this,
    pits_newly_hidden,
    touched_nothing,
)
from device.table.settling.unfinished_move import UnfinishedMove, moved_twice
from device.table.settling.waiting_times import stillness_needed
from device.table.setup import begin_next_game, seeds_in_hand
from device.table.turn_clock import TurnClock, known_turn
from device.table.verdict_events import out_of_turn, timed, unsure, verdict_events
from engine.messages import Message
from vision.reading import Reading

AT_ONCE = ("legal", "withdrawn", "unchanged")
"""Verdicts that accuse nobody and ask nothing of anyone."""
STOLEN = message("set.stolen")


class Play:
    """The states watching, hands-in, settling and judging."""

    def __init__(self, desk: TableContext, judge: Judge) -> None:
        """desk: what the table's phases share; judge: is asked about moves."""
        self._desk, self._judge = desk, judge
        self._move: Disturbance | None = None
        self._next: Disturbance | None = None
        self._reads_otherwise = False
        self._doubted: tuple[int, ...] = ()
        self._provisional = ProvisionalVerdict()
        self._clock, self._handover, self._resting = TurnClock(), Handover(), RestingHands()
        self._knowledge = BoardKnowledge(desk, judge, self._clock)

    @property
    def clock_words(self) -> Message | str:
        """What the clock of the turn that is on says now; "" when nothing."""
        desk = self._desk
        if desk.state is not State.WATCHING or desk.game.rules is None:
            return ""
        return self._clock.count(desk.game.rules, desk.t)

    @property
    def between_hands(self) -> bool:
        """Whether one hand has just left, and the other side's has come."""
        return self._handover.coming is not None

    @property
    def eager(self) -> bool:
        """Whether the quiet board is to be counted in every frame."""
        return self._reads_otherwise

    def reset(self, *, blind: bool = False, missed: bool = False) -> None:
        """Forget what was going on; blind: it is not known what; missed: nor how many moves were made meanwhile."""
        self._move = self._next = None
        self._provisional.reset()
        self._clock.stop()
        self._reads_otherwise = False
        self._knowledge.reset(blind=blind, missed=missed)

    def blinked(self, reading: Reading) -> None:
        """Nothing could be seen for less than a blindness, until this reading."""
        if self._move is not None and self._desk.state is State.HANDS_IN:
            self._move.hand_readings.missed(reading.time_ns, len(reading.loglik))

    def go_on(self, reading: Reading, left: State, since: float) -> None:
        """A short blindness is over that came in state `left`: what was on goes on, with a hole in what was seen since
        then."""
        desk, move = self._desk, self._move
        self._reads_otherwise = False
        self._clock.stop()
        desk.restart_window()
        if move is None or left not in (State.HANDS_IN, State.SETTLING, State.JUDGING):
            return
        for one in filter(None, (move, self._next)):
            one.missed(reading, since, hand=desk.hand)
        desk.enter(left)
        if left is State.JUDGING:  # that was asked before, and how the board lay then is known
            self._take_answer(wait=True)
        if desk.state is State.SETTLING:
            move = self._moving()
            move.window, move.ask_at, move.pending = desk.new_window(touched=True), 0.0, None

    # ---- quiet -------------------------------------------------------------------------------------------------

    def watching(self, reading: Reading) -> None:
        """The board lies as the game stands, as far as is known."""
        desk = self._desk
        if desk.hand or desk.stirs(reading):
            self.disturbed(reading)
        elif reading.motion > desk.motion.quiet:  # somebody is there: what was read before says nothing of what follows
            self._reads_otherwise = False
            desk.restart_window()
        elif desk.quiet(reading):
            self._glance(reading)

    def _glance(self, reading: Reading) -> None:
        """Does it still read as it should? Readings from before a change are not mixed with those after it."""
        desk = self._desk
        _, position = desk.game.playing
        glance = desk.new_window()
        glance.add(reading)
        odd = bool(glance.clearly_otherwise(position.counts))
        self._knowledge.glanced(glance)
        if odd != self._reads_otherwise or desk.window.seconds > 5.0:
            self._reads_otherwise, desk.window = odd, glance
        else:
            desk.window.add(reading)
            desk.renew_baseline(desk.window, position, known=not (odd or self._knowledge.uncertain))
        if odd and desk.enough(desk.window) and desk.window.seconds >= desk.waiting.change_s:
            self._weigh_unseen()

    def _weigh_unseen(self) -> None:
        """The board reads otherwise and nobody was seen to touch it; said once, not again and again."""
        window = self._desk.window
        if window.read != self._doubted:
            t = window.first_ns / 1e9
            self._weigh(Disturbance(t, t, window, self._desk.new_hand_readings(), t, unseen=True))

    # ---- hands -------------------------------------------------------------------------------------------------

    def disturbed(self, reading: Reading, *, uncertain: bool = False) -> None:
        """Hands have come in, or something that moves as they do. uncertain: it was not surely known how the board
        lay."""
        desk = self._desk
        self._knowledge.disturbed(uncertain=uncertain)
        self._move = move = Disturbance(desk.t, desk.t, desk.new_window(touched=True), desk.new_hand_readings(),
                                        last_hand=desk.t, unseen=not desk.hand)
        if desk.hand:
            move.hands(reading, desk.t, desk.motion)
        else:
            move.stirred(reading, desk.t, desk.motion)
        desk.enter(State.HANDS_IN)

    def hands_in(self, reading: Reading) -> None:
        """Hands are over the board."""
        desk, move, handover = self._desk, self._moving(), self._handover
        if desk.hand:
            if not handover.takes(desk, move, reading):
                move.hands(reading, desk.t, desk.motion)
                if self._provisional.held_back is None and self._resting.may_ask(desk, move, reading):
                    self._next = self._resting.next_move(desk, move, reading)
                    self._ask_of(move)
            elif handover.may_ask(desk):
                self._next = handover.next_move(desk, move)
                self._weigh(move, at_once=True)
            return
        handover.ends(move)
        move.window, move.ask_at = desk.new_window(touched=True), 0.0
        desk.enter(State.SETTLING)
        self.settling(reading)

    def settling(self, reading: Reading) -> None:
        """The hands have left; gather quiet readings until they carry a judgement."""
        desk, move = self._desk, self._moving()
        if desk.hand:
            self._hands_again(reading)
            return
        if reading.motion > desk.motion.quiet and desk.t - move.hands_out < desk.waiting.restless_s:
            move.stirred(reading, desk.t, desk.motion)
            move.window = desk.new_window(touched=True)
            return
        if reading.counted:
            move.window.add(reading)
            move.hand_readings.add(reading, quiet=True)
        if desk.enough(move.window) and desk.t - move.moved >= desk.waiting.settle_s and desk.t >= move.ask_at:
            self._weigh(move)

    def _hands_again(self, reading: Reading) -> None:
        """Hands are back before the move was said: the opponent's end it, the player's own go on with it."""
        desk, move = self._desk, self._moving()
        later = Disturbance(desk.t, desk.t, desk.new_window(touched=True), desk.new_hand_readings())
        later.hands(reading, desk.t, desk.motion)
        if move.pending is not None and is_next_move(desk, move.pending, move, later):
            self._next = later
            self.conclude(move.pending)
        elif no_board_but_this(desk, move):
            assert move.pending is not None
            self._next = later
            self.conclude(move.pending)
        elif glance_suffices(desk, move, later) and (later.side is not move.side
                                                     or self._provisional.held_back is None):
            self._next = later  # fast play: what was read in between has to do
            self._weigh(move, at_once=True)
        elif self._provisional.holds(desk, move, later):
            self._move = later
            desk.enter(State.HANDS_IN)
        else:
            self._merge(later)

    def _merge(self, later: Disturbance) -> None:
        """The player's own hand came back: it was one move."""
        desk, move = self._desk, self._moving()
        if not (desk.hand and self._handover.resumes(move, later)):
            move.follow(later)
        move.pending = self._next = None
        move.window, move.ask_at = desk.new_window(touched=True), 0.0
        desk.enter(State.HANDS_IN if desk.hand else State.SETTLING)

    # ---- judgement ---------------------------------------------------------------------------------------------

    def _weigh(self, move: Disturbance, at_once: bool = False) -> None:
        """Ask the judge, unless there is nothing to ask; first of all, where that may be, whether the hand went on with
        the move that was last spoken of. at_once: with what has been read so far."""
        desk, window = self._desk, move.window
        _, position = desk.game.playing
        self._move = move
        patient = not desk.last_call and not at_once and desk.t - move.moved < desk.waiting.ask_s
        known = desk.game.synced or bool(self._knowledge.before(move))
        if known and pits_newly_hidden(desk, window) and patient and not move.unseen:
            return
        as_it_lay = desk.game.synced and not window.clearly_otherwise(position.counts)
        if as_it_lay or not self._provisional.asks(desk.game.playing[0], self._judge, move):
            self._weigh_alone(move)
        else:
            desk.enter(State.JUDGING)
            self._take_answer()

    def _weigh_alone(self, move: Disturbance) -> None:
        """Ask what the move was by itself."""
        desk, window = self._desk, move.window
        rules, position = desk.game.playing
        lying = self._knowledge.before(move)
        if not desk.game.synced and not lying:  # no position to judge from: the board is taken as it lies
            self._move, desk.window = None, window
            desk.enter(State.WATCHING)
            return
        if lying:
            self._ask(Question(rules, position, move.evidence, (), lying))
            return
        if not (window.clearly_otherwise(position.counts) or looks_touched(window)):
            self._nothing_happened()
            return
        if seeds_in_hand(rules, position, window):
            self._doubted = window.read
            self._nothing_happened()
            return
        if position.ply > JUDGEMENT.opening_moves and begin_next_game(desk, window):
            self._move, self._reads_otherwise = None, False
            self._go_on()
            return
        self._ask_of(move)

    def _ask_of(self, move: Disturbance) -> None:
        """Ask what was played from where the game stands."""
        desk = self._desk
        rules, position = desk.game.playing
        # Nobody knows whose turn it is, or the lot has not been seen: either side may move.
        if (not desk.turn_known or rules.arranges(position)) and not move.unseen:
            position = replace(position, to_move=move.side)
        self._ask(Question(rules, position, move.evidence, tuple(desk.game.history)))

    def _ask(self, question: Question) -> None:
        self._judge.ask(question)
        self._desk.enter(State.JUDGING)
        self._take_answer()

    def judging(self, reading: Reading) -> None:
        """The judge is weighing; hands that come meanwhile are the next move's, or still this one's."""
        desk = self._desk
        if desk.hand:
            if self._next is None:
                self._next = Disturbance(desk.t, desk.t, desk.new_window(touched=True), desk.new_hand_readings())
            self._next.hands(reading, desk.t, desk.motion)
        self._take_answer()

    def _take_answer(self, wait: bool = False) -> None:
        verdict = self._judge.answer(wait)
        if verdict is None:
            return
        provisional, move = self._provisional, self._moving()
        held, said, joined = provisional.held_back, provisional.given, provisional.joined
        came, verdict = provisional.continuation(self._desk.game.playing[0], self._judge, verdict, move)
        if came == "asked":
            self._take_answer(wait)
            return
        provisional.held_back = provisional.joined = None
        if came == "two" and held is not None:
            self._part(held)
        elif came == "one" and joined is not None:
            self._move = joined
            self._decide(self._knowledge.careful(verdict, self._moving()))
        elif said is None or joined is None:
            self._decide(self._knowledge.careful(verdict, self._moving()))
        elif came == "mended":
            self.conclude(verdict, joined, said.number)
        elif came == "undone":
            self._left_again(self._knowledge.careful(verdict, move, said.before), joined, said.number)
        else:
            move.glimpsed = said.glimpsed and not moved_twice(verdict)
            self._weigh_alone(move)

    def _left_again(self, verdict: Verdict, joined: Disturbance, number: int) -> None:
        """A move that was spoken of too early has gone on and is left undone again: say so unless it may yet be done.
        number: of the event by which it was spoken of."""
        desk, move = self._desk, self._moving()
        wait = stillness_needed(verdict, joined, desk.waiting, hidden=False)
        if desk.last_call or self._next is not None or desk.t - move.moved >= wait:
            self.conclude(verdict, joined, number)
            return
        move.ask_at = min(desk.t + desk.waiting.weigh_again_s, move.moved + wait)
        desk.enter(State.SETTLING)

    def _part(self, held: UnfinishedMove) -> None:
        """There were two moves: say what was about to be said of the first, and ask about the second by itself."""
        desk, later, after = self._desk, self._moving(), self._next
        self._next = None
        self.conclude(held.verdict, held.move)
        if desk.state is not State.OVER:
            later.window = later.window.against(desk.baseline)
            self._move, self._next = later, after
            self._weigh_alone(later)

    def _decide(self, verdict: Verdict) -> None:
        """Say the verdict, or look a little longer."""
        move, later = self._moving(), self._next
        if later is not None and not self._resting.may_be_said(verdict, move):
            self._merge(later)
        elif self._nothing_done(verdict, move):
            self._nothing_happened()
        elif later is not None and not self._desk.enough(move.window) and verdict.kind != "legal":
            self._merge(later)  # of a glance between two hands nothing follows but that all was right
        elif not self._steals(verdict, move):
            self._conclude_in_time(verdict, move)

    def _nothing_done(self, verdict: Verdict, move: Disturbance) -> bool:
        """Whether nothing is said of it: seeds are in somebody's hand before the game, or a hand touched nothing."""
        held = seeds_in_hand(self._desk.game.playing[0], verdict.before, move.window, verdict)
        if held:
            self._doubted = move.window.read
        return held or touched_nothing(verdict, move.window)

    def _conclude_in_time(self, verdict: Verdict, move: Disturbance) -> None:
        """Say the verdict unless its time has not come, or the hands that are there now go on with the move."""
        desk, later = self._desk, self._next
        note_mid_move(desk.game.playing[0], verdict, move)
        at_once = verdict.kind in AT_ONCE or desk.last_call
        if later is None:
            if not at_once and self._waits(verdict, move):
                return
        elif not self._handover.may_be_said(verdict, move) or not (at_once or is_next_move(desk, verdict, move, later)):
            self._merge(later)
            return
        # Whether the mover did wrong, or the other side in an answer that is not done yet, nobody can say.
        self.conclude(unsure(verdict) if move.answered and verdict.kind != "not-sure" else verdict)

    def _waits(self, verdict: Verdict, move: Disturbance) -> bool:
        """Whether the board has not lain still for as long as the verdict needs; then it is weighed again later."""
        desk = self._desk
        wait = stillness_needed(verdict, move, desk.waiting, hidden=pits_newly_hidden(desk, move.window))
        if desk.t - move.moved >= wait:
            return False
        move.pending, move.ask_at = verdict, min(desk.t + desk.waiting.weigh_again_s, move.moved + wait)
        desk.enter(State.SETTLING)
        return True

    def _steals(self, verdict: Verdict, move: Disturbance) -> bool:
        """A move out of turn is none where the turn had not begun in time: it is judged as the mover's own."""
        desk = self._desk
        rules, position = desk.game.playing
        side = verdict.player
        theirs = out_of_turn(verdict) and verdict.before == position
        if side is None or not theirs or not self._clock.open_to(rules, side, move.hands_in):
            return False
        position = replace(position, to_move=side)
        desk.say(position_set(position, STOLEN))
        self._ask(Question(rules, position, move.evidence, tuple(desk.game.history)))
        return True

    def conclude(self, verdict: Verdict, move: Disturbance | None = None, answers: int = 0) -> None:
        """The verdict is said, and the game goes on from there. answers: the event whose verdict was too early."""
        desk = self._desk
        move = self._move = move or self._moving()
        self._doubted = move.window.read if move.unseen else ()
        doubted, history = not desk.game.synced and not answers, tuple(desk.game.history)
        lying = self._knowledge.before(move) if doubted and not self._knowledge.uncertain else ()
        if answers:
            history = self._provisional.history or ()
            desk.turn_known = True
        else:
            verdict = known_turn(desk, verdict)
        if verdict.kind == "unchanged":
            self._nothing_happened()
            return
        number = self._say_move(verdict, move, answers)
        self._provisional.given = None if doubted else UnfinishedMove.of(number, verdict, move, history,
                                                               glimpsed=not desk.enough(move.window))
        self._clock.after(verdict, move, known=desk.turn_known)
        desk.forget_changed(verdict.before)
        self._knowledge.learn(verdict, move, lying, doubted=doubted)
        self.after_move()

    def _say_move(self, verdict: Verdict, move: Disturbance, answers: int) -> int:
        """The verdict into the journal; the number of its first event."""
        desk = self._desk
        rules, _ = desk.game.playing
        bodies = verdict_events(rules, verdict, hands_in=move.hands_in, hands_out=move.hands_out, t=desk.t,
                                counts=move.window.counts.tolist())
        bodies[0] = timed(bodies[0], self._clock.passed(rules, verdict, move))
        named = 0 if verdict.kind == "withdrawn" else answers  # what is laid back takes more than that verdict with it
        bodies[0] = msgspec.structs.replace(bodies[0], answers=named)
        number, *_ = [desk.say(body).number for body in bodies]
        return number

    def _nothing_happened(self) -> None:
        desk = self._desk
        self._move = self._provisional.held_back = None
        self._reads_otherwise = False
        desk.restart_window()
        self._go_on()

    def after_move(self) -> None:
        """The next move, or the end of the game."""
        desk = self._desk
        rules, position = desk.game.playing
        self._move, self._reads_otherwise = None, False
        desk.restart_window()
        over = rules.over(position) if desk.game.synced else None
        if over is None:
            self._go_on()
            return
        self._next = None
        desk.say(game_over(over))
        desk.enter(State.OVER)

    def _go_on(self) -> None:
        """Hands that came in meanwhile have their own move; else the board is quiet."""
        desk, later = self._desk, self._next
        self._next = None
        if later is None and desk.hand:
            later = Disturbance(desk.t, desk.t, desk.new_window(touched=True), desk.new_hand_readings())
        if later is None:
            desk.enter(State.WATCHING)
        else:
            self._move = later
            desk.enter(State.HANDS_IN)

    def finish(self) -> None:
        """The recording is at its end: say what is known of the last move."""
        desk, move = self._desk, self._move
        if desk.state is State.WATCHING and self._reads_otherwise and desk.window.frames >= 2 and desk.game.synced:
            self._weigh_unseen()
        elif desk.state is State.SETTLING and move is not None and move.window.frames:
            self._weigh(move)
        elif desk.state is State.SETTLING and move is not None and move.pending is not None:  # something stirred since
            self.conclude(unsure(move.pending))
        for _ in range(2):  # a move that went on with the last one is asked about twice
            if desk.state is State.JUDGING:
                self._take_answer(wait=True)

    def _moving(self) -> Disturbance:
        assert self._move is not None, f"no move is going on in state {self._desk.state}"
        return self._move
