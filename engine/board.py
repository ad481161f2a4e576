"""Boards: their pits' owners, names and order.

Pits are numbered along the ring, anticlockwise from South's left (engine/games/README.md, "Boards and names of pits"):

- two rows of N: South's `a b c …` are 0…N-1, North's `A B C …` are N…2N-1; one ring for both;
- four rows of 8: South's own ring is 0…15 (outer `i…p`, then inner `h…a`), North's 16…31 (`I…P`, then `H…A`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from functools import lru_cache
from typing import NamedTuple

MIN_COLS = 2
"""Fewest pits of a row."""
MAX_COLS = 26
"""Most pits of a row: there are no more letters to name them."""


class Side(IntEnum):
    """A player, by the side of the board he sits at. South sits at the bottom of the picture."""

    SOUTH = 0
    NORTH = 1

    @property
    def letter(self) -> str:
        """`S` or `N`, as written in position lines."""
        return "SN"[self]

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.NORTH if self is Side.SOUTH else Side.SOUTH

    @property
    def title(self) -> str:
        """`South` or `North`, as written in sentences."""
        return ("South", "North")[self]

    @classmethod
    def parse(cls, letter: str) -> Side:
        """Return the side of a letter. Raises ValueError for anything but `S` and `N`."""
        if letter not in ("S", "N"):
            raise ValueError(f"{letter!r} is no side: S or N")
        return cls.SOUTH if letter == "S" else cls.NORTH


class Direction(Enum):
    """The direction of a lap, seen from above; the value is its sign in the notation of moves."""

    CCW = ">"
    CW = "<"

    @property
    def words(self) -> str:
        """The direction as an adverb, for sentences."""
        return "anticlockwise" if self is Direction.CCW else "clockwise"


class _Tables(NamedTuple):
    """Tables computed once per size of board; all are indexed by pit, except `numbers` and `at`."""

    names: tuple[str, ...]
    numbers: dict[str, int]
    places: tuple[tuple[int, int], ...]
    at: dict[tuple[int, int], int]
    facing: tuple[int, ...]
    ccw: tuple[int, ...]
    cw: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A board of 2 rows of 2 to 26 pits, or of 4 rows of 8. Raises ValueError for any other."""

    rows: int
    cols: int
    _tables: _Tables = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the size and look up its tables."""
        if self.rows not in (2, 4):
            raise ValueError(f"a board of {self.rows} rows is not known: 2 or 4")
        if self.rows == 4 and self.cols != 8:
            raise ValueError(f"a board of 4 rows has 8 pits in each, not {self.cols}")
        if not MIN_COLS <= self.cols <= MAX_COLS:
            raise ValueError(f"a row has {MIN_COLS} to {MAX_COLS} pits, not {self.cols}")
        object.__setattr__(self, "_tables", _tables(self.rows, self.cols))

    @classmethod
    def parse(cls, text: str) -> Board:
        """Return a board from text such as `2x8`. Raises ValueError."""
        found = re.fullmatch(r"([0-9]{1,3})[x×]([0-9]{1,3})", text.strip())
        if not found:
            raise ValueError(f"{text[:40]!r} is no board: write rows and columns, such as 2x8")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        """Rows and columns as `parse` reads them, such as `2x8`."""
        return f"{self.rows}x{self.cols}"

    @property
    def pits(self) -> int:
        """Number of pits on the board."""
        return self.rows * self.cols

    @property
    def half(self) -> int:
        """Number of pits of each player."""
        return self.pits // 2

    def owner(self, pit: int) -> Side:
        """The owner of a pit."""
        return Side.SOUTH if pit < self.half else Side.NORTH

    def own(self, side: Side) -> range:
        """A player's pits, along the ring."""
        return range(self.half) if side is Side.SOUTH else range(self.half, self.pits)

    def name(self, pit: int) -> str:
        """The letter of a pit, small for South's and capital for North's. Raises IndexError off the board."""
        return self._tables.names[pit]

    def pit(self, name: str) -> int:
        """The pit with this letter. Raises ValueError."""
        found = self._tables.numbers.get(name)
        if found is None:
            names = self._tables.names
            own, theirs = sorted(names[: self.half]), sorted(names[self.half :])
            known = f"{own[0]}–{own[-1]} or {theirs[0]}–{theirs[-1]}"
            raise ValueError(f"{name[:20]!r} is no pit of a {self} board: {known}")
        return found

    def place(self, pit: int) -> tuple[int, int]:
        """(row, col) as South sees it: row 0 the top (North's side), column 0 on his left."""
        return self._tables.places[pit]

    def at(self, row: int, col: int) -> int:
        """The pit at a place as South sees it; the inverse of `place`. Raises ValueError off the board."""
        try:
            return self._tables.at[row, col]
        except KeyError:
            raise ValueError(f"row {row}, column {col} is not on a {self} board") from None

    def facing(self, pit: int) -> int:
        """The opponent's pit across the middle; on four rows an outer pit faces the opponent's outer pit."""
        return self._tables.facing[pit]

    def step(self, direction: Direction) -> tuple[int, ...]:
        """For every pit the next one along its ring, which is both players' on two rows and the owner's on four."""
        return self._tables.ccw if direction is Direction.CCW else self._tables.cw


@lru_cache(maxsize=64)
def _tables(rows: int, cols: int) -> _Tables:
    letters = "abcdefghijklmnopqrstuvwxyz"
    south = letters[:cols] if rows == 2 else "ijklmnop" + "hgfedcba"
    names = (*south, *south.upper())
    places = [(rows - 1, c) for c in range(cols)]
    if rows == 4:
        places += [(2, c) for c in reversed(range(cols))]
    # North's half is South's after half a turn.
    places += [(rows - 1 - r, cols - 1 - c) for r, c in places]
    at = {place: pit for pit, place in enumerate(places)}
    half = len(places) // 2
    rings = [range(2 * half)] if rows == 2 else [range(half), range(half, 2 * half)]
    return _Tables(
        names,
        {name: pit for pit, name in enumerate(names)},
        tuple(places),
        at,
        tuple(at[rows - 1 - r, c] for r, c in places),
        tuple(ring[(i + 1) % len(ring)] for ring in rings for i in range(len(ring))),
        tuple(ring[i - 1] for ring in rings for i in range(len(ring))),
    )
