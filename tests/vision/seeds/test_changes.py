"""Whether a pit was touched, by how it looks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.seeds.knowledge.changes import even_odds_grey, touched_log_odds, within
from vision.seeds.knowledge.earlier_looks import EarlierLooks
from vision.seeds.parameters import STAYS, TOUCH

Cells = NDArray[np.float32]
PITS = 6
USUAL = even_odds_grey(0.5, 120.0)


def looks(rng: np.random.Generator) -> Cells:
    return rng.uniform(60, 180, (PITS, 16, 16)).astype(np.float32)


def one_seed(cells: Cells, pit: int, by: float = 80.0) -> Cells:
    out = cells.copy()
    out[pit, 5:8, 5:8] -= by
    return out


@pytest.fixture
def before() -> Cells:
    return looks(np.random.default_rng(1))


def odds(now: Cells, then: Cells, even_grey: float = USUAL) -> NDArray[np.float32]:
    return touched_log_odds(within(now), within(then), even_grey)


@given(st.integers(0, 1000), st.integers(0, PITS - 1), st.floats(TOUCH.even_grey, 200))
def test_only_pits_that_look_alike_were_hardly_touched(seed: int, pit: int, by: float) -> None:
    rng = np.random.default_rng(seed)
    before = looks(rng)
    now = one_seed(before, pit, by + 3) + rng.normal(0, 0.5, before.shape).astype(np.float32)
    assert ((odds(now, before) > 0) == (np.arange(PITS) == pit)).all()
    assert (odds(now, before) <= TOUCH.same_log_odds).sum() == PITS - 1


def test_a_heap_that_gained_a_seed_was_touched_and_of_one_that_may_have_nothing_is_sure(before: Cells) -> None:
    now = one_seed(one_seed(one_seed(before, 0), 4, by=30.0), 2, by=10.0)
    said = odds(now, before)
    assert said[0] == TOUCH.most_nats and said[4] > 3 and abs(said[2]) < 0.5
    assert (said[[1, 3, 5]] == -TOUCH.most_nats).all()


def test_in_dim_light_a_small_change_is_one(before: Cells) -> None:
    dim = np.asarray(before / 20, np.float32)
    now = one_seed(one_seed(dim, 0, by=8.0), 4, by=3.0)
    assert odds(now, dim)[4] <= TOUCH.same_log_odds
    assert odds(now, dim, even_odds_grey(0.3, 6.0))[4] > TOUCH.same_log_odds


def test_the_more_noise_there_is_the_less_a_change_says() -> None:
    assert even_odds_grey(3.0, 120.0) > 2 * even_odds_grey(1.0, 120.0) == 2 * TOUCH.even_grey


def test_seeds_of_the_next_pit_that_show_at_the_edge_make_no_change(before: Cells) -> None:
    now = before.copy()
    now[2, 6:9, 0] -= 90.0
    assert (odds(now, before) == -TOUCH.most_nats).all()


def test_the_looks_that_were_seen_but_once_are_let_go_first(before: Cells) -> None:
    pits, kept = np.arange(PITS), EarlierLooks(before)
    kept.take(pits, before, USUAL)
    for _ in range(3):
        kept.last(np.ones(PITS, np.bool_))
    for k in range(2 * STAYS.remembered):  # of a hand that hovers
        kept.take(pits, one_seed(before, 0, by=20.0 * (k + 1)), USUAL)
        kept.last(np.ones(PITS, np.bool_))
    assert kept.number.tolist() == [2 * STAYS.remembered, *[0] * (PITS - 1)]
    kept.take(pits, before, USUAL)
    assert not kept.number.any(), "as it looked before the hand came"
