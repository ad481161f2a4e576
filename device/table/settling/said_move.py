"""The move of which something was said last, as long as its hand may come back and go on with it.

The hand had left although a relay was due or seeds were missing, or where it might have played on; now the same hand is
back. Both visits may have been one move, or the second is a move of its own. Either has its evidence, and the likelier
one is told, so that a pause, however long, accuses nobody for good.
"""

from __future__ import annotations

from dataclasses import dataclass

from device.table.parameters import DOUBT, HANDS
from device.table.settling.disturbance import Disturbance
from device.table.settling.judge_worker import Question, Verdict
from device.table.settling.mid_move import may_be_mended
from engine.position import Position
from engine.rules import Rules


@dataclass(frozen=True, slots=True)
class SaidMove:
    """What was said of a move, or is held back since the hand came back before its time.

    number: of the event that said it, 0 where it is held back. verdict: what it was. move: its disturbance. before: the
    position that it was made from; history: the positions before that.
    """

    number: int
    verdict: Verdict
    move: Disturbance
    before: Position
    history: tuple[Position, ...]

    @property
    def held_back(self) -> bool:
        """Whether it has not been said yet."""
        return not self.number

    @property
    def leaves(self) -> tuple[tuple[Position, float], ...]:
        """The boards that may lie there by it, with their odds; none where it does not say."""
        return tuple(one for one in self.verdict.boards if one[1] > DOUBT.least_odds)

    def joined(self, later: Disturbance) -> Disturbance | None:
        """Both visits as one move; None where that cannot be, since nobody's hand was seen, or another side's."""
        if self.move.unseen or later.unseen or later.side is not self.move.side:
            return None
        return self.move.with_(later)

    def goes_on(self, as_one: Verdict, alone: Verdict) -> bool:
        """Whether the hand went on with this move. as_one: the verdict on both visits as one move; alone: on the later
        one by itself, if what was said is true. A hand that comes back after a rest seldom goes on; one that comes
        sooner, so that the verdict was held back, does as often as not. How badly the board was read in between says
        nothing of either: it lay there for both. "Something else" may be two moves as well, so it speaks for none."""
        if as_one.kind == "unchanged" or as_one.then is not None:
            return as_one.kind == "unchanged" and self.held_back
        said = self.verdict.evidence + self.verdict.misfit
        another = 0.0 if self.held_back else HANDS.another_move_nats
        return as_one.evidence - as_one.else_nats - another > said + alone.evidence


def held_back(pending: Verdict | None, move: Disturbance, history: tuple[Position, ...]) -> SaidMove | None:
    """What was about to be said of a move as its hand came back, so that it is held back; None where nothing was, where
    it says of no board that it may lie there, or where it may have been the middle of a move: then the hand goes on.
    history: the positions before the move."""
    if pending is None or move.mid_move or may_be_mended(pending):
        return None
    held = SaidMove(0, pending, move, pending.before, history)
    return held if held.leaves else None


@dataclass
class TwoVisits:
    """Two visits of a hand, of which it is asked whether they were one move or two.

    said: the first one's move, spoken of or held back. joined: both as one. as_one: what they were as one move, as soon
    as that has been answered.
    """

    said: SaidMove
    joined: Disturbance
    as_one: Verdict | None = None

    def question(self, rules: Rules) -> Question:
        """What both together were as one move."""
        return Question(rules, self.said.before, self.joined.evidence, self.said.history)
