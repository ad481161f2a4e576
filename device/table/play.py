"""The game in play: hands come, hands leave, the board settles, and the judge is asked.

A legal move is said at once. An accusation, and a "not sure", wait a moment longer: the hand may only have been lifted
between two laps, and more frames make surer. A board that changed with no hand seen is weighed too, once it stays so.
"""

from __future__ import annotations

from dataclasses import replace

from device.journal.messages import message
from device.journal.states import State
from device.table.board_knowledge import BoardKnowledge
from device.table.context import TableContext
from device.table.orders import game_over
from device.table.parameters import JUDGEMENT
from device.table.settling.disturbance import Disturbance, disturbance_now
from device.table.settling.judge_worker import Judge, Question, Verdict
from device.table.settling.looks_since import LooksSince, Parted, apart, may_be_said
from device.table.settling.mid_move import note_mid_move
from device.table.settling.returning_hands import is_next_move, pits_newly_hidden, touched_nothing, was_touched
from device.table.settling.said_move import SaidMove, TwoVisits, held_back
from device.table.settling.waiting_times import stillness_needed
from device.table.setup import begin_next_game, seeds_in_hand
from device.table.turn_clock import TurnClock
from device.table.verdict_events import known_turn, out_of_turn, position_set, say_move
from engine.judge.parameters import BOUNDS
from engine.judge.verdict import Doubt
from engine.messages import Message
from engine.position import Position
from vision.reading import Reading

AT_ONCE = ("legal", "withdrawn", "unchanged")
"""Verdicts that accuse nobody and ask nothing of anyone."""


