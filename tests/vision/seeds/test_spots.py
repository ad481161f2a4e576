"""Middles of seeds: the heat's form, its peaks, and how likely each count is by them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.reading import COUNTS
from vision.seeds.counter import reader
from vision.seeds.crops import FINE
from vision.seeds.parameters import MIDDLES
from vision.seeds.seed_middles import counted, crowd, heat, hidden, middles_of, peaks, seeds
from vision.train.crops import MOST
from vision.train.crops import peaks as drawn
from vision.train.fine import fine_batch

PLACES = FINE // 2


def heated(*places: tuple[float, float], ratio: float = 0.15) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """A heat float32[PLACES, PLACES] of seeds at these places, of so large a share of their pit's radius."""
    middles = np.full((1, MOST, 2), np.nan, np.float32)
    if places:
        middles[0, : len(places)] = (np.array(places, np.float32) + 0.5) * 2 - 0.5
    return np.asarray(drawn(middles, np.full(1, ratio, np.float32), FINE, PLACES)[0], np.float32)


def test_the_four_places_of_a_cell_lie_as_they_are_seen() -> None:
    said = np.full((1, 4, 3, 3), -30.0, np.float32)
    said[0, 1, 0, 2] = said[0, 2, 1, 0] = 30.0
    there = heat(said)
    assert there.shape == (1, 6, 6)
    assert np.argwhere(there[0] > 0.5).tolist() == [[0, 5], [3, 0]]


@given(st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=MOST))
def test_every_seed_is_a_peak(places: set[tuple[int, int]]) -> None:
    found = peaks(heated(*((8.0 + 9 * x, 8.0 + 9 * y) for x, y in places)), MIDDLES.least_peak)
    assert found.tolist() == pytest.approx([1.0] * len(places), abs=1e-6)


def test_a_flat_peak_is_one() -> None:
    flat = np.zeros((PLACES, PLACES), np.float32)
    flat[10:13, 10:14] = 1.0
    assert len(peaks(flat, MIDDLES.least_peak)) == 1


def test_seeds_that_touch_are_a_peak_each() -> None:
    apart = 2 * 0.15 * PLACES / 2 / 1.25
    assert len(seeds(heated((30.0, 30.0), (30.0 + apart, 30.0), (30.0 + apart / 2, 30.0 + 0.87 * apart)))) == 3


@given(st.lists(st.floats(0, 1), max_size=30))
def test_the_counts_are_as_likely_as_the_seeds_together_make_them(likely: list[float]) -> None:
    said = np.exp(counted([np.array(likely)])[0])
    assert said.sum() == pytest.approx(1, abs=1e-5)
    if sum(likely) < 8:
        assert (said * np.arange(COUNTS)).sum() == pytest.approx(sum(likely), abs=0.02)


@given(st.lists(st.floats(0.5, 1), max_size=12), st.floats(0, 4))
def test_hidden_seeds_make_more_likelier(likely: list[float], under: float) -> None:
    """As many more as are to be expected, and never one less than what is plainly seen."""
    seen, more = (np.exp(counted([np.array(likely)], u)[0]) for u in (None, np.array([under])))
    assert more.sum() == pytest.approx(1, abs=1e-5)
    numbers = np.arange(COUNTS)
    if under < 1:
        assert (more * numbers).sum() - (seen * numbers).sum() == pytest.approx(under, abs=0.02)
    assert (np.cumsum(more) <= np.cumsum(seen) + 1e-6).all()


def grid(n: int, apart: float) -> list[tuple[float, float]]:
    return [(12.0 + apart * x, 12.0 + apart * y) for x in range(n) for y in range(n)]


def test_a_crowd_is_told_by_how_near_the_next_one_lies() -> None:
    radius = PLACES / 2 / 1.25
    seen, filled = crowd(heated(*grid(4, 14.0)))
    assert seen == 16 and filled == pytest.approx(16 * (14.0 / 2 / radius) ** 2, rel=0.02)
    assert crowd(heated(*grid(4, 9.0)))[1] < filled
    assert crowd(heated()) == (0.0, 0.0)
    assert crowd(heated((20.0, 20.0), (60.0, 60.0)))[1] == 0.0


def test_the_more_of_the_pit_seeds_fill_the_more_lie_hidden() -> None:
    few, some, many = hidden(np.array([[4.0, 0.1], [12.0, 0.4], [16.0, 0.8]]))
    assert few < some < many <= MIDDLES.most_hidden
    assert hidden(np.array([[0.0, 0.0]]))[0] == 0
    assert hidden(np.array([[25.0, 99.0]]))[0] == MIDDLES.most_hidden
    assert MIDDLES.hidden_share > 0


def test_higher_peaks_are_likelier_seeds() -> None:
    there = 0.9 * heated((20.0, 20.0), (50.0, 50.0))
    there[40:] *= 0.5
    low, high = sorted(seeds(there))
    assert 0 < low < high < 1


def test_it_is_told_where_the_middles_are() -> None:
    at, likely = middles_of(heated((20.0, 31.0), (50.0, 12.0)))
    assert sorted(at.tolist()) == [[20, 31], [50, 12]] and (likely > 0.9).all()
    assert middles_of(heated())[0].shape == (0, 2)


def test_the_network_finds_the_middles() -> None:
    """A guard against broken weights, not a measure: of seeds in rendered pits, most peaks lie where one is."""
    images, labels, _, middles, _, ratios = fine_batch(9_200_000, 16)
    near = total = 0
    for one, count, at, ratio in zip(reader().heats(images), labels, middles, ratios, strict=True):
        for y, x in np.argwhere(one > 0.5) if count < COUNTS - 1 else ():
            away = np.linalg.norm((at[: int(count)] + 0.5) / 2 - 0.5 - (x, y), axis=1).min(initial=99.0)
            near, total = near + (away < 0.6 * ratio * PLACES / 2.5 + 1), total + 1
    assert total > 20 and near / total > 0.85
