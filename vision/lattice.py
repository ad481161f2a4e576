"""From candidate pits to a board: the lattice of pits under a homography."""

from __future__ import annotations


def ring_order(rows: int, cols: int) -> list[tuple[int, int]]:
    """(row, column) of every pit in the order of its number, row 0 North's edge, column 0 South's left.

    Two rows: South's from his left, then North's from hers, one ring. Four rows of n: South's outer row left to right,
    his inner right to left, then North's two likewise from where she sits.
    Raises ValueError for any other number of rows.
    """
    right, left = range(cols), range(cols - 1, -1, -1)
    if rows == 2:
        ring = [(1, right), (0, left)]
    elif rows == 4:
        ring = [(3, right), (2, left), (0, left), (1, right)]
    else:
        raise ValueError(f"a board has 2 or 4 rows of pits, not {rows}")
    return [(row, col) for row, way in ring for col in way]
