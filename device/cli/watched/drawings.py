"""The drawings of a report: a board after a verdict, and the score over time, as numbers for its template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.cli.watched.story import Told, clock
from engine.board import Side
from engine.position import Position

STEP, EDGE = 36, 30
"""Units from pit to pit, and from the edge of the wood to the middle of the first pit."""
ABOVE, BELOW = -17, 23
"""Units from the middle of a pit to its letter, in a row of North's and in one of South's."""
LEFT, RIGHT, TOP, BOTTOM = 40, 630, 10, 140
"""Where the curve of the score is drawn."""


@dataclass(frozen=True, slots=True)
class DrawnPit:
    """A pit in a drawing. x, y: its middle; letter: where its letter stands, below the middle; ring: played, wrong,
    changed, doubt or ""."""

    name: str
    count: str
    x: int
    y: int
    letter: int
    ring: str


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """A board of so many units, and what it shows in words."""

    width: int
    height: int
    pits: tuple[DrawnPit, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Curve:
    """Captured seeds over time: South's and North's as paths of SVG; most: seeds at the top; begin, end: seconds."""

    south: str
    north: str
    most: int
    begin: float
    end: float
    words: str


def board_after(told: Told) -> DrawnBoard | None:
    """The board as it lies after a verdict, with rings; None where that is not known."""
    lies = told.lies
    if lies is None:
        return None
    board, gap = lies.board, STEP + 10
    pits = [_pit(told, lies, row, col, gap) for row in range(board.rows) for col in range(board.cols)]
    return DrawnBoard(2 * EDGE + STEP * (board.cols - 1), 2 * EDGE + gap * (board.rows - 1), tuple(pits), _words(lies))


def _pit(told: Told, lies: Position, row: int, col: int, gap: int) -> DrawnPit:
    board = lies.board
    pit = board.at(row, col)
    bull = lies.bulls[pit]
    north = board.owner(pit) is Side.NORTH
    return DrawnPit(board.name(pit), f"{lies.counts[pit]}{'' if bull is None else bull.letter.lower()}",
                    EDGE + STEP * col, EDGE + gap * row, ABOVE if north else BELOW, _ring(told, pit))


def _ring(told: Told, pit: int) -> str:
    if told.kind in ("illegal", "tampered") and pit in told.named:
        return "wrong"
    if pit in told.differing:
        return "changed"
    if told.kind == "not-sure" and pit in told.named:
        return "doubt"
    return "played" if pit == told.played else ""


def _words(lies: Position) -> str:
    """What a board shows, row by row."""
    board = lies.board
    rows = [f"{board.owner(board.at(row, 0)).title}, {board.name(board.at(row, 0))} to "
            f"{board.name(board.at(row, board.cols - 1))}: {', '.join(map(str, counts))}"
            for row, counts in enumerate(lies.rows())]
    return f"{'; '.join(rows)}; captured: South {lies.captured[0]}, North {lies.captured[1]}"


def score_curve(start: str, told: Sequence[Told]) -> Curve | None:
    """The score over time, of the verdicts that were not replaced; None where nothing was captured or seen.
    start: the position line that the game began from."""
    stood = [one for one in told if not one.replaced and one.lies is not None]
    if not start or not stood:
        return None
    began = Position.parse(start).captured
    points = [(0.0, began), *((float(one.form["t"]), one.lies.captured) for one in stood if one.lies is not None)]
    most, end = max(max(score) for _, score in points), points[-1][0]
    if not most or not end:
        return None
    south, north = (_path([(t, score[side]) for t, score in points], end, most) for side in (0, 1))
    said = "; ".join(f"{clock(t)} {score[0]}-{score[1]}" for t, score in points)
    return Curve(south, north, most, 0.0, end, f"Captured seeds, South and North: {said}")


def _path(points: Sequence[tuple[float, int]], end: float, most: int) -> str:
    """Steps from point to point, in units of the drawing."""
    placed = [(LEFT + (RIGHT - LEFT) * t / end, BOTTOM - (BOTTOM - TOP) * n / most) for t, n in points]
    x, y = placed[0]
    return f"M{x:.1f} {y:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in placed[1:])
