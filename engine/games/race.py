"""The race for the first move of Enkeshui: two relays sown at the same time from one position
(engine/games/enkeshui.md, "The race").

Both players lift a pit of their own and relay-sow anticlockwise until they sleep in an empty pit, without captures or
bulls. The two sowings interleave, so the position after the race is whatever the board then shows, and only the number
of seeds is certain. Still, whether any interleaving leads to the board has an answer (`explain`).

Our choices: the player who sleeps second sows on to his end; a pit is lifted by whoever reaches it first, with all
seeds in it by then; a player whose relay pit was lifted by the other sleeps there.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import count
from typing import NamedTuple

from engine.board import Board, Direction, Side
from engine.games.base import MoveError, Rules
from engine.position import Position

BUDGET = 6_000
"""States examined before the search gives up; takes some tenths of a second."""


class Chance(Enum):
    """Whether a race can lead to a position."""

    POSSIBLE = "possible"
    NOT_EXPLAINED = "no interleaving of the two sowings leads there"
    OPEN = "not found among the interleavings that were tried"


class Finish(NamedTuple):
    """How a race ended: who slept first, and who moves first under the field `race_winner`, None for a tie."""

    first: Side
    winner: Side | None


@dataclass(frozen=True, slots=True)
class RaceOutcome:
    """A board that a race can leave behind. apart: greatest lead in drops of one player over the other while both are
    awake, in the most even race that leads there. finishes: the ways in which races that even can have ended."""

    counts: tuple[int, ...]
    finishes: frozenset[Finish]
    apart: int

    @property
    def first(self) -> frozenset[Side]:
        """Who may have slept first in a race that even."""
        return frozenset(f.first for f in self.finishes)


@dataclass(frozen=True, slots=True)
class RaceExplanation:
    """Whether and how a race can lead to a board; why: a clause, if no way was found."""

    chance: Chance
    outcome: RaceOutcome | None = None
    why: str = ""


class _Runner(NamedTuple):
    """One of the two sowings: the last pit dropped into, the seeds in the hand (0: the pit is about to be lifted), and
    the lifted pit if it is to be skipped, else -1."""

    at: int
    hand: int
    origin: int


class _State(NamedTuple):
    """The counts; the two sowings, None for a player who sleeps; South's lead in drops, forgotten once somebody sleeps
    unless the farthest player wins; who slept first."""

    counts: tuple[int, ...]
    south: _Runner | None
    north: _Runner | None
    lead: int = 0
    first: Side | None = None


def custom(before: Position) -> tuple[int, int]:
    """The pits that are lifted by custom: each side's rightmost pit with seeds (the far right one if all are empty;
    `check` then bars the race)."""
    south, north = (next((p for p in reversed(before.board.own(side)) if before.counts[p]), before.board.own(side)[-1])
                    for side in Side)
    return south, north


def check(rules: Rules, before: Position, starts: tuple[int, int]) -> None:
    """Raise MoveError unless a race can be run from there with these pits, South's and North's."""
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


# ---- the position after it
# ---------------------------------------------------------------------------------------------------


def after(before: Position, counts: Sequence[int], winner: Side) -> Position:
    """Return the position after a race with these counts; the race was each player's first move."""
    return Position(before.board, tuple(counts), (), winner, before.captured, before.ply + 2)


def problems(rules: Rules, before: Position, lies: Position) -> list[str]:
    """List what is certainly wrong with a position after a race, a sentence each."""
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
    return found or rules.problem_sentences(lies)


def outcomes(rules: Rules, before: Position, starts: tuple[int, int],
             budget: int = BUDGET) -> Iterator[RaceOutcome | None]:
    """Yield the boards that a race can leave behind, the most even race first; a board may recur with other values.

    Every drop and lift of one player may come before or after the other's. The last item is None if the search stopped
    after `budget` states. Raises MoveError if no race can be run from there.
    """
    check(rules, before, starts)
    queue = [(0, 0, _State(before.counts, _Runner(starts[0], 0, -1), _Runner(starts[1], 0, -1)))]
    seen: set[_State] = set()
    numbers = count(1)  # break ties, so that the queue never compares states
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
    """Find an interleaving of the two sowings that leads to `counts`. Raises MoveError if no race can be run."""
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
    """By how many drops one player leads; 0 once somebody sleeps."""
    return abs(state.lead) if state.first is None else 0


def _advanced(rules: Rules, board: Board, state: _State) -> list[_State]:
    """Return the states after either player's next lift or drop."""
    return [later for side in Side if (later := _advance(rules, board, state, side)) is not None]


def _advance(rules: Rules, board: Board, state: _State, side: Side) -> _State | None:
    """Return the state after one player's next lift or drop; None if he sleeps."""
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
    """How the race ended that reached this state, in which both sleep."""
    if not rules.farthest_wins_race:
        return Finish(first, first)
    return Finish(first, None if not state.lead else Side.SOUTH if state.lead > 0 else Side.NORTH)


def _lift(rules: Rules, counts: list[int], pit: int) -> _Runner | None:
    """Take all seeds of a pit into the hand; return None if the other player has lifted them."""
    seeds, counts[pit] = counts[pit], 0
    return _Runner(pit, seeds, pit if rules.skip_origin else -1) if seeds else None


def _next(board: Board, runner: _Runner) -> int:
    step = board.step(Direction.CCW)
    due = step[runner.at]
    return step[due] if due == runner.origin else due
