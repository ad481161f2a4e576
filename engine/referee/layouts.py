"""Boards that were laid instead of sown: Enkeshui's rearranging, Omweso's arrangement, and results of a race.

There are too many such boards to list. But the number of seeds is known, so the likeliest board of each sort is found
seed by seed.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from engine.board import Side
from engine.games.base import Move, MoveError, Rules
from engine.games.rearranging import relaid
from engine.likeliest_boards import likeliest_of_total
from engine.position import Position
from engine.referee.observation import COUNTS, F64, Mask
from engine.referee.parameters import PRIORS
from engine.referee.search import Hypothesis

# ---- Enkeshui: two pits lifted and laid anywhere in the row
# -------------------------------------------------------------------------------------------------------


def likeliest_rearrangements(
    rules: Rules, before: Position, table: F64, same: Mask, history: Sequence[Position] = ()
) -> list[Hypothesis]:
    """Return the likeliest rearrangement by each side that may rearrange now, and by both before the first move. table:
    float64[pits, 26], nats of each count; same: bool[pits], the pits that look as before; history: earlier positions of
    this game, oldest first: before the first move a side re-lays at most two pits in all, in any number of visits."""
    when = rules.rearranging.value
    if when == "never" or (when == "setup" and before.ply):
        return []
    sides = tuple(Side) if when == "setup" else (before.to_move,)
    if when == "setup":
        same = np.zeros_like(same)  # in a visit to lay seeds out, a pit may be lifted and laid as it was
    else:
        history = ()
    found = {side: best for side in sides if (best := _likeliest(rules, before, table, same, side, history))}
    moves: list[tuple[Side, float, tuple[Move, ...]]] = [(side, nats, (move,)) for side, (nats, move) in found.items()]
    if len(found) == 2:
        (south_nats, south), (north_nats, north) = found[Side.SOUTH], found[Side.NORTH]
        # The second side's rearrangement follows the first's, so only its own pits are still open.
        moves.append((Side.SOUTH, south_nats + north_nats, (south, rules.rearrange(south.position, north.name))))
    share = math.log(PRIORS.rearranged[when])
    return [Hypothesis("rearranged", share + nats, laid[-1].position.counts, side, laid[0].name, None,
                       laid[-1].position, laid) for side, nats, laid in moves]


def _likeliest(rules: Rules, before: Position, table: F64, same: Mask, side: Side, history: Sequence[Position]
               ) -> tuple[float, Move] | None:
    """Return the likeliest legal rearrangement of a side with its log-prior among all; None if the rules allow none."""
    first = _position_first_laid(before, side, history)
    for _, log_prior, name in sorted(_rearrangements(before, table, same, side), reverse=True):
        try:
            move = rules.rearrange(before, name)
        except MoveError:
            continue
        if first is before or relaid(rules, first, move.position.counts, side):
            return log_prior, move
    return None


def _rearrangements(before: Position, table: F64, same: Mask, side: Side) -> Iterator[tuple[float, float, str]]:
    """For every two pits that a side may lift, yield the likeliest way to lay their seeds, unless it changes nothing:
    the log-likelihood of the row, its log-prior and the name of the move. Nobody lifts a pit to lay it as it was."""
    own = list(before.board.own(side))
    counts, table, same = [before.counts[p] for p in own], table[own], same[own]
    liftable = [i for i, p in enumerate(own) if before.counts[p] and before.bulls[p] is None]
    pairs = list(combinations(liftable, 2))
    for pair in pairs:
        row = likeliest_of_total(table, sum(counts), [0 if i in pair else n for i, n in enumerate(counts)])
        if row is None or row == tuple(counts) or any(row[i] == counts[i] and same[i] for i in pair):
            continue
        ways = math.log(len(pairs)) + _log_ways(sum(counts[i] for i in pair), len(own))
        value = float(table[np.arange(len(own)), np.minimum(row, COUNTS - 1)].sum())
        letters = "".join(before.board.name(own[i]) for i in pair)
        yield value, -ways, f"{letters}={','.join(map(str, row))}"


def _position_first_laid(before: Position, side: Side, history: Sequence[Position]) -> Position:
    """Return the oldest position of this game's set-up in which the side's row holds as many seeds as now; other totals
    were misread, and people have corrected them since."""
    own = before.board.own(side)
    return next((h for h in history if h.board == before.board and not h.ply
                 and sum(h.counts[p] for p in own) == sum(before.counts[p] for p in own)), before)


def _log_ways(seeds: int, pits: int) -> float:
    """Logarithm of the number of ways to lay `seeds` seeds into `pits` pits."""
    return math.lgamma(seeds + pits) - math.lgamma(seeds + 1) - math.lgamma(pits)


# ---- Omweso: each side's seeds laid anywhere in its own pits
# --------------------------------------------------------------------------------------------------------


def likeliest_arrangements(rules: Rules, before: Position, table: F64) -> list[Hypothesis]:
    """Return the likeliest arrangement of either side, and of both, if the rules let seeds be arranged."""
    if not rules.arranges(before):
        return []
    rows: dict[Side, tuple[int, ...]] = {}
    for side in Side:
        own = list(before.board.own(side))
        counts = tuple(before.counts[p] for p in own)
        row = likeliest_of_total(table[own], sum(counts))
        if row is not None and row != counts:
            rows[side] = row
    found = [_arrangement(before, {side: row}) for side, row in rows.items()]
    return found if len(rows) < 2 else [*found, _arrangement(before, rows)]


def _arrangement(before: Position, rows: Mapping[Side, Sequence[int]]) -> Hypothesis:
    """Return the hypothesis that each side in `rows` arranged its seeds as the counts there, from its own left."""
    counts = list(before.counts)
    for side, row in rows.items():
        for pit, n in zip(before.board.own(side), row, strict=True):
            counts[pit] = n
    after = replace(before, counts=tuple(counts))
    log_prior = math.log(PRIORS.arranged) - sum(_log_layouts(before, row, side) for side, row in rows.items())
    return Hypothesis("rearranged", log_prior, after.counts, next(iter(rows)) if len(rows) == 1 else None,
                      position=after)


def _log_layouts(before: Position, row: Sequence[int], side: Side) -> float:
    """Logarithm of the number of boards that are as likely as this one: all ways to lay all seeds, or, as seeds are
    laid out step by step with every number in a step equally likely, the ways with no more seeds shifted."""
    seeds, pits = sum(row), before.board.half
    shifted = sum(max(0, before.counts[p] - n) for p, n in zip(before.board.own(side), row, strict=True))
    return min(_log_ways(seeds, pits), math.log(max(1, seeds)) + 2 * _log_ways(shifted, pits))


# ---- a board with a given number of seeds
# ---------------------------------------------------------------------------------------------------------


def second_best_board(table: F64, counts: Sequence[int]) -> tuple[float, tuple[int, ...]]:
    """Return by how many nats the best board with one seed in another pit is less likely, and that board: the seed lies
    there, or two heaps are misread by one each."""
    at = np.minimum(np.asarray(counts), COUNTS - 1)
    pits = np.arange(len(at))
    own = table[pits, at]
    fewer = np.where(at > 0, table[pits, np.maximum(at - 1, 0)] - own, -np.inf)
    more = table[pits, np.minimum(at + 1, COUNTS - 1)] - own
    gain = fewer[:, None] + more[None, :]
    np.fill_diagonal(gain, -np.inf)
    source, target = (int(i) for i in np.unravel_index(int(gain.argmax()), gain.shape))
    other = list(counts)
    other[source] -= 1
    other[target] += 1
    return -float(gain.max()), tuple(other)
