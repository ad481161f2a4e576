"""Where the seeds of a pit lie, and the look at them from close by."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.seeds.close_up import closer, window
from vision.seeds.counter import reader, turned, unturned
from vision.seeds.crops import FINE, SIZE
from vision.seeds.parameters import CLOSE_UP
from vision.train.crops import MOST, marks

CELLS = 20


def seeds(*places: tuple[float, float]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """The map of seeds whose middles are these shares of the picture's side."""
    middles = np.full((1, MOST, 2), np.nan, np.float32)
    if places:
        middles[0, : len(places)] = np.array(places, np.float32) * SIZE - 0.5
    return np.asarray(marks(middles, SIZE, CELLS)[0], np.float32)


def test_a_small_heap_is_looked_at_from_close_by() -> None:
    at = window(seeds((0.7, 0.3), (0.76, 0.3), (0.7, 0.36), (0.76, 0.36)))
    assert at is not None
    x, y, half = at
    assert abs(x - 0.73) < 0.03 and abs(y - 0.33) < 0.03
    assert 0.07 < half < 0.25


def test_nothing_is_looked_at_where_nothing_lies() -> None:
    assert window(seeds()) is None
    assert window(np.full((CELLS, CELLS), 0.4 / CELLS**2, np.float32)) is None


def test_a_heap_that_fills_the_pit_is_not_looked_at_again() -> None:
    assert window(seeds((0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8))) is None


def test_a_lone_seed_is_not_cut_into() -> None:
    """Its size is not known from where it lies."""
    at = window(seeds((0.5, 0.5)))
    assert at is not None and at[2] >= 0.3


place = st.tuples(st.floats(0.15, 0.85), st.floats(0.15, 0.85))


@given(st.lists(place, min_size=1, max_size=MOST))
def test_nearly_all_seeds_stay_in_the_window(places: list[tuple[float, float]]) -> None:
    at = window(seeds(*places))
    if at is not None:
        x, y, half = at
        assert half <= CLOSE_UP.most_half
        inside = [abs(px - x) < half and abs(py - y) < half for px, py in places]
        assert sum(inside) == len(places)


def test_the_window_is_cut_out_where_it_lies() -> None:
    picture = np.zeros((FINE, FINE, 3), np.uint8)
    picture[40:60, 100:120] = 255
    near = closer(picture, (110 / FINE, 50 / FINE, 20 / FINE), SIZE)
    assert near.shape == (SIZE, SIZE, 3)
    y, x = np.nonzero(near[..., 0] > 127)
    assert (y.min(), y.max(), x.min(), x.max()) == (20, 59, 20, 59)


@pytest.mark.parametrize("k", range(8))
def test_maps_are_turned_back(k: int) -> None:
    rng = np.random.default_rng(k)
    maps = rng.random((2, CELLS, CELLS))
    assert (unturned(turned(maps, k), k) == maps).all()


def test_the_networks_map_says_where_the_seeds_are() -> None:
    """The shipped weights, on dark balls in one corner of a pale dish."""
    picture = np.full((1, SIZE, SIZE, 3), 205, np.uint8)
    y, x = np.mgrid[:SIZE, :SIZE]
    for cx, cy in ((52, 25), (58, 25), (55, 31)):
        picture[0, (x - cx) ** 2 + (y - cy) ** 2 < 9] = 30
    _, maps = reader().look(picture)
    at = window(maps[0])
    assert at is not None and abs(at[0] - 55 / SIZE) < 0.08 and abs(at[1] - 27 / SIZE) < 0.08
