"""Looks at a board while hands sow on it, made from the boards that moves pass through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.board import Side
from engine.decoder import Looks
from engine.judge.timeline_likelihood import boards_passed
from engine.judge.verdict import COUNTS
from engine.position import Position
from engine.rules import Move, ruleset

LINE = "4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8"
RULES = ruleset("enkeshui")
BETWEEN_S = 0.125
"""Seconds from one look to the next."""
SOUTHS, NORTHS, NOBODYS = (True, False), (False, True), (False, False)


def position() -> Position:
    """In the middle of a game; South is to move."""
    return Position.parse(LINE)


def hands_of(side: Side) -> tuple[bool, bool]:
    """That side's hand is there, and no other."""
    return SOUTHS if side is Side.SOUTH else NORTHS


@dataclass
class Eye:
    """Takes looks at a board. counts: what lies there. sure: probability of the count that lies there in each look.
    known: it is known what each pit held at the first look."""

    counts: Sequence[int]
    sure: float = 0.99
    known: bool = True
    boards: list[tuple[int, ...]] = field(default_factory=list)
    hidden: list[tuple[int, ...]] = field(default_factory=list)
    hands: list[tuple[bool, bool]] = field(default_factory=list)

    def look(self, hands: tuple[bool, bool] = NOBODYS, hidden: Iterable[int] = (), times: int = 1) -> None:
        """So many looks at what lies there."""
        for _ in range(times):
            self.boards.append(tuple(self.counts))
            self.hidden.append(tuple(hidden))
            self.hands.append(hands)

    def sown(self, move: Move, hands: tuple[bool, bool], steps: int | None = None) -> list[int]:
        """A move is made, each of its steps with one look at it, at which its pits are hidden. steps: so many of it
        alone. The pits that it touched."""
        touched = []
        for board in boards_passed(move.before.counts, move.trace)[1:][:steps]:
            pits = np.flatnonzero(board != np.array(self.counts)).tolist()
            self.counts = tuple(board.tolist())
            self.look(hands, pits)
            touched += pits
        return touched

    def made(self, boards: Iterable[Sequence[int]], hands: tuple[bool, bool]) -> None:
        """A hand makes these boards one of the other, each with one look at it, at which it hides the pits that it
        changes."""
        for board in boards:
            pits = np.flatnonzero(np.array(board) != np.array(self.counts)).tolist()
            self.counts = tuple(int(n) for n in board)
            self.look(hands, pits)

    def looks(self) -> Looks:
        """All of them. A stay of a pit lasts until it holds something else."""
        boards = np.array(self.boards)
        looks, pits = boards.shape
        loglik = np.full((looks, pits, COUNTS), np.log((1 - self.sure) / (COUNTS - 1)))
        np.put_along_axis(loglik, np.minimum(boards, COUNTS - 1)[..., None], np.log(self.sure), axis=2)
        seen = np.ones((looks, pits), np.bool_)
        for look, hidden in enumerate(self.hidden):
            seen[look, list(hidden)] = False
        stays = np.cumsum(np.diff(boards, axis=0, prepend=boards[:1]) != 0, axis=0)
        known = np.zeros(pits, np.int64) if self.known else np.full(pits, -1)
        return Looks(np.arange(looks, dtype=np.float64) * BETWEEN_S, loglik, seen, stays, np.array(self.hands), known)
