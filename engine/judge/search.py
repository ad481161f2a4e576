"""All that a disturbance of the board can have been, with how likely people do it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.board import Side
from engine.games.base import Move, Rules
from engine.judge import faults
from engine.judge.faults import Outcome, Work
from engine.judge.likelihood import Fit
from engine.judge.parameters import EFFORT, PRIORS
from engine.judge.verdict import COUNTS, Fault
from engine.position import Position
from engine.trace import Trace


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way it can have come about. kind: as in `Explanation`. log_prior: before anything is seen. moves: the legal
    moves it consists of, if it does; outcome: the faulty one, if it is. position: the board after it."""

    kind: str
    log_prior: float
    counts: tuple[int, ...]
    player: Side | None = None
    move: str | None = None
    fault: Fault | None = None
    position: Position | None = None
    moves: tuple[Move, ...] = ()
    outcome: Outcome | None = None
    first: Outcome | None = None
    """Of a move with two faults: what the first alone would have led to; `fault` and `outcome` are the second's."""

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All that was wrong, in the order in which it was done."""
        told = (self.first.fault,) if self.first is not None else ()
        return told if self.fault is None else (*told, self.fault)

    @property
    def accuses(self) -> bool:
        """Whether somebody did wrong by it."""
        return self.kind in ("illegal", "tampered")

    @property
    def answered(self) -> bool:
        """Whether it is a legal move and the opponent's legal answer."""
        return self.kind == "legal" and self.of_both

    @property
    def of_both(self) -> bool:
        """Whether both sides had their hands in it, and nobody did wrong."""
        return self.kind in ("legal", "rearranged") and len(self.moves) == 2

    @property
    def rearranges(self) -> bool:
        """Whether it is a turn of its own in which seeds were laid and not sown."""
        return self.kind == "rearranged" and self.position is not None and self.position.ply > 0

    def settled(self, before: Position) -> Position:
        """The position after it. Seeds that vanished count as the mover's captures, those that came against them."""
        if self.position is not None:
            return self.position
        if self.outcome is None or self.player is None:
            return before.with_counts(self.counts)
        after = self.outcome.done.position(before)
        won = list(after.captured)
        won[self.player] = max(0, won[self.player] + before.total - after.total)
        return replace(after, captured=(won[0], won[1])).with_counts(after.counts)


def legal(rules: Rules, before: Position) -> list[Candidate]:
    """Every legal move; and of one that has won the game all the boards at which its player may stop."""
    first = rules.moves(before).moves
    found = []
    for move in first:
        share, stops = math.log(PRIORS.legal / len(first)), rules.stops(move)
        found.append(_legal(share - math.log(2) * bool(stops), move))
        found += [_legal(share - math.log(2 * len(stops)), stop) for stop in stops]
    return found


def answered(rules: Rules, firsts: Sequence[Candidate]) -> list[Candidate]:
    """Every legal answer made with no pause after one of these legal moves."""
    found = []
    for c in firsts:
        (move,) = c.moves
        answers = rules.moves(move.position).moves
        found += [
            _legal(c.log_prior + math.log(PRIORS.answered_at_once / len(answers)), move, answer) for answer in answers
        ]
    return found


def _legal(log_prior: float, *moves: Move) -> Candidate:
    last = moves[-1].position
    return Candidate("legal", log_prior, last.counts, moves[0].before.to_move, moves[0].name, None, last, moves)


def returns(before: Position, history: Sequence[Position]) -> list[Candidate]:
    """Nothing changed, or the board was laid back to an earlier position. history: oldest first, without `before`."""
    found = [Candidate("unchanged", math.log(PRIORS.unchanged), before.counts, position=before)]
    share = PRIORS.withdrawn
    for earlier in reversed(history):
        if earlier.board == before.board and earlier.counts != before.counts:
            found.append(Candidate("withdrawn", math.log(share), earlier.counts, earlier.to_move, position=earlier))
            share *= PRIORS.withdrawn_further
    return found


