"""The race as the judge sees it: two relays sown at once leave whatever board they leave
(engine/games/enkeshui.md, "The race").

It is taken for one where both sides' hands were over the board together and no single move explains what lies there.
The number of seeds is all that the board has to hold. Who slept first is told by whose hand left first; where they left
together, by who does in the most even race that leads to the board; else it stays open. Who went farthest is told by
the most even race that leads to the board and in which that player slept first whose hand left first.
"""

from __future__ import annotations

import functools
import math
import operator

import numpy as np

from engine.board import Side
from engine.games.base import MoveError, Rules
from engine.games.race import Chance, RaceExplanation, after, custom, explain
from engine.judge.layouts import second_best_board
from engine.judge.likelihood import BoardLikelihood
from engine.judge.parameters import BOUNDS
from engine.judge.search import Hypothesis
from engine.judge.verdict import Doubt, Evidence, Explanation, Verdict
from engine.likeliest_boards import likeliest_of_total
from engine.position import Position


def race_verdict(
    rules: Rules, before: Position, evidence: Evidence, likelihood: BoardLikelihood, others: list[Hypothesis]
) -> Verdict | None:
    """The verdict on a race, None where none was run. others: what else accuses nobody."""
    if not rules.races or before.ply or evidence.together < BOUNDS.race_together:
        return None
    board = likeliest_of_total(likelihood.table, sum(before.counts))
    if board is None:
        return None
    explained = _explained(rules, before, board)
    if explained.chance is not Chance.POSSIBLE and not _both_ran(before, board):
        return None
    if _single_move_fits(likelihood, board, explained, others):
        return None
    return _verdict_on_board(before, likelihood, board, _winner(rules, evidence, explained))


def _single_move_fits(
    likelihood: BoardLikelihood, board: tuple[int, ...], explained: RaceExplanation, others: list[Hypothesis]
) -> bool:
    """Whether a single move, or what else accuses nobody, explains what lies there about as well as a race."""
    possible = explained.chance is Chance.POSSIBLE
    single = [h for h in others if not h.answered and not (possible and h.kind == "rearranged")]
    fits = likelihood.of_boards(np.array([h.counts for h in single], np.int64))
    least = float(likelihood.per_pit(board).sum()) - BOUNDS.race_single_nats
    return float(fits.max(initial=-np.inf)) > least


def _verdict_on_board(
    before: Position, likelihood: BoardLikelihood, board: tuple[int, ...], winner: Side | None
) -> Verdict:
    """The verdict on a race that left this board: the race, or that pits should be looked at first."""
    lead, other = second_best_board(likelihood.table, board)
    first = after(before, board, winner or Side.SOUTH)
    sure = 1 / (1 + math.exp(-max(0.0, lead)))
    best = (Explanation("race", sure, winner, None, (), first),
            Explanation("race", 1 - sure, winner, None, (), after(before, other, winner or Side.SOUTH)))
    pits = _doubtful_pits(likelihood, board, lead, other)
    if not pits:
        return Verdict("race", before, first, winner, None, confidence=sure, margin=lead, best=best)
    doubt = functools.reduce(operator.or_, pits)
    return Verdict("not-sure", before, before, None, None, confidence=sure, margin=lead, best=best,
                   pits=tuple(sorted(set().union(*pits.values()))), doubt=doubt)


def _doubtful_pits(
    likelihood: BoardLikelihood, board: tuple[int, ...], lead: float, other: tuple[int, ...]
) -> dict[Doubt, list[int]]:
    """Why the board of a race is not said aloud, and by which pits: they deny it, or were not seen, or are those by
    which the next board differs, `other`, than which it is likelier by no more than `lead` nats."""
    apart = [p for p, (a, b) in enumerate(zip(board, other, strict=True)) if a != b]
    found = {
        Doubt.DENIED: likelihood.denying_pits(board),
        Doubt.HIDDEN: np.flatnonzero(~likelihood.seen).tolist(),
        Doubt.BOARD_IMPROBABLE: apart if lead < BOUNDS.race_board_nats else [],
    }
    return {doubt: pits for doubt, pits in found.items() if pits}


def _explained(rules: Rules, before: Position, board: tuple[int, ...]) -> RaceExplanation:
    """How the board can have come about from the pits that are lifted by custom."""
    try:
        return explain(rules, before, custom(before), board)
    except MoveError as error:
        return RaceExplanation(Chance.NOT_EXPLAINED, why=str(error))


def _both_ran(before: Position, board: tuple[int, ...]) -> bool:
    """Whether some pit of either side's holds less than before: who runs begins by lifting one of his own. A hand that
    leans on the board while the other side does wrong runs no race."""
    return all(any(board[p] < before.counts[p] for p in before.board.own(side)) for side in Side)


def _winner(rules: Rules, evidence: Evidence, explained: RaceExplanation) -> Side | None:
    """Who moves first by the field `race_winner`, where it can be told."""
    left = None
    if abs(evidence.earlier) >= BOUNDS.race_first_s:
        left = Side.SOUTH if evidence.earlier > 0 else Side.NORTH
    if left is not None and not rules.farthest_wins_race:
        return left
    finishes = () if explained.outcome is None else explained.outcome.finishes
    winners = {f.winner for f in finishes if left in (None, f.first)}
    return winners.pop() if len(winners) == 1 else None
