"""The race for the first move of Enkeshui: two relays sown at the same time from one position
(engine/games/enkeshui.md, "The race").

Both players lift a pit of their own and relay-sow anticlockwise until they sleep in an empty pit; no captures, no
bulls. The two sowings interleave, so that the position after it is whatever the board then shows, and the number of
seeds is all that is certain. What can still be said: who slept first where every drop was timed (`timed`), and whether
any interleaving at all leads to what lies there (`explain`).

What is our choice: who sleeps second sows on to his end; a pit is lifted by whoever comes to it, with all that lies in
it by then, and who finds the pit of his relay lifted by the other sleeps there.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import count
from typing import NamedTuple

from engine.board import Board, Direction, Side
from engine.games.base import MoveError, Rules
from engine.position import Position

BUDGET = 6_000
"""States that are looked at before the search gives up: some tenths of a second."""


class Dropped(NamedTuple):
    """A seed seen to fall: when, in nanoseconds, from whose hand, into which pit."""

    time_ns: int
    side: Side
    pit: int


@dataclass(frozen=True, slots=True)
class Raced:
    """What timed drops say of a race, by side.

    slept_ns: when each fell asleep, None where the drops end before. drops: seeds sown, which is how many pits he went.
    counts: what should lie there afterwards; winner: who moves first under `race_winner`, None where it is a tie or
    not decided yet. wrong: the first drop that fits no relay, in a sentence, "" where all fit; nothing after it counts.
    """

    slept_ns: tuple[int | None, int | None]
    drops: tuple[int, int]
    counts: tuple[int, ...]
    winner: Side | None
    wrong: str = ""


class Chance(Enum):
    """Whether a position can have come out of a race."""

    POSSIBLE = "possible"
    NOT_EXPLAINED = "no interleaving of the two sowings leads there"
    OPEN = "not found among the interleavings that were tried"


class Finish(NamedTuple):
    """How a race ended: who slept first, and who moves first by the field `race_winner`, None for a tie."""

    first: Side
    winner: Side | None


@dataclass(frozen=True, slots=True)
class RaceOutcome:
    """A board that a race can leave behind. apart: how many drops one player is ahead of the other on the way at the
    most, while both are awake, in the most even race that leads there. finishes: how races so even can have ended."""

    counts: tuple[int, ...]
    finishes: frozenset[Finish]
    apart: int

    @property
    def first(self) -> frozenset[Side]:
        """Who slept first in a race so even."""
        return frozenset(f.first for f in self.finishes)


@dataclass(frozen=True, slots=True)
class RaceExplanation:
    """Whether a board can have come out of a race, and how; why: a sentence's worth where it was not found."""

    chance: Chance
    outcome: RaceOutcome | None = None
    why: str = ""


class _Runner(NamedTuple):
    """One of the two sowings: the last pit dropped into, the seeds in the hand (0: the pit is about to be lifted), the
    pit lifted where it is passed by, else -1."""

    at: int
    hand: int
    origin: int


class _State(NamedTuple):
    """The seeds; the two sowings, None where the player sleeps; South's lead in drops, which is forgotten once somebody
    sleeps unless who went farthest wins; who slept first."""

    counts: tuple[int, ...]
    south: _Runner | None
    north: _Runner | None
    lead: int = 0
    first: Side | None = None


def custom(before: Position) -> tuple[int, int]:
    """The pits that are lifted by custom: everyone's rightmost one that holds seeds (the far right one where none
    does, from which `check` lets nobody race)."""
    south, north = (next((p for p in reversed(before.board.own(side)) if before.counts[p]), before.board.own(side)[-1])
                    for side in Side)
    return south, north


def check(rules: Rules, before: Position, starts: tuple[int, int]) -> None:
    """Whether a race can be run from there with these pits, South's and North's. Raises MoveError."""
    board = before.board
    if not rules.races:
        raise MoveError(f"{rules.title} is begun here without a race: first_mover is "
                        f"{rules.values.get('first_mover', 'no field of these rules')}")
    if before.ply:
        raise MoveError(f"the race comes before the first move, and {before.ply} "
                        f"{'was' if before.ply == 1 else 'were'} made")
    for side, pit in zip(Side, starts, strict=True):
        if pit not in board.own(side):
            raise MoveError(f"{side.title} races from a pit of his own, not from {board.name(pit)}")
        if not before.counts[pit]:
            raise MoveError(f"{side.title} cannot race from pit {board.name(pit)}: it is empty")