def illegal(rules: Rules, before: Position, work: Work) -> list[Candidate]:
    """Every move with one fault in it."""
    player = before.to_move
    found: list[Candidate] = []
    starts = rules.starts(before)
    for pit in starts:
        found += _shared(player, faults.faulty(rules, before, player, pit, work), len(starts), before)
    wrong = [p for p in range(before.board.pits) if before.counts[p] and p not in starts]
    by_code: dict[str, list[Outcome]] = {}
    for pit in wrong:
        for outcome in faults.wrong_start(rules, before, player, pit, work):
            by_code.setdefault(outcome.fault.code, []).append(outcome)
    for outcomes in by_code.values():
        found += _shared(player, outcomes, 1, before)
    return found + _turns(rules, before)


def _shared(player: Side, outcomes: Iterable[Outcome], starts: int, before: Position) -> list[Candidate]:
    """The outcomes from one start pit: each fault's share, divided by the pits and by the places for that fault."""
    listed = list(outcomes)
    places = _places(listed)
    name = before.board.name
    return [
        Candidate(
            "illegal",
            math.log(PRIORS.faults[o.fault.code] / starts * o.weight / places[o.fault.code]),
            o.counts, player, name(o.pit) + o.choices, o.fault, outcome=o,
        )
        for o in listed
    ]


def _places(outcomes: Iterable[Outcome]) -> dict[str, float]:
    """How many places for each fault share its prior, by their weights."""
    total: dict[str, float] = {}
    for o in outcomes:
        total[o.fault.code] = total.get(o.fault.code, 0.0) + o.weight
    return {code: max(n, PRIORS.places.get(code, 0.0)) for code, n in total.items()}


def twice(rules: Rules, before: Position, fit: Fit, singles: Sequence[Candidate], work: Work,
          least: float = -math.inf) -> list[Candidate]:
    """Moves with two faults: those whose first fault alone leaves a board that is nearest to what is read.

    least: the log-likelihood and log-prior that they need together.
    """
    starts = {side: rules.starts(before, side) for side in Side}
    near = [c for c in singles if c.fault is not None and c.fault.lap and c.outcome is not None and c.player is not None
            and c.outcome.pit in starts[c.player]]
    fits = fit.boards(np.array([c.counts for c in near], np.int64)) if near else ()
    ranked = sorted(zip(fits, near, strict=True), key=lambda pair: -(pair[0] + pair[1].log_prior))
    found: list[Candidate] = []
    known: set[tuple[int, str, Fault]] = set()
    every = math.log(sum(PRIORS.faults.values()))
    for _, c in ranked:
        if work.done or len(known) >= EFFORT.first_faults or c.outcome is None or c.fault is None or c.player is None:
            break
        if (key := (c.outcome.pit, c.outcome.choices, c.fault)) in known:
            continue
        known.add(key)
        listed = list(faults.again(rules, before, c.player, c.outcome, work))
        shares = {code: c.log_prior + math.log(PRIORS.second_fault * PRIORS.faults[code] / n) - every
                  for code, n in _places(listed).items()}
        log_priors = np.array([shares[o.fault.code] + math.log(o.weight) for o in listed])
        fitted = fit.boards(np.array([o.counts for o in listed], np.int64))
        for i in np.flatnonzero(fitted + log_priors >= least).tolist():
            o = listed[i]
            found.append(Candidate("illegal", float(log_priors[i]), o.counts, c.player,
                                   before.board.name(o.pit) + o.choices, o.fault, outcome=o, first=c.outcome))
    return found


def _turns(rules: Rules, before: Position) -> list[Candidate]:
    """The other side moved, or the side to move moved twice."""
    other, player = before.to_move.other, before.to_move
    wrong = rules.moves(before, other).moves
    share = math.log(PRIORS.faults["out-of-turn"] / max(1, len(wrong)))
    found = [_turn(share, Fault("out-of-turn", move.pit), other, move) for move in wrong]
    first = rules.moves(before).moves
    for move in first:
        again = rules.moves(move.position, player).moves
        share = math.log(PRIORS.faults["double-move"] / len(first) / max(1, len(again)))
        found += [_turn(share, Fault("double-move", second.pit), player, move, second) for second in again]
    return found


