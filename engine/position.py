"""A position, and the position line that writes it down, like a FEN in chess.

    3,3,0,3,3,0,3,3,0,3,3,0/0,3,3,0,3,3,0,3,3,0,3,3 S 0-0 ply=0
    0,1,4n,0,6,0,2,1/5,0,0,4s,0,1,0,3 N 12-9 ply=17

Rows as South sees them, top to bottom; `s` or `n` after a number marks a bull and its owner; then the side to move;
captured seeds South–North; `ply` (moves made in this game); unless 0-0, `caps` (moves that captured, South–North); and,
if a move won the game although the opponent could still move, `won` and the winner's letter.

On two rows of six the upper row is written in the order F E D C B A, the lower one in the order a b c d e f: pits that
face each other stand in one column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.board import Board, Side

MAX_LINE = 1000
"""Most characters of a line."""
MAX_SEEDS = 999
"""Most seeds of a pit."""

_CELL = re.compile(r"([0-9]{1,3})([sn]?)")
_PAIR = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")


class PositionError(ValueError):
    """A line is no position. The message is one sentence that names the value and the place."""


@dataclass(frozen=True, slots=True)
class Position:
    """All that the rules need to know between two moves.

    counts: seeds of each pit, bulls: owner of the bull there or None, both along the ring (`Board`); captured: seeds
    out of play, South's and North's. ply: moves made in this game; below 2 the player's first move is still to come.
    caps: moves that captured and sowed the captured seeds on, South's and North's. won: who won the game by the last
    move, where the board does not show it. Raises ValueError if the lengths do not fit the board.
    """

    board: Board
    counts: tuple[int, ...]
    bulls: tuple[Side | None, ...] = ()
    to_move: Side = Side.SOUTH
    captured: tuple[int, int] = (0, 0)
    ply: int = 0
    caps: tuple[int, int] = (0, 0)
    won: Side | None = None

    def __post_init__(self) -> None:
        """Fill in `bulls` if there are none, and check the lengths."""
        if not self.bulls:
            object.__setattr__(self, "bulls", (None,) * self.board.pits)
        if len(self.counts) != self.board.pits or len(self.bulls) != self.board.pits:
            raise ValueError(f"{len(self.counts)} counts and {len(self.bulls)} bulls for {self.board.pits} pits")

    @property
    def total(self) -> int:
        """All seeds of the game: on the board and captured."""
        return sum(self.counts) + sum(self.captured)

    def with_counts(self, counts: tuple[int, ...]) -> Position:
        """Return the position with other counts; a bull left without seeds is no bull any more."""
        bulls = tuple(b if n else None for b, n in zip(self.bulls, counts, strict=True))
        return replace(self, counts=counts, bulls=bulls)

    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The counts as South sees them, top row first."""
        b = self.board
        return tuple(tuple(self.counts[b.at(r, c)] for c in range(b.cols)) for r in range(b.rows))

    @classmethod
    def parse(cls, line: str) -> Position:
        """Parse a position line. Raises PositionError."""
        if len(line) > MAX_LINE:
            raise PositionError(f"the line has {len(line)} characters; a position has at most {MAX_LINE}")
        words = line.split()
        if len(words) < 3:
            raise PositionError(f"{_quote(line)} is no position line: it needs rows, who is to move and what is "
                                "captured, such as 4,4,4,4,4,0/4,4,4,4,4,4 N 0-4")
        board, counts, bulls = _parse_rows(words[0])
        if words[1] not in ("S", "N"):
            raise PositionError(f"{_quote(words[1])} after the rows is no side to move: S or N")
        captured = _parse_pair(words[2], "captured seeds South-North")
        keys = _parse_keys(words[3:])
        return cls(board, counts, bulls, Side.parse(words[1]), captured, *keys)

    def __str__(self) -> str:
        """The position line, as `parse` reads it."""
        board = self.board

        def cell(pit: int) -> str:
            bull = self.bulls[pit]
            return f"{self.counts[pit]}{'' if bull is None else bull.letter.lower()}"

        rows = "/".join(",".join(cell(board.at(r, c)) for c in range(board.cols)) for r in range(board.rows))
        caps = f" caps={self.caps[0]}-{self.caps[1]}" if any(self.caps) else ""
        won = "" if self.won is None else f" won={self.won.letter}"
        return f"{rows} {self.to_move.letter} {self.captured[0]}-{self.captured[1]} ply={self.ply}{caps}{won}"


def _quote(text: str) -> str:
    """Foreign text made fit to show: short, and without control characters."""
    shown = repr(text if len(text) <= 24 else text[:24] + "…")
    return shown if len(shown) <= 60 else f"{shown[:58]}…'"


def _parse_rows(text: str) -> tuple[Board, tuple[int, ...], tuple[Side | None, ...]]:
    """Parse rows as South sees them into the board, its counts and its bulls. Raises PositionError."""
    rows = [row.split(",") for row in text.split("/")]
    board = _board_of(rows)
    counts, bulls = [0] * board.pits, [None] * board.pits  # type: list[int], list[Side | None]
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            pit, read = board.at(r, c), _parse_cell(cell)
            if read is None:
                raise PositionError(f"{_quote(cell)} in row {r + 1}, pit {c + 1} from the left is no count: "
                                    f"0 to {MAX_SEEDS}, then s or n for a bull")
            counts[pit], bulls[pit] = read
            if read[1] is not None and not read[0]:
                raise PositionError(f"pit {board.name(pit)} is marked as a bull but is empty")
    return board, tuple(counts), tuple(bulls)


def _board_of(rows: list[list[str]]) -> Board:
    """Return the board with these rows. Raises PositionError."""
    if len(rows) not in (2, 4):
        raise PositionError(f"{len(rows)} row{'s' * (len(rows) > 1)} of pits; a board has 2 or 4, with / between")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise PositionError(f"row {number} has {len(row)} pits, row 1 has {len(rows[0])}")
    try:
        return Board(len(rows), len(rows[0]))
    except ValueError as e:
        raise PositionError(str(e)) from None


@lru_cache(maxsize=1024)
def _parse_cell(cell: str) -> tuple[int, Side | None] | None:
    """Return a pit's seeds and its bull's owner; None for anything else."""
    found = _CELL.fullmatch(cell)
    return None if found is None else (int(found[1]), Side.parse(found[2].upper()) if found[2] else None)


def _parse_pair(text: str, what: str) -> tuple[int, int]:
    found = _PAIR.fullmatch(text)
    if not found:
        raise PositionError(f"{_quote(text)} is no {what}, such as 12-9")
    return int(found[1]), int(found[2])


def _parse_keys(words: list[str]) -> tuple[int, tuple[int, int], Side | None]:
    ply, caps, won = 0, (0, 0), None
    seen: set[str] = set()
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in ("ply", "caps", "won"):
            raise PositionError(f"{_quote(word)} is not known after the captured seeds: ply=…, caps=… or won=…")
        if key in seen:
            raise PositionError(f"{key} is given twice")
        seen.add(key)
        if key == "caps":
            caps = _parse_pair(value, "caps South-North")
        elif key == "won":
            if value not in ("S", "N"):
                raise PositionError(f"won is {_quote(value)}: S or N")
            won = Side.parse(value)
        elif re.fullmatch(r"[0-9]{1,6}", value):
            ply = int(value)
        else:
            raise PositionError(f"ply is {_quote(value)}: a whole number of moves made, from 0")
    return ply, caps, won
