"""An account: one way in which a game can have gone so far, with its weight."""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Side
from engine.position import Position
from engine.referee.emission import Memory
from engine.referee.search import Hypothesis

TOLD_BY_BOARD = ("rearranged", "race")
"""Kinds of happenings that are told by the board which they leave."""


@dataclass(frozen=True)
class Happening:
    """One thing that an account says was done. episode: between which observations it came to its end, counted from 1;
    what: a move, a fault, seeds tampered with, a move taken back; before, after: the positions; begun: the observation
    then found the next move in its middle; went_on_from: the episode whose move its hand went on with, 0 for none."""

    episode: int
    what: Hypothesis
    before: Position
    after: Position
    begun: bool = False
    went_on_from: int = 0

    @property
    def key(self) -> tuple[object, ...]:
        """What is said of it, whatever lay on the board: two happenings that have it alike are told alike."""
        what = self.what
        where: object = self.after.counts if what.kind in TOLD_BY_BOARD else (what.move or "")[:1]
        return what.kind, what.player, where, tuple(sorted({f.code for f in what.faults}))


@dataclass(frozen=True)
class Account:
    """A game so far.

    position: after the last move that was made to its end; shown: what lies visibly there, another board while a move
    is in its middle; path: what was done, the oldest first; history: earlier positions, oldest first; nats: its
    log-weight; middle: whose move is in its middle, and which, None where none is. last_known: where the move in its
    middle cannot be told yet, the pits as they were when it was last known what they hold; `shown` is of then.
    """

    position: Position
    shown: tuple[int, ...]
    path: tuple[Happening, ...] = ()
    history: tuple[Position, ...] = ()
    nats: float = 0.0
    middle: tuple[Side, str] | None = None
    last_known: Memory | None = None

    @property
    def midway(self) -> tuple[Side, str] | None:
        """The move in whose middle `shown` lies."""
        return None if self.last_known is not None else self.middle

    def of_episode(self, episode: int) -> tuple[Happening, ...]:
        """What was done in an episode."""
        return tuple(h for h in self.path if h.episode == episode)
