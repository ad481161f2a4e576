"""Boards that were laid instead of sown: Enkeshui's rearranging, Omweso's arrangement, and results of a race.

There are too many such boards to list. But the number of seeds is known, so the likeliest board of each sort is found
seed by seed.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from engine.board import Side
from engine.games.base import Move, MoveError, Rules
from engine.games.rearranging import relaid
from engine.likeliest_boards import likeliest_of_total
from engine.position import Position
from engine.referee.observation import COUNTS, F64, Mask
from engine.referee.parameters import SHARES
from engine.referee.search import Hypothesis

# ---- Enkeshui: two pits lifted and laid anywhere in the row
# -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Laying:
    """The rearranging of one side under these rules from the position `before`, with the pits as they are read. table:
    float64[pits, 26], nats of each count; same: bool[pits], those that look as before; later: it is a turn of its own
    instead of before the first move; log_prior: of all ways together."""

    rules: Rules
    before: Position
    table: F64
    same: Mask
    later: bool
    log_prior: float


def likeliest_rearrangements(
    rules: Rules, before: Position, table: F64, same: Mask, history: Sequence[Position] = ()
) -> list[Hypothesis]:
    """Return the likeliest rearrangement by each side that may rearrange now, and by both before the first move. table,
    same: as in `_Laying`; history: earlier positions of this game, oldest first: before the first move a side re-lays
    at most two pits in all, in any number of visits."""
    when = rules.rearranging.value
    if when == "never" or (when == "setup" and before.ply):
        return []
    laying = _Laying(rules, before, table, same, when == "special", math.log(SHARES.rearranged[when]))
    sides = tuple(Side) if when == "setup" else (before.to_move,)
    each = {side: _likeliest_rearrangement(laying, side, history) for side in sides}
    found = {side: best for side, best in each.items() if best is not None}
    out = [Hypothesis("rearranged", log_prior, move.position.counts, side, move.name, None, move.position, (move,))
           for side, (log_prior, move) in found.items()]
    if len(found) == 2:
        (south_prior, south), (north_prior, north) = found[Side.SOUTH], found[Side.NORTH]
        second = rules.rearrange(south.position, north.name)
        # The second side's rearrangement follows the first's, so only its own pits are still open.
        prior = south_prior + north_prior - laying.log_prior
        out.append(Hypothesis("rearranged", prior, second.position.counts, Side.SOUTH, south.name, None,
                              second.position, (south, second)))
    return out


def _likeliest_rearrangement(laying: _Laying, side: Side, history: Sequence[Position]) -> tuple[float, Move] | None:
    """Return the likeliest legal rearrangement of a side with its log-prior; None if the rules allow none."""
    first = _position_first_laid(laying.before, side, history)
    for _, log_prior, name in sorted(_rearrangements(laying, side), reverse=True):
        try:
            move = laying.rules.rearrange(laying.before, name)
        except MoveError:
            continue
        if laying.later or first is laying.before or relaid(laying.rules, first, move.position.counts, side):
            return log_prior, move
    return None


def _rearrangements(laying: _Laying, side: Side) -> Iterator[tuple[float, float, str]]:
    """For every two pits that a side may lift, yield the likeliest way to lay their seeds, unless it changes nothing:
    the log-likelihood of the row, its log-prior and the name of the move."""
    before = laying.before
    own = list(before.board.own(side))
    counts = [before.counts[p] for p in own]
    pairs = list(combinations(_liftable(before, own), 2))
    table, unmoved = laying.table[own], laying.same[own]
    for pair in pairs:
        row = likeliest_of_total(table, sum(counts), [0 if i in pair else n for i, n in enumerate(counts)])
        if row is None or row == tuple(counts) or (laying.later and _one_as_before(pair, counts, row, unmoved)):
            continue
        ways = math.log(len(pairs)) + _log_ways(sum(counts[i] for i in pair), len(own))
        value = float(table[np.arange(len(own)), np.minimum(row, COUNTS - 1)].sum())
        letters = "".join(before.board.name(own[i]) for i in pair)
        yield value, laying.log_prior - ways, f"{letters}={','.join(map(str, row))}"


def _liftable(before: Position, own: Sequence[int]) -> list[int]:
    """Return the indices of the pits that hold seeds and are no bulls."""
    return [i for i, p in enumerate(own) if before.counts[p] and before.bulls[p] is None]


def _one_as_before(
    pair: tuple[int, int], counts: Sequence[int], row: Sequence[int], unmoved: Mask
) -> bool:
    """Whether one of two pits has its old count in the row and looks unchanged, too. Nobody spends a turn on lifting
    such a pit."""
    return any(row[i] == counts[i] and unmoved[i] for i in pair)


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
    rows = {side: row for side in Side if (row := _likeliest_row(before, side, table)) is not None}
    found = [_arrangement(before, {side: row}) for side, row in rows.items()]
    return found if len(rows) < 2 else [*found, _arrangement(before, rows)]


def _arrangement(before: Position, rows: Mapping[Side, Sequence[int]]) -> Hypothesis:
    """Return the hypothesis that each side in `rows` arranged its seeds as the counts there, from its own left."""
    counts = list(before.counts)
    for side, row in rows.items():
        for pit, n in zip(before.board.own(side), row, strict=True):
            counts[pit] = n
    after = replace(before, counts=tuple(counts))
    log_prior = math.log(SHARES.arranged) - sum(_log_layouts(before, row, side) for side, row in rows.items())
    return Hypothesis("rearranged", log_prior, after.counts, next(iter(rows)) if len(rows) == 1 else None,
                      position=after)


def _log_layouts(before: Position, row: Sequence[int], side: Side) -> float:
    """Logarithm of the number of boards that are as likely as this one: all ways to lay all seeds, or, as seeds are
    laid out step by step with every number in a step equally likely, the ways with no more seeds shifted."""
    seeds, pits = sum(row), before.board.half
    shifted = sum(max(0, before.counts[p] - n) for p, n in zip(before.board.own(side), row, strict=True))
    return min(_log_ways(seeds, pits), math.log(max(1, seeds)) + 2 * _log_ways(shifted, pits))


def _likeliest_row(before: Position, side: Side, table: F64) -> tuple[int, ...] | None:
    """Return the likeliest counts of a side's pits; None if they are unchanged."""
    own = list(before.board.own(side))
    counts = tuple(before.counts[p] for p in own)
    row = likeliest_of_total(table[own], sum(counts))
    return None if row == counts else row


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
