"""The position after a trace, by its steps alone: a second opinion on the positions that sowing arrives at."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from engine.board import Side
from engine.position import Position
from engine.trace import ARRANGED, Capture, End, MakeBull, Step, TraceError, Walk


def apply(position: Position, trace: Iterable[Step], player: Side | None = None) -> Position:
    """Return the position after a trace. player: who made it; by default the one to move.

    Raises TraceError if a step needs seeds that are not there. A bull that loses all its seeds is no bull any more.
    """
    play = _Play(position, position.to_move if player is None else player)
    for step in trace:
        play.take(step)
    return play.position()


@dataclass(slots=True)
class _Play:
    """A position while a trace is played on it.

    ends: how often a move ended, twice for two moves; resown: whether captured seeds were sown on since the last end;
    turn: whether the turn passes, which it does not if seeds were laid out beforehand.
    """

    before: Position
    mover: Side
    walk: Walk = field(init=False)
    bulls: list[Side | None] = field(init=False)
    captured: list[int] = field(init=False)
    caps: list[int] = field(init=False)
    won: Side | None = field(init=False)
    ends: int = 0
    resown: bool = False
    turn: bool = True

    def __post_init__(self) -> None:
        """Begin with the position before the trace."""
        before = self.before
        self.walk = Walk(list(before.counts), before.board.name)
        self.bulls, self.captured, self.caps = list(before.bulls), list(before.captured), list(before.caps)
        self.won = before.won

    def take(self, step: Step) -> None:
        """Carry out one step. Raises TraceError."""
        self.walk.take(step)
        match step:
            case Capture(sown_from=None):
                self.captured[self.mover] += step.n
            case Capture():
                self.resown = True
            case MakeBull(pits):
                for pit in pits:
                    self.bulls[pit] = self.mover
            case End():
                self._end(step)

    def _end(self, step: End) -> None:
        self.ends += 1
        self.turn = self.turn and step != ARRANGED
        self.caps[self.mover] += self.resown
        self.resown = False
        if step.reason == "win":
            self.won = self.mover
            self.captured[self.mover] += self.walk.hand
        elif self.walk.hand:
            raise TraceError(f"the move ended with {self.walk.hand} seeds in the hand")

    def position(self) -> Position:
        """Return the position after the steps."""
        before, counts = self.before, self.walk.counts
        return replace(
            before, counts=tuple(counts),
            bulls=tuple(owner if n else None for owner, n in zip(self.bulls, counts, strict=True)),
            to_move=self.mover.other if self.turn else before.to_move,
            captured=(self.captured[0], self.captured[1]),
            ply=before.ply + max(1, self.ends) * self.turn,
            caps=(self.caps[0], self.caps[1]), won=self.won,
        )
