"""The verdict that was last said of a move, or was about to be, as long as it may have come too early: whether the
hands that came since go on with that move, so that it is taken back, or never said."""

from __future__ import annotations

from typing import Literal

from device.table.context import TableContext
from device.table.settling.disturbance import Disturbance
from device.table.settling.judge_worker import Judge, Verdict
from device.table.settling.mid_move import note_mid_move
from device.table.settling.uncertain_boards import Doubts
from device.table.settling.unfinished_move import UnfinishedMove, accuses_for_good, may_be_mended, moved_twice
from engine.position import Position
from engine.rules import Rules

Continuation = Literal["alone", "one", "two", "mended", "undone", "asked"]
"""What the hands did that came after a provisional verdict. "alone": a move by itself. "one", "two": one move together
with what was about to be said, or a second move after it. "mended": they did what was missing from what was said.
"undone": they went on, and it is still undone, or they did wrong by it. "asked": to know, the judge was asked again."""

UNEXPLAINED = ("illegal", "tampered", "not-sure")
"""Verdicts on two visits of a hand as one move that leave it open whether they were one."""


class ProvisionalVerdict:
    """What was said last, or was about to be.

    given: the move of which an event has said something. held_back: the move of which something was about to be said
    when a hand came back; it is asked about first. joined: that move and the hand's visit as one, while the judge is
    asked about them.
    """

    def __init__(self) -> None:
        """Nothing was said yet."""
        self.given: UnfinishedMove | None = None
        self.held_back: UnfinishedMove | None = None
        self.joined: Disturbance | None = None
        self._as_one: Verdict | None = None

    def reset(self) -> None:
        """Nothing was said, as far as it matters."""
        self.given = self.held_back = self.joined = self._as_one = None

    @property
    def history(self) -> tuple[Position, ...] | None:
        """The positions before the one that the move was made from that was spoken of."""
        return None if self.given is None else self.given.history

    def holds(self, context: TableContext, move: Disturbance, later: Disturbance) -> bool:
        """Whether what was about to be said of `move` is held back, since a hand has come back that may go on with it.

        It has to be an accusation, or that seeds were rearranged. The hand has to be the mover's, or the other side's
        where that may have been in the middle of its answer. later: what it does.
        """
        pending, game = move.pending, context.game
        if pending is None or self.held_back is not None or not game.synced:
            return False
        if move.answered:
            if pending.kind != "illegal" or later.side is pending.before.to_move:
                return False
        elif later.side is not move.side or not (accuses_for_good(pending, move) or may_be_mended(pending)):
            return False
        if self.given is not None and self.given.joined(move) is not None:
            return False
        self.held_back = UnfinishedMove(0, pending, move, pending.before, tuple(game.history))
        return True

    def asks(self, rules: Rules, judge: Judge, move: Disturbance, carried: Doubts) -> bool:
        """Ask whether the hands went on with it, where that may be. carried: as of `Question`."""
        first = self.held_back or self.given
        joined = None if first is None else first.joined(move)
        if first is None or joined is None:
            return False
        self.joined, self._as_one = joined, None
        judge.ask(first.question(rules, joined, carried))
        return True

    def continuation(self, rules: Rules, judge: Judge, verdict: Verdict,
                     move: Disturbance) -> tuple[Continuation, Verdict]:
        """What the hands did that came last, and the verdict that shows it. verdict: the judge's answer to what was
        asked last; move: the last hands' visit by itself."""
        first, joined = self.held_back or self.given, self.joined
        if first is None or joined is None:
            return "alone", verdict
        as_one, self._as_one = self._as_one, None
        if as_one is not None:
            apart = first.apart(as_one, verdict, move)
            joined.glimpsed = apart and first.laid  # whether by a turn of its own or by meddling nobody can say
            return ("two", verdict) if apart and not first.laid else ("one", as_one)
        note_mid_move(rules, verdict, joined)
        if self.held_back is None:
            return _after_said(first, verdict, joined), verdict
        came = _after_held(first, verdict, joined)
        if came == "asked":
            self._as_one = verdict
            judge.ask(first.second(rules, move))
        return came, verdict


def _after_said(first: UnfinishedMove, verdict: Verdict, joined: Disturbance) -> Continuation:
    """What the hands did that came after something was said. verdict: on both as one move."""
    if first.mended(verdict):
        return "mended"
    return "undone" if first.shows(verdict) or first.goes_on(verdict, joined) else "alone"


def _after_held(first: UnfinishedMove, verdict: Verdict, joined: Disturbance) -> Continuation:
    """What the hands did that came before something was said. verdict: on both as one move. "asked" where they made no
    answer, or nothing that is legal as one move: there were two, where the second by itself is one."""
    if not first.move.answered and moved_twice(verdict):
        return "two"
    known = verdict.kind == "legal" if first.move.answered else verdict.kind not in UNEXPLAINED
    # What is left undone may yet be done, and nobody say how; unless it would have been done wrongly.
    goes_on = may_be_mended(first.verdict) and verdict.kind != "illegal"
    return "one" if known or joined.answered or goes_on else "asked"
