"""Hands that sow as real ones do: seed by seed, each over the pit that it touches, with readings in between."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from engine.rules import Move
from engine.trace import boards
from tests.device.played_table import Played

LINE = "4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8"
"""In the middle of a game of Enkeshui; South is to move."""
SOUTH, NORTH, BOTH, NOBODY = (0.08, 0.0), (0.0, 0.08), (0.08, 0.08), (0.0, 0.0)
"""Whose hands cover how much of the board."""
STEP_S = 0.2
"""Seconds that a step takes."""


def legal(played: Played, name: str) -> Move:
    """The legal move of that name."""
    rules, position = played.game.playing
    return rules.play(position, name)


def answer(played: Played, move: Move, name: str = "") -> Move:
    """The other side's legal move of that name after one, or the longest that there is."""
    moves = played.game.playing[0].moves(move.position).moves
    return next((m for m in moves if m.name == name), max(moves, key=lambda m: len(m.trace)))


def boards_of(move: Move) -> list[list[int]]:
    """What lies on the board after each step of a move."""
    return [list(board) for board in boards(move.before.counts, move.trace)][1:]


def hovers(played: Played, hands: tuple[float, float], over: Collection[int] = (), seconds: float = 0.4) -> None:
    """Hands are over some pits, and touch nothing."""
    played.frames(seconds, hands, seen=[pit for pit in range(len(played.counts)) if pit not in over])


def lays(played: Played, boards: Iterable[list[int]], hands: tuple[float, float], over: Collection[int] = ()) -> None:
    """A hand makes these boards one of the other, over the pits that each changes. over: what another hand is over."""
    for board in boards:
        pits = np.flatnonzero(np.array(board) != np.array(played.counts)).tolist()
        played.counts = list(board)
        hovers(played, hands, {*pits, *over}, STEP_S)


def sows(played: Played, move: Move, hands: tuple[float, float], over: Collection[int] = ()) -> None:
    """A hand comes, and makes a move."""
    played.frames(0.4, hands)
    lays(played, boards_of(move), hands, over)
    played.frames(0.2, hands)


def the_wrong_way(played: Played) -> list[list[int]]:
    """South's c is sown to the left, where it ends."""
    counts = played.counts
    lifted = [n * (pit != 2) for pit, n in enumerate(counts)]
    return [lifted, [n + (pit == 1) for pit, n in enumerate(lifted)]]