def _turn(log_prior: float, fault: Fault, player: Side, *moves: Move) -> Candidate:
    last = moves[-1].position
    return Candidate("illegal", log_prior, last.counts, player, moves[0].name, fault, last, moves)


def tampered(before: Position, fit: Fit, least: float = -math.inf) -> list[Candidate]:
    """Seeds changed with no move made: one pit more or less, or a few seeds from one pit to another.

    Only those within `FAR` of the likeliest: there are thousands, and each is nearly as likely as another beforehand.
    least: the log-likelihood and log-prior that they need together.
    """
    counts, table, every = np.array(before.counts), fit.table, np.arange(len(before.counts))
    own = fit.per_pit(before.counts)
    single = [(pit, n) for pit, seeds in enumerate(before.counts) for n in {-1, -2, -3, -seeds, 1, 2, 3}
              if n and seeds + n >= 0]
    shifts = [(pit, n) for pit, seeds in enumerate(before.counts) for n in {1, 2, 3, seeds} - {0} if n <= seeds]

    def gained(pit: NDArray[np.int64], n: NDArray[np.int64]) -> NDArray[np.float64]:
        """By how much such a pit fits better with n seeds more."""
        return np.asarray(table[pit, np.minimum(counts[pit] + n, COUNTS - 1)] - own[pit])

    by = np.array(single).T
    gains = gained(*by)
    pits, seeds = np.array(shifts, np.int64).reshape(-1, 2).T
    shifted = gained(pits, -seeds)[:, None] + gained(every[None], seeds[:, None])
    shifted[np.arange(len(pits)), pits] = -np.inf
    total = len(single) + 0.1 * (len(counts) - 1) * len(shifts)
    share = math.log(PRIORS.tampered / total)
    best = max(0.0, float(gains.max()), float(shifted.max(initial=-np.inf)))
    worth = max(best - EFFORT.far_nats, least - float(own.sum()) - share)
    found = [({int(by[0, i]): int(by[1, i])}, 1.0) for i in np.flatnonzero(gains >= worth)]
    found += [({int(pits[i]): -int(seeds[i]), int(to): int(seeds[i])}, 0.1)
              for i, to in zip(*np.nonzero(shifted >= worth), strict=True)]
    out = []
    for changes, weight in found:
        board, pit = _changed(before.counts, changes), next(iter(changes))
        fault = Fault("tampered", pit, 0, abs(board[pit] - before.counts[pit]))
        out.append(Candidate("tampered", share + math.log(weight), board, None, None, fault))
    return out


def _changed(counts: tuple[int, ...], by: dict[int, int]) -> tuple[int, ...]:
    changed = list(counts)
    for pit, n in by.items():
        changed[pit] += n
    return tuple(changed)


def trace(rules: Rules, before: Position, candidate: Candidate, work: Work | None = None) -> Trace | None:
    """Every step of it, played again; empty where nobody moved, None where more work would have to be done to come to
    it. work: `REPLAYED` laps unless told."""
    if candidate.moves:
        return tuple(step for move in candidate.moves for step in move.trace)
    outcome, player = candidate.outcome, candidate.player
    if outcome is None or player is None:
        return ()
    work = Work(EFFORT.verdict_trace_laps) if work is None else work
    if candidate.first is not None:
        again = faults.again(rules, before, player, candidate.first, work, traced=True, only=outcome.fault)
    elif outcome.pit in rules.starts(before, player):
        again = faults.faulty(rules, before, player, outcome.pit, work, traced=True, only=outcome.fault)
    else:
        again = faults.wrong_start(rules, before, player, outcome.pit, work, traced=True)
    for o in again:
        if o.choices == outcome.choices and o.counts == outcome.counts:
            return tuple(o.done.steps or ())
    return None
