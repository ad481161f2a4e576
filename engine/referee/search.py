"""All continuations of a position, each with its prior: how likely people do it. They do not depend on what is seen,
and the same position is often asked about, so they are computed once."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from engine.board import Side
from engine.games.base import Move, Rules
from engine.position import Position
from engine.referee import faults
from engine.referee.faults import Outcome, Work
from engine.referee.observation import F64, I64, Mask
from engine.referee.parameters import BEAM, DROP_BY_DROP, FAULTS, PRIORS, SHARES
from engine.trace import Trace
from engine.verdict import Fault


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One way in which a board can have come about. kind: as in `engine.verdict.Explanation`. log_prior: before
    anything is seen. counts: the resulting board. moves: the legal moves it consists of, if any; outcome: the faulty
    move, if any. position: the position after it, if known without replaying."""

    kind: str
    log_prior: float
    counts: tuple[int, ...]
    player: Side | None = None
    move: str | None = None
    fault: Fault | None = None
    position: Position | None = None
    moves: tuple[Move, ...] = ()
    outcome: Outcome | None = None

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Its fault, if any."""
        return () if self.fault is None else (self.fault,)

    def position_after(self, before: Position) -> Position:
        """Return the position after it. Seeds that vanished count as the mover's captures, those that came against
        them."""
        if self.position is not None:
            return self.position
        if self.outcome is None or self.player is None:
            return before.with_counts(self.counts)
        after = self.outcome.final_sowing.position(before)
        won = list(after.captured)
        won[self.player] = max(0, won[self.player] + before.total - after.total)
        return replace(after, captured=(won[0], won[1])).with_counts(after.counts)


def legal_moves(rules: Rules, before: Position) -> list[Hypothesis]:
    """Return every legal move, with its prior among them; for a move that has won the game also all boards at which its
    player may stop."""
    moves = rules.moves(before).moves
    found = []
    for move in moves:
        prior, stops = 1 / len(moves), rules.stops(move)
        found.append(of_moves(prior * (1 - SHARES.stops_once_won * bool(stops)), before.to_move, move))
        found += [of_moves(prior * SHARES.stops_once_won / len(stops), before.to_move, stop) for stop in stops]
    return found


def of_moves(prior: float, player: Side, *moves: Move, fault: str | None = None) -> Hypothesis:
    """Return one legal move, or with a fault one made out of turn or several made by one side."""
    last = moves[-1].position
    return Hypothesis("illegal" if fault else "legal", math.log(prior), last.counts, player, moves[0].name,
                      Fault(fault, moves[-1].pit) if fault else None, last, moves)


def withdrawn(before: Position, history: Sequence[Position]) -> list[Hypothesis]:
    """Return that the board was laid back to an earlier position. history: oldest first, without `before`."""
    share = math.log(PRIORS.withdrawn)
    return [Hypothesis("withdrawn", share, earlier.counts, earlier.to_move, position=earlier)
            for earlier in history if earlier.board == before.board and earlier.counts != before.counts]


def faulty_moves(rules: Rules, before: Position, work: Work) -> list[Hypothesis]:
    """Return every move with one fault."""
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
    """Return the outcomes from one start pit: each fault's share, divided by the pits and the fault's places."""
    listed = list(outcomes)
    places: dict[str, float] = {}  # by code, the total weight of the places that share its prior
    for o in listed:
        places[o.fault.code] = places.get(o.fault.code, 0.0) + o.weight
    places |= {code: max(places.get(code, 0.0), SHARES.places) for code in DROP_BY_DROP}
    name = before.board.name
    return [
        Hypothesis(
            "illegal",
            math.log(FAULTS[o.fault.code] / starts * o.weight / places[o.fault.code]),
            o.counts, player, name(o.pit) + o.choices, o.fault, outcome=o,
        )
        for o in listed
    ]


def _wrong_turns(rules: Rules, before: Position) -> list[Hypothesis]:
    """Return moves out of turn, and double moves of the side to move."""
    other, player = before.to_move.other, before.to_move
    wrong, first = rules.moves(before, other).moves, rules.moves(before).moves
    found = [of_moves(FAULTS["out-of-turn"] / len(wrong), other, move, fault="out-of-turn") for move in wrong]
    for move in first:
        again = rules.moves(move.position, player).moves
        found += [of_moves(FAULTS["double-move"] / len(first) / len(again), player, move, second,
                           fault="double-move") for second in again]
    return found


def trace_of(rules: Rules, before: Position, hypothesis: Hypothesis) -> Trace | None:
    """Replay a hypothesis and return its steps; empty if nobody moved or seeds were laid, in any order; None if the
    replay would exceed `BEAM.fault_laps`."""
    if hypothesis.kind == "rearranged":
        return ()
    if hypothesis.moves:
        return tuple(step for move in hypothesis.moves for step in move.trace)
    wanted, player = hypothesis.outcome, hypothesis.player
    if wanted is None or player is None:
        return ()
    work, pit = Work(BEAM.fault_laps), wanted.pit
    if pit in rules.starts(before, player):
        played = faults.one_fault_outcomes(rules, before, player, pit, work, traced=True, only=wanted.fault)
    else:
        played = faults.wrong_start_outcomes(rules, before, player, pit, work, traced=True)
    same = (o for o in played if o.choices == wanted.choices and o.counts == wanted.counts)
    found = next(same, None)
    return None if found is None else tuple(found.final_sowing.steps or ())


def due_move(rules: Rules, before: Position, h: Hypothesis, after: Position) -> Move | None:
    """Return the played pit's legal move whose end is nearest to the board; None if that pit may not be lifted, or if
    nothing is wrong with the move."""
    if not h.fault or h.outcome is None or h.outcome.pit not in rules.starts(before):
        return None
    moves = [m for m in rules.moves(before).moves if m.pit == h.outcome.pit]
    return min(moves, key=lambda m: sum(abs(a - b) for a, b in zip(m.position.counts, after.counts, strict=True)),
               default=None)


def expected_position(rules: Rules, before: Position, h: Hypothesis, due: Move | None) -> Position | None:
    """Return what should lie there; None if nothing is wrong or no move from the pit ends. due: as by `due_move`."""
    if not h.fault:
        return None
    if h.fault.code == "double-move":
        return h.moves[0].position
    if h.outcome is None or h.outcome.pit not in rules.starts(before):
        return before
    return None if due is None else due.position


class Hypotheses:
    """A list of n hypotheses. boards: int64[n, pits]; log_priors: float64[n]; players: int64[n], 2 for nobody;
    own_middles: bool[n], whether a board in its middle may be no legal move's, so that a rest there is left unread."""

    def __init__(self, listed: list[Hypothesis], pits: int) -> None:
        """pits: number of pits of the board."""
        self.listed = listed
        self.boards: I64 = np.array([h.counts for h in listed], np.int64).reshape(-1, pits)
        self.log_priors: F64 = np.array([h.log_prior for h in listed], np.float64)
        self.players: I64 = np.array([2 if h.player is None else int(h.player) for h in listed], np.int64)
        self.own_middles: Mask = np.array([h.outcome is not None and not h.outcome.ends_it for h in listed],
                                          np.bool_)


