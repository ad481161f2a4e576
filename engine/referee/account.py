"""An account: one possible course of a game so far, with its weight."""

from dataclasses import dataclass

from engine.board import Side
from engine.position import Position
from engine.referee.emission import Memory
from engine.referee.search import Hypothesis

TOLD_BY_BOARD = ("rearranged", "race")
"""Kinds of happenings that are identified by the board they leave."""


@dataclass(frozen=True)
class Happening:
    """One thing that an account says was done. episode: number, from 1, of the interval between observations in which
    it ended; what: a move, a fault, tampering, or a move taken back; before, after: the positions; begun: the
    observation then found the next move in its middle; went_on_from: the episode whose move the hand continued, 0 for
    none."""

    episode: int
    what: Hypothesis
    before: Position
    after: Position
    begun: bool = False
    went_on_from: int = 0

    @property
    def key(self) -> tuple[object, ...]:
        """What is said of it, whatever lay on the board: happenings with equal keys are described alike."""
        what = self.what
        where: object = self.after.counts if what.kind in TOLD_BY_BOARD else (what.move or "")[:1]
        return what.kind, what.player, where, tuple(sorted({f.code for f in what.faults}))

    @property
    def told(self) -> tuple[object, ...]:
        """Its kind, its player, and its starting pit or the board that it left; its faults apart."""
        return self.key[:3]


@dataclass(frozen=True)
class Account:
    """A possible course of the game so far.

    position: after the last completed move; shown: the counts visible there, which differ while a move is in its
    middle; path: what was done, oldest first; history: earlier positions, oldest first; nats: log-weight; middle: the
    player and the move in its middle, None for none. last_known: if that move cannot be identified yet, the pits as
    they were when their counts were last known; `shown` is then of that time, too.
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
        """The move in whose middle `shown` lies, if known."""
        return None if self.last_known is not None else self.middle

    def of_episode(self, episode: int) -> tuple[Happening, ...]:
        """Return what was done in an episode."""
        return tuple(h for h in self.path if h.episode == episode)
