"""The drawings of a report: a board after a verdict, and the score over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from device.cli.watched.story import ToldVerdict, clock
from device.films import carved
from engine.position import Position

LEFT, RIGHT, TOP, BOTTOM = 40, 630, 10, 140
"""Edges of the score curve in the drawing."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The score over time. south, north: the captured seeds of each, as SVG paths. most: seeds at the top edge. begin,
    end: seconds at the left and the right edge. words: the same for a screen reader."""

    south: str
    north: str
    most: int
    begin: float
    end: float
    words: str


def board_after(told: ToldVerdict) -> Markup:
    """The board after a verdict, as SVG with rings; "" if unknown."""
    lies = told.lies
    if lies is None:
        return Markup("")
    return _drawn(lies, told.kind, "is", {pit: ring for pit in range(lies.board.pits) if (ring := _ring(told, pit))})


def board_due(told: ToldVerdict) -> Markup:
    """The board as it should be after a foul, as SVG with rings; "" if unknown."""
    due = told.due
    if due is None:
        return Markup("")
    return _drawn(due, told.kind, "due", {pit: ring for pit in range(due.board.pits)
                                          if (ring := _ring(told, pit)) and ring != "played"})


def _drawn(lies: Position, kind: str, where: str, rings: Mapping[int, str]) -> Markup:
    """A board with rings, in the page's colours for that kind of verdict. where: "is" or "due"."""
    bulls = {pit: owner.letter for pit, owner in enumerate(lies.bulls) if owner is not None}
    board = carved.board_svg(lies.board, lies.counts, bulls, lies.captured, rings, _words(lies))
    return Markup(f'<span class="{kind}"><span class="{where}">{board}</span></span>')


def _ring(told: ToldVerdict, pit: int) -> str:
    """The CSS classes of a pit's ring, as on the page; "" for no ring."""
    if told.kind in ("illegal", "tampered", "not-sure") and pit in told.named:
        return "odd"
    if pit in told.differing:
        return "odd follows"
    return "played" if pit == told.played else ""


def _words(lies: Position) -> str:
    """The counts of a board in words, row by row."""
    board = lies.board
    rows = [f"{board.owner(board.at(row, 0)).title}, {board.name(board.at(row, 0))} to "
            f"{board.name(board.at(row, board.cols - 1))}: {', '.join(map(str, counts))}"
            for row, counts in enumerate(lies.rows())]
    return f"{'; '.join(rows)}; captured: South {lies.captured[0]}, North {lies.captured[1]}"


def score_curve(start: str, told: Sequence[ToldVerdict]) -> Curve | None:
    """The score over time, from the verdicts that were not replaced; None if nothing was captured or seen.
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
    """The SVG path of steps through the points (seconds, seeds)."""
    placed = [(LEFT + (RIGHT - LEFT) * t / end, BOTTOM - (BOTTOM - TOP) * n / most) for t, n in points]
    x, y = placed[0]
    return f"M{x:.1f} {y:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in placed[1:])
