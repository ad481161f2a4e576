"""The likeliest board of a given number of seeds, held against all boards that there are."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.likeliest_boards import LikeliestBoards, likeliest_of_total

WIDTH = 5
"""Counts of a table; the last stands for "more"."""
tables = st.integers(1, 4).flatmap(lambda pits: st.lists(
    st.lists(st.floats(-9, 0), min_size=WIDTH, max_size=WIDTH), min_size=pits, max_size=pits)).map(np.array)


def by_brute_force(table: NDArray[np.float64], total: int, least: Sequence[int]) -> float:
    """The log-likelihood of the likeliest board with so many seeds; minus infinity where there is none."""
    boards = product(*(range(low, WIDTH - 1) for low in least))
    fits = (sum(table[p, n] for p, n in enumerate(board)) for board in boards if sum(board) == total)
    return max(fits, default=-np.inf)


@given(tables, st.integers(0, 18), st.data())
def test_of_every_total_no_board_is_likelier(table: NDArray[np.float64], most: int, data: st.DataObject) -> None:
    least = data.draw(st.lists(st.integers(0, WIDTH), min_size=len(table), max_size=len(table)))
    found = LikeliestBoards(table, most, least)
    assert len(found.log_likelihoods) == most + 1
    for total, value in enumerate(found.log_likelihoods):
        expected = by_brute_force(table, total, least)
        assert value == pytest.approx(expected)
        board = found.of(total)
        assert (board is None) == (expected == -np.inf)
        if board is not None:
            assert sum(board) == total and all(low <= n < WIDTH - 1 for n, low in zip(board, least, strict=True))
            assert sum(table[p, n] for p, n in enumerate(board)) == pytest.approx(expected)


@given(tables, st.integers(0, 18))
def test_of_one_total_it_is_the_same_board(table: NDArray[np.float64], total: int) -> None:
    assert likeliest_of_total(table, total) == LikeliestBoards(table, 18).of(total)


def test_of_two_boards_as_likely_it_is_the_one_with_fewer_seeds_in_the_last_pits() -> None:
    assert likeliest_of_total(np.zeros((3, WIDTH)), 4) == (3, 1, 0)


def test_fewer_seeds_than_have_to_lie_there_and_more_than_the_pits_hold_are_no_board() -> None:
    table = np.zeros((2, WIDTH))
    assert likeliest_of_total(table, 4, [3, 2]) is None
    assert likeliest_of_total(table, 7) is None
    assert likeliest_of_total(table, 5, [WIDTH, 0]) is None
    assert likeliest_of_total(table, 6) == (3, 3)
    assert LikeliestBoards(table, 3).of(4) is None and LikeliestBoards(table, 3).of(-1) is None
