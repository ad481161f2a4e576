"""Pictures to learn from, turned and moved: the seeds' marks go with them."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.train.augment import lit, moved, recolour, worn


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_the_marks_stay_on_the_seeds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pictures = np.zeros((6, 80, 80, 3), np.uint8)
    middles = np.full((6, 3, 2), np.nan, np.float32)
    for k in range(6):
        x, y = rng.integers(20, 60, 2)
        pictures[k, y - 1 : y + 2, x - 1 : x + 2] = 255
        middles[k, 0] = x, y
    out, at = moved(pictures, middles, rng)
    for k in range(6):
        bright = out[k, ..., 0].astype(float)
        y, x = ((np.indices(bright.shape) * bright).sum(axis=(1, 2)) / bright.sum()).tolist()
        assert np.hypot(x - at[k, 0, 0], y - at[k, 0, 1]) < 0.6
    assert np.isnan(at[:, 1:]).all()


def test_pictures_come_out_different_but_in_range() -> None:
    rng = np.random.default_rng(1)
    pictures = rng.integers(0, 256, (16, 40, 40, 3)).astype(np.uint8)
    lit = recolour(pictures, rng)
    out = worn(lit.copy(), rng)
    assert out.dtype == np.float32 and out.shape == pictures.shape
    assert out.min() >= 0 and out.max() <= 255
    changed = (out != lit).any(axis=(1, 2, 3))
    assert 0 < changed.sum() < 16


def test_the_empty_picture_is_lit_as_the_other_is_and_none_stays_none() -> None:
    rng = np.random.default_rng(4)
    pictures = np.full((32, 40, 40, 3), 120, np.uint8)
    empties = pictures.copy()
    empties[::2] = 0
    seen, bare = lit(pictures, empties, rng)
    assert not bare[::2].any() and (bare[1::2] > 0).all()
    levels = [v[1::2].mean(axis=(1, 2, 3)) for v in (seen, bare)]
    assert levels[0].std() > 10 and np.corrcoef(*levels)[0, 1] > 0.7
