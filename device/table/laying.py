"""The board being laid: the set-up before a game, the board taken as it lies, a move taken back, the next game."""

from __future__ import annotations

from dataclasses import replace

from device.journal.events import VerdictGiven
from device.journal.game import Ruled, side_of
from device.journal.messages import message
from device.journal.states import State
from device.table.context import TableContext
from device.table.parameters import JUDGEMENT, LAYING, SIGHT
from device.table.play import Play
from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import likeliest_board
from device.table.settling.judge_worker import Judge, Question, Verdict
from device.table.settling.turned_picture import TURNS, Turn
from device.table.settling.uncertain_boards import after_unknown_move
from device.table.setup import begin, begin_next_game, mirrored_pits
from device.table.verdict_events import position_set
from engine.judge.verdict import Doubt
from engine.messages import Message
from engine.position import Position
from vision.reading import Reading

AS_IT_LIES = message("set.as-it-lies")


class Laying:
    """The states setting-up, withdrawing and over, and watching while the position is not known."""

    def __init__(
        self, context: TableContext, play: Play, judge: Judge, as_it_lies_at_start: bool, start_is_sure: bool
    ) -> None:
        """context, play, judge: those of the table; the others as in `device.table.table.Table`."""
        self._context, self._play, self._judge = context, play, judge
        self._as_it_lies_at_start, self._start_is_sure = as_it_lies_at_start, start_is_sure
        self._first_hands: Disturbance | None = None
        self._ask_at = 0.0
        self._agreed = self._read_badly = self._mirrors_taught = False
        self.astray = False
        """The board lies still, and what is read in it is not what the game begins from."""
        self.turned = Turn.NONE
        """How the picture is turned, where what the game begins from lies so in it."""
        self._said_at = -LAYING.say_again_s
        self._hands: Disturbance | None = None
        self._asked_about: Disturbance | None = None
        self._first_move: Disturbance | None = None
        """The move about which the judge is asked that may have been made before the board was seen."""

    def reset(self) -> None:
        """Forget what was going on: the game stands elsewhere now."""
        self._agreed = self._read_badly = self._mirrors_taught = False
        self._hands = self._asked_about = self._first_move = None
        self.astray, self._first_hands = False, None

    # ---- before the game ---------------------------------------------------------------------------------------

    def setting_up(self, reading: Reading) -> None:
        """What lies there is compared with what the game begins from, until it agrees."""
        context = self._context
        if context.hand or context.stirs(reading):
            self.astray, self._first_move = False, None
            if self._agreed:
                self._play.disturbed(reading, uncertain=not begin(context, hastily=True) or self._read_badly)
                return
            hands = self._first_hands
            if context.enough(context.window) and hands is not None and context.t >= hands.hands_in + LAYING.unheard_s:
                self._say(context.window.otherwise(context.game.playing[1].counts))
            if context.window.frames:
                context.restart_window()
            if context.hand:
                hands = hands or Disturbance(context.t, context.t, context.window, context.new_hand_readings())
                hands.hands(reading, context.t, context.motion)
                self._first_hands = hands
            return
        if not context.quiet(reading):
            return
        context.window.add(reading)
        if context.enough(context.window):
            self._compare()

    def _compare(self) -> None:
        """Hold the quiet board against what the game begins from: begin, look again, or say what reads otherwise."""
        context, window = self._context, self._context.window
        counts, was_astray = context.game.playing[1].counts, self.astray
        wrong, clearly = window.otherwise(counts), window.clearly_otherwise(counts)
        self._note_agreement(clearly)
        # What nothing but a thing that hides it speaks against is waited for.
        only_hidden = not clearly and window.seconds < context.waiting.laid_s
        if self._lies_right(wrong, clearly):
            begin(context)
        elif self._lies_turned():
            return
        elif self._teach_mirrors():
            context.restart_window()
        elif self._begin_as_it_lies() or (self.astray and not was_astray):
            return  # of a board that is astray it is looked first whether it lies elsewhere
        elif self._moved_already(clearly) or only_hidden:
            return
        elif window.seconds >= (context.waiting.ask_s if self._start_is_sure else context.waiting.change_s):
            self._say(wrong)
        if window.seconds > 2 * context.waiting.laid_s:
            context.restart_window()

    def _note_agreement(self, clearly: list[int]) -> None:
        """Note whether the board reads as the game begins, well or badly, or lies elsewhere than it was found. clearly:
        the pits that clearly read otherwise."""
        context, window = self._context, self._context.window
        counts = context.game.playing[1].counts
        hidden = int((~window.seen).sum())  # a shadow may pass for a hand, in a pit or two
        amiss = self._amiss(clearly) + hidden
        well = hidden <= len(counts) // LAYING.pits_per_hidden and amiss <= (1 - LAYING.agreeing_share) * len(counts)
        self._read_badly = not well and self._alike()
        self._agreed = well or self._read_badly
        share = window.counts.sum() / max(1, sum(counts))
        laid = share >= LAYING.laid_share or (self._start_is_sure and share <= LAYING.bare_share)
        self.astray = laid and len(clearly) >= LAYING.astray_pits and window.seconds >= context.waiting.weigh_again_s

    def _lies_right(self, wrong: list[int], clearly: list[int]) -> bool:
        """Whether the game may begin: every pit reads as it should, or nearly all do for long enough."""
        few = len(clearly) <= len(self._context.game.playing[1].counts) // LAYING.pits_per_wrong
        return not wrong or (self._agreed and few and self._context.window.seconds >= self._context.waiting.laid_s)

    def _lies_turned(self) -> bool:
        """Whether every pit reads as what the game begins from, if the picture is turned."""
        context, window = self._context, self._context.window
        position = context.game.playing[1]
        if window.seconds < context.waiting.change_s or not window.clear():
            return False
        self.turned = next((turn for turn in TURNS if window.read == turn.counts(position)), Turn.NONE)
        return bool(self.turned)

    def _teach_mirrors(self) -> bool:
        """Where lamps mirrored in the bowls may pass for seeds, show the eye, once, the empty ones, so that it reads
        all of them anew if those look alike."""
        context = self._context
        if self._agreed or self._mirrors_taught:
            return False
        empty = mirrored_pits(context.window, context.game.playing[1].counts, sure=self._start_is_sure)
        if empty is None:
            return False
        self._mirrors_taught, context.to_teach = True, context.lesson(empty, context.window, supposed=True)
        return True

    def _amiss(self, clearly: list[int]) -> float:
        """How many pits lie otherwise than the set-up, of those that clearly read so: heaps are soon misread by one,
        all alike on a board, but where a pit has nothing in it that should have, somebody may have sown it."""
        counts, laid = self._context.window.counts, self._context.game.playing[1].counts
        if any(counts[p] == 0 < laid[p] for p in clearly):
            return len(clearly)
        heaps = [p for p in clearly if laid[p] >= LAYING.heap_seeds]
        return len(clearly) - sum(abs(int(counts[p]) - laid[p]) == 1 for p in heaps) / 2

    def _alike(self) -> bool:
        """Whether the board that is known to have been laid lies there, though it is read badly all over: nobody has
        reached in yet, where more is to lie more is read, and no move would make that fit better."""
        window, (rules, position) = self._context.window, self._context.game.playing
        if not self._start_is_sure or self._first_hands is not None or not window.seen.all():
            return False
        near, moves = window.correlation(position.counts), rules.moves(position).moves
        moved = max((window.correlation(m.position.counts) for m in moves), default=0.0)
        return near >= LAYING.known_correlation and near + LAYING.move_correlation_lead >= moved

    def _say(self, wrong: list[int]) -> None:
        """Say now and then where the board is not read as it should lie."""
        if self._context.t >= self._said_at + LAYING.say_again_s:
            self._said_at = self._context.t
            self._context.enter(State.SETTING_UP, self._misread(wrong))

    def _misread(self, wrong: list[int]) -> Message:
        """What people are told of a board that is not read as it should be: where to look; or to come nearer."""
        context, total = self._context, len(self._context.window.seen)
        if context.pit_px < SIGHT.far_radius_px and len(wrong) > total // LAYING.pits_per_wrong:
            return message("why.read.far", right=total - len(wrong), pits=total, wide=round(2 * context.pit_px),
                           needed=round(2 * SIGHT.far_radius_px))
        names = context.names(wrong[:6])
        look = message("list.more", some=names) if len(wrong) > 6 else names
        return message("why.read.look", right=total - len(wrong), pits=total, names=look)

    def _moved_already(self, clearly: list[int]) -> bool:
        """The board was not seen at rest before the first move was made: say it as that move, if it surely was one.
        Nobody is accused of a move that began unseen: then people are asked, and the game goes on."""
        move = self._first_move or self._ask_of_first(clearly)
        verdict = None if move is None else self._judge.answer()
        if move is None or verdict is None:
            return False
        self._first_move = None
        if verdict.kind not in ("legal", "illegal") or verdict.confidence < JUDGEMENT.teaching_confidence:
            return False
        if verdict.kind == "illegal":
            if move.unseen or move.window.seconds < self._context.waiting.pause_s:
                return False
            verdict = verdict.as_doubt(Doubt.BEGUN_UNSEEN)
        elif not move.watched(verdict):
            verdict = verdict.as_doubt(Doubt.UNWATCHED)
        self._first_hands = None
        self._context.enter(State.WATCHING)
        self._play.conclude(verdict, move)
        return True

    def _ask_of_first(self, clearly: list[int]) -> Disturbance | None:
        """Ask the judge about the move that may have been made already; None where it is not the time for it."""
        context, window = self._context, self._context.window
        rules, position = context.game.playing
        if not self._start_is_sure or len(clearly) < LAYING.astray_pits or window.seconds < context.waiting.change_s:
            return None
        if not window.clear() or context.t < self._ask_at:
            return None
        self._ask_at = context.t + context.waiting.weigh_again_s
        move = self._first_hands or Disturbance(context.t, context.t, window, context.new_hand_readings(),
                                                context.t, unseen=True, unwatched=context.unwatched)
        move.window = window
        self._judge.ask(Question(rules, position, move.evidence, ()))
        self._first_move = move
        return move

    def possible_starts(self) -> list[tuple[int, ...]]:
        """See `device.table.table.Table.possible_starts`."""
        rules, position = self._context.game.playing
        moves = rules.moves(position).moves if self._start_is_sure else ()
        return [position.counts, *(move.position.counts for move in moves)]

    def _begin_as_it_lies(self) -> bool:
        """Begin from what lies there, where that may be done, it is no set-up and it is clearly read."""
        context = self._context
        if not self._as_it_lies_at_start or self._agreed or not context.window.clear():
            return False
        rules, position = context.game.playing
        lying = replace(position, counts=tuple(context.window.counts.tolist()))
        if rules.check(lying):
            return False
        context.say(position_set(lying, message("set.begins")))
        begin(context)
        return True

    # ---- out of step -------------------------------------------------------------------------------------------

    def resync(self, reading: Reading) -> None:
        """After a "not sure": take the board as it lies as soon as that can be read; never stay stuck."""
        context = self._context
        if context.hand:
            self._play.disturbed(reading)
            return
        if not context.quiet(reading):
            return
        context.window.add(reading)
        if not context.enough(context.window) or begin_next_game(context, context.window):
            return
        found = self._back_in_step()
        if found is not None:
            position, why = found
            context.turn_known = why != AS_IT_LIES
            context.say(position_set(position, why))
            self._play.after_move()
        elif context.window.seconds > 2 * context.waiting.ask_s:
            context.restart_window()

    def _back_in_step(self) -> tuple[Position, Message] | None:
        """The position to go on from, and why it; None while the board does not say."""
        window, last = self._context.window, self._context.game.last
        if last is not None and not window.otherwise(last.before.counts):
            return last.before, message("set.before-doubt")
        found = self._explained(last) or self._likely_doubt() or self._as_read(last)
        return None if found is None else (found, AS_IT_LIES)

    def _explained(self, last: Ruled | None) -> Position | None:
        """The board by which the doubted verdict explained itself, where every pit reads so."""
        lines = [best.position for best in last.body.best if best.position] if last is not None else []
        window = self._context.window
        return next((lies for lies in map(Position.parse, lines) if not window.otherwise(lies.counts)), None)

    def _likely_doubt(self) -> Position | None:
        """After a while the likeliest of the doubted boards, where no pit clearly reads otherwise."""
        context, window = self._context, self._context.window
        if window.seconds < context.waiting.ask_s or not window.seen.all():
            return None
        return next((doubt for doubt, odds in context.game.doubts
                     if odds >= LAYING.likely_odds and not window.clearly_otherwise(doubt.counts)), None)

    def _as_read(self, last: Ruled | None) -> Position | None:
        """The likeliest board, once every pit is clear, or after a while the likeliest as a whole."""
        context, window = self._context, self._context.window
        clear = window.clear()
        if not clear and window.seconds < context.waiting.ask_s:
            return None
        rules, position = context.game.playing
        most = rules.seeds(position.board) - sum(position.captured)
        counts = likeliest_board(window, most, None if clear else sum(position.counts))
        if counts is None or sum(counts) < LAYING.swept_share * sum(position.counts):
            return None
        if rules.arranges(position):  # seeds were laid, and no turn has passed
            return position.with_counts(counts)
        return after_unknown_move(position, counts, most, last)

    def over(self, reading: Reading) -> None:
        """The game has ended: wait for the next set-up."""
        context = self._context
        if context.hand:
            context.restart_window()
        elif context.quiet(reading):
            context.window.add(reading)
            if context.enough(context.window) and begin_next_game(context, context.window):
                return
            if context.window.seconds > context.waiting.laid_s + context.waiting.ask_s:
                context.restart_window()

    # ---- taking back -------------------------------------------------------------------------------------------

    def withdrawing(self, reading: Reading) -> None:
        """A move is being taken back: wait until the board lies as before it."""
        context, ruled = self._context, self._ruled()
        if self._asked_about is not None:
            verdict = self._judge.answer()
            if verdict is not None and self._played_on(verdict):
                return
        if context.hand:
            self._hands = self._hands or Disturbance(context.t, context.t, context.new_window(),
                                                     context.new_hand_readings())
            self._hands.hands(reading, context.t, context.motion)
            context.restart_window(touched=True)
        elif context.quiet(reading):
            context.window.add(reading)
            if context.enough(context.window):
                self._laid_back(ruled)

    def _laid_back(self, ruled: Ruled) -> None:
        context, window = self._context, self._context.window
        wrong = window.clearly_otherwise(ruled.before.counts)
        if not wrong and window.seen.all():
            self._withdrawn()
            self._play.after_move()
        elif wrong and window.seconds >= context.waiting.change_s:
            self._ask_whether_played_on(ruled)
            name, counts = ruled.before.board.name, window.counts
            pits = [message("why.still.pit", pit=name(p), there=int(counts[p]), due=ruled.before.counts[p])
                    for p in wrong[:4]]
            context.enter(State.WITHDRAWING, message("why.still", pits=pits))

    def _withdrawn(self) -> None:
        context, ruled = self._context, self._ruled()
        mover = side_of(ruled.body.player)
        whose = "The move" if mover is None else f"{mover.title}'s move"
        for pit in [p for p, (_, true) in context.counted.items() if true != ruled.before.counts[p]]:
            del context.counted[pit]
        context.say(VerdictGiven(
            kind="withdrawn", player=ruled.body.player, before=str(context.game.playing[1]), position=str(ruled.before),
            sentence=f"{whose} is withdrawn; the board lies as it was.", answers=ruled.number, confidence=1.0,
            t=round(context.t, 3), counts=context.window.counts.tolist()))

    def _ask_whether_played_on(self, ruled: Ruled) -> None:
        """Were they quicker: taken back, and the next move made already?"""
        context = self._context
        hands, self._hands = self._hands, None
        if hands is None or self._asked_about is not None or not context.window.seen.all():
            return
        rules, _ = context.game.playing
        hands.window, self._asked_about = context.window, hands
        past = context.game.history
        past = past[:past.index(ruled.before)] if ruled.before in past else past[:-1]
        self._judge.ask(Question(rules, ruled.before, hands.evidence, tuple(past)))

    def _played_on(self, verdict: Verdict) -> bool:
        move, self._asked_about = self._asked_about, None
        if verdict.kind != "legal" or move is None:
            return False
        self._withdrawn()
        self._play.conclude(verdict, move)
        return True

    def _ruled(self) -> Ruled:
        ruled = self._context.game.withdrawing
        assert ruled is not None, "no move is being taken back"
        return ruled
