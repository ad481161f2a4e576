"""Omweso's moves by another way: a walk on plain lists that knows nothing of the engine's sowing, laps or choices,
written from engine/games/omweso.md alone."""

from dataclasses import dataclass, field

from engine.board import Board, Side
from engine.position import Position

BOARD = Board(4, 8)
Outcome = tuple[tuple[int, ...], int]


class TooLongError(Exception):
    """The naive walk does not end soon."""


def naive(position: Position, pit: int) -> set[Outcome]:
    """Every board and number of seeds won that a move from `pit` can lead to, on plain lists and by trial."""
    own = [*position.board.own(position.to_move)]
    walk = Naive(position.to_move, own, [*position.board.own(position.to_move.other)])
    theirs = {BOARD.place(p): position.counts[p] for p in walk.others}
    walk.both([position.counts[p] for p in own], theirs, own.index(pit), 0, 0, True, 0)
    return walk.found


@dataclass
class Naive:
    """A walk through every way a move may go. own, others: the mover's pits and the other side's, along their rings."""

    mover: Side
    own: list[int]
    others: list[int]
    found: set[Outcome] = field(default_factory=set)

    def across(self, at: int) -> list[tuple[int, int]]:
        """The places of the two pits across from one of the mover's."""
        row, col = BOARD.place(self.own[at])
        return [(1, col), (0, col)] if row == 2 else [(2, col), (3, col)]

    def both(self, ring: list[int], theirs: dict[tuple[int, int], int], at: int, hand: int, won: int, turns: bool,
             depth: int) -> None:
        """A lap forwards, and another backwards where that is allowed."""
        self.lap(ring, theirs, at, hand, 1, won, depth + 1)
        if turns and at in (0, 1, 14, 15):
            self.lap(ring, theirs, at, hand, -1, won, depth + 1)

    def lap(self, ring: list[int], theirs: dict[tuple[int, int], int], at: int, hand: int, way: int, won: int,
            depth: int) -> None:
        """A lap from a pit, or of seeds in the hand, and all that may follow it."""
        if depth > 150:
            raise TooLongError
        start, ring, theirs, seeds = at, ring[:], dict(theirs), hand
        if not hand:
            seeds, ring[at] = ring[at], 0
        for _ in range(seeds):
            at = (at + way) % 16
            ring[at] += 1
        if at >= 8 and ring[at] > 1 and all(theirs[q] for q in self.across(at)):
            hand = sum(theirs[q] for q in self.across(at))
            theirs.update(dict.fromkeys(self.across(at), 0))
            self.both(ring, theirs, start, hand, won + hand, way < 0, depth)
        elif way > 0:
            self.end(ring, theirs, at, won, depth)

    def end(self, ring: list[int], theirs: dict[tuple[int, int], int], at: int, won: int, depth: int) -> None:
        """The end of a lap that captures nothing: that of the move, or a relay."""
        if ring[at] > 1:
            self.both(ring, theirs, at, 0, won, True, depth)
            return
        half = ring, [theirs[BOARD.place(p)] for p in self.others]
        south, north = half if self.mover is Side.SOUTH else half[::-1]
        self.found.add(((*south, *north), won))
