"""The move of which something was said last, as long as its hand may come back and go on with it.

The hand had left although a relay was due or seeds were missing, or where it might have played on; now the same hand is
back. Both visits may have been one move, or the second is a move of its own. Either has its evidence, and the likelier
one is told, so that a pause, however long, accuses nobody for good.
"""

from __future__ import annotations

from dataclasses import dataclass

from device.table.parameters import HANDS
from device.table.settling.disturbance import Disturbance
from device.table.settling.judge_worker import Question, Verdict
from engine.position import Position
from engine.rules import Rules


@dataclass(frozen=True, slots=True)
class SaidMove:
    """What was said of a move.

    number: of the event that said it. verdict: what it was. move: its disturbance. before: the position that it was
    made from; history: the positions before that.
    """

    number: int
    verdict: Verdict
    move: Disturbance
    before: Position
    history: tuple[Position, ...]

    def joined(self, later: Disturbance) -> Disturbance | None:
        """Both visits as one move; None where that cannot be, since nobody's hand was seen, or another side's."""
        if self.move.unseen or later.unseen or later.side is not self.move.side:
            return None
        return self.move.with_(later)

    def question(self, rules: Rules, joined: Disturbance) -> Question:
        """What both together were as one move."""
        return Question(rules, self.before, joined.evidence, self.history)

    def goes_on(self, as_one: Verdict, alone: Verdict) -> bool:
        """Whether the hand went on with this move. as_one: the verdict on both visits as one move; alone: on the later
        one by itself, if what was said is true. A hand that comes back after a rest seldom goes on. How badly the board
        was read in between says nothing of either: it lay there for both."""
        if as_one.kind == "unchanged" or as_one.then is not None:
            return False
        said = self.verdict.evidence + self.verdict.misfit
        return as_one.evidence - HANDS.another_move_nats > said + alone.evidence
