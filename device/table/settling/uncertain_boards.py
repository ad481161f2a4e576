"""How the board may lie where no verdict says so surely: boards with their odds, from which the next move is judged.

Fast play leaves no time to read every heap clearly. What is doubtful in a pit or two is shown by what is sown from
there later, and pits that a move does not touch make it no less clear.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from device.journal.game import Game, Ruled, side_of
from device.table.parameters import DOUBT, EVIDENCE
from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import Window, against_total
from device.table.settling.judge_worker import Verdict
from engine.position import Position
from vision.reading import COUNTS

Doubts = tuple[tuple[Position, float], ...]


def possible_boards(game: Game, window: Window) -> Doubts:
    """The boards that may lie there after a "not sure", likeliest first, each with its odds.

    They are the boards of the verdict's explanations, with their odds; for the probability that these leave open, the
    likeliest boards that a quiet window shows are added. A pit that nobody touched since its count was known holds
    that count. Where some pit was not seen, there are the boards of the explanations alone.
    """
    listed = game.doubts
    if not window.seen.all():
        return listed
    rules, position = game.playing
    most, usual = rules.seeds(position.board) - sum(position.captured), sum(position.counts)
    lag = window.loglik - window.loglik.max(axis=1, keepdims=True)
    held = window.held
    other = (held[:, None] >= 0) & (held[:, None] != np.arange(COUNTS))
    lag = np.where(other, -np.inf, np.where(held[:, None] >= 0, 0.0, lag))
    odds: dict[Position, float] = {}
    for lies, p in listed:  # of one board there are two where it is in doubt whose turn it is
        odds[lies] = odds.get(lies, 0.0) + p
    boards = {lies.counts for lies in odds}
    shown = [board for board in _boards(lag[:, : COUNTS - 1]) if sum(board[1]) <= most + EVIDENCE.most_smuggled]
    against = against_total(np.array([sum(counts) for _, counts in shown], np.int64), most, usual)
    others = {counts: math.exp(score + by) for (score, counts), by in zip(shown, against, strict=True)
              if counts not in boards}
    left, every = max(DOUBT.unlisted_odds, 1.0 - sum(p for _, p in listed)), sum(others.values())
    likely = sorted(others, key=others.__getitem__, reverse=True)[:DOUBT.most_boards]
    if sum(others[counts] for counts in likely) > DOUBT.listed_share * every:
        for counts in likely:
            odds[after_unknown_move(position, counts, most, game.last)] = left * others[counts] / every
    kept = sorted(odds, key=odds.__getitem__, reverse=True)[:DOUBT.most_boards]
    total = sum(odds[lies] for lies in kept)
    return tuple((lies, odds[lies] / total) for lies in kept if odds[lies] > DOUBT.least_odds * total)


def hardly_explained(game: Game, lying: Doubts) -> bool:
    """Whether the boards that the next move is judged from are not to be trusted: all of them are those of a "not sure"
    whose explanations together are hardly likely."""
    explained = {lies.counts for lies, _ in game.doubts}
    hardly = sum(odds for _, odds in game.doubts) < DOUBT.explained_odds
    return hardly and all(lies.counts in explained for lies, _ in lying)


def lying_before(game: Game, lying: Doubts, move: Disturbance) -> Doubts:
    """The boards that a move may have been made from: `lying`, or else those of the last verdict; none where the
    position is known. Where a board comes from no explanation, it is the turn of whoever moved."""
    if game.synced:
        return ()
    explained = {lies.counts for lies, _ in game.doubts}
    return tuple((lies if lies.counts in explained or move.unseen else replace(lies, to_move=move.side), odds)
                 for lies, odds in lying or game.doubts)


def _boards(lag: NDArray[np.float64]) -> list[tuple[float, tuple[int, ...]]]:
    """The likeliest boards, pit by pit, with their log-likelihoods; lag: float64[pits, counts], 0 for the likeliest."""
    found: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    for row in lag:
        likely = [(float(row[n]), int(n)) for n in np.flatnonzero(row > -DOUBT.count_lag)]
        more = [(score + by, (*counts, n)) for score, counts in found for by, n in likely]
        found = sorted(more, key=lambda board: -board[0])[:DOUBT.beam]
    return found


def after_unknown_move(position: Position, counts: tuple[int, ...], most: int, last: Ruled | None) -> Position:
    """The position with these seeds after somebody's move; of `most` seeds those gone from the board are with him."""
    mover = (side_of(last.body.player) if last is not None else None) or position.to_move
    captured = list(position.captured)
    captured[mover] += max(0, most - sum(counts))
    return replace(position.with_counts(counts), captured=(captured[0], captured[1]), to_move=mover.other,
                   ply=position.ply + 1)


def judged_from_known(game: Game, verdict: Verdict) -> bool:
    """Whether a verdict was made from the position that is known, or from a board of the doubted verdict before it."""
    return game.synced or any(lies.counts == verdict.before.counts for lies, _ in game.doubts)
