"""Watch the board being laid: the set-up before a game, a move taken back, the next game."""

import math
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace

import numpy as np

from device.eyes.pipeline import JobRunner
from device.journal.events import VerdictGiven
from device.journal.game import JudgedMove, side_of
from device.journal.messages import message
from device.journal.states import State
from device.table.context import TableContext
from device.table.parameters import LAYING, MOTION, SIGHT, WAITING
from device.table.play import Play
from device.table.setup import begin, begin_next_game, mirrored_pits
from device.table.verdict_events import position_set
from device.turn import TURNS, Turn
from engine.messages import Message
from engine.referee.decide import weighed
from engine.referee.finding import Finding
from engine.referee.parameters import THRESHOLDS, TIMES
from engine.verdict import Doubt
from vision.reading import Reading


class Laying:
    """Handles the states setting-up, withdrawing and over."""

    def __init__(self, context: TableContext, play: Play, work: JobRunner, *, as_it_lies_at_start: bool,
                 start_is_sure: bool) -> None:
        """context, play, work: the table's; the others as in `device.table.table.Table`."""
        self._context, self._play, self._work = context, play, work
        self._as_it_lies_at_start, self._start_is_sure = as_it_lies_at_start, start_is_sure
        self._hand_since = math.inf
        """When the first hand came since the state of the game has changed, seconds."""
        self._lay_otherwise = False
        """Whether the board looked misplaced before any hand was seen."""
        self._agreed = self._mirrors_taught = False
        self._misplaced = False
        """The board lies still but does not read as the set-up: it may lie elsewhere than it was found."""
        self.turned = Turn.NONE
        """How the picture must be turned for the board to show the set-up."""
        self._said_at = -LAYING.say_again_s
        self._asked: Future[list[Finding]] | None = None
        """The referee's findings on what was played since a move was taken back."""

    def reset(self) -> None:
        """Forget what was observed, as the state of the game has changed."""
        self._agreed = self._mirrors_taught = self._misplaced = self._lay_otherwise = False
        self._asked, self._hand_since = None, math.inf

    # ---- before the game ---------------------------------------------------------------------------------------

    def setting_up(self, reading: Reading, findings: list[Finding]) -> None:
        """Compare the board with the game's start until they agree. findings: those of the referee, which already
        follows the game if the start is sure."""
        context = self._context
        if self._start_is_sure and not self._play.on:
            self._play.start()
        if self.moved_already(findings):
            return
        if context.hand or MOTION.shows_motion(reading):
            self._interrupted()
        if context.gather(reading):
            self._compare()

    def _interrupted(self) -> None:
        """A hand came: begin the game if the board agreed; else compare it anew later."""
        context = self._context
        self._misplaced = False
        if self._agreed:
            self._begin(hastily=True)
            return
        if context.window.enough and context.t >= self._hand_since + WAITING.laid_s:
            self._say(context.window.otherwise(context.game.playing[1].counts))
        self._note_hand()

    def _note_hand(self) -> None:
        if self._context.hand:
            self._hand_since = min(self._hand_since, self._context.t)

    def _begin(self, *, hastily: bool = False) -> None:
        begin(self._context, hastily=hastily)
        if not self._play.on:
            self._play.start()

    def moved_already(self, findings: list[Finding]) -> bool:
        """Begin the game with a first move that was made when the board had hardly been at rest; return whether the
        game began. It does not begin if there is no such move or the board may lie elsewhere. Nobody is accused of a
        move that began unseen."""
        if not findings:
            return False
        sure = all(f.kind == "legal" and f.p >= THRESHOLDS.likely for f in findings)
        if (self._lay_otherwise and not sure) or not self._play.on:
            self._play.start()
            return False
        if not self._agreed:
            findings = [replace(f, kind="not-sure" if f.accuses else f.kind, doubt=f.doubt | Doubt.BEGUN_UNSEEN)
                        for f in findings]
        self._context.enter(State.WATCHING)
        self._play.announce(findings)
        return True

    def _compare(self) -> None:
        """Compare the quiet board with the game's start: begin, look again, or say which pits differ."""
        context, window = self._context, self._context.window
        counts, was_misplaced = context.game.playing[1].counts, self._misplaced
        wrong, long = window.otherwise(counts), window.seconds >= WAITING.laid_s
        self._note_agreement(counts)
        if not wrong or (self._agreed and long and window.lies(counts, nearly=True)):
            self._begin()
        elif self._lies_turned():
            return
        elif self._teach_mirrors():
            context.restart_window()
        elif self._begin_as_it_lies() or (self._misplaced and not was_misplaced):
            return  # first look for the board elsewhere
        elif not long and window.lies(counts):
            return  # only doubt or occlusion contradicts the set-up
        elif window.seconds >= (TIMES.ask_s if self._start_is_sure else TIMES.change_s):
            self._say(wrong)

    def _note_agreement(self, counts: Sequence[int]) -> None:
        """Note whether the board agrees with the counts of the game's start, if only as a board that is badly read, and
        whether it may be misplaced."""
        window = self._context.window
        self._agreed = window.agrees(counts) or self._correlates_with_setup()
        share = window.counts.sum() / max(1, sum(counts))
        laid = share >= LAYING.laid_share or (self._start_is_sure and share <= LAYING.bare_share)
        self._misplaced = (laid and len(window.clearly_otherwise(counts)) >= LAYING.misplaced_pits
                           and window.seconds >= WAITING.misplaced_s)
        self._lay_otherwise |= self._misplaced and self._hand_since == math.inf

    def _lies_turned(self) -> bool:
        """Whether the board fits the game's start only in a turned picture; note that turn. All pits must fit; after a
        longer rest nearly all."""
        context, window = self._context, self._context.window
        position = context.game.playing[1]
        if window.seconds < TIMES.change_s or not window.seen.all():
            return False
        turn = min(TURNS, key=lambda one: len(window.clearly_otherwise(one.counts(position))))
        unlike = len(window.clearly_otherwise(position.counts)) > (1 - LAYING.agreeing_share) * len(position.counts)
        if unlike and window.lies(turn.counts(position), nearly=window.seconds >= WAITING.laid_s):
            self.turned = turn
        return bool(self.turned)

    def _teach_mirrors(self) -> bool:
        """If bowls may mirror lamps and so be read as holding seeds, teach the eye once that the empty pits are empty.
        It then reads them all again, provided that they look alike. Return whether it was taught."""
        context = self._context
        if self._agreed or self._mirrors_taught:
            return False
        empty = mirrored_pits(context.window, context.game.playing[1].counts, sure=self._start_is_sure)
        if empty is None:
            return False
        self._mirrors_taught = True
        context.teach(empty, context.window.stays, supposed=True)
        return True

    def _correlates_with_setup(self) -> bool:
        """Whether the set-up probably lies there although it is badly read: it is known to have been laid, nobody has
        reached in yet, and the counts correlate with it at least as well as with any position after a move."""
        window, (rules, position) = self._context.window, self._context.game.playing
        if not self._start_is_sure or self._hand_since < math.inf or not window.seen.all():
            return False
        near, moves = window.correlation(position.counts), rules.moves(position).moves
        moved = max((window.correlation(m.position.counts) for m in moves), default=0.0)
        return near >= LAYING.known_correlation and near >= moved

    def _say(self, wrong: list[int]) -> None:
        """Say now and then which pits differ from the set-up."""
        if self._context.t >= self._said_at + LAYING.say_again_s:
            self._said_at = self._context.t
            self._context.enter(State.SETTING_UP, self._misread(wrong))

    def _misread(self, wrong: list[int]) -> Message:
        """The message for a board that differs from the set-up: which pits to check, or to bring the camera nearer."""
        context, total = self._context, len(self._context.window.seen)
        pit_px = math.inf if context.view is None else float(np.median(context.view.radii))
        if pit_px < SIGHT.far_radius_px and len(wrong) > total // LAYING.pits_per_wrong:
            return message("why.read.far", right=total - len(wrong), pits=total, wide=round(2 * pit_px),
                           needed=round(2 * SIGHT.far_radius_px))
        names = ", ".join(context.game.playing[1].board.name(pit) for pit in wrong[:6])
        look = message("list.more", some=names) if len(wrong) > 6 else names
        return message("why.read.look", right=total - len(wrong), pits=total, names=look)

    @property
    def misplaced_starts(self) -> list[tuple[int, ...]]:
        """See `device.table.table.Table.misplaced_starts`."""
        if not self._misplaced:
            return []
        rules, position = self._context.game.playing
        moves = rules.moves(position).moves if self._start_is_sure else ()
        return [position.counts, *(move.position.counts for move in moves)]

    def _begin_as_it_lies(self) -> bool:
        """Begin from the board as it lies if that is allowed, it is clearly read and it is not the set-up."""
        context = self._context
        if not self._as_it_lies_at_start or self._agreed or context.window.unclear():
            return False
        rules, position = context.game.playing
        lying = replace(position, counts=tuple(context.window.counts.tolist()))
        if rules.problems(lying):
            return False
        context.say(position_set(lying, message("set.begins")))
        self._begin()
        return True

    # ---- after the game ----------------------------------------------------------------------------------------

    def over(self, reading: Reading) -> None:
        """The game has ended: wait for the next set-up. If no move was made, the set-up is still there, so wait for a
        hand first."""
        self._note_hand()
        laid = self._hand_since < math.inf or bool(self._context.game.history)
        if self._context.gather(reading) and laid and begin_next_game(self._context):
            self._play.start()

    # ---- taking back -------------------------------------------------------------------------------------------

    def withdrawing(self, reading: Reading) -> None:
        """Take in a reading while a move is taken back: wait until the board lies as before the move."""
        ruled = self._context.game.withdrawing
        assert ruled is not None, "no move is being taken back"
        if self._played_on(ruled):
            return
        self._note_hand()
        if self._context.gather(reading):
            self._laid_back(ruled)

    def _laid_back(self, ruled: JudgedMove) -> None:
        context, window = self._context, self._context.window
        wrong = window.clearly_otherwise(ruled.before.counts)
        if not wrong and window.seen.all():
            self._withdrawn(ruled)
            if not self._play.ends():
                self._play.start()
                context.enter(State.WATCHING)
        elif wrong and window.seconds >= TIMES.change_s:
            self._ask_whether_played_on(ruled)
            name, counts = ruled.before.board.name, window.counts
            pits = [message("why.still.pit", pit=name(p), there=int(counts[p]), due=ruled.before.counts[p])
                    for p in wrong[:4]]
            context.enter(State.WITHDRAWING, message("why.still", pits=pits))

    def _withdrawn(self, ruled: JudgedMove) -> None:
        context = self._context
        mover = side_of(ruled.body.player)
        whose = "The move" if mover is None else f"{mover.title}'s move"
        context.say(VerdictGiven(
            kind="withdrawn", player=ruled.body.player, before=str(context.game.playing[1]), position=str(ruled.before),
            sentence=f"{whose} is withdrawn; the board lies as it was.", answers=ruled.number, confidence=1.0,
            t=round(context.t, 3), counts=context.window.counts.tolist()))

    def _ask_whether_played_on(self, ruled: JudgedMove) -> None:
        """Ask the referee whether the move was taken back and the next one made already."""
        seen = self._play.rest
        if self._hand_since == math.inf or seen is None or self._asked is not None or not seen.seen.all():
            return
        self._hand_since = math.inf
        rules, past = self._context.game.playing[0], self._context.game.history
        past = past[:past.index(ruled.before)] if ruled.before in past else past[:-1]
        alone = replace(seen, looks=(), stays=np.arange(len(seen.stays)))
        self._asked = self._work.submit(lambda: weighed(rules, ruled.before, alone, past))

    def _played_on(self, ruled: JudgedMove) -> bool:
        if self._asked is None or not self._asked.done():
            return False
        findings, self._asked = self._asked.result(), None
        if len(findings) != 1 or findings[0].kind != "legal":
            return False
        self._withdrawn(ruled)
        self._play.start()
        self._play.announce(findings)
        self._play.start()
        return True
