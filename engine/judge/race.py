"""The race as the judge sees it: two relays sown at once leave whatever board they leave (engine/README.md, "The
race").

It is taken for one where both sides' hands were over the board together and no single move explains what lies there.
The number of seeds is all that the board has to hold. Who slept first is told by whose hand left first; where they left
together, by who does in the most even race that leads to the board; else it stays open. Who went farthest is told by
the most even race that leads to the board and in which that player slept first whose hand left first.
"""

from __future__ import annotations

import math

import numpy as np

from engine.board import Side
from engine.games.base import MoveError, Rules
from engine.games.race import Chance, Explained, after, custom, explain
from engine.judge.layouts import likeliest, second_best
from engine.judge.likelihood import Fit
from engine.judge.parameters import BOUNDS
from engine.judge.search import Candidate
from engine.judge.verdict import Doubt, Evidence, Explanation, Verdict
from engine.position import Position


def judged(rules: Rules, before: Position, evidence: Evidence, fit: Fit, others: list[Candidate]) -> Verdict | None:
    """The verdict on a race, None where none was run. others: what else accuses nobody."""
    if not rules.races or before.ply or evidence.together < BOUNDS.race_together:
        return None
    lies = likeliest(fit.table, [0] * before.board.pits, sum(before.counts))
    if lies is None:
        return None
    value = float(fit.per_pit(lies).sum())
    how = _explained(rules, before, lies)
    if how.chance is not Chance.POSSIBLE and not _both_ran(before, lies):
        return None
    single = [c for c in others if not c.answered and (c.kind != "rearranged" or how.chance is not Chance.POSSIBLE)]
    fits = fit.boards(np.array([c.counts for c in single], np.int64))
    if len(single) and float(fits.max()) > value - BOUNDS.race_single_nats:
        return None
    lag, other = second_best(fit.table, lies)
    winner = _winner(rules, evidence, how)
    first = after(before, lies, winner or Side.SOUTH)
    sure = 1 / (1 + math.exp(-max(0.0, lag)))
    best = (Explanation("race", sure, winner, None, (), first),
            Explanation("race", 1 - sure, winner, None, (), after(before, other, winner or Side.SOUTH)))
    denied = fit.denied(lies)
    if denied or lag < BOUNDS.race_board_nats or not fit.seen.all():
        apart = [p for p, (a, b) in enumerate(zip(lies, other, strict=True)) if a != b]
        hidden = [int(p) for p in np.flatnonzero(~fit.seen)]
        pits = tuple(sorted({*denied, *hidden, *(apart if lag < BOUNDS.race_board_nats else ())}))
        return Verdict("not-sure", before, before, None, None, confidence=sure, margin=lag, best=best, pits=pits,
                       doubt=_doubt(denied, hidden, lag))
    return Verdict("race", before, first, winner, None, confidence=sure, margin=lag, best=best)


def _doubt(denied: list[int], hidden: list[int], lag: float) -> Doubt:
    """Why a race is not said aloud. denied: pits that deny its board; hidden: those not seen; lag: nats by which the
    next board is less likely."""
    found = (Doubt.DENIED if denied else Doubt(0)) | (Doubt.HIDDEN if hidden else Doubt(0))
    return found | (Doubt.BOARD_IMPROBABLE if lag < BOUNDS.race_board_nats else Doubt(0))


def _explained(rules: Rules, before: Position, lies: tuple[int, ...]) -> Explained:
    """How the board can have come about from the pits that are lifted by custom."""
    try:
        return explain(rules, before, custom(before), lies)
    except MoveError as error:
        return Explained(Chance.NOT_EXPLAINED, why=str(error))


def _both_ran(before: Position, lies: tuple[int, ...]) -> bool:
    """Whether some pit of either side's holds less than before: who runs begins by lifting one of his own. A hand that
    leans on the board while the other side does wrong runs no race."""
    return all(any(lies[p] < before.counts[p] for p in before.board.own(side)) for side in Side)


def _winner(rules: Rules, evidence: Evidence, how: Explained) -> Side | None:
    """Who moves first by the field `race_winner`, where it can be told."""
    left = None
    if abs(evidence.earlier) >= BOUNDS.race_first_s:
        left = Side.SOUTH if evidence.earlier > 0 else Side.NORTH
    if left is not None and not rules.farthest_wins_race:
        return left
    finishes = () if how.outcome is None else how.outcome.finishes
    winners = {f.winner for f in finishes if left in (None, f.first)}
    return winners.pop() if len(winners) == 1 else None
