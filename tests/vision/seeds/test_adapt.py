"""What known counts teach the eye, and that it forgets what no longer holds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.reading import COUNTS
from vision.seeds.knowledge.adaptation import Adaptation, scaled

SETUP = np.array([0, 0, 4, 4, 4, 4, 4, 4] * 2)
SEEN = np.ones(16, np.bool_)


def read(counts: np.ndarray, factor: float, sharp: float = 1.2) -> np.ndarray:
    """float64[n, 26]: a counter's word for pits where it reads `factor` times too many."""
    return -sharp * (np.arange(COUNTS)[None, :] - factor * np.asarray(counts, float)[:, None]) ** 2


@pytest.mark.parametrize("factor", [0.85, 0.9, 1.1, 1.15, 1.2])
def test_a_set_up_that_reads_too_many_or_too_few_puts_the_whole_table_right(factor: float) -> None:
    adaptation = Adaptation()
    for _ in range(3):  # the set-up, and two moves' boards
        adaptation.learn(read(SETUP, factor), SEEN, SETUP)
    later = np.arange(10)
    plain, adapted = read(later, factor).argmax(axis=1), adaptation.apply(read(later, factor)).argmax(axis=1)
    assert (adapted == later).sum() > (plain == later).sum()
    assert np.array_equal(adapted[:7], later[:7])


def test_nothing_is_changed_before_a_lesson_nor_is_a_good_reader_misled() -> None:
    adaptation = Adaptation()
    assert adaptation.chosen == (1.0, 1.0)
    loglik = read(SETUP, 1.0)
    assert np.allclose(adaptation.apply(loglik), loglik)
    adaptation.learn(loglik, SEEN, SETUP)
    assert adaptation.chosen[0] == 1.0
    one_misread = SETUP.copy()
    one_misread[4] += 1
    adaptation = Adaptation()
    adaptation.learn(read(one_misread, 1.0, sharp=4.0), SEEN, SETUP)
    assert abs(adaptation.chosen[0] - 1) < 0.03


def test_an_empty_board_and_covered_pits_teach_no_factor() -> None:
    adaptation = Adaptation()
    adaptation.learn(read(SETUP, 1.3), ~SEEN, SETUP)
    adaptation.learn(read(np.zeros(16), 1.0), SEEN, np.zeros(16, np.int64))
    assert abs(adaptation.chosen[0] - 1) < 0.03


def test_a_counter_that_is_too_sure_of_itself_is_believed_less() -> None:
    adaptation = Adaptation()
    wrong = SETUP.copy()
    wrong[[2, 3, 4, 5, 10, 11, 12, 13]] += [1, -1] * 4
    adaptation.learn(read(wrong, 1.0, sharp=1.5), SEEN, SETUP)
    assert adaptation.chosen[1] > 1.2


def test_other_seeds_are_learnt_anew() -> None:
    adaptation = Adaptation()
    adaptation.learn(read(SETUP, 1.25), SEEN, SETUP)
    for _ in range(12):
        adaptation.learn(read(SETUP, 0.85), SEEN, SETUP)
    assert abs(adaptation.chosen[0] - 0.85) < 0.05


@given(st.floats(0.7, 1.4), st.integers(0, 24))
def test_the_likeliest_stays_as_likely_and_more_stays_more(factor: float, count: int) -> None:
    loglik = read(np.array([count]), 1.0)
    out = scaled(loglik, factor)
    assert np.isfinite(out).all() and out[0, -1] == loglik[0, -1]
    assert np.isclose(out[0, :-1].max(), loglik[0, :-1].max())
