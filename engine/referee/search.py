"""All that can follow a position, each with its prior: how likely people do it. What can follow does not depend on what
is seen, and one position is often asked about again and again, so it is worked out once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from engine.board import Side
from engine.games.base import Move, Rules
from engine.position import Position
from engine.referee import faults
from engine.referee.faults import Outcome, Work
from engine.referee.observation import F64, I64
from engine.referee.parameters import BEAM, SHARES
from engine.referee.verdict import Fault
from engine.trace import Trace


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One way in which a board can have come about. kind: as in `Explanation`. log_prior: before anything is seen.
    counts: the board that it leaves. moves: the legal moves it consists of, if it does; outcome: the faulty one, if it
    is. position: the position after it, where it is known without playing on."""

    kind: str
    log_prior: float
    counts: tuple[int, ...]
    player: Side | None = None
    move: str | None = None
    fault: Fault | None = None
    position: Position | None = None
    moves: tuple[Move, ...] = ()
    outcome: Outcome | None = None
    first_outcome: Outcome | None = None
    """Of a move with two faults: what the first alone would have led to; `fault` and `outcome` are the second's."""

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All that was wrong, in the order in which it was done."""
        first = (self.first_outcome.fault,) if self.first_outcome is not None else ()
        return first if self.fault is None else (*first, self.fault)

    def position_after(self, before: Position) -> Position:
        """The position after it. Seeds that vanished count as the mover's captures, those that came against them."""
        if self.position is not None:
            return self.position
        if self.outcome is None or self.player is None:
            return before.with_counts(self.counts)
        after = self.outcome.final_sowing.position(before)
        won = list(after.captured)
        won[self.player] = max(0, won[self.player] + before.total - after.total)
        return replace(after, captured=(won[0], won[1])).with_counts(after.counts)


def legal_moves(rules: Rules, before: Position) -> list[Hypothesis]:
    """Every legal move, its prior among them; and of one that has won the game all the boards at which its player may
    stop."""
    moves = rules.moves(before).moves
    found = []
    for move in moves:
        prior, stops = 1 / len(moves), rules.stops(move)
        found.append(_legal_hypothesis(math.log(prior * (1 - SHARES.stops_once_won * bool(stops))), move))
        found += [_legal_hypothesis(math.log(prior * SHARES.stops_once_won / len(stops)), stop) for stop in stops]
    return found


def _legal_hypothesis(log_prior: float, *moves: Move) -> Hypothesis:
    """A move that would be legal in another turn, or two of one side, with the fault that it is."""
    last = moves[-1].position
    return Hypothesis("legal", log_prior, last.counts, moves[0].before.to_move, moves[0].name, None, last, moves)


def withdrawn(before: Position, history: Sequence[Position]) -> list[Hypothesis]:
    """The board laid back to an earlier position. history: oldest first, without `before`."""
    found, share = [], SHARES.withdrawn
    for earlier in reversed(history):
        if earlier.board == before.board and earlier.counts != before.counts:
            found.append(Hypothesis("withdrawn", math.log(share), earlier.counts, earlier.to_move, position=earlier))
            share *= SHARES.withdrawn_further
    return found


def faulty_moves(rules: Rules, before: Position, work: Work) -> list[Hypothesis]:
    """Every move with one fault in it."""
    player = before.to_move
    found: list[Hypothesis] = []
    starts = rules.starts(before)
    for pit in starts:
        found += _with_priors(player, faults.one_fault_outcomes(rules, before, player, pit, work), len(starts), before)
    wrong = [p for p in range(before.board.pits) if before.counts[p] and p not in starts]
    by_code: dict[str, list[Outcome]] = {}
    for pit in wrong:
        for outcome in faults.wrong_start_outcomes(rules, before, player, pit, work):
            by_code.setdefault(outcome.fault.code, []).append(outcome)
    for outcomes in by_code.values():
        found += _with_priors(player, outcomes, 1, before)
    return found + _wrong_turns(rules, before)


def _with_priors(player: Side, outcomes: Iterable[Outcome], starts: int, before: Position) -> list[Hypothesis]:
    """The outcomes from one start pit: each fault's share, divided by the pits and by the places for that fault."""
    listed = list(outcomes)
    places = _places_by_code(listed)
    name = before.board.name
    return [
        Hypothesis(
            "illegal",
            math.log(SHARES.faults[o.fault.code] / starts * o.weight / places[o.fault.code]),
            o.counts, player, name(o.pit) + o.choices, o.fault, outcome=o,
        )
        for o in listed
    ]


def _places_by_code(outcomes: Iterable[Outcome]) -> dict[str, float]:
    """How many places for each fault share its prior, by their weights."""
    total: dict[str, float] = {}
    for o in outcomes:
        total[o.fault.code] = total.get(o.fault.code, 0.0) + o.weight
    return {code: max(n, SHARES.places.get(code, 0.0)) for code, n in total.items()}