# ---- timed drops
# -------------------------------------------------------------------------------------------------------------


def timed(rules: Rules, before: Position, starts: tuple[int, int], drops: Iterable[Dropped]) -> Raced:
    """Run the race as it was seen. Drops at one time fell in the order given; a pit is lifted as soon as it is due.

    Raises MoveError where no race can be run from there.
    """
    check(rules, before, starts)
    board, name = before.board, before.board.name
    counts = list(before.counts)
    runners: list[_Runner | None] = [None, None]
    for side in Side:
        runners[side] = _lift(rules, counts, starts[side])
    slept: list[int | None] = [None, None]
    sown, wrong = [0, 0], ""
    for drop in sorted(drops, key=lambda d: d.time_ns):
        runner = runners[drop.side]
        if runner is None:
            wrong = f"{drop.side.title} drops a seed into {name(drop.pit)} after he has gone to sleep"
            break
        due = _next(board, runner)
        if drop.pit != due:
            wrong = f"{drop.side.title}'s drop {sown[drop.side] + 1} fell into {name(drop.pit)}, {name(due)} was due"
            break
        sown[drop.side] += 1
        counts[due] += 1
        after: _Runner | None = runner._replace(at=due, hand=runner.hand - 1)
        if runner.hand == 1:
            after = None if counts[due] == 1 else _lift(rules, counts, due)
        runners[drop.side] = after
        if after is None:
            slept[drop.side] = drop.time_ns
    result = (slept[0], slept[1])
    winner = winner_of(rules.farthest_wins_race, result, (sown[0], sown[1]))
    return Raced(result, (sown[0], sown[1]), tuple(counts), winner, wrong)


def winner_of(farthest_wins: bool, slept_ns: tuple[int | None, int | None], drops: tuple[int, int]) -> Side | None:
    """Who moves first: who slept first, or, once both sleep, who went farthest. None for a tie, or as yet."""
    south, north = slept_ns
    if south is not None and north is not None:
        return _less(-drops[0], -drops[1]) if farthest_wins else _less(south, north)
    if farthest_wins or south is north:  # neither sleeps
        return None
    return Side.NORTH if south is None else Side.SOUTH


def _less(south: int, north: int) -> Side | None:
    """Whose number is less; None where they are equal."""
    return None if south == north else Side.SOUTH if south < north else Side.NORTH


# ---- the position after it
# ---------------------------------------------------------------------------------------------------


def after(before: Position, counts: Sequence[int], winner: Side) -> Position:
    """The position that play goes on from: the seeds as they lie; the race was each player's first move."""
    return Position(before.board, tuple(counts), (), winner, before.captured, before.ply + 2)


def problems(rules: Rules, before: Position, lies: Position) -> list[str]:
    """What in a position after a race is certainly wrong, a sentence each; empty where nothing is."""
    found = []
    if lies.board != before.board:
        return [f"the race was run on {before.board}, the position after it is one of {lies.board}"]
    if sum(lies.counts) != sum(before.counts):
        found.append(f"{sum(lies.counts)} seeds lie on the board after the race, {sum(before.counts)} lay there before")
    bull = next((p for p, owner in enumerate(lies.bulls) if owner is not None), None)
    if bull is not None:
        found.append(f"pit {lies.board.name(bull)} is marked as a bull, and no bulls are made in the race")
    if lies.captured != before.captured:
        found.append(f"captured seeds are {lies.captured[0]}-{lies.captured[1]}, and nothing is captured in the race")
    if lies.ply != before.ply + 2:
        found.append(f"ply is {lies.ply}: the race counts as each player's first move, which makes {before.ply + 2}")
    return found or rules.check(lies)


