"""The laps of one move: a chain, or, with choices of direction, a graph that may contain cycles.

A relay can go on for ever. A lap that captures nothing can be undone: going back from its last pit and taking a seed
out of each pit, the first empty one is its origin. So an endless chain of such laps without choices must return to its
own first state, and comparing with that state proves it endless (engine/games/README.md).

In a graph each state is visited once, at most `max_laps` deep: a person sows some 200 laps in three minutes. Reaching
that limit proves nothing, and is reported. Under `skip_origin` a lap of a whole round cannot be undone; then only
`max_laps` stops the search, which proves nothing.
"""

from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from engine.board import Direction
from engine.sowing import Decision, Sowing

BREADTH = 20
"""The graph of one start pit is followed for at most this many times `max_laps` laps in all."""


class LapRules(Protocol):
    """The part of a game's rules that laps need; see `engine.games.base.Rules`."""

    max_laps: int

    def decide(self, sowing: Sowing) -> Decision:
        """Decide what the last seed of the lap just sown causes."""

    def decided(self, sowing: Sowing) -> Decision | None:
        """How a sowing that never ends has already decided the game; None if it has not."""

    def openings(self, sowing: Sowing, pit: int) -> tuple[Direction, ...]:
        """The possible directions of the first lap of a move from `pit`."""

    def directions(self, sowing: Sowing) -> tuple[Direction, ...]:
        """The possible directions of the lap after the one just sown."""

    def holds(self, sowing: Sowing, direction: Direction) -> Direction:
        """Return the direction of later laps after the player chose `direction` for one."""


class Stop(Enum):
    """Why a chain of laps stopped before an end."""

    CHOICE = "a direction must be chosen"
    CYCLE = "came back to its first state: it never ends"
    DEEP = "max_laps sown"


@dataclass(frozen=True, slots=True)
class Ending:
    """An end reached from a start pit. sowing: the board at the end, with captures made."""

    choices: str
    ends: str
    sowing: Sowing


@dataclass(frozen=True, slots=True)
class Reached:
    """The ends reached from a start pit, fewest choices first. cut: `max_laps` stopped the search somewhere."""

    ends: tuple[Ending, ...]
    cut: bool


def chain(rules: LapRules, sowing: Sowing, pit: int, direction: Direction, deepest: int) -> Decision | Stop:
    """Sow from `pit` until the move ends, a direction must be chosen, it proves endless, or `deepest` laps are sown."""
    anchor: list[int] = []
    anchor_last = -1
    while True:
        decision = lap(rules, sowing, pit, direction)
        if decision.ends is not None:
            return decision
        ways = rules.directions(sowing)
        if len(ways) > 1:
            return Stop.CHOICE
        # From its second lap on, the chain keeps one direction, so it would return to that lap's state. A capture
        # cannot be undone, so the comparison starts again after it.
        if sowing.hand:
            anchor = []
        elif not anchor:
            anchor, anchor_last = sowing.counts[:], sowing.last
        elif sowing.last == anchor_last and sowing.counts == anchor:
            return rules.decided(sowing) or Stop.CYCLE
        if sowing.laps >= deepest and not sowing.hand:
            return rules.decided(sowing) or Stop.DEEP
        pit, direction = sowing.next, ways[0]


def lap(rules: LapRules, sowing: Sowing, pit: int, direction: Direction) -> Decision:
    """Sow one lap, and take up captured seeds that are to be sown on."""
    sowing.sow(pit, direction)
    decision = rules.decide(sowing)
    if decision.ends is None and decision.pits:
        sowing.go_on(decision)
    return decision


def follow(rules: LapRules, sowing: Sowing, pit: int, choices: str) -> Ending | Stop:
    """Follow the path that `choices` names; return Stop.CHOICE if there are too few choices."""
    ways, at = rules.openings(sowing, pit), 0
    while True:
        direction = ways[0]
        if len(ways) > 1:
            if at == len(choices):
                return Stop.CHOICE
            direction = Direction(choices[at])
            at += 1
            _choose(rules, sowing, direction)
        got = chain(rules, sowing, pit, direction, rules.max_laps)
        if isinstance(got, Decision):
            sowing.end(got)
            return Ending(choices[:at], got.ends or "", sowing)
        if got is not Stop.CHOICE:
            return got
        ways, pit = rules.directions(sowing), sowing.next


def explore(rules: LapRules, sowing: Sowing, pit: int) -> Reached:
    """Find every end reachable from a start pit, visiting each state with a choice once, fewest choices first."""
    return resume(rules, deque(opening(rules, sowing, pit)))


Pending = tuple[Sowing, str, int, Direction]
"""A lap about to be sown: the move so far, its choices, the pit to lift and the direction."""


def resume(rules: LapRules, queue: deque[Pending], budget: int | None = None, deepest: int | None = None) -> Reached:
    """Explore from laps about to be sown. budget: greatest number of laps in all; deepest: in one move."""
    left = rules.max_laps * BREADTH if budget is None else budget
    deepest = rules.max_laps if deepest is None else deepest
    ends: list[Ending] = []
    visited = set()
    cut = False
    while queue:
        sowing, choices, pit, direction = queue.popleft()
        if left <= 0:
            return Reached(tuple(ends), True)
        before = sowing.laps
        got = chain(rules, sowing, pit, direction, deepest)
        left -= sowing.laps - before
        if isinstance(got, Decision):
            sowing.end(got)
            ends.append(Ending(choices, got.ends or "", sowing))
        elif got is Stop.DEEP:
            cut = True
        elif got is Stop.CHOICE and sowing.state() not in visited:
            visited.add(sowing.state())
            queue.extend(onward(rules, sowing, choices))
    return Reached(tuple(ends), cut)


def onward(rules: LapRules, sowing: Sowing, choices: str) -> list[Pending]:
    """Return the laps that may follow the relay just reached: one, or one for each possible direction."""
    return _branches(rules, sowing, choices, sowing.next, rules.directions(sowing))


def opening(rules: LapRules, sowing: Sowing, pit: int) -> list[Pending]:
    """Return the laps that may begin a move from `pit`: one, or one for each possible direction."""
    return _branches(rules, sowing, "", pit, rules.openings(sowing, pit))


def _branches(rules: LapRules, sowing: Sowing, choices: str, pit: int, ways: tuple[Direction, ...]) -> list[Pending]:
    if len(ways) == 1:
        return [(sowing, choices, pit, ways[0])]
    found = []
    for way in ways:
        branch = sowing.copy()
        _choose(rules, branch, way)
        found.append((branch, choices + way.value, pit, way))
    return found


def _choose(rules: LapRules, sowing: Sowing, direction: Direction) -> None:
    sowing.choose(direction)
    sowing.held = rules.holds(sowing, direction)
