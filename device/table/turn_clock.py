"""The clock of the turn that is on, from the pictures: it is due when the last mover's hand lifts, and begun when the
next one comes over the board (engine/games/omweso.md, "Clocks"; `engine.matches.clock` has the rules of it).

Nobody is accused by the clock: it says aloud what is counted, and after that the other side may take the turn.
"""

from __future__ import annotations

from dataclasses import replace

from device.journal.messages import message
from device.journal.states import State
from device.table.context import TableContext
from device.table.parameters import JUDGEMENT
from engine.board import Side
from engine.matches.clock import COUNT, ClockRules, Late, TimedTurn
from engine.messages import Message
from engine.messages import side as side_said
from engine.referee.finding import Finding
from engine.rules import Rules

NANO = 1_000_000_000

MOVES = ("legal", "illegal", "not-sure", "race")
"""Verdicts on moves, which may have been too late beside all else."""


class TurnClock:
    """Times one turn after another; times in seconds of the table's clock."""

    def __init__(self) -> None:
        """No turn is due yet."""
        self._turn: TimedTurn | None = None

    def stop(self) -> None:
        """It is not known any more since when a turn is due."""
        self._turn = None

    def due(self, side: Side, t: float) -> None:
        """The other's hand has lifted: it is this side's turn."""
        self._turn = TimedTurn(side, round(t * NANO))

    def after(self, finding: Finding, *, known: bool) -> None:
        """Start the clock of the turn after a finding, at the time when the hand lifted. known: whose turn it is."""
        if finding.kind in ("legal", "illegal") and finding.seen.disturbed and known:
            self.due(finding.after.to_move, max(finding.seen.left, finding.seen.unwatched))
        else:
            self.stop()

    def words(self, context: TableContext) -> Message | str:
        """What is said aloud while the table watches a quiet board; "" when nothing."""
        if context.state is not State.WATCHING or context.game.rules is None:
            return ""
        return self.count(context.game.rules, context.t)

    def count(self, rules: Rules, t: float) -> Message | str:
        """What is said aloud at that time, "" when nothing is: "omu", "omu, ebiri", and that the turn may be stolen."""
        clock, turn = ClockRules.of(rules), self._turn
        if turn is None or turn.due is None or not clock.clocks:
            return ""
        if self.open_to(rules, turn.side.other, t):
            return message("why.steal", side=side_said(turn.side), seconds=clock.begin_seconds,
                        other=side_said(turn.side.other))
        passed = (t - turn.due / NANO) * (len(COUNT) + 1) / clock.begin_seconds
        return ", ".join(COUNT[: max(0, int(passed))])

    def open_to(self, rules: Rules, side: Side, t: float) -> bool:
        """Whether `side`, whose turn it is not, may begin a move at that time."""
        turn = self._turn
        return (turn is not None and turn.due is not None and side is not turn.side
                and turn.not_to_steal(ClockRules.of(rules), round(t * NANO)) is None)

    def close_call(self, rules: Rules, side: Side, t: float) -> bool:
        """Whether it cannot be told if `side`, whose turn it is not, might already begin a move at that time."""
        close_s = JUDGEMENT.close_call_s
        return self.open_to(rules, side, t + close_s) and not self.open_to(rules, side, t - close_s)

    def late(self, rules: Rules, side: Side, began: float, ended: float) -> tuple[Late, ...]:
        """The limits that a move of `side` has passed, which began and ended at these times."""
        turn = self._turn
        if turn is None or turn.side is not side:
            turn = TimedTurn(side)
        return replace(turn, begun=round(began * NANO)).late(ClockRules.of(rules), round(ended * NANO))

    def passed(self, rules: Rules, finding: Finding) -> tuple[Late, ...]:
        """The limits that a move has passed, whatever is said of it. Who changed the board with no move, laid it back
        or laid his seeds out began no turn; nor is it known when one began of which no hand was seen."""
        seen, side = finding.seen, finding.moved
        if finding.kind not in MOVES or not seen.disturbed or side is None:
            return ()
        return self.late(rules, side, seen.began, seen.left)