class Play:
    """The states watching, hands-in, settling and judging."""

    def __init__(self, context: TableContext, judge: Judge) -> None:
        """context: what the table's phases share; judge: is asked about moves."""
        self._context, self._judge = context, judge
        self._move: Disturbance | None = None
        self._next: Disturbance | None = None
        self._reads_otherwise = False
        self._doubted: tuple[int, ...] = ()
        self._said: SaidMove | None = None
        self._visits: TwoVisits | None = None
        self._clock, self.looks = TurnClock(), LooksSince(judge)
        self._parted: Parted | None = None
        self._whole: Disturbance | None = None
        self._knowledge = BoardKnowledge(context, self._clock)

    @property
    def clock_words(self) -> Message | str:
        """What the clock of the turn that is on says now; "" when nothing."""
        return self._clock.words(self._context)

    @property
    def eager(self) -> bool:
        """Whether the quiet board is to be counted in every frame."""
        return self._reads_otherwise

    def reset(self, *, blind: bool = False, missed: bool = False) -> None:
        """Forget what was going on; blind: it is not known what; missed: nor how many moves were made meanwhile."""
        self._move = self._next = self._said = self._visits = None
        self._clock.stop()
        self._reads_otherwise = False
        self._parted = self._whole = None
        self.looks.forget()
        self._knowledge.reset(blind=blind, missed=missed)

    def blinked(self, reading: Reading) -> None:
        """Nothing could be seen for less than a blindness, until this reading."""
        if self._move is not None and self._context.state is State.HANDS_IN:
            self._move.hand_readings.missed(reading.time_ns, len(reading.loglik))
            self.looks.missed()

    def go_on(self, reading: Reading, left: State, since: float) -> None:
        """A short blindness is over that came in state `left`: what was on goes on, with a hole in what was seen since
        then."""
        context, move = self._context, self._move
        self._reads_otherwise = False
        self._clock.stop()
        context.restart_window()
        if move is None or left not in (State.HANDS_IN, State.SETTLING, State.JUDGING):
            return
        self.looks.missed()
        for one in filter(None, (move, self._next)):
            one.missed(reading, since, hand=context.hand)
        context.enter(left)
        if left is State.SETTLING:
            move.window, move.ask_at, move.pending = context.new_window(touched=True), 0.0, None
        elif left is State.JUDGING:
            self._take_answer()

    # ---- quiet -------------------------------------------------------------------------------------------------

    def watching(self, reading: Reading) -> None:
        """The board lies as the game stands, as far as is known."""
        context = self._context
        if context.hand or context.stirs(reading):
            self.disturbed(reading)
        elif reading.motion > context.motion.quiet:  # somebody is there: of what follows nothing read before tells
            self._reads_otherwise = False
            context.restart_window()
        elif context.quiet(reading):
            self._glance(reading)

    def _glance(self, reading: Reading) -> None:
        """Does it still read as it should? Readings from before a change are not mixed with those after it."""
        context = self._context
        _, position = context.game.playing
        glance = context.new_window()
        glance.add(reading)
        odd = bool(glance.clearly_otherwise(position.counts))
        self._knowledge.glanced(glance)
        self.looks.known(glance.last_ns, now=self._context.game.synced and not (odd or self._knowledge.uncertain))
        if odd != self._reads_otherwise or context.window.seconds > JUDGEMENT.quiet_window_s:
            self._reads_otherwise, context.window = odd, glance
        else:
            context.window.add(reading)
            context.renew_baseline(context.window, position, known=not (odd or self._knowledge.uncertain))
        if odd and context.enough(context.window) and context.window.seconds >= context.waiting.change_s:
            self._weigh_unseen()

    def _weigh_unseen(self) -> None:
        """The board reads otherwise and nobody was seen to touch it; said once, not again and again."""
        context, window = self._context, self._context.window
        if window.read != self._doubted:
            t, readings = window.first_ns / 1e9, context.new_hand_readings()
            self._weigh(Disturbance(t, t, window, readings, t, unseen=True, unwatched=context.unwatched))

    # ---- hands -------------------------------------------------------------------------------------------------

    def disturbed(self, reading: Reading, *, uncertain: bool = False) -> None:
        """Hands have come in, or something that moves as they do. uncertain: it was not surely known how the board
        lay."""
        context = self._context
        self._knowledge.disturbed(uncertain=uncertain)
        self._move = move = disturbance_now(context)
        move.last_hand, move.unseen = context.t, not context.hand
        (move.hands if context.hand else move.stirred)(reading, context.t, context.motion)
        context.enter(State.HANDS_IN)

    def hands_in(self, reading: Reading) -> None:
        """Hands are over the board."""
        context, move = self._context, self._moving()
        if context.hand:
            move.hands(reading, context.t, context.motion)
            if reading.counted:
                self._part_moves(move)
            return
        move.window, move.ask_at = context.new_window(touched=True), 0.0
        context.enter(State.SETTLING)
        self.settling(reading)

    def _may_part(self, move: Disturbance, came: bool) -> bool:
        """Whether it is known what the board may have held, and whose turn it is, so that play can be decoded. came: a
        hand has just come over a board that lay still; else, at the start, both sides may be racing."""
        context = self._context
        rules, position = context.game.playing
        known = (context.game.synced or bool(self._knowledge.lying)) and context.turn_known
        raced = rules.races and not (position.ply or came) and move.together >= BOUNDS.race_together
        return known and not rules.arranges(position) and not raced

    def _part_moves(self, move: Disturbance, *, came: bool = False) -> None:
        """Where a move is as good as certain to have been made to its end, though hands are there: ask about it alone.
        What the hands do from then on is the next one's. came: a hand has just come over a board that lay still."""
        context = self._context
        if not self._may_part(move, came):
            return
        befores = self._knowledge.before(move) or ((context.game.playing[1], 1.0),)
        parted = self.looks.part(context, befores, came=came)
        if parted is None:
            return
        held = self._said.joined(move) if self._said is not None and self._said.held_back else None
        alone, later = apart(parted, held or move, context)
        if context.game.synced and not was_touched(alone.window, befores[0][0]):
            return
        self._parted, self._whole, self._next, self._move = parted, move, later, alone
        self._weigh_alone(alone)

    def settling(self, reading: Reading) -> None:
        """The hands have left; gather quiet readings until they carry a judgement."""
        context, move = self._context, self._moving()
        if context.hand:
            self._hands_again(reading)
            return
        if reading.motion > context.motion.quiet and context.t - move.hands_out < context.waiting.restless_s:
            move.stirred(reading, context.t, context.motion)
            move.window = context.new_window(touched=True)
            return
        if reading.counted:
            if move.window.last_ns / 1e9 < move.moved:  # nothing was seen for a while since
                move.window = context.new_window(touched=True)
            move.window.add(reading)
            move.hand_readings.add(reading, quiet=True)
        settled = context.t - move.moved >= context.waiting.settle_s
        if context.enough(move.window) and settled and context.t >= move.ask_at:
            self._weigh(move)

    def _hands_again(self, reading: Reading) -> None:
        """Hands are back before the move was said: the opponent's end it, the player's own go on with it."""
        context, move = self._context, self._moving()
        later = disturbance_now(context)
        later.hands(reading, context.t, context.motion)
        if move.pending is not None and is_next_move(context, move.pending, move, later):
            self._next = later
            self.conclude(move.pending)
        elif move.pending is None and later.side is not move.side and context.enough(move.window):
            self._next = later  # what was read of the quiet board between them has to do
            self._weigh(move)
        else:
            lay_still = bool(move.window.frames)
            self._go_on_with(later, move.pending)
            self._part_moves(self._moving(), came=lay_still)

    def _go_on_with(self, later: Disturbance, pending: Verdict | None) -> None:
        """The player's own hand came back: it was one move. pending: what was about to be said; it is held back until
        the hand is gone, and then it is asked whether it was one move or two."""
        context, move = self._context, self._moving()
        held = held_back(pending, move, tuple(context.game.history))
        if held is not None and held.joined(later) is not None:
            self._said, self._move = held, later
        else:
            move.follow(later)
        move, self._next = self._moving(), None
        move.window, move.ask_at, move.pending = context.new_window(touched=True), 0.0, None
        context.enter(State.HANDS_IN if context.hand else State.SETTLING)

    # ---- judgement ---------------------------------------------------------------------------------------------

    def _weigh(self, move: Disturbance) -> None:
        """Ask the judge, unless there is nothing to ask; first of all, where that may be, whether the hand went on with
        the move that was last spoken of."""
        context, window = self._context, move.window
        rules, position = context.game.playing
        self._move = move
        patient = not context.last_call and self._next is None and context.t - move.moved < context.waiting.ask_s
        known = context.game.synced or bool(self._knowledge.before(move))
        if known and pits_newly_hidden(context, window) and patient and not move.unseen:
            return
        as_it_lay = context.game.synced and not window.clearly_otherwise(position.counts)
        said = self._said
        joined = None if said is None or (as_it_lay and not said.held_back) else said.joined(move)
        self._visits = None if said is None or joined is None else TwoVisits(said, joined)
        if self._visits is not None:
            self._ask(self._visits.question(rules))
        elif said is not None and said.held_back:
            self._say_held(said, move)
        else:
            self._weigh_alone(move)

    def _say_held(self, held: SaidMove, later: Disturbance) -> None:
        """Say what was held back, and ask about what the hand did when it came back."""
        following, self._next = self._next, None
        self.conclude(held.verdict, held.move)
        if self._context.state is not State.OVER:
            self._next = following
            self._weigh(later)

    def _weigh_alone(self, move: Disturbance) -> None:
        """Ask what the move was by itself."""
        context, window = self._context, move.window
        rules, position = context.game.playing
        lying = self._knowledge.before(move)
        if not context.game.synced and not lying:  # no position to judge from: the board is taken as it lies
            self._move, context.window = None, window
            context.enter(State.WATCHING)
            return
        if lying:
            self._ask(Question(rules, position, move.evidence, (), lying))
            return
        if seeds_in_hand(rules, position, window):
            self._doubted = window.read
            self._nothing_happened()
            return
        if position.ply > JUDGEMENT.opening_moves and begin_next_game(context, window):
            self._move, self._reads_otherwise = None, False
            self._go_on()
            return
        self._ask_of(move, position)

    def _ask_of(self, move: Disturbance, position: Position) -> None:
        """Ask what was played from a position that is known."""
        context, rules = self._context, self._context.game.playing[0]
        # Nobody knows whose turn it is, or the lot has not been seen: either side may move.
        if (not context.turn_known or rules.arranges(position)) and not move.unseen:
            position = replace(position, to_move=move.side)
        self._ask(Question(rules, position, move.evidence, tuple(context.game.history), (),
                           self._knowledge.rivals))

    def _ask(self, question: Question) -> None:
        self._judge.ask(question)
        self._context.enter(State.JUDGING)
        self._take_answer()

    def judging(self, reading: Reading) -> None:
        """The judge is weighing; hands that come meanwhile are the next move's, or still this one's."""
        context = self._context
        if context.hand:
            if self._next is None:
                self._next = disturbance_now(context)
            self._next.hands(reading, context.t, context.motion)
            if self._whole is not None:
                self._whole.hands(reading, context.t, context.motion)
        self._take_answer()

    def _take_answer(self, wait: bool = False) -> None:
        verdict = self._judge.answer(wait)
        if verdict is None:
            return
        visits, move = self._visits, self._moving()
        if visits is None:
            self._decide(self._knowledge.careful(verdict, move))
        elif visits.as_one is not None:
            self._visits = None
            self._decide_visits(visits, visits.as_one, verdict)
        else:
            visits.as_one = verdict
            if visits.said.held_back:
                rules = self._context.game.playing[0]
                self._ask(Question(rules, visits.said.before, move.evidence, (), visits.said.leaves))
            else:
                self._weigh_alone(move)

    def _decide_visits(self, visits: TwoVisits, as_one: Verdict, alone: Verdict) -> None:
        """Two visits were one move, or two: say what it was, or look a little longer. alone: what the later one was by
        itself."""
        said, joined, move = visits.said, visits.joined, self._moving()
        on = said.goes_on(as_one, alone)
        if said.held_back and on:
            self._said, self._move = None, joined
            self._decide(self._knowledge.careful(as_one, joined))
        elif said.held_back:
            self._say_held(said, move)
        elif on:
            self._say_anew(self._knowledge.careful(as_one, move, said.before), joined, said.number)
        else:
            self._decide(self._knowledge.careful(alone, move))

    def _say_anew(self, verdict: Verdict, joined: Disturbance, number: int) -> None:
        """A move of which something was said has gone on: say what it is now, unless it may still not be at its end.
        number: of the event by which it was spoken of."""
        context, move = self._context, self._moving()
        note_mid_move(context.game.playing[0], verdict, joined)
        wait = 0.0 if verdict.kind in AT_ONCE else stillness_needed(verdict, joined, context.waiting)
        if context.last_call or self._next is not None or context.t - move.moved >= wait:
            self.conclude(verdict, joined, number)
            return
        move.ask_at = min(context.t + context.waiting.weigh_again_s, move.moved + wait)
        context.enter(State.SETTLING)

    def _decide(self, verdict: Verdict) -> None:
        """Say the verdict, or look a little longer."""
        move = self._moving()
        parted, self._parted = self._parted, None
        if parted is not None:
            self._decide_parted(verdict, parted)
        elif self._nothing_done(verdict, move):
            self._knowledge.touched_nothing(verdict)
            self._nothing_happened()
        elif not self._steals(verdict, move):
            self._conclude_in_time(verdict, move)

    def _decide_parted(self, verdict: Verdict, parted: Parted) -> None:
        """Say of a move what may be said while hands are there."""
        whole, self._whole = self._whole, None
        said = may_be_said(parted, verdict, self._context.game.playing[0], self._moving())
        if said or parted.answered:  # what comes after an answer tells nothing more of it
            self.conclude(verdict if said else verdict.as_doubt(Doubt.HANDS_STILL_THERE), parted=parted)
            return
        assert whole is not None, "a move was parted"
        self._move, self._next = whole, None
        self._context.enter(State.HANDS_IN if self._context.hand else State.SETTLING)
        whole.window = self._context.new_window(touched=True)

    def _nothing_done(self, verdict: Verdict, move: Disturbance) -> bool:
        """Whether nothing is said of it: seeds are in somebody's hand before the game, or a hand touched nothing."""
        held = seeds_in_hand(self._context.game.playing[0], verdict.before, move.window, verdict)
        if held:
            self._doubted = move.window.read
        known = self._context.game.synced
        return held or (known and not was_touched(move.window, verdict.before)) or touched_nothing(verdict, move.window)

    def _conclude_in_time(self, verdict: Verdict, move: Disturbance) -> None:
        """Say the verdict unless its time has not come, or the hands that are there now go on with the move."""
        context, later = self._context, self._next
        note_mid_move(context.game.playing[0], verdict, move)
        at_once = verdict.kind in AT_ONCE or context.last_call
        if later is None:
            if not at_once and self._waits(verdict, move):
                return
        elif not (at_once or is_next_move(context, verdict, move, later)):
            self._go_on_with(later, verdict)
            return
        self.conclude(verdict)

    def _waits(self, verdict: Verdict, move: Disturbance) -> bool:
        """Whether the board has not lain still for as long as the verdict needs; then it is weighed again later."""
        context = self._context
        wait = stillness_needed(verdict, move, context.waiting)
        if context.t - move.moved >= wait:
            return False
        move.pending, move.ask_at = verdict, min(context.t + context.waiting.weigh_again_s, move.moved + wait)
        context.enter(State.SETTLING)
        return True

    def _steals(self, verdict: Verdict, move: Disturbance) -> bool:
        """A move out of turn is none where the turn had not begun in time: it is judged as the mover's own."""
        context = self._context
        rules, position = context.game.playing
        side = verdict.player
        theirs = out_of_turn(verdict) and verdict.before == position
        if side is None or not theirs or not self._clock.open_to(rules, side, move.hands_in):
            return False
        position = replace(position, to_move=side)
        context.say(position_set(position, message("set.stolen")))
        self._ask_of(move, position)
        return True

    def conclude(self, verdict: Verdict, move: Disturbance | None = None, answers: int = 0,
                 parted: Parted | None = None) -> None:
        """The verdict is said, and the game goes on from there. answers: the event whose verdict was too early; parted:
        the move and what follows it, where hands are there already."""
        context = self._context
        self._parted = self._whole = None
        move = self._move = move or self._moving()
        self._doubted = move.window.read if move.unseen else ()
        doubted, history = not context.game.synced and not answers, tuple(context.game.history)
        if answers:
            history = self._said.history if self._said is not None else ()
            context.turn_known = True
        else:
            verdict = known_turn(context, verdict)
        if verdict.kind == "unchanged":
            self._nothing_happened()
            return
        number = say_move(context, self._clock, verdict, move, answers)
        self._said = None if doubted else SaidMove(number, verdict, move, verdict.before, history)
        self._clock.after(verdict, move, known=context.turn_known)
        context.forget_changed(verdict.before)
        self._knowledge.learn(verdict, move, doubted=doubted)
        if parted is None:
            self.looks.known(move.window.last_ns, now=not self._knowledge.uncertain and context.game.synced)
        else:
            self.looks.go_on(parted)
        self.after_move()

    def _nothing_happened(self) -> None:
        context = self._context
        self._move = self._parted = self._whole = self._visits = None
        self._reads_otherwise = False
        context.restart_window()
        self._go_on()

    def after_move(self) -> None:
        """The next move, or the end of the game."""
        context = self._context
        rules, position = context.game.playing
        self._move, self._reads_otherwise = None, False
        context.restart_window()
        over = rules.ended(position, context.game.history) if context.game.synced else None
        if over is None:
            self._go_on()
            return
        self._next = None
        context.say(game_over(over))
        context.enter(State.OVER)

    def _go_on(self) -> None:
        """Hands that came in meanwhile have their own move; else the board is quiet."""
        context, later = self._context, self._next
        self._next = None
        if later is None and context.hand:
            later = disturbance_now(context)
        if later is None:
            context.enter(State.WATCHING)
        else:
            self._move = later
            context.enter(State.HANDS_IN)

    def finish(self) -> None:
        """The recording is at its end: say what is known of the last move."""
        context, move = self._context, self._move
        changed = self._reads_otherwise and context.window.frames >= 2 and context.game.synced
        if context.state is State.WATCHING and changed:
            self._weigh_unseen()
        elif context.state is State.SETTLING and move is not None and move.window.frames:
            self._weigh(move)
        elif context.state is State.SETTLING and move is not None and move.pending is not None:
            self.conclude(move.pending.as_doubt(Doubt.STIRRED))  # something stirred since
        for _ in range(4):  # a move that may have gone on with the last one is asked about twice
            if context.state is State.JUDGING:
                self._take_answer(wait=True)

    def _moving(self) -> Disturbance:
        assert self._move is not None, f"no move is going on in state {self._context.state}"
        return self._move
