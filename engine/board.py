"""Boards: how many pits, which is whose, what they are called, and which comes after which.

Pits are numbered along the ring, counter-clockwise from South's left (rules.md, "Boards and names of pits"):

- two rows of N: South's `a b c …` are 0…N-1, North's `A B C …` are N…2N-1; one ring for both;
- four rows of 8: South's own ring is 0…15 (outer `i…p`, then inner `h…a`), North's 16…31 (`I…P`, then `H…A`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import lru_cache

MIN_COLS, MAX_COLS = 2, 26


class Side(IntEnum):
    """A player, by the side of the board he sits at. South sits at the bottom of the picture."""

    SOUTH = 0
    NORTH = 1

    @property
    def letter(self) -> str:
        """`S` or `N`, as in position lines."""
        return "SN"[self]

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.NORTH if self is Side.SOUTH else Side.SOUTH

    @property
    def title(self) -> str:
        """`South` or `North`, as in sentences."""
        return ("South", "North")[self]

    @classmethod
    def parse(cls, letter: str) -> Side:
        """The side of a letter. Raises ValueError for anything but `S` and `N`."""
        if letter not in ("S", "N"):
            raise ValueError(f"{letter!r} is no side: S or N")
        return cls.SOUTH if letter == "S" else cls.NORTH


class Direction(Enum):
    """Which way a lap goes round, seen from above; the value is its sign in the notation of moves."""

    CCW = ">"
    CW = "<"

    @property
    def words(self) -> str:
        """As in sentences."""
        return "counter-clockwise" if self is Direction.CCW else "clockwise"


@dataclass(frozen=True, slots=True)
class Board:
    """A board of 2 rows of 2 to 26 pits, or of 4 rows of 8. Raises ValueError for any other."""

    rows: int
    cols: int

    def __post_init__(self) -> None:
        if self.rows not in (2, 4):
            raise ValueError(f"a board of {self.rows} rows is not known: 2 or 4")
        if self.rows == 4 and self.cols != 8:
            raise ValueError(f"a board of 4 rows has 8 pits in each, not {self.cols}")
        if not MIN_COLS <= self.cols <= MAX_COLS:
            raise ValueError(f"a row has {MIN_COLS} to {MAX_COLS} pits, not {self.cols}")

    @classmethod
    def parse(cls, text: str) -> Board:
        """A board from `2x8`. Raises ValueError."""
        found = re.fullmatch(r"([0-9]{1,3})[x×]([0-9]{1,3})", text.strip())
        if not found:
            raise ValueError(f"{text[:40]!r} is no board: write rows and columns, such as 2x8")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}"

    @property
    def pits(self) -> int:
        """How many pits it has."""
        return self.rows * self.cols

    @property
    def half(self) -> int:
        """How many pits are each player's."""
        return self.pits // 2

    def owner(self, pit: int) -> Side:
        """Whose pit it is."""
        return Side.SOUTH if pit < self.half else Side.NORTH

    def own(self, side: Side) -> range:
        """A player's pits, along the ring."""
        return range(self.half) if side is Side.SOUTH else range(self.half, self.pits)

    def name(self, pit: int) -> str:
        """The letter people call it by, small for South's and capital for North's. Raises IndexError off the board."""
        return _names(self)[pit]

    def pit(self, name: str) -> int:
        """The pit of a letter. Raises ValueError."""
        found = _numbers(self).get(name)
        if found is None:
            names = _names(self)
            own, theirs = sorted(names[: self.half]), sorted(names[self.half :])
            known = f"{own[0]}–{own[-1]} or {theirs[0]}–{theirs[-1]}"
            raise ValueError(f"{name[:20]!r} is no pit of a {self} board: {known}")
        return found

    def place(self, pit: int) -> tuple[int, int]:
        """(row, col) as South sees it: row 0 the top (North's side), column 0 on his left."""
        return _places(self)[pit]

    def at(self, row: int, col: int) -> int:
        """The pit at a place as South sees it; the inverse of `place`. Raises ValueError off the board."""
        try:
            return _pits_at(self)[row, col]
        except KeyError:
            raise ValueError(f"row {row}, column {col} is not on a {self} board") from None

    def facing(self, pit: int) -> int:
        """The opponent's pit across the middle; of four rows an outer pit faces the opponent's outer one."""
        row, col = self.place(pit)
        return self.at(self.rows - 1 - row, col)

    def step(self, direction: Direction) -> tuple[int, ...]:
        """For every pit the next one along its ring: both players' in two rows, the owner's in four."""
        return _steps(self, direction)


@lru_cache(maxsize=64)
def _names(board: Board) -> tuple[str, ...]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    south = letters[: board.cols] if board.rows == 2 else "ijklmnop" + "hgfedcba"
    return (*south, *south.upper())


@lru_cache(maxsize=64)
def _numbers(board: Board) -> dict[str, int]:
    return {name: pit for pit, name in enumerate(_names(board))}


@lru_cache(maxsize=64)
def _places(board: Board) -> tuple[tuple[int, int], ...]:
    rows, cols = board.rows, board.cols
    south = [(rows - 1, c) for c in range(cols)]
    if rows == 4:
        south += [(2, c) for c in reversed(range(cols))]
    # North's half is South's turned round by half a turn.
    return (*south, *((rows - 1 - r, cols - 1 - c) for r, c in south))


@lru_cache(maxsize=64)
def _pits_at(board: Board) -> dict[tuple[int, int], int]:
    return {place: pit for pit, place in enumerate(_places(board))}


@lru_cache(maxsize=128)
def _steps(board: Board, direction: Direction) -> tuple[int, ...]:
    rings = [range(board.pits)] if board.rows == 2 else [board.own(Side.SOUTH), board.own(Side.NORTH)]
    by = 1 if direction is Direction.CCW else -1
    return tuple(ring[(i + by) % len(ring)] for ring in rings for i in range(len(ring)))
