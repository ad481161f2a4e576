"""Boards and positions as the page draws them: plain lists that are sent as JSON."""

from functools import lru_cache
from typing import NotRequired, TypedDict

from engine.board import Board
from engine.position import Position


class Pit(TypedDict):
    """One pit of a board: row 0 is North's edge, column 0 South's left; side "S" or "N"."""

    name: str
    row: int
    col: int
    side: str


class Diagram(TypedDict):
    """One position. board: "2x8". n: counts along the ring. bulls: owner by pit number. turn: who is to move."""

    board: str
    n: list[int]
    bulls: dict[int, str]
    turn: str
    captured: list[int]
    ply: int
    line: NotRequired[str]


@lru_cache(maxsize=32)
def pits(board: str) -> tuple[Pit, ...]:
    """Return the pits of `board` ("2x8") along the ring. Raises ValueError for an unknown board."""
    parsed = Board.parse(board)
    found = []
    for number in range(parsed.pits):
        row, col = parsed.place(number)
        found.append(Pit(name=parsed.name(number), row=row, col=col, side=parsed.owner(number).letter))
    return tuple(found)


@lru_cache(maxsize=512)
def diagram(line: str) -> Diagram | None:
    """Return the position line as a diagram; None, and so nothing to draw, if it is empty or cannot be read."""
    if not line:
        return None
    try:
        position = Position.parse(line)
    except ValueError:
        return None
    return Diagram(
        board=str(position.board),
        n=list(position.counts),
        bulls={pit: owner.letter for pit, owner in enumerate(position.bulls) if owner is not None},
        turn=position.to_move.letter,
        captured=list(position.captured),
        ply=position.ply,
        line=line,
    )