class Continuations:
    """The continuations of a position; each part is computed on first use."""

    def __init__(self, rules: Rules, before: Position) -> None:
        """before: the position, under these rules."""
        self._rules, self._before = rules, before
        self._traces: dict[int, tuple[Hypothesis, Trace | None]] = {}

    @cached_property
    def legal(self) -> Hypotheses:
        """Every legal move."""
        return Hypotheses(legal_moves(self._rules, self._before), self._before.board.pits)

    @cached_property
    def one_fault(self) -> Hypotheses:
        """Every move with one fault, as far as `BeamLimits.fault_laps` allow."""
        found = faulty_moves(self._rules, self._before, Work(BEAM.fault_laps))
        return Hypotheses(found, self._before.board.pits)

    def trace(self, hypothesis: Hypothesis) -> Trace | None:
        """Every step of one of these hypotheses, as in `trace_of`."""
        key = id(hypothesis)  # comparing hypotheses is slow; the stored reference keeps the id valid
        if key not in self._traces:
            self._traces[key] = hypothesis, trace_of(self._rules, self._before, hypothesis)
        return self._traces[key][1]


@lru_cache(maxsize=BEAM.positions)
def continuations(rules: Rules, before: Position) -> Continuations:
    """Return the continuations of a position under these rules, cached."""
    return Continuations(rules, before)