def _wrong_turns(rules: Rules, before: Position) -> list[Hypothesis]:
    """The other side moved, or the side to move moved twice."""
    other, player = before.to_move.other, before.to_move
    wrong = rules.moves(before, other).moves
    share = math.log(SHARES.faults["out-of-turn"] / max(1, len(wrong)))
    found = [wrong_turn_hypothesis(share, Fault("out-of-turn", move.pit), other, move) for move in wrong]
    first = rules.moves(before).moves
    for move in first:
        again = rules.moves(move.position, player).moves
        share = math.log(SHARES.faults["double-move"] / len(first) / max(1, len(again)))
        found += [wrong_turn_hypothesis(share, Fault("double-move", second.pit), player, move, second)
                  for second in again]
    return found


def wrong_turn_hypothesis(log_prior: float, fault: Fault, player: Side, *moves: Move) -> Hypothesis:
    """A move that would be legal in another turn, or two of one side, with the fault that it is."""
    last = moves[-1].position
    return Hypothesis("illegal", log_prior, last.counts, player, moves[0].name, fault, last, moves)


def tampered_hypothesis(before: Position, log_prior: float, changes: dict[int, int]) -> Hypothesis:
    """Seeds changed by so many in these pits; the first of them is named."""
    counts = list(before.counts)
    for pit, n in changes.items():
        counts[pit] += n
    pit, n = next(iter(changes.items()))
    return Hypothesis("tampered", log_prior, tuple(counts), fault=Fault("tampered", pit, 0, abs(n)))


def trace_of(rules: Rules, before: Position, hypothesis: Hypothesis, work: Work | None = None) -> Trace | None:
    """Every step of it, played again; empty where nobody moved, None where more work would have to be done to come to
    it. work: `BEAM.trace_laps` unless told."""
    if hypothesis.moves:
        return tuple(step for move in hypothesis.moves for step in move.trace)
    wanted = hypothesis.outcome
    if wanted is None or hypothesis.player is None:
        return ()
    played = _played_again(rules, before, hypothesis.player, wanted, hypothesis.first_outcome,
                           Work(BEAM.trace_laps) if work is None else work)
    same = (o for o in played if o.choices == wanted.choices and o.counts == wanted.counts)
    found = next(same, None)
    return None if found is None else tuple(found.final_sowing.steps or ())


def _played_again(
    rules: Rules, before: Position, player: Side, wanted: Outcome, first: Outcome | None, work: Work
) -> Iterator[Outcome]:
    """The outcomes of that fault in a move from that pit, after the fault of `first` where there is one, with their
    steps."""
    if first is not None:
        return faults.second_fault_outcomes(rules, before, player, first, work, traced=True, only=wanted.fault)
    if wanted.pit in rules.starts(before, player):
        return faults.one_fault_outcomes(rules, before, player, wanted.pit, work, traced=True, only=wanted.fault)
    return faults.wrong_start_outcomes(rules, before, player, wanted.pit, work, traced=True)


def expected_position(rules: Rules, before: Position, h: Hypothesis, after: Position) -> Position | None:
    """What should lie there: of the pit played the legal end nearest to the board; None where nothing is wrong."""
    if not h.fault:
        return None
    if h.fault.code == "double-move":
        return h.moves[0].position
    if h.outcome is None or h.outcome.pit not in rules.starts(before):
        return before
    ends = [m.position for m in rules.moves(before).moves if m.pit == h.outcome.pit]
    return min(ends, key=lambda p: sum(abs(a - b) for a, b in zip(p.counts, after.counts, strict=True)), default=None)


class Hypotheses:
    """Hypotheses in a list and, beside each, its board, int64[n, pits], and its log-prior, float64[n]."""

    def __init__(self, listed: list[Hypothesis], pits: int) -> None:
        """pits: of the board."""
        self.listed = listed
        self.boards: I64 = np.array([h.counts for h in listed], np.int64).reshape(-1, pits)
        self.log_priors: F64 = np.array([h.log_prior for h in listed], np.float64)


class Continuations:
    """What can follow a position; each part is worked out when it is first asked for."""

    def __init__(self, rules: Rules, before: Position) -> None:
        """Of the position `before`, under these rules."""
        self._rules, self._before = rules, before
        self._traces: dict[int, tuple[Hypothesis, Trace | None]] = {}

    @cached_property
    def legal(self) -> Hypotheses:
        """Every legal move."""
        return Hypotheses(legal_moves(self._rules, self._before), self._before.board.pits)

    @cached_property
    def one_fault(self) -> Hypotheses:
        """Every move with one fault in it, as far as `BeamLimits.fault_laps` go."""
        found = faulty_moves(self._rules, self._before, Work(BEAM.fault_laps))
        return Hypotheses(found, self._before.board.pits)

    def trace(self, hypothesis: Hypothesis) -> Trace | None:
        """Every step of one of these; as of `trace_of`."""
        key = id(hypothesis)  # they are slow to compare; one that is kept here lives as long as this does
        if key not in self._traces:
            self._traces[key] = hypothesis, trace_of(self._rules, self._before, hypothesis)
        return self._traces[key][1]


@lru_cache(maxsize=BEAM.positions)
def continuations(rules: Rules, before: Position) -> Continuations:
    """What can follow a position under these very rules, remembered."""
    return Continuations(rules, before)
