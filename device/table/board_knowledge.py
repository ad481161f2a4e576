"""How surely it is known how the board lies, and what is not said of anybody as long as it is not."""

from __future__ import annotations

import numpy as np

from device.table.context import TableContext
from device.table.parameters import DOUBT, JUDGEMENT
from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import Window
from device.table.settling.judge_worker import Verdict
from device.table.settling.uncertain_boards import (
    Doubts,
    hardly_explained,
    judged_from_known,
    lying_before,
    possible_boards,
)
from device.table.turn_clock import TurnClock
from device.table.verdict_events import out_of_turn
from engine.judge.verdict import Doubt


class BoardKnowledge:
    """What is known of the board before the next move, beside the position that the game stands at.

    uncertain: that position was only read, and is not known. lying: boards that may lie there, where no verdict says
    how it lies; rivals: those that may lie there though a verdict says that another does, with their odds. paired: the
    last verdict was two moves, told apart by the board alone.
    """

    def __init__(self, context: TableContext, clock: TurnClock) -> None:
        """context, clock: those of the table."""
        self._context, self._clock = context, clock
        self.lying: Doubts = ()
        self.rivals: Doubts = ()
        self.uncertain = self.paired = False

    def reset(self, *, blind: bool, missed: bool) -> None:
        """The game stands elsewhere now. blind: what went on before is not known; missed: nor how many moves were made
        meanwhile."""
        self.lying, self.rivals, self.paired = (), (), False
        self.uncertain = missed or (blind and self.uncertain)

    def glanced(self, glance: Window) -> None:
        """The quiet board was read once more: where every pit is clear and holds what it should, it is known; where the
        others look as before, nobody has touched it while nobody watched."""
        context, (_, position) = self._context, self._context.game.playing
        open_pits = {*glance.unclear(), *glance.otherwise(position.counts)}
        self.uncertain = self.uncertain and bool(open_pits)
        if not open_pits.difference(np.flatnonzero(glance.unchanged).tolist()):
            context.unwatched = 0.0

    def disturbed(self, *, uncertain: bool) -> None:
        """A move begins: what was read of the quiet board has to do. uncertain: it was not surely known how it lay."""
        context = self._context
        self.uncertain = self.uncertain or uncertain
        if not context.game.synced and context.enough(context.window):
            self.lying = possible_boards(context.game, context.window)

    def before(self, move: Disturbance) -> Doubts:
        """The boards that a move may have been made from, with their odds; none where the position is known."""
        return lying_before(self._context.game, self.lying, move)

    def careful(self, verdict: Verdict, move: Disturbance, known: object = None) -> Verdict:
        """The verdict, or a doubt in its place: nobody is accused where the board before was only read, and not known,
        and nothing is said of what was done while nobody watched.

        A heap is soon misread by one, and then a move may have passed unseen. Nor is a move out of turn said after two
        that were told apart by the board alone, which may have come the other way round, or as the time ends in which
        the turn was not to be stolen. known: a position that was known all the same.
        """
        if not move.watched(verdict):
            return verdict.as_doubt(Doubt.UNWATCHED)
        if not verdict.accuses:
            return verdict
        sure = judged_from_known(self._context.game, verdict) or verdict.before == known
        sure = sure and not self.uncertain
        sure = sure and not (out_of_turn(verdict) and (self.paired or self._close_call(verdict, move)))
        return verdict if sure else verdict.as_doubt(Doubt.BEFORE_UNSURE)

    def _close_call(self, verdict: Verdict, move: Disturbance) -> bool:
        """Whether it cannot be told if the turn might be stolen when the hand came."""
        rules, _ = self._context.game.playing
        return verdict.player is not None and self._clock.close_call(rules, verdict.player, move.hands_in)

    def touched_nothing(self, verdict: Verdict) -> None:
        """A hand is taken for one that touched nothing; what else it may have done is kept in mind."""
        told = {verdict.before.counts, *(lies.counts for lies, _ in self.rivals)}
        more = tuple(one for one in _likely(verdict.boards) if one[0].counts not in told)
        self.rivals = tuple(sorted((*self.rivals, *more), key=lambda one: -one[1])[:DOUBT.most_boards - 1])

    def learn(self, verdict: Verdict, move: Disturbance, *, doubted: bool) -> None:
        """Take in a verdict that was said, and teach the eye by it. doubted: no verdict had said how the board lay
        before it."""
        context, window = self._context, move.window
        legal, not_sure = verdict.kind == "legal", verdict.kind == "not-sure"
        fits = not window.clearly_otherwise(verdict.position.counts)  # asked before the eye is taught by it
        confident = verdict.confidence >= JUDGEMENT.teaching_confidence
        sure = confident and not doubted and (fits or not self.uncertain)  # of what lay before, too
        self.paired = verdict.then is not None
        context.note_baseline(window, verdict.position if sure and not not_sure else None,
                              errors=legal and not self.paired)
        self.uncertain = doubted or (self.uncertain and not (legal and sure))
        self.lying = possible_boards(context.game, window) if not_sure and window.frames else ()
        self.rivals = () if not_sure else _likely(verdict.others)
        self.uncertain = self.uncertain or (not_sure and hardly_explained(context.game, self.lying))


def _likely(boards: Doubts) -> Doubts:
    """Those of these positions that are likely enough to be judged from."""
    return tuple((lies, odds) for lies, odds in boards if odds > DOUBT.least_odds)
