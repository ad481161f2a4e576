"""Whose turn it is and whether it is late (engine/games/omweso.md, "Clocks"). Times are passed in: no clock is read.

A player has three seconds to begin a turn, counted aloud "omu, ebiri"; then the other player may steal it. He has three
minutes for a move; after that the game is annulled and replayed. Exactly the limit is in time. A move is timed from its
first lift; if nobody saw that, it is never called late.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Side
from engine.games.base import Rules
from engine.matches.checks import SECOND_NS, seconds

COUNT = ("omu", "ebiri")
"""The words counted aloud, in order."""

BEGIN, MOVE = "begin_seconds", "move_seconds"
"""The fields of the rules that hold the two limits."""


@dataclass(frozen=True, slots=True)
class ClockRules:
    """How turns are timed: values of the rules' fields of the same names, for games whose rules lack them, too."""

    clocks: bool = False
    begin_seconds: int = 3
    move_seconds: int = 180

    @classmethod
    def of(cls, rules: Rules) -> ClockRules:
        """Take the values from a ruleset's fields; untimed if it has none."""
        v = rules.values
        if "clocks" not in v:
            return cls()
        return cls(bool(v["clocks"]), int(v[BEGIN]), int(v[MOVE]))


@dataclass(frozen=True, slots=True)
class Late:
    """An exceeded limit: the fault `late`. field: the field of the rules with the limit; times in ns."""

    field: str
    limit: int
    took: int

    def __str__(self) -> str:
        """What was late, such as `started after 7.6 s; the limit is 3 s`."""
        took = seconds(self.took)
        what = f"started after {took}" if self.field == BEGIN else f"took {took} to move"
        return f"{what}; the limit is {self.limit // SECOND_NS} s"


@dataclass(frozen=True, slots=True)
class TimedTurn:
    """The current turn. due: when its player could begin; begun: when he did; both ns, None if unknown or not yet."""

    side: Side
    due: int | None = None
    begun: int | None = None

    def late(self, clock: ClockRules, now: int | None) -> tuple[Late, ...]:
        """Return the limits exceeded at time `now`, whether the turn has begun or not."""
        if not clock.clocks:
            return ()
        first_lift = now if self.begun is None else self.begun
        spans = ((BEGIN, clock.begin_seconds, self.due, first_lift), (MOVE, clock.move_seconds, self.begun, now))
        return tuple(
            Late(field, limit * SECOND_NS, end - start)
            for field, limit, start, end in spans
            if start is not None and end is not None and end - start > limit * SECOND_NS
        )

    def not_to_steal(self, clock: ClockRules, now: int) -> str | None:
        """Return why the other player may not steal the turn at time `now`, as a clause; None if he may."""
        whose = f"{self.side.title}'s turn"
        if not clock.clocks:
            return f"{whose} is not timed (field clocks)"
        if self.begun is not None:
            return f"{whose} has begun"
        if self.due is None:
            return f"{whose} is not known to be due"
        if self.late(clock, now):
            return None
        return f"{whose} is {seconds(now - self.due)} old, {BEGIN} is {clock.begin_seconds}"
