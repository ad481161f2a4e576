"""Boards laid and not sown: Enkeshui's rearranging, Omweso's arrangement, and whatever a race leaves behind.

There are too many such boards to list them; the number of seeds is known, though, so that the likeliest board of each
sort is found seed by seed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from engine.board import Side
from engine.games.base import Move, MoveError, Rules
from engine.games.rearranging import relaid
from engine.judge.likelihood import Fit
from engine.judge.parameters import PRIORS
from engine.judge.search import Candidate
from engine.judge.verdict import COUNTS
from engine.position import Position


def likeliest(table: NDArray[np.float64], least: Sequence[int], total: int) -> tuple[int, ...] | None:
    """The counts that together are `total`, none below its `least`, and likeliest by table float64[pits, counts].

    None where they cannot be, a pit holding no more than the table's last count but one.
    """
    spare = total - sum(least)
    if spare < 0:
        return None
    table = table[:, : COUNTS - 1]
    width = table.shape[1]
    best = np.full(width + spare + 1, -np.inf)  # the first `width` stand for fewer seeds than none
    best[width] = 0.0
    left = np.arange(width, len(best)) - np.arange(width)[:, None]
    choices = []
    for row, low in zip(table, least, strict=True):
        if low >= width:
            return None
        more = row[low : low + spare + 1]
        options = best[left[: len(more)]] + more[:, None]
        choices.append(options.argmax(axis=0))
        best[width:] = options.max(axis=0)
    if not np.isfinite(best[-1]):
        return None
    counts = []
    for pit in range(len(choices) - 1, -1, -1):
        extra = int(choices[pit][spare])
        counts.append(least[pit] + extra)
        spare -= extra
    return tuple(reversed(counts))


# ---- Enkeshui: two pits lifted and laid anywhere in the row
# -------------------------------------------------------------------------------------------------------


def rearranged(rules: Rules, before: Position, fit: Fit, history: Sequence[Position] = ()) -> list[Candidate]:
    """The likeliest rearrangement of a side that may rearrange now, and of both before the first move. history: earlier
    positions of this game, oldest first: before the first move a side re-lays two pits in all, in however many
    visits."""
    when = rules.rearranging.value
    if when == "never" or (when == "setup" and before.ply):
        return []
    share = math.log(PRIORS.rearranged[when])
    sides = tuple(Side) if when == "setup" else (before.to_move,)
    turn = when == "special"
    each = {side: _redeployed(rules, before, side, fit, share, turn, history) for side in sides}
    found = {side: best for side, best in each.items() if best is not None}
    out = [Candidate("rearranged", log_prior, move.position.counts, side, move.name, None, move.position, (move,))
           for side, (log_prior, move) in found.items()]
    if len(found) == 2:
        (south_prior, south), (north_prior, north) = found[Side.SOUTH], found[Side.NORTH]
        second = rules.rearrange(south.position, north.name)
        # The second side follows the first: only its places are still open.
        prior = south_prior + north_prior - share
        out.append(Candidate("rearranged", prior, second.position.counts, Side.SOUTH, south.name, None,
                             second.position, (south, second)))
    return out


def _redeployed(
    rules: Rules, before: Position, side: Side, fit: Fit, share: float, turn: bool, history: Sequence[Position]
) -> tuple[float, Move] | None:
    """The likeliest rearrangement of a side, with its log-prior; share: the logarithm of what all of them have; turn:
    it is a turn of its own, for which nobody lifts a pit whose seeds lie afterwards just as they did."""
    own = list(before.board.own(side))
    counts = [before.counts[p] for p in own]
    liftable = [i for i, p in enumerate(own) if counts[i] and before.bulls[p] is None]
    pairs = list(combinations(liftable, 2))
    first = _first_laid(before, side, history)
    table = fit.table[own]
    scored: list[tuple[float, float, str]] = []
    for pair in pairs:
        least = [0 if i in pair else n for i, n in enumerate(counts)]
        row = likeliest(table, least, sum(counts))
        if row is None or row == tuple(counts):
            continue
        if turn and any(row[i] == counts[i] and fit.same[own[i]] for i in pair):
            continue
        lifted = sum(counts[i] for i in pair)
        ways = math.log(len(pairs)) + _log_ways(lifted, len(own))
        value = float(table[np.arange(len(own)), np.minimum(row, COUNTS - 1)].sum())
        letters = "".join(before.board.name(own[i]) for i in pair)
        scored.append((value, share - ways, f"{letters}={','.join(map(str, row))}"))
    for _, log_prior, name in sorted(scored, reverse=True):
        try:
            move = rules.rearrange(before, name)
        except MoveError:
            continue
        if turn or first is before or relaid(rules, first, move.position.counts, side):
            return log_prior, move
    return None


def _first_laid(before: Position, side: Side, history: Sequence[Position]) -> Position:
    """The oldest position of this game's set-up in which the side's row holds as many seeds as now: with fewer or more
    it was misread, and people have said so since."""
    own = before.board.own(side)
    return next((h for h in history if h.board == before.board and not h.ply
                 and sum(h.counts[p] for p in own) == sum(before.counts[p] for p in own)), before)


def _log_ways(seeds: int, pits: int) -> float:
    """Logarithm of the number of ways to lay so many seeds into so many pits."""
    return math.lgamma(seeds + pits) - math.lgamma(seeds + 1) - math.lgamma(pits)


# ---- Omweso: everyone's seeds laid anywhere in his own pits
# --------------------------------------------------------------------------------------------------------


def arranged(rules: Rules, before: Position, fit: Fit) -> list[Candidate]:
    """The likeliest arrangement of either side, and of both, where the rules let seeds be arranged."""
    if not rules.arranges(before):
        return []
    laid = {side: row for side in Side if (row := _row(before, side, fit)) is not None}
    found = []
    for sides in ((Side.SOUTH,), (Side.NORTH,), tuple(Side)):
        if any(side not in laid for side in sides):
            continue
        counts = list(before.counts)
        for side in sides:
            for pit, n in zip(before.board.own(side), laid[side], strict=True):
                counts[pit] = n
        after = replace(before, counts=tuple(counts))
        ways = sum(_log_layouts(before, laid[side], side) for side in sides)
        found.append(Candidate("rearranged", math.log(PRIORS.arranged) - ways, after.counts,
                               sides[0] if len(sides) == 1 else None, None, None, after))
    return found


def _log_layouts(before: Position, row: Sequence[int], side: Side) -> float:
    """Logarithm of the number of boards that are as likely as this one: those of all the seeds anywhere, or, seeds
    being laid out step by step and every number of them in a step as likely, those with no more shifted."""
    seeds, pits = sum(row), before.board.half
    shifted = sum(max(0, before.counts[p] - n) for p, n in zip(before.board.own(side), row, strict=True))
    return min(_log_ways(seeds, pits), math.log(max(1, seeds)) + 2 * _log_ways(shifted, pits))


def _row(before: Position, side: Side, fit: Fit) -> tuple[int, ...] | None:
    """The likeliest counts of a side's pits; None where they are as before."""
    own = list(before.board.own(side))
    counts = tuple(before.counts[p] for p in own)
    row = likeliest(fit.table[own], [0] * len(own), sum(counts))
    return None if row == counts else row


# ---- a board of so many seeds, however they came to lie so
# ---------------------------------------------------------------------------------------------------------


def second_best(table: NDArray[np.float64], counts: Sequence[int]) -> tuple[float, tuple[int, ...]]:
    """How much less likely, in nats, the likeliest other board of as many seeds is, and that board: one seed lies in
    another pit, or two pits of many are misread."""
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
