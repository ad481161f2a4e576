"""A move of which something was said, or was about to be, before its end.

The hand had left although a relay was due or seeds were missing, and then the same hand came back and went on; or the
other side had begun its answer, and went on with that. Both visits are then judged again as one move, so that a pause,
however long, accuses nobody for good. A move that was called legal is judged again, too, where it may have been a
longer one. What was not yet said when the hand came back waits until it is known whether there was one move or two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from device.table.parameters import HANDS
from device.table.settling.disturbance import Disturbance
from device.table.settling.judge_worker import Question, Verdict
from device.table.settling.pit_baseline import PitBaseline
from engine.position import Position
from engine.rules import Rules

MENDED = ("stopped-short", "bull-missed", "short-capture", "palmed")
"""Faults of somebody who has not done yet what is due: none if he does it."""
DUE = tuple(code for code in MENDED if code != "palmed")
"""Of these, the ones that are undone by going on."""
WENT_ON = ("false-capture", "ran-on")
"""Faults by which a hand that comes back after a legal move goes on with it: it captures a pit without right, or sows
on. Where it takes seeds away or adds some, the board is tampered with outside any move."""


@dataclass(frozen=True, slots=True)
class UnfinishedMove:
    """What was said of a move, or was about to be.

    number: of the event that said it, 0 where it was about to be said. verdict: what it was. move: its disturbance.
    before: the position that it was made from; history: the positions before that. glimpsed: only a glance between two
    hands showed that it was legal.
    """

    number: int
    verdict: Verdict
    move: Disturbance
    before: Position
    history: tuple[Position, ...]
    glimpsed: bool = False

    @classmethod
    def of(cls, number: int, verdict: Verdict, move: Disturbance, history: tuple[Position, ...], *,
           glimpsed: bool = False) -> UnfinishedMove | None:
        """None where nothing that the hand may do yet would change what was said."""
        mends = move.mid_move or verdict.kind == "not-sure" or _legal(verdict, move) or (
            verdict.kind == "illegal" and all(f.code in MENDED for f in verdict.faults))
        return cls(number, verdict, move, verdict.before, history, glimpsed) if mends and not move.unseen else None

    def joined(self, later: Disturbance) -> Disturbance | None:
        """Both visits as one move; None where that cannot be. The hand that comes back has to be the same side's,
        unless the other side may have begun its answer: then it may be either's."""
        if later.unseen or (later.side is not self.move.side and not self.move.answered):
            return None
        return self.move.with_(later)

    def question(self, rules: Rules, joined: Disturbance) -> Question:
        """Whether both together were one move."""
        return Question(rules, self.before, joined.evidence, self.history)

    def second(self, rules: Rules, later: Disturbance) -> Question:
        """What the later hands did by themselves, if what was about to be said of this move is true."""
        window, position = self.move.window, self.verdict.position
        if self.laid:  # or no turn has passed by it
            position = replace(position, to_move=self.before.to_move)
        kept = None if window.stays is None else PitBaseline.of(window.stays, position.counts)
        alone = replace(later, window=later.window.against(kept))
        return Question(rules, position, alone.evidence, (*self.history, self.before))

    @property
    def laid(self) -> bool:
        """Whether seeds were laid and not sown, which may have been a turn."""
        return self.verdict.kind == "rearranged"

    def apart(self, as_one: Verdict, second: Verdict, later: Disturbance) -> bool:
        """Whether the later hands made a move of their own.

        as_one: the verdict on both visits as one move, which is not legal. second: the verdict on the later hands by
        themselves, if what was about to be said is true. Two moves have to explain more than one does, the board in
        between as well. Where seeds were laid out, or the other side may have begun its answer, it is enough that the
        second is legal.
        """
        if second.player is not later.side:
            return False
        if self.move.answered or self.laid:
            return second.kind == "legal"
        turn = second.kind == "illegal" and all(f.code == "out-of-turn" for f in second.faults)
        return (second.kind == "legal" or turn) and self.verdict.evidence + second.evidence > as_one.evidence

    def mended(self, verdict: Verdict) -> bool:
        """Whether both visits as one move take back what was said. verdict: on both as one.

        They do where it is a legal move of the same side, or the board was laid back. Where a legal move was said, it
        has to be another one. Where the other side may have begun its answer, a legal move with a legal answer will do.
        """
        if self.move.answered and verdict.kind == "legal":
            return True
        if _legal(self.verdict, self.move):
            return _legal(verdict, self.move) and verdict.position != self.verdict.position
        return _legal(verdict, self.move) or verdict.kind == "withdrawn"

    def shows(self, verdict: Verdict) -> bool:
        """Whether the hand that came back did wrong, and it is known now what. verdict: on both visits as one move.

        After a legal move it went on. Or it is no longer known whether the move was legal, since pits that were hidden
        then hold something else. Or the move, of which nothing could be said, was out of turn or had one fault before
        the hand rested.
        """
        if verdict.kind == "not-sure" and verdict.pits and _legal(self.verdict, self.move):
            return not self.move.window.seen[list(verdict.pits)].any()
        if verdict.kind != "illegal" or verdict.player is not self.move.side or len(verdict.faults) != 1:
            return False
        code = verdict.faults[0].code
        if self.verdict.kind == "tampered":
            return code == "out-of-turn"
        if self.verdict.kind == "not-sure":
            return bool(self.verdict.best) and self.verdict.best[0].kind == "else"
        return _legal(self.verdict, self.move) and verdict.move == self.verdict.move and code in WENT_ON

    def goes_on(self, verdict: Verdict, joined: Disturbance) -> bool:
        """Whether the move has gone on since something was said of it, and is still not at its end. verdict: on both
        visits as one move; joined: their disturbance."""
        if self.move.answered and joined.answered:
            return True
        due = joined.mid_move or all(f.code in DUE for f in verdict.faults)
        return (verdict.kind == "illegal" and due and verdict.player is self.move.side
                and not _legal(self.verdict, self.move))


def _legal(verdict: Verdict, move: Disturbance) -> bool:
    """Whether it is one legal move of the side whose hand it was."""
    return verdict.kind == "legal" and verdict.then is None and verdict.player is move.side


def accuses_for_good(pending: Verdict, move: Disturbance) -> bool:
    """Whether the verdict that is about to be said accuses somebody of what his hand cannot mend by going on, or says
    that he rearranged seeds and that this was his turn."""
    if pending.kind == "rearranged":
        return pending.position.ply > pending.before.ply
    accuses = pending.kind in ("illegal", "tampered")
    return accuses and not move.mid_move and not any(f.code in DUE for f in pending.faults)


def may_be_mended(pending: Verdict) -> bool:
    """Whether the verdict that is about to be said accuses somebody only of what his hand may yet do."""
    return pending.kind == "illegal" and any(f.code in DUE for f in pending.faults)


def moved_twice(verdict: Verdict) -> bool:
    """Whether two moves of one side, and hardly anything else, explain what was seen."""
    likely = verdict.best[0] if verdict.best and verdict.best[0].p >= HANDS.two_moves_odds else None
    faults = verdict.faults or (() if likely is None else likely.faults)
    return any(f.code == "double-move" for f in faults)
