"""Whose turn it is and whether it is late (engine/games/omweso.md, "Clocks"). Times are given: no clock is read.

Three seconds to begin a turn, counted aloud "omu, ebiri", then the other player may steal it; three minutes for a
move, past which the game is annulled and replayed. Exactly the limit is in time. A move is timed from its first
lifting; where nobody saw that, it is not called late.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Side
from engine.games.base import Rules
from engine.matches.checks import SECOND_NS, seconds

COUNT = ("omu", "ebiri")
"""What is counted aloud, in order."""

BEGIN, MOVE = "begin_seconds", "move_seconds"
"""The rules' fields that the two limits come from."""


@dataclass(frozen=True, slots=True)
class ClockRules:
    """How turns are timed; the fields of the rules of the same names, for games whose rules have none too."""

    clocks: bool = False
    begin_seconds: int = 3
    move_seconds: int = 180

    @classmethod
    def of(cls, rules: Rules) -> ClockRules:
        """As the ruleset's fields say; untimed where it has none."""
        v = rules.values
        if "clocks" not in v:
            return cls()
        return cls(bool(v["clocks"]), int(v[BEGIN]), int(v[MOVE]))


@dataclass(frozen=True, slots=True)
class Late:
    """A limit that was passed: the fault `late`. field: which field of the rules says so; times in ns."""

    field: str
    limit: int
    took: int

    def __str__(self) -> str:
        """`started after 7.6 s; the limit is 3 s`: what the side did that was late."""
        took = seconds(self.took)
        what = f"started after {took}" if self.field == BEGIN else f"took {took} to move"
        return f"{what}; the limit is {self.limit // SECOND_NS} s"


@dataclass(frozen=True, slots=True)
class TimedTurn:
    """The turn that is on. due: from when its player could begin; begun: when he did; both ns, None if not known or not
    yet. counted: what was counted against him. stolen: it was the other's, who did not begin."""

    side: Side
    due: int | None = None
    begun: int | None = None
    counted: tuple[str, ...] = ()
    stolen: bool = False

    def late(self, clock: ClockRules, now: int | None) -> tuple[Late, ...]:
        """The limits passed at time `now`, whether the turn has begun or not."""
        if not clock.clocks:
            return ()
        first_lift = now if self.begun is None else self.begun
        spans = ((BEGIN, clock.begin_seconds, self.due, first_lift), (MOVE, clock.move_seconds, self.begun, now))
        return tuple(
            Late(field, limit * SECOND_NS, end - start)
            for field, limit, start, end in spans
            if start is not None and end is not None and end - start > limit * SECOND_NS
        )

    def not_to_steal(self, clock: ClockRules, now: int | None) -> str | None:
        """Why the other player may not steal it at time `now`, half a sentence; None where he may.

        By the clock where the times are known, else by the count.
        """
        whose = f"{self.side.title}'s turn"
        if not clock.clocks:
            return f"{whose} is not timed (field clocks)"
        if self.begun is not None:
            return f"{whose} has begun"
        if self.due is None or now is None:
            return None if self.counted == COUNT else f'"ebiri" has not been counted against {whose}'
        if self.late(clock, now):
            return None
        return f"{whose} is {seconds(now - self.due)} old, {BEGIN} is {clock.begin_seconds}"
