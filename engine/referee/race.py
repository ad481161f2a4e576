"""The race: two relays sown at once may leave many boards (engine/games/enkeshui.md, "The race").

Only the number of seeds is certain. Who slept first follows from whose hand left first; if they left together, from the
most even race that leads to the board; else it stays open. Who went farthest follows from the most even race that leads
to the board and in which the player slept first whose hand left first.
"""

import math

from engine.board import Side
from engine.games.base import MoveError, Rules
from engine.games.race import Chance, RaceExplanation, after, custom, explain
from engine.likeliest_boards import likeliest_of_total
from engine.position import Position
from engine.referee.layouts import second_best_board
from engine.referee.observation import F64, Observation
from engine.referee.parameters import PRIORS, THRESHOLDS, TIMES
from engine.referee.search import Hypothesis


def races(rules: Rules, before: Position, seen: Observation, table: F64, *, laid: bool) -> list[Hypothesis]:
    """Return the two likeliest boards of a race before the first move, each for every side that may have won; none if
    no race was run. table: float64[pits, 26], nats of each count; laid: both sides may have laid the board out like
    this, which explains it unless a race can leave it."""
    raced = rules.races and not before.ply and seen.together >= THRESHOLDS.race_together
    board = likeliest_of_total(table, sum(before.counts)) if raced else None
    if board is None:
        return []
    explained = _explained(rules, before, board)
    if explained.chance is not Chance.POSSIBLE and (laid or not _both_ran(before, board)):
        return []
    ways = PRIORS.raced_boards if explained.chance is Chance.POSSIBLE else PRIORS.raced_boards ** 2
    winner = _winner(rules, seen, explained)
    lost = 0.5 if winner is None else 1 - PRIORS.race_won
    odds = {side: 1 - lost if side is winner else lost for side in Side}
    return [Hypothesis("race", math.log(PRIORS.raced / ways * p), counts, winner, position=after(before, counts, side))
            for counts in (board, second_best_board(table, board)[1]) for side, p in odds.items()]


def _explained(rules: Rules, before: Position, board: tuple[int, ...]) -> RaceExplanation:
    """Explain the board as a race from the pits that are lifted by custom."""
    try:
        return explain(rules, before, custom(before), board)
    except MoveError as error:
        return RaceExplanation(Chance.NOT_EXPLAINED, why=str(error))


def _both_ran(before: Position, board: tuple[int, ...]) -> bool:
    """Whether each side has a pit with fewer seeds than before: racing begins by lifting one's own pit. A hand that
    leans on the board while the other side breaks a rule runs no race."""
    return all(any(board[p] < before.counts[p] for p in before.board.own(side)) for side in Side)


def _winner(rules: Rules, seen: Observation, explained: RaceExplanation) -> Side | None:
    """Return who moves first by the field `race_winner`, if it can be determined."""
    left = None
    if abs(seen.earlier_s) >= TIMES.race_first_s:
        left = Side.SOUTH if seen.earlier_s > 0 else Side.NORTH
    if left is not None and not rules.farthest_wins_race:
        return left
    finishes = () if explained.outcome is None else explained.outcome.finishes
    winners = {f.winner for f in finishes if left in (None, f.first)}
    return winners.pop() if len(winners) == 1 else None
