"""All that a disturbance of the board can have been, each with its prior: how likely people do it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.board import Side
from engine.games.base import Move, Rules
from engine.judge import faults
from engine.judge.faults import Outcome, Work
from engine.judge.likelihood import BoardLikelihood
from engine.judge.parameters import EDIT_WEIGHTS, EFFORT, PRIORS
from engine.judge.verdict import COUNTS, Fault
from engine.position import Position
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

    @property
    def accuses(self) -> bool:
        """Whether somebody did wrong by it."""
        return self.kind in ("illegal", "tampered")

    @property
    def answered(self) -> bool:
        """Whether it is a legal move and the opponent's legal answer."""
        return self.kind == "legal" and self.by_both_sides

    @property
    def by_both_sides(self) -> bool:
        """Whether both sides had their hands in it, and nobody did wrong."""
        return self.kind in ("legal", "rearranged") and len(self.moves) == 2

    @property
    def rearranges(self) -> bool:
        """Whether it is a turn of its own in which seeds were laid and not sown."""
        return self.kind == "rearranged" and self.position is not None and self.position.ply > 0

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
    """Every legal move; and of one that has won the game all the boards at which its player may stop."""
    moves = rules.moves(before).moves
    found = []
    for move in moves:
        prior, stops = PRIORS.legal / len(moves), rules.stops(move)
        found.append(_legal_hypothesis(math.log(prior * (1 - PRIORS.stops_once_won * bool(stops))), move))
        found += [_legal_hypothesis(math.log(prior * PRIORS.stops_once_won / len(stops)), stop) for stop in stops]
    return found