def outcomes(rules: Rules, before: Position, starts: tuple[int, int],
             budget: int = BUDGET) -> Iterator[RaceOutcome | None]:
    """The boards that a race can leave behind, the most even pace first; one board may come again with other values.

    Every drop, and every lifting, of one player may come before or after the other's. None is the last where `budget`
    states were looked at and more are left. Raises MoveError where no race can be run from there.
    """
    check(rules, before, starts)
    queue = [(0, 0, _State(before.counts, _Runner(starts[0], 0, -1), _Runner(starts[1], 0, -1)))]
    seen: set[_State] = set()
    numbers = count(1)  # so that the queue compares no states
    while queue:
        apart, _, state = heapq.heappop(queue)
        if state in seen:
            continue
        if len(seen) >= budget:
            yield None
            return
        seen.add(state)
        if state.south is None and state.north is None and state.first is not None:
            yield RaceOutcome(state.counts, frozenset((_finish(rules, state, state.first),)), apart)
        for later in _advanced(rules, before.board, state):
            if later not in seen:
                heapq.heappush(queue, (max(apart, _apart(later)), next(numbers), later))


def explain(rules: Rules, before: Position, starts: tuple[int, int], counts: Sequence[int],
            budget: int = BUDGET) -> RaceExplanation:
    """Whether any interleaving of the two sowings leads to `counts`. Raises MoveError where no race can be run."""
    lies = tuple(counts)
    check(rules, before, starts)
    if len(lies) != before.board.pits or sum(lies) != sum(before.counts):
        why = f"{sum(lies)} seeds in {len(lies)} pits, {sum(before.counts)} in {before.board.pits} before the race"
        return RaceExplanation(Chance.NOT_EXPLAINED, why=why)
    found: RaceOutcome | None = None
    for outcome in outcomes(rules, before, starts, budget):
        if found is not None and (outcome is None or outcome.apart > found.apart):
            break
        if outcome is None:
            return RaceExplanation(Chance.OPEN, why=f"{budget} states were looked at")
        if outcome.counts == lies:
            found = outcome if found is None else RaceOutcome(lies, found.finishes | outcome.finishes, found.apart)
    if found is not None:
        return RaceExplanation(Chance.POSSIBLE, found)
    return RaceExplanation(Chance.NOT_EXPLAINED, why="every state that the race can come to was looked at")


def _apart(state: _State) -> int:
    """How many drops one player is ahead of the other; nobody is ahead of a sleeper."""
    return abs(state.lead) if state.first is None else 0


def _advanced(rules: Rules, board: Board, state: _State) -> list[_State]:
    """What either player's next lifting or drop makes of a state."""
    return [later for side in Side if (later := _advance(rules, board, state, side)) is not None]


def _advance(rules: Rules, board: Board, state: _State, side: Side) -> _State | None:
    """One player's next lifting or drop; None where he sleeps."""
    runner = state.north if side else state.south
    if runner is None:
        return None
    counts, dropped = list(state.counts), 0
    moved: _Runner | None
    if not runner.hand:
        moved = _lift(rules, counts, runner.at)
    else:
        due, dropped = _next(board, runner), 1
        counts[due] += 1
        moved = runner._replace(at=due, hand=runner.hand - 1)
        if runner.hand == 1:
            moved = None if counts[due] == 1 else _Runner(due, 0, -1)
    lead = state.lead + (-dropped if side else dropped)
    first = side if moved is None and state.first is None else state.first
    if first is not None and not rules.farthest_wins_race:
        lead = 0
    south, north = (state.south, moved) if side else (moved, state.north)
    return _State(tuple(counts), south, north, lead, first)


def _finish(rules: Rules, state: _State, first: Side) -> Finish:
    """How the race ended that came to this state, in which both sleep."""
    if not rules.farthest_wins_race:
        return Finish(first, first)
    return Finish(first, None if not state.lead else Side.SOUTH if state.lead > 0 else Side.NORTH)


def _lift(rules: Rules, counts: list[int], pit: int) -> _Runner | None:
    """All seeds of a pit into the hand; None where the other player has lifted them."""
    seeds, counts[pit] = counts[pit], 0
    return _Runner(pit, seeds, pit if rules.skip_origin else -1) if seeds else None


def _next(board: Board, runner: _Runner) -> int:
    step = board.step(Direction.CCW)
    due = step[runner.at]
    return step[due] if due == runner.origin else due
