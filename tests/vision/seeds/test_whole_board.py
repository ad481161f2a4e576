"""The pits of one photograph are read together: a set-up is recognised, and what is plainly read stays."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.whole_board import misreadings, together

F64 = NDArray[np.float64]


def read(*pits: dict[int, float]) -> F64:
    """What each pit says alone: the probabilities of some counts; the others share the rest."""
    odds = np.zeros((len(pits), COUNTS))
    for row, pit in zip(odds, pits, strict=True):
        row[:] = (1 - sum(pit.values())) / (COUNTS - len(pit))
        for count, p in pit.items():
            row[count] = p
    return odds


def about(doubt: float, *counts: int) -> F64:
    """What each pit says alone if every further seed from its count is less likely by that factor."""
    odds = doubt ** np.abs(np.arange(COUNTS) - np.array(counts)[:, None])
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def likeliest(odds: F64, cols: int | None = None) -> list[int]:
    return [int(n) for n in together(odds, cols).argmax(axis=1)]


def test_a_doubtful_pit_of_a_set_up_board_holds_what_the_others_hold() -> None:
    assert likeliest(read(*[{4: 0.95}] * 10, {5: 0.5, 4: 0.4}, {3: 0.6, 4: 0.3})) == [4] * 12


def test_a_pit_that_plainly_holds_another_number_keeps_it() -> None:
    odds = read(*[{4: 0.95}] * 9, {0: 0.999}, {5: 0.99}, {5: 0.99})
    assert likeliest(odds) == [4] * 9 + [0, 5, 5]


def test_half_of_the_pits_may_be_empty() -> None:
    assert likeliest(read(*[{0: 0.9}] * 8, *[{4: 0.8}] * 6, {2: 0.5, 4: 0.3}, {3: 0.5, 4: 0.3})) == [0] * 8 + [4] * 8


def test_seeds_that_look_like_the_wood_are_missed_in_every_pit() -> None:
    """Dark seeds in dark pits, as in a carved board: where four lie two to four are seen."""
    looks = [2] * 5 + [3] * 5 + [4] * 6
    assert likeliest(np.concatenate((about(0.1, *[0] * 16), about(0.4, *looks)))) == [0] * 16 + [4] * 16


def test_seeds_with_two_faces_are_too_many_in_every_pit() -> None:
    """Dowels show their end and their side: where four lie four to six are read."""
    assert likeliest(about(0.4, *[4, 5, 6] * 4)) == [4] * 12


def test_a_board_in_play_is_read_pit_by_pit() -> None:
    odds = read({0: 0.6, 1: 0.3}, {7: 0.5, 6: 0.4}, {2: 0.8}, {1: 0.7}, {11: 0.5, 12: 0.4}, {3: 0.6}, {0: 0.9},
                {9: 0.6}, {5: 0.5, 4: 0.4}, {1: 0.8}, {6: 0.7}, {2: 0.6})
    assert likeliest(odds) == [0, 7, 2, 1, 11, 3, 0, 9, 5, 1, 6, 2]
    assert np.abs(together(odds) - odds).max() < 0.02


def test_a_few_pits_are_no_board_and_each_is_read_for_itself() -> None:
    odds = about(0.5, 5, 4, 4, 4)
    assert np.array_equal(together(odds), odds) and len(together(odds[:0])) == 0


def test_the_number_of_columns_is_a_likely_set_up() -> None:
    odds = read(*[{7: 0.3, 6: 0.3}] * 14)
    assert together(odds, 7)[0, 7] > together(odds)[0, 7]


@pytest.mark.parametrize("pits", [1, 2, 32])
def test_posteriors_add_up_to_one(pits: int) -> None:
    odds = np.random.default_rng(pits).dirichlet(np.full(COUNTS, 0.2), pits)
    assert together(odds, 8).sum(axis=1) == pytest.approx(1.0)


def test_what_a_count_may_look_like_adds_up_to_one() -> None:
    fewer, more = misreadings(0.5, 0.2)
    assert fewer.sum(axis=1) == pytest.approx(1.0) and more.sum(axis=1) == pytest.approx(1.0)
    assert fewer[4, :5] == pytest.approx([1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16])
    assert more[2, 2:5] == pytest.approx([0.64, 0.32, 0.04])
