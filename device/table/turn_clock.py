"""The clock of the current turn, from the pictures: the turn is due when the last mover's hand lifts, and begun when
the next hand comes over the board (engine/games/omweso.md, "Clocks"; `engine.matches.clock` has its rules).

The clock accuses nobody: it counts aloud, and after the count the other side may take the turn.
"""

from dataclasses import replace

from device.journal.messages import message
from device.journal.states import State
from device.table.context import TableContext
from device.table.parameters import JUDGEMENT
from engine.board import Side
from engine.matches.checks import SECOND_NS
from engine.matches.clock import COUNT, ClockRules, Late, TimedTurn
from engine.messages import Message
from engine.messages import side as side_said
from engine.referee.finding import Finding
from engine.rules import Rules

MOVES = ("legal", "illegal", "not-sure", "race")
"""Kinds of verdicts on moves that may be late."""


class TurnClock:
    """Times one turn after another; times in seconds of the table's clock."""

    def __init__(self) -> None:
        """Start with no turn due."""
        self._turn: TimedTurn | None = None

    def stop(self) -> None:
        """Stop the clock, as the time when a turn was due is unknown."""
        self._turn = None

    def after(self, finding: Finding, *, known: bool) -> None:
        """Start the clock of the turn after a finding, at the time when the hand lifted. known: whose turn it is."""
        seen = finding.seen
        timed = finding.kind in ("legal", "illegal") and seen.disturbed and known
        lifted = round(max(seen.left, seen.unwatched) * SECOND_NS)
        self._turn = TimedTurn(finding.after.to_move, lifted) if timed else None

    def words(self, context: TableContext) -> Message | str:
        """What to say aloud now, "" for nothing: while the table watches a quiet board "omu", "omu, ebiri", then that
        the turn may be stolen."""
        turn, rules, t = self._turn, context.game.rules, context.t
        if context.state is not State.WATCHING or rules is None or turn is None or turn.due is None:
            return ""
        clock, other = ClockRules.of(rules), turn.side.other
        if not clock.clocks:
            return ""
        if self.open_to(rules, other, t):
            return message("why.steal", side=side_said(turn.side), seconds=clock.begin_seconds, other=side_said(other))
        passed = (t - turn.due / SECOND_NS) * (len(COUNT) + 1) / clock.begin_seconds
        return ", ".join(COUNT[: max(0, int(passed))])

    def open_to(self, rules: Rules, side: Side, t: float) -> bool:
        """Whether `side` may begin a move at that time although it is not its turn."""
        turn = self._turn
        return (turn is not None and turn.due is not None and side is not turn.side
                and turn.not_to_steal(ClockRules.of(rules), round(t * SECOND_NS)) is None)

    def close_call(self, rules: Rules, side: Side, t: float) -> bool:
        """Whether the time is too close to tell if `side`, whose turn it is not, may already begin a move."""
        close_s = JUDGEMENT.close_call_s
        return self.open_to(rules, side, t + close_s) and not self.open_to(rules, side, t - close_s)

    def passed(self, rules: Rules, finding: Finding) -> tuple[Late, ...]:
        """The time limits that a finding's move exceeded. There are none for changes of the board that are not moves,
        nor if no hand was seen, as the beginning is then unknown."""
        seen, side = finding.seen, finding.moved
        if finding.kind not in MOVES or not seen.disturbed or side is None:
            return ()
        turn = self._turn if self._turn is not None and self._turn.side is side else TimedTurn(side)
        begun, ended = round(seen.began * SECOND_NS), round(seen.left * SECOND_NS)
        return replace(turn, begun=begun).late(ClockRules.of(rules), ended)
