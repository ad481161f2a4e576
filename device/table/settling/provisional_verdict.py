"""What was last said of a move, or was about to be, and whether the hands that came since go on with it: it may have
been spoken of too early, and then what was said is taken back, or never said."""

from __future__ import annotations

from typing import Literal

from device.table.context import TableContext
from device.table.settling.disturbance import Disturbance
from device.table.settling.judge_worker import Judge, Verdict
from device.table.settling.mid_move import note_mid_move
from device.table.settling.unfinished_move import UnfinishedMove, accuses_for_good, may_be_mended, moved_twice
from engine.position import Position
from engine.rules import Rules

Continuation = Literal["alone", "one", "two", "mended", "undone", "asked"]
"""What the hands that came did: a move by itself; one with what was about to be said, or a second one after it; they
mended what was said, or went on and left it undone again, or did wrong by it. Or the judge was asked once more, to
know."""

UNEXPLAINED = ("illegal", "tampered", "not-sure")
"""Verdicts on two visits of a hand together that leave it open whether they belong together."""


class ProvisionalVerdict:
    """said: of a move, by an event. held: what was about to be said of the last move when a hand came back; of this it
    is asked first. joined: it and that hand's as one move, while that is asked."""

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
        """Whether somebody was about to be accused, or to have rearranged, when a hand came back that may go on with
        it, or make another move: his own, or that of the other side where it may have been in the middle of an answer.
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

    def asks(self, rules: Rules, judge: Judge, move: Disturbance) -> bool:
        """Ask whether the hands went on with it, where that may be."""
        first = self.held_back or self.given
        joined = None if first is None else first.joined(move)
        if first is None or joined is None:
            return False
        self.joined, self._as_one = joined, None
        judge.ask(first.question(rules, joined))
        return True

    def continuation(self, rules: Rules, judge: Judge, verdict: Verdict,
                     move: Disturbance) -> tuple[Continuation, Verdict]:
        """What the judge's answer shows, and the verdict that it shows it by; move: the last hands' by itself. `joined`
        is both as one, if they may be."""
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
