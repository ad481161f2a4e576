"""Draw a board in letters and numbers in a terminal."""

import sys
from collections.abc import Mapping

from rich.console import Console
from rich.text import Text

from engine.board import Board, Side
from engine.position import Position

CELL = 6
"""Columns of a pit: its number, with brackets if it is marked."""
HEAD = 7
"""Columns before the pits: whose row it is."""


def for_people(*, as_json: bool) -> bool:
    """Whether the output is for people: a terminal, and JSON was not asked for."""
    return sys.stdout.isatty() and not as_json


def console() -> Console:
    """The terminal, in colour if it can and NO_COLOR is not set."""
    return Console(highlight=False, soft_wrap=False)


def drawn(position: Position, marks: Mapping[int, str] | None = None) -> Text:
    """The board as South sees it, with the pits' letters and the captured seeds. marks: colours of pits to highlight,
    which also get brackets."""
    board, text = position.board, Text()
    for row in range(board.rows):
        north = board.owner(board.at(row, 0)) is Side.NORTH
        lines = [_letters(board, row), _seeds(position, row, marks or {})]
        for line in lines if north else reversed(lines):
            text.append_text(line).append("\n")
    text.rstrip()
    return text


def _letters(board: Board, row: int) -> Text:
    return Text(" " * HEAD + "".join(f"{board.name(board.at(row, col)):^{CELL}}" for col in range(board.cols)), "dim")


def _seeds(position: Position, row: int, marks: Mapping[int, str]) -> Text:
    board = position.board
    side = board.owner(board.at(row, 0))
    first = row in (0, board.rows - 1)  # show a side's captured seeds once
    text = Text(f"{side.title if first else '':<{HEAD}}")
    for col in range(board.cols):
        pit = board.at(row, col)
        bull = position.bulls[pit]
        number = f"{position.counts[pit]}{'' if bull is None else bull.letter.lower()}"
        text.append(f"{f'[{number}]' if pit in marks else number:^{CELL}}", marks.get(pit, ""))
    if first:
        text.append(f"  {position.captured[side]} captured", "dim")
    return text