def answered_moves(rules: Rules, firsts: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Every legal answer made with no pause after one of these legal moves."""
    found = []
    for h in firsts:
        (move,) = h.moves
        answers = rules.moves(move.position).moves
        share = math.log(PRIORS.answered_at_once / len(answers)) if answers else 0.0
        found += [_legal_hypothesis(h.log_prior + share, move, answer) for answer in answers]
    return found


def _legal_hypothesis(log_prior: float, *moves: Move) -> Hypothesis:
    """A move that would be legal in another turn, or two of one side, with the fault that it is."""
    last = moves[-1].position
    return Hypothesis("legal", log_prior, last.counts, moves[0].before.to_move, moves[0].name, None, last, moves)


def unchanged_or_withdrawn(before: Position, history: Sequence[Position]) -> list[Hypothesis]:
    """Nothing changed, or the board was laid back to an earlier position. history: oldest first, without `before`."""
    found = [Hypothesis("unchanged", math.log(PRIORS.unchanged), before.counts, position=before)]
    share = PRIORS.withdrawn
    for earlier in reversed(history):
        if earlier.board == before.board and earlier.counts != before.counts:
            found.append(Hypothesis("withdrawn", math.log(share), earlier.counts, earlier.to_move, position=earlier))
            share *= PRIORS.withdrawn_further
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
            math.log(PRIORS.faults[o.fault.code] / starts * o.weight / places[o.fault.code]),
            o.counts, player, name(o.pit) + o.choices, o.fault, outcome=o,
        )
        for o in listed
    ]


def _places_by_code(outcomes: Iterable[Outcome]) -> dict[str, float]:
    """How many places for each fault share its prior, by their weights."""
    total: dict[str, float] = {}
    for o in outcomes:
        total[o.fault.code] = total.get(o.fault.code, 0.0) + o.weight
    return {code: max(n, PRIORS.places.get(code, 0.0)) for code, n in total.items()}


def two_fault_moves(
    rules: Rules, before: Position, likelihood: BoardLikelihood, one_fault: Sequence[Hypothesis], work: Work,
    least: float = -math.inf,
) -> list[Hypothesis]:
    """Moves with two faults: those whose first fault alone leaves a board that is nearest to what is read.

    one_fault: the hypotheses of one fault; least: the log-likelihood and log-prior that they need together.
    """
    found: list[Hypothesis] = []
    tried: set[tuple[int, str, Fault]] = set()
    for h, first in _first_faults(rules, before, likelihood, one_fault):
        if work.used_up or len(tried) >= EFFORT.first_faults:
            break
        key = first.pit, first.choices, first.fault
        if key not in tried:
            tried.add(key)
            found += _with_second_fault(rules, before, likelihood, h, first, work, least)
    return found


def _first_faults(
    rules: Rules, before: Position, likelihood: BoardLikelihood, one_fault: Sequence[Hypothesis]
) -> list[tuple[Hypothesis, Outcome]]:
    """Those in a lap of a move from a pit that its player may lift, each with its outcome; the likeliest first."""
    starts = {side: rules.starts(before, side) for side in Side}
    found = [(h, h.outcome) for h in one_fault
             if h.outcome is not None and h.player is not None and h.outcome.fault.lap
             and h.outcome.pit in starts[h.player]]
    fits = likelihood.of_boards(np.array([h.counts for h, _ in found], np.int64))
    order = sorted(range(len(found)), key=lambda i: -(fits[i] + found[i][0].log_prior))
    return [found[i] for i in order]


def _with_second_fault(
    rules: Rules, before: Position, likelihood: BoardLikelihood, h: Hypothesis, first: Outcome, work: Work, least: float
) -> list[Hypothesis]:
    """The moves with a second fault after the first one of `h`, whose outcome is `first`."""
    player = first.sowing.player
    outcomes = list(faults.second_fault_outcomes(rules, before, player, first, work))
    every = math.log(sum(PRIORS.faults.values()))
    shares = {code: h.log_prior + math.log(PRIORS.second_fault * PRIORS.faults[code] / n) - every
              for code, n in _places_by_code(outcomes).items()}
    log_priors = np.array([shares[o.fault.code] + math.log(o.weight) for o in outcomes])
    fits = likelihood.of_boards(np.array([o.counts for o in outcomes], np.int64))
    near = np.flatnonzero(fits + log_priors >= least).tolist()
    return [Hypothesis("illegal", float(log_priors[i]), o.counts, player, before.board.name(o.pit) + o.choices,
                       o.fault, outcome=o, first_outcome=first)
            for i in near for o in [outcomes[i]]]


def _wrong_turns(rules: Rules, before: Position) -> list[Hypothesis]:
    """The other side moved, or the side to move moved twice."""
    other, player = before.to_move.other, before.to_move
    wrong = rules.moves(before, other).moves
    share = math.log(PRIORS.faults["out-of-turn"] / max(1, len(wrong)))
    found = [wrong_turn_hypothesis(share, Fault("out-of-turn", move.pit), other, move) for move in wrong]
    first = rules.moves(before).moves
    for move in first:
        again = rules.moves(move.position, player).moves
        share = math.log(PRIORS.faults["double-move"] / len(first) / max(1, len(again)))
        found += [wrong_turn_hypothesis(share, Fault("double-move", second.pit), player, move, second)
                  for second in again]
    return found


def wrong_turn_hypothesis(log_prior: float, fault: Fault, player: Side, *moves: Move) -> Hypothesis:
    """A move that would be legal in another turn, or two of one side, with the fault that it is."""
    last = moves[-1].position
    return Hypothesis("illegal", log_prior, last.counts, player, moves[0].name, fault, last, moves)


def tampered_boards(
    before: Position, likelihood: BoardLikelihood, least: float = -math.inf
) -> list[Hypothesis]:
    """Seeds changed with no move made: one pit more or less, or a few seeds from one pit to another.

    Only those within `EFFORT.far_nats` of the likeliest: there are thousands, and each is nearly as likely as another
    beforehand. least: the log-likelihood and log-prior that they need together.
    """
    counts, table, every = np.array(before.counts), likelihood.table, np.arange(len(before.counts))
    own = likelihood.per_pit(before.counts)
    few = [n for n, _ in EDIT_WEIGHTS.strays]
    single = [(pit, n) for pit, seeds in enumerate(before.counts) for n in {*(-n for n in few), -seeds, *few}
              if n and seeds + n >= 0]
    shifts = [(pit, n) for pit, seeds in enumerate(before.counts) for n in {*few, seeds} - {0} if n <= seeds]

    def gained(pit: NDArray[np.int64], n: NDArray[np.int64]) -> NDArray[np.float64]:
        """By how much such a pit fits better with n seeds more."""
        return np.asarray(table[pit, np.minimum(counts[pit] + n, COUNTS - 1)] - own[pit])

    by = np.array(single).T
    gains = gained(*by)
    pits, seeds = np.array(shifts, np.int64).reshape(-1, 2).T
    shifted = gained(pits, -seeds)[:, None] + gained(every[None], seeds[:, None])
    shifted[np.arange(len(pits)), pits] = -np.inf
    total = len(single) + EDIT_WEIGHTS.shifted * (len(counts) - 1) * len(shifts)
    share = math.log(PRIORS.tampered / total)
    best = max(0.0, float(gains.max()), float(shifted.max(initial=-np.inf)))
    worth = max(best - EFFORT.far_nats, least - float(own.sum()) - share)
    found = [({int(by[0, i]): int(by[1, i])}, 1.0) for i in np.flatnonzero(gains >= worth)]
    found += [({int(pits[i]): -int(seeds[i]), int(to): int(seeds[i])}, EDIT_WEIGHTS.shifted)
              for i, to in zip(*np.nonzero(shifted >= worth), strict=True)]
    return [tampered_hypothesis(before, share + math.log(weight), changes) for changes, weight in found]


def tampered_hypothesis(before: Position, log_prior: float, changes: dict[int, int]) -> Hypothesis:
    """Seeds changed by so many in these pits; the first of them is named."""
    counts = list(before.counts)
    for pit, n in changes.items():
        counts[pit] += n
    pit, n = next(iter(changes.items()))
    return Hypothesis("tampered", log_prior, tuple(counts), fault=Fault("tampered", pit, 0, abs(n)))


def trace_of(rules: Rules, before: Position, hypothesis: Hypothesis, work: Work | None = None) -> Trace | None:
    """Every step of it, played again; empty where nobody moved, None where more work would have to be done to come to
    it. work: `EFFORT.verdict_trace_laps` unless told."""
    if hypothesis.moves:
        return tuple(step for move in hypothesis.moves for step in move.trace)
    wanted = hypothesis.outcome
    if wanted is None or hypothesis.player is None:
        return ()
    played = _played_again(rules, before, hypothesis.player, wanted, hypothesis.first_outcome,
                           Work(EFFORT.verdict_trace_laps) if work is None else work)
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
