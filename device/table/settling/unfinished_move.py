"""A move that was spoken of before its end: the hand had left, a relay was due or seeds were missing, and then the same
hand came back and went on; or the other side had begun its answer, and its hand did. What was said then is judged anew,
so that a pause, however long, accuses nobody for good.
So is a move that was called legal, should it have been a longer one; and what was about to be said when the hand came
back waits until it is known whether it was one move or two.
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
MEDDLED = ("palmed", "smuggled", "false-capture", "ran-on")
"""Faults of somebody whose hand comes back after his move and takes seeds or lays some, all of an opponent's pit being
captured falsely; or goes on sowing where it was at its end."""


@dataclass(frozen=True, slots=True)
class UnfinishedMove:
    """What was said of a move by event `number`, or, where that is 0, was about to be said. move: its disturbance, from
    `before`, the positions before that being `history`. glimpsed: only a glance showed that it was legal."""

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
        """Both as one move, where the hand that came back is the same side's; of what may be an answer, either's."""
        if later.unseen or (later.side is not self.move.side and not self.move.answered):
            return None
        return self.move.with_(later, spoken=bool(self.number))

    def question(self, rules: Rules, joined: Disturbance) -> Question:
        """Whether both together were one move."""
        return Question(rules, self.before, joined.evidence, self.history)

    def second(self, rules: Rules, later: Disturbance) -> Question:
        """What the later hands did by themselves, if of this move is said what was about to be."""
        window, position = self.move.window, self.verdict.position
        if self.laid:  # or no turn has passed by it
            position = replace(position, to_move=self.before.to_move)
        kept = None if window.cells is None else PitBaseline.of(window.cells, window.pictured, position.counts)
        alone = replace(later, window=later.window.against(kept))
        return Question(rules, position, alone.evidence, (*self.history, self.before))

    @property
    def laid(self) -> bool:
        """Whether seeds were laid and not sown, which may have been a turn."""
        return self.verdict.kind == "rearranged"

    def apart(self, as_one: Verdict, second: Verdict, later: Disturbance) -> bool:
        """Whether the later hands made a move of their own after what was about to be said. second: what they did then
        by themselves; as_one: what both are as one move, which is not legal. Where nothing but this verdict says that
        there were two, they have to explain more than the one does: the board in between, too. After seeds that were
        laid a legal move is enough: nobody is said to have done two things by it, only not to have done the one."""
        if second.player is not later.side:
            return False
        if self.move.answered or self.laid:
            return second.kind == "legal"
        turn = second.kind == "illegal" and all(f.code == "out-of-turn" for f in second.faults)
        return (second.kind == "legal" or turn) and self.verdict.evidence + second.evidence > as_one.evidence

    def mended(self, verdict: Verdict) -> bool:
        """Whether they were, and a legal one of that side's, or laid the board back as it was; where a legal one was
        said, another. What may have been a begun answer is mended by a legal move with a legal answer, too."""
        if self.move.answered and verdict.kind == "legal":
            return True
        if _legal(self.verdict, self.move):
            return _legal(verdict, self.move) and verdict.position != self.verdict.position
        return _legal(verdict, self.move) or verdict.kind == "withdrawn"

    def shows(self, verdict: Verdict) -> bool:
        """Whether the hand that came back did wrong, and it is known now what: after a legal move it took seeds from
        the board, or laid some on it; or nobody knows any more whether it was legal, since what was hidden then lies
        otherwise; or it went on with a move of which nobody could say what it was: one out of turn, or with a fault
        before the hand rested."""
        if verdict.kind == "not-sure" and verdict.pits and _legal(self.verdict, self.move):
            return not self.move.window.pictured[list(verdict.pits)].any()
        if verdict.kind != "illegal" or verdict.player is not self.move.side or len(verdict.faults) != 1:
            return False
        code = verdict.faults[0].code
        if self.verdict.kind == "tampered":
            return code == "out-of-turn"
        if self.verdict.kind == "not-sure":
            return bool(self.verdict.best) and self.verdict.best[0].kind == "else"
        return _legal(self.verdict, self.move) and verdict.move == self.verdict.move and code in MEDDLED

    def goes_on(self, verdict: Verdict, joined: Disturbance) -> bool:
        """Whether it has gone on since it was spoken of, and is still not at its end. joined: both as one move, with
        its `halfway`."""
        if self.move.answered and joined.answered:
            return True
        due = joined.mid_move or all(f.code in DUE for f in verdict.faults)
        return (verdict.kind == "illegal" and due and verdict.player is self.move.side
                and not _legal(self.verdict, self.move))


def _legal(verdict: Verdict, move: Disturbance) -> bool:
    """Whether it is one legal move of the side whose hand it was."""
    return verdict.kind == "legal" and verdict.then is None and verdict.player is move.side


def accuses_for_good(pending: Verdict, move: Disturbance) -> bool:
    """Whether somebody is about to be accused of what the hand that comes back does not undo by going on, or to have
    rearranged by a turn of his own."""
    if pending.kind == "rearranged":
        return pending.position.ply > pending.before.ply
    accuses = pending.kind in ("illegal", "tampered")
    return accuses and not move.mid_move and not any(f.code in DUE for f in pending.faults)


def may_be_mended(pending: Verdict) -> bool:
    """Whether somebody is about to be accused of what the hand that comes back may yet do."""
    return pending.kind == "illegal" and any(f.code in DUE for f in pending.faults)


def moved_twice(verdict: Verdict) -> bool:
    """Whether two moves of one side, and hardly anything else, explain what was seen."""
    likely = verdict.best[0] if verdict.best and verdict.best[0].p >= HANDS.two_moves_odds else None
    faults = verdict.faults or (() if likely is None else likely.faults)
    return any(f.code == "double-move" for f in faults)
